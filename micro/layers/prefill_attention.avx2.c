/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/layers/vector_avx2.h"

#include "micro/layers/prefill_attention_frame.h"
