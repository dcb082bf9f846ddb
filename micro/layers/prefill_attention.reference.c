/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/layers/vector_reference.h"

#include "micro/layers/prefill_attention_frame.h"
