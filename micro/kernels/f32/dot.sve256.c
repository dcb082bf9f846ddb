/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing to widen.
 */
#include "micro/kernels/f32/layout.h"
#include "micro/kernels/float_rows_aarch64.h"

ROWS_INLINE struct float_pair widen(const uint8_t *weights)
{
    const float *w = (const float *)(const void *)weights;
    return (struct float_pair){tile_load_floats(w), tile_load_floats(w + TILE_ROWS)};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;
