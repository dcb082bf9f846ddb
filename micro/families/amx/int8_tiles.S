/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile multiplier: tdpbssd of A of TILE_ROWS rows and TILE_K bytes of K, 16 TILE_ROWS TILE_K multiply-adds, both operands in tiles, or with TILE_LOADS blocks
 * of 2 x 2 with a tile load for each.
 */
#define TILE_OPERATION    tdpbssd
#define TILE_WEIGHT_BYTES 1
#include "micro/families/amx/tiles_frame.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    tile_reference_bytes(data, dot, sum);
}
#endif
