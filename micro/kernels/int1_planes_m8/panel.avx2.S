/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM without VNNI: two bits of a group are left in scratch, and then loaded for each 6 tokens: 12 vpmaddubsw and 12 vpaddw for 4 columns
 * of 16 rows; four passes for the 64 rows of a panel. 64 groups of products, 2 * 2 * 127 each, stay within a word.
 *
 *   ymm0-11 sums   ymm12, ymm13 fields   ymm14 activations   ymm15 products
 */
#include "micro/kernels/int1_planes_m8/layout.h"

#define GROUP_BYTES 32
#define PASSES      4
#define REGISTERS   2
#define TOKENS      6
#define UNPACKS_PANEL
#define WORD_GROUPS 64
#include "micro/kernels/gemm_tile_frame.h"

#ifdef __ASSEMBLER__

#include "micro/kernels/tile.avx2.inc"
#include "micro/kernels/int1_planes_m8/fields.avx2.inc"

    tile_functions

#endif
