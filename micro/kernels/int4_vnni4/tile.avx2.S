/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM without VNNI: the nibbles of half a group times 6 tokens, 12 vpmaddubsw and 12 vpaddw for 4 columns of 16 rows; the other 16 of a panel in
 * a second pass. 8 groups of products, 15 * 2 * 127 each, stay within a word.
 *
 *   ymm0-11 sums   ymm12, ymm13 fields   ymm14 activations   ymm15 products
 */
#include "micro/kernels/int4_vnni4/layout.h"

#define GROUP_BYTES STEP_BYTES
#define PASSES      2
#define REGISTERS   2
#define TOKENS      6
#define WORD_GROUPS 8
#define ROW_OF(pass, n) ((pass)*8 + (n)*16)
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx2.inc"
#include "micro/kernels/int4_vnni4/nibbles.avx2.inc"

    tile_functions

#endif
