/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of the sequences that measure the tile multiplier alone: a tdp multiplies A, TILE_ROWS tokens of TILE_K bytes, with B, TILE_K
 * bytes of 16 rows of weights, 4 bytes of each after the other. Its gamma is cycles for 32 weights and a token, so a tdp takes gamma
 * times its output vectors. An accumulator is a tile of sums. The .S states
 *
 *   TILE_ROWS, TILE_K     1 to 16; 4 to 64, a multiple of 4
 *   TILE_OPERATION        tdpbssd…
 *   TILE_WEIGHT_BYTES     of one weight
 *   TILE_LOADS            defined: four tile loads for four tdp, blocks of 2 x 2 as in a GEMM; else both operands stay in tiles
 *
 * and includes this after its other facts. Its uops are instructions: no table states the uops of a tile load. A C half follows:
 * tile_reference_bytes() or tile_reference_bf16() or …_fp16().
 *
 *   tmm0-5 accumulators   tmm6 A   tmm7 B                with TILE_LOADS   tmm0-3 accumulators   tmm4, 5 A   tmm6, 7 B
 *   rcx 64, bytes from row to row   rax weights of the group
 */
#ifdef TILE_LOADS
#define GROUP_DOTS       4
#define MOST             4
#define WEIGHT_BYTES     (2 * 16 * TILE_K)
#define ACTIVATION_BYTES (2 * 64 * TILE_ROWS)
#else
#define GROUP_DOTS       1
#define MOST             6
#define WEIGHT_BYTES     (16 * TILE_K)
#define ACTIVATION_BYTES (64 * TILE_ROWS)
#endif
#define LEAST         1
#define ORIGIN        "kneepoint"
#define CLAIMED       0.0
#define GROUP_VECTORS (GROUP_DOTS * TILE_ROWS * 16 * TILE_K / TILE_WEIGHT_BYTES / 32)
#define BODY_DOTS     12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
.Ltiles:
    .byte 1
    .zero 15
#ifdef TILE_LOADS
    .short 64, 64, 64, 64, TILE_K, TILE_K, 64, 64
    .zero 16
    .byte TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_K / 4, TILE_K / 4
#else
    .short 64, 64, 64, 64, 64, 64, TILE_K, 64
    .zero 16
    .byte TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_K / 4
#endif
    .zero 8
    .text

/* operands: the numbers of A and B, two digits */
.macro dot_into number, operands
    .if \operands == 46
    TILE_OPERATION tmm\number, tmm4, tmm6
    .elseif \operands == 47
    TILE_OPERATION tmm\number, tmm4, tmm7
    .elseif \operands == 56
    TILE_OPERATION tmm\number, tmm5, tmm6
    .elseif \operands == 57
    TILE_OPERATION tmm\number, tmm5, tmm7
    .else
    TILE_OPERATION tmm\number, tmm6, tmm7
    .endif
.endm

#ifdef TILE_LOADS
.macro load_constants
.endm

.macro load_weights base, offset
    lea rax, [\base + \offset]
.endm

.macro group
    tileloadd tmm6, [rax + rcx]
    tileloadd tmm4, [rsi + rcx]
    dot 46
    tileloadd tmm7, [rax + rcx + 16 * TILE_K]
    dot 47
    tileloadd tmm5, [rsi + rcx + 64 * TILE_ROWS]
    dot 56
    dot 57
.endm
#else
.macro load_constants
    tileloadd tmm6, [rsi + rcx]
.endm

.macro load_weights base, offset
    lea rax, [\base + \offset]
    tileloadd tmm7, [rax + rcx]
.endm

.macro group
    dot 67
.endm
#endif
#else

/** A and B of a dot product: of four the first two have the first A, and B's alternate. */
static inline const uint8_t *tile_reference_a(const struct sequence_data *data, uint32_t dot)
{
    return data->activations + (size_t)(dot / 2) * 64 * TILE_ROWS;
}

static inline const uint8_t *tile_reference_b(const struct sequence_data *data, uint32_t dot)
{
    return data->weights + (size_t)(dot % 2) * 16 * TILE_K;
}

static inline void tile_reference_bytes(const struct sequence_data *data, uint32_t dot, void *sum)
{
    const int8_t *a = (const int8_t *)tile_reference_a(data, dot), *b = (const int8_t *)tile_reference_b(data, dot);
    uint32_t *to = sum;
    for (size_t token = 0; token < TILE_ROWS; token++) {
        for (size_t row = 0; row < 16; row++) {
            int32_t products = 0;
            for (size_t k = 0; k < TILE_K; k++)
                products += a[64 * token + k] * b[k / 4 * 64 + 4 * row + k % 4];
            to[16 * token + row] += (uint32_t)products;
        }
    }
}

static inline void tile_reference_halves(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude,
                                         float (*value)(uint16_t bits))
{
    const uint8_t *a = tile_reference_a(data, dot), *b = tile_reference_b(data, dot);
    for (size_t token = 0; token < TILE_ROWS; token++) {
        for (size_t row = 0; row < 16; row++) {
            for (size_t k = 0; k < TILE_K / 2; k++)
                reference_add(sum, magnitude, 16 * token + row,
                              value(reference_word(a + 64 * token, k)) *
                                  value(reference_word(b + k / 2 * 64, 2 * row + k % 2)));
        }
    }
}

static inline void tile_reference_bf16(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    tile_reference_halves(data, dot, sum, magnitude, reference_bf16);
}

static inline void tile_reference_fp16(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    tile_reference_halves(data, dot, sum, magnitude, reference_f16);
}
#endif
