/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile multiplier: tdpbf16ps of A of 1 row and 32 bytes of K, both operands in tiles: 256 multiply-adds a tdpbf16ps.
 */
#define FORMAT            "bf16_tiles"
#define SEQUENCE          "rows1_k32"
#define BYTES             64.0
#define GROUP_DOTS        1
#define GROUP_UOPS        1
#define TILE_ROWS         1
#define TILE_K            32
#define TILE_OPERATION    tdpbf16ps
#define TILE_WEIGHT_BYTES 2
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
