/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of group-wise codebooks: values looked up once for all tokens, then smmla, sdot, or smull, smlal and sadalp: gemm_unpacked_aarch64.h.
 */
#include "micro/families/codebooks/gemm_codebooks_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL;
