/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A scale for every 32 columns. Codes lie as a tile of B has them; they are copied, since a panel passes as often as there are 16 tokens, and
 * is fetched from memory once.
 */
#define CODE_OFFSET 128
#include "micro/families/amx/amx_block32_m16.h"

static void unpack_codes(const uint8_t *codes, uint8_t *to)
{
    for (size_t line = 0; line < 8; line++)
        _mm512_store_si512(to + 64 * line, _mm512_loadu_si512(codes + 64 * line));
}

const struct kernel SELF = AMX_BLOCK32_M16_KERNEL;
