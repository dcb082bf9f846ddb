/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tmac2_g128 as T-MAC looks it up: 16 rows and two tiles of 64 columns, 128 with a scale. Each 16 bytes are nibbles of 16 rows, bits 0 and bits
 * 1, which one table answers; what it says is widened to words and added up over the 16 quads of a tile, and these sums become floats, are
 * scaled by the tables' scale, bits 0 with the sum of the activations beside them, and by the weights' in the last multiply-add. Weights come
 * from the first-level cache, as tables do.
 * Of a quad: 1 shift, 1 vinserti128, 1 AND, 1 vpshufb, 1 vextracti128, 2 vpmovsxbw, 2 vpaddw; of a tile 18 more.
 * Golden Cove: vinserti128, vextracti128, vpmovsxbw and vpmovsxwd 140 on p5: >= 2.19 cycles per output vector. 388 uops issued: 320 of arithmetic, 68 loads.
 *
 *   ymm0-3 accumulators: bits 0, bits 1 of rows 0-7, of rows 8-15   ymm4, ymm5 words   ymm6-9 temporaries   ymm12 scale
 *   ymm13 sum of the activations, negative   ymm15 mask 0x0f   r11 weights
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            9.0
#define GROUP_DOTS       8
#define GROUP_VECTORS    64
#define LEAST            4
#define MOST             4
#define WEIGHT_BYTES     576 /* [tile][quad][16]; [16] scales */
#define ACTIVATION_BYTES 528 /* [tile][quad][16] entries; of each tile a scale and its activations' sum, negative */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#define SCALES 512

#ifdef __ASSEMBLER__
#include "micro/formats/tmac2_tiles/tmac2_tiles.tmac.avx2.inc"

.macro dot_into number, source
    vfmadd231ps ymm\number, \source
.endm

/* eight rows: words of their bits 0, then of their bits 1 */
.macro rows words, scales
    vpmovsxwd ymm6, xmm\words
    vextracti128 xmm7, ymm\words, 1
    vpmovsxwd ymm7, xmm7
    vcvtdq2ps ymm6, ymm6
    vcvtdq2ps ymm7, ymm7
    vfmadd213ps ymm6, ymm12, ymm13
    vmulps ymm7, ymm7, ymm12
    dot ymm6, [r11 + SCALES + \scales]
    dot ymm7, [r11 + SCALES + \scales]
.endm

.macro tile number
    quads %(256 * \number)
    vbroadcastss ymm12, [rsi + SCALES + 8 * \number]
    vbroadcastss ymm13, [rsi + SCALES + 8 * \number + 4]
    rows 4, 0
    rows 5, 32
.endm

.macro group
    tile 0
    tile 1
.endm

    sequence_functions
#else
#include <math.h>

#include "micro/formats/tmac2_g128/layout.h"

enum { TABLES = 2 * TMAC2_TILE_QUADS };

/* dot product 4 t + 2 r + b: bits b of tile t, lane l of row 8 r + l */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const int8_t *entries = (const int8_t *)data->activations;
    uint32_t tile = dot / 4, bit = dot % 2;
    double scale = (double)reference_f32(data->activations + SCALES, 2 * tile);
    double minus = bit ? 0 : (double)reference_f32(data->activations + SCALES, 2 * tile + 1);
    for (uint32_t lane = 0; lane < 8; lane++) {
        uint32_t row = dot % 4 / 2 * 8 + lane;
        double found = minus, magnitude = fabs(minus);
        for (uint32_t quad = tile * TMAC2_TILE_QUADS; quad < (tile + 1) * TMAC2_TILE_QUADS; quad++) {
            uint32_t nibbles = data->weights[quad * 16 + bit * 8 + row % 8];
            double entry = entries[quad * 16 + (nibbles >> row / 8 * 4 & 15)];
            found += entry * scale;
            magnitude += fabs(entry) * scale;
        }
        double of_weights = (double)reference_f32(data->weights + SCALES, row);
        ((float *)sum)[lane] += (float)(found * of_weights);
        if (magnitudes)
            magnitudes[lane] += magnitude * fabs(of_weights);
    }
}

static void put(uint8_t *floats, uint32_t index, float value)
{
    memcpy(floats + index * sizeof value, &value, sizeof value);
}

/** A float of 1/32 to 1/16, of either sign where asked for. */
static float drawn(uint64_t *seed, int with_sign)
{
    uint64_t random = sequence_random(seed);
    float value = (float)(1024 + (random >> 32) % 1024) * 0x1p-15f;
    return with_sign && random & 1 ? -value : value;
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    reference_random_bytes(weights, SCALES, &seed);
    for (uint32_t row = 0; row < TMAC2_BLOCK_ROWS; row++)
        put(weights + SCALES, row, drawn(&seed, 1));
    reference_random_int8((int8_t *)activations, TABLES * 16, &seed);
    for (uint32_t tile = 0; tile < 2; tile++) {
        put(activations + SCALES, 2 * tile, drawn(&seed, 0));
        put(activations + SCALES, 2 * tile + 1, drawn(&seed, 1) * 64);
    }
}
#endif
