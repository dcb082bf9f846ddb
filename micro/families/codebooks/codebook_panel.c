/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of group-wise codebooks, of panels whose values are looked up once for all tokens: 8 rows by four tokens, with registers of 512 bits 32 rows by
 * six.
 */
#include "micro/of_self.h"

#include OF_ISA_H(micro/families/group_scales/gemm_group_scales)

#include "micro/families/codebooks/gemm_codebooks.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL;
