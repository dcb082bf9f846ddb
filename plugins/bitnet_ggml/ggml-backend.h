/* SPDX-License-Identifier: BSD-3-Clause */
#include "ggml.h"
