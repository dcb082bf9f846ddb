/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile multiplier: tdpbf16ps of A of TILE_ROWS rows and TILE_K bytes of K, 16 TILE_ROWS TILE_K / 2 multiply-adds, both operands in tiles, or with TILE_LOADS blocks
 * of 2 x 2 with a tile load for each.
 */
#define TILE_OPERATION    tdpbf16ps
#define TILE_WEIGHT_BYTES 2
#define LANE              LANE_FLOAT32
#define WEIGHT_FILL       FILL_BF16
#define ACTIVATION_FILL   FILL_BF16
#define TOLERANCE         1e-5
#include "micro/families/amx/tiles_frame.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    tile_reference_bf16(data, dot, sum, magnitude);
}
#endif
