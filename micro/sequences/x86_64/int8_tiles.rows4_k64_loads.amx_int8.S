/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile multiplier: tdpbssd of A of 4 rows and 64 bytes of K, blocks of 2 x 2 with a tile load for each: 4096 multiply-adds a tdpbssd.
 */
#define FORMAT            "int8_tiles"
#define SEQUENCE          "rows4_k64_loads"
#define BYTES             4.0
#define GROUP_DOTS        4
#define GROUP_UOPS        8
#define TILE_ROWS         4
#define TILE_K            64
#define TILE_OPERATION    tdpbssd
#define TILE_WEIGHT_BYTES 1
#define TILE_LOADS
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
