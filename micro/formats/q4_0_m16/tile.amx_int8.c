/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A scale for every 32 columns. Low nibbles are the first four lines of a tile of B and high ones the others.
 */
#define CODE_OFFSET 8
#include "micro/families/amx/amx_block32_m16.h"

static void unpack_codes(const uint8_t *codes, uint8_t *to)
{
    const __m512i nibble = _mm512_set1_epi8(15);
    for (size_t line = 0; line < 4; line++) {
        const __m512i bytes = _mm512_loadu_si512(codes + 64 * line);
        _mm512_store_si512(to + 64 * line, _mm512_and_si512(bytes, nibble));
        _mm512_store_si512(to + 64 * (4 + line), _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble));
    }
}

const struct kernel SELF = AMX_BLOCK32_M16_KERNEL;
