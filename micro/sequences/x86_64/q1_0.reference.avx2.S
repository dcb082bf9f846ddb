/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q1_0, a row at a time as llama.cpp has it: four bytes of bits repeated, each byte brought to its eight columns and compared bit by bit;
 * what the comparison gives turns the activations, whose sums by fours are scaled as 32 of them are.
 * Of a block: 4 each of vpshufb, AND, comparison, XOR, vpsubb, vpmaddubsw, vpmaddwd, conversion, products or multiply-add; 2 to convert the
 * scale and 1 multiply-add. Golden Cove: 39 uops on three ports, 3.25 cycles per output vector. 47 uops issued: 39 of arithmetic, 8 loads.
 *
 *   ymm0-3 accumulators   ymm4 turned, terms, sums   ymm5 masks   ymm6 sum of the block   ymm7 scales
 *   ymm9 scale of the block   ymm10 zero   ymm11 ones   ymm12 bytes of columns   ymm13 a bit each   ymm14 ones, as bytes   rdx weights
 */
#define FORMAT           "q1_0"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            4.5
#define GROUP_DOTS       1
#define GROUP_UOPS       47
#define GROUP_VECTORS    4
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     18
#define ACTIVATION_BYTES 144
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lbytes: .quad 0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303
.Lsingle:
    .rept 4
    .quad 0x8040201008040201
    .endr

.macro load_constants
    vmovdqa ymm12, [rip + .Lbytes]
    vmovdqa ymm13, [rip + .Lsingle]
    mov eax, 0x10001
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
    mov eax, 0x01010101
    vmovd xmm14, eax
    vpbroadcastd ymm14, xmm14
    vpxor xmm10, xmm10, xmm10
.endm

.macro load_weights base, offset
    vpbroadcastw xmm9, [\base + \offset]
    lea rdx, [\base + \offset + 2]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro part number
    vpbroadcastd ymm5, dword ptr [rdx + 4 * \number]
    vpshufb ymm5, ymm5, ymm12
    vpand ymm5, ymm5, ymm13
    vpcmpeqb ymm5, ymm5, ymm10
    vpxor ymm4, ymm5, [rsi + 32 * \number]
    vpsubb ymm4, ymm4, ymm5
    vpmaddubsw ymm4, ymm14, ymm4
    vpmaddwd ymm4, ymm4, ymm11
    vcvtdq2ps ymm4, ymm4
    vbroadcastss ymm7, dword ptr [rsi + 128 + 4 * \number]
    .if \number
    vfmadd231ps ymm6, ymm4, ymm7
    .else
    vmulps ymm6, ymm4, ymm7
    .endif
.endm

.macro group
    part 0
    part 1
    part 2
    part 3
    vcvtph2ps ymm7, xmm9
    dot ymm7
.endm

    sequence_functions
#else
#include "micro/sequences/blocks.h"

enum { CODES_AT = 2, SCALES_AT = 128 };

/** Lane l has columns 4 l to 4 l + 3 of each 32, which have a scale of their own. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    const int8_t *a = (const int8_t *)data->activations;
    double values[8] = {0}, sizes[8] = {0};
    for (uint32_t column = 0; column < 128; column++) {
        double scale = blocks_half(data->weights) * blocks_float(data->activations + SCALES_AT + column / 32 * 4);
        double term = scale * (blocks_code(data->weights + CODES_AT, column, 1) ? a[column] : -a[column]);
        values[column % 32 / 4] += term;
        sizes[column % 32 / 4] += fabs(term);
    }
    for (uint32_t lane = 0; lane < 8; lane++)
        blocks_add(sum, magnitudes, lane, values[lane], sizes[lane]);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights + CODES_AT, 16, (int8_t *)activations, SCALES_AT, seed);
    blocks_draw_scales(weights, 1, &state);
    for (uint32_t i = 0; i < 4; i++)
        blocks_put_float(activations + SCALES_AT + 4 * i, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
}
#endif
