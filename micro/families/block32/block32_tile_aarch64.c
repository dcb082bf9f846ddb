/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of blocks of 32 columns on aarch64 (gemm_block32_aarch64.h): pairs of columns by smull, smlal and sadalp; with dot products sdot by element; with
 * i8mm smmla, on SVE with 256 bits. Rows stored one by one are zipped in registers, or gathered into those of SVE. Interleaved rows are taken as they lie,
 * on SVE two panels of four rows together; where these are interleaved by four bytes tbl brings their words together by rows.
 */
#include "micro/of_self.h"

/* A row names the format whose codes these are. */
#include OF_SELF_PATH(micro/formats/CODES_OF/codes_aarch64.h)

#include "micro/families/block32/gemm_block32_aarch64.h"

const struct kernel SELF = GEMM_BLOCK32_KERNEL;
