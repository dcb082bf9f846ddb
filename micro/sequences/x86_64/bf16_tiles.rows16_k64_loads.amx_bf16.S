/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile multiplier: tdpbf16ps of A of 16 rows and 64 bytes of K, blocks of 2 x 2 with a tile load for each: 8192 multiply-adds a tdpbf16ps.
 */
#define FORMAT            "bf16_tiles"
#define SEQUENCE          "rows16_k64_loads"
#define BYTES             2.0
#define GROUP_DOTS        4
#define GROUP_UOPS        8
#define TILE_ROWS         16
#define TILE_K            64
#define TILE_OPERATION    tdpbf16ps
#define TILE_WEIGHT_BYTES 2
#define TILE_LOADS
#define LANE              LANE_FLOAT32
#define WEIGHT_FILL       FILL_BF16
#define ACTIVATION_FILL   FILL_BF16
#define TOLERANCE         1e-5
#include "micro/sequences/x86_64/tiles_frame.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    tile_reference_bf16(data, dot, sum, magnitude);
}
#endif
