/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tmac2_tiles as T-MAC looks it up with one scale for all tables: tmac2_tiles.tmac.avx2.inc, whose words are widened to 32 bits and added, 6 and 4
 * more; 16 rows and 64 columns.
 * Golden Cove: vinserti128, vextracti128, vpmovsxbw and vpmovsxwd 70 on p5: >= 2.19 cycles per output vector. 184 uops issued: 152 of arithmetic, 32 loads.
 *
 *   ymm0-3 accumulators: bits 0, bits 1 of rows 0-7, of rows 8-15   ymm4-9, ymm15, r11: the .inc
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    32
#define LEAST            4
#define MOST             4
#define WEIGHT_BYTES     256
#define ACTIVATION_BYTES 256
#define ACTIVATION_FILL  FILL_OWN
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/formats/tmac2_tiles/tmac2_tiles.tmac.avx2.inc"

.macro dot_into number, source
    vpaddd ymm\number, ymm\number, \source
.endm

/* eight rows: words of their bits 0, then of their bits 1 */
.macro rows words
    vpmovsxwd ymm6, xmm\words
    vextracti128 xmm7, ymm\words, 1
    vpmovsxwd ymm7, xmm7
    dot ymm6
    dot ymm7
.endm

.macro group
    quads 0
    rows 4
    rows 5
.endm

    sequence_functions
#else
#include "micro/formats/tmac2_tiles/layout.h"

/* dot product 2 r + b: bits b, lane l of row 8 r + l */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)magnitudes;
    const int8_t *entries = (const int8_t *)data->activations;
    uint32_t *lanes = sum;
    for (uint32_t lane = 0; lane < 8; lane++) {
        uint32_t row = dot / 2 * 8 + lane;
        for (uint32_t quad = 0; quad < TMAC2_TILE_QUADS; quad++) {
            uint32_t nibbles = data->weights[quad * 16 + dot % 2 * 8 + row % 8];
            int32_t entry = entries[quad * 16 + (nibbles >> row / 8 * 4 & 15)];
            lanes[lane] = lanes[lane] + (uint32_t)entry;
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    reference_random_int8((int8_t *)activations, ACTIVATION_BYTES, &seed);
}
#endif
