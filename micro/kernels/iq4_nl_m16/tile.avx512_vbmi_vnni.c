/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, blocks as they are stored; codes are looked up once for all tokens of a tile.
 */
#include "micro/kernels/iq4_nl/codebook.h"
#include "micro/kernels/rows.h"

#include <immintrin.h>

#define CODE_OFFSET      128
#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       4

/* Six bits of an index count, and the codebook is there four times: nothing is masked. */
ROWS_INLINE __m512i nibble_codes(__m512i bytes)
{
    return _mm512_permutexvar_epi8(bytes, _mm512_broadcast_i32x4(_mm_setr_epi8(IQ4_NL_CODEBOOK_OFFSET)));
}

#include "micro/kernels/gemm_block32_avx512_vnni.h"

const struct kernel SELF = GEMM_KERNEL("iq4_nl_m16.offset.avx512_vbmi_vnni");
