/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads widen eight halves to words without an instruction more, fcvt makes floats of them, exactly.
 */
#include "micro/kernels/f16/layout.h"
#include "micro/kernels/float_rows_aarch64.h"

ROWS_INLINE struct float_pair widen(const uint8_t *weights)
{
    return (struct float_pair){tile_halves(weights), tile_halves(weights + 2 * TILE_ROWS)};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;
