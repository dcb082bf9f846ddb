/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of blocks of 32 columns, of nvfp4 of 64: eight rows by four tokens (gemm_block32_256.h), with registers of 512 bits 32 rows by six
 * (gemm_block32_avx512_vnni.h). Blocks of 16 interleaved rows are read as they are stored. Rows stored one by one, or interleaved in fours and
 * eights, are brought into that order in scratch, once for all tokens. Codes become bytes to multiply once for all tokens of a tile.
 *
 * Without VNNI 8 rows of q4_0 take, of a block and a token, 8 vpmaddubsw, 7 additions of words, one vpmaddwd that makes them 32 bits, and the
 * offset, conversion and scales.
 */
#include "micro/of_self.h"

/* A row names the formats whose codes these are (CODES_OF) and, if they are no halves, whose scales (SCALES_OF). */
#include OF_SELF_PATH(micro/formats/CODES_OF/codes.h)
#ifdef SCALES_OF
#include OF_SELF_PATH(micro/formats/SCALES_OF/lane_scales.h)
#endif

#include "micro/families/block32/gemm_block32.h"

const struct kernel SELF = GEMM_KERNEL;
