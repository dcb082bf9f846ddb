/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A kernel w<p>.a<q>_any: bit_serial_any_avx512.h, called with the bits of its format and its name.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_ANY_KERNEL_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_ANY_KERNEL_H

#include "micro/families/bit_serial/bit_serial_any_avx512.h"
#include "micro/families/bit_serial/bit_serial_gemm.h"

static void gemv(const struct gemv_slice *slice)
{
    bits_any_gemv(slice, (struct bits_widths){WEIGHT_BITS, ACTIVATION_BITS});
}

#define BITS_TILE(PANELS, TOKENS)                                                                                      \
    static void bits_tile_##PANELS##_##TOKENS(const struct bits_cut *cut)                                              \
    {                                                                                                                  \
        bits_any(cut, (struct bits_widths){WEIGHT_BITS, ACTIVATION_BITS}, PANELS, TOKENS);                             \
    }
#define BITS_TILES_OF(PANELS) BITS_TILE(PANELS, 1) BITS_TILE(PANELS, 2) BITS_TILE(PANELS, 4) BITS_TILE(PANELS, 8)
BITS_TILES_OF(1)
BITS_TILES_OF(2)

BITS_VARIANT(2, 8, r16t8, 1024) /* 8 bits: 16 KiB of weights, which all pairs of planes and all tokens read */

#endif
