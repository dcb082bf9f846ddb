/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile multiplier: tdpbssd of A of 4 rows and 32 bytes of K, both operands in tiles: 2048 multiply-adds a tdpbssd.
 */
#define FORMAT            "int8_tiles"
#define SEQUENCE          "rows4_k32"
#define BYTES             8.0
#define GROUP_DOTS        1
#define GROUP_UOPS        1
#define TILE_ROWS         4
#define TILE_K            32
#define TILE_OPERATION    tdpbssd
#define TILE_WEIGHT_BYTES 1
#include "micro/sequences/x86_64/tiles_frame.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    tile_reference_bytes(data, dot, sum);
}
#endif
