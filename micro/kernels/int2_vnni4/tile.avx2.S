/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM without VNNI: two fields of a group times 6 tokens, 12 vpmaddubsw and 12 vpaddw for 4 columns of 16 rows; the other 16 of a panel in
 * a second pass. 43 groups of products, 3 * 2 * 127 each, stay within a word.
 *
 *   ymm0-11 sums   ymm12, ymm13 fields   ymm14 activations   ymm15 products
 */
#include "micro/kernels/int2_vnni4/layout.h"

#define GROUP_BYTES 32
#define PASSES      2
#define REGISTERS   2
#define TOKENS      6
#define WORD_GROUPS 43
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx2.inc"
#include "micro/kernels/int2_vnni4/fields.avx2.inc"

    tile_functions

#endif
