/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/families/k_quants/k_quant_requantize.h"
