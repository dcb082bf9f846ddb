/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of rows or panels whose groups of 16 columns have a scale each: 8 rows by four tokens, with registers of 512 bits 32 rows by six. Codes become
 * values once for all tokens, those of a grid by look-up: gemm_group_scales.h.
 */
#include "micro/of_self.h"
#include OF_ISA_H(micro/families/group_scales/gemm_group_scales)

#include OF_FORMAT(unpack.h)

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL;
