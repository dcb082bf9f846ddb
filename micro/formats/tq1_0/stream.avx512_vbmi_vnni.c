/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of tq1_0 as they are stored, four side by side: eight blocks are read as one stream of 432
 * bytes, seven whole registers, where a register a block would be five sixths full.
 *
 *     registers 0 … 5 at 64 r, register 6 at 368: its first 16 bytes are the last of register 5 and meet zeros, as do
 *     the scales in between and the fifth digit of the last four bytes of a block, so nothing after a row is read
 *
 * Blocks begin at even lanes or in the middle of one whose other half is a scale, so a lane of 32 bits has digits of one
 * block, and a permutation of the eight scales gives each lane its own.
 */
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/formats/tq1_0/tq1_0_codes.h"
#include "micro/frames/rows.h"

extern const struct format SELF_FORMAT;

enum { DIGITS = 5, BLOCKS = 8, GROUP_BYTES = BLOCKS * BLOCK_BYTES, REGISTERS = 7, LAST = GROUP_BYTES - 64, CODES = 52 };

/** What a register of weights meets. */
struct met {
    int8_t digit[DIGITS][64];
    int32_t offset[16]; /* of each lane, minus the sum of what it meets: a code is a weight + 1 */
    int32_t block[16];  /* whose scale the lane has */
};

/** The activations of eight blocks. */
struct operand {
    struct met met[REGISTERS];
    float scale[BLOCKS];
    float unused[8];
};

static inline size_t register_at(size_t number)
{
    return number + 1 < REGISTERS ? 64 * number : LAST;
}

static const uint8_t to_upper[64] = {TQ1_0_TO_UPPER}, to_lower[64] = {TQ1_0_TO_LOWER};
static const uint8_t digits[DIGITS][64] = {
    {TQ1_0_DIGIT_0}, {TQ1_0_DIGIT_1}, {TQ1_0_DIGIT_2}, {TQ1_0_DIGIT_3}, {TQ1_0_DIGIT_4},
};

ROWS_INLINE __m512i look_up(__m512i places, const uint8_t *table)
{
    return _mm512_permutexvar_epi8(places, _mm512_loadu_si512(table));
}

/** The scales of four blocks, or of as many as there are. */
ROWS_INLINE uint64_t four_scales(const uint8_t *weights, int blocks)
{
    uint64_t four = 0;
#pragma GCC unroll 4
    for (int b = 3; b >= 0; b--) {
        uint16_t half = 0;
        if (b < blocks)
            memcpy(&half, weights + b * BLOCK_BYTES + CODES, sizeof half);
        uint64_t wide = half;
        __asm__("" : "+r"(wide)); /* or the compiler makes shuffles of it, on the ports that are short */
        four = four << 16 | wide;
    }
    return four;
}

ROWS_INLINE __m512 scales_of(const uint8_t *weights, int blocks, const struct operand *a)
{
    __m128i halves = _mm_set_epi64x((long long)four_scales(weights + 4 * BLOCK_BYTES, blocks - 4),
                                    (long long)four_scales(weights, blocks));
    return _mm512_castps256_ps512(_mm256_mul_ps(_mm256_cvtph_ps(halves), _mm256_load_ps(a->scale)));
}

/** A register of each row, step by step of all: what waits for a row's look-up leaves the schedulers room for others. */
ROWS_INLINE void add_registers(__m512 *sum, const uint8_t *const *weights, size_t at, __mmask64 bytes,
                               const struct met *met, const __m512 *scales, int count, bool fetches, size_t prefetch)
{
    __m512i w[ROWS_TOGETHER], upper[ROWS_TOGETHER], lower[ROWS_TOGETHER], whole[ROWS_TOGETHER];
#define OF_ROWS _Pragma("GCC unroll 4") for (int r = 0; r < count; r++)
    const size_t ahead = rows_distance(at, prefetch);
    if (fetches)
        OF_ROWS rows_prefetch(weights[r], 64, ahead);
    OF_ROWS w[r] = _mm512_maskz_loadu_epi8(bytes, weights[r] + at);
    OF_ROWS lower[r] = _mm512_srli_epi16(w[r], 2);
    OF_ROWS upper[r] = look_up(lower[r], to_upper);
    OF_ROWS lower[r] = look_up(lower[r], to_lower);
    OF_ROWS upper[r] = _mm512_add_epi8(upper[r], w[r]);
    OF_ROWS lower[r] = _mm512_add_epi8(lower[r], w[r]);
    OF_ROWS whole[r] = _mm512_load_si512(met->offset);
#pragma GCC unroll 5
    for (int n = 0; n < DIGITS; n++) {
        const __m512i a = _mm512_load_si512(met->digit[n]);
        OF_ROWS whole[r] = _mm512_dpbusd_epi32(whole[r], look_up(n < 2 ? upper[r] : lower[r], digits[n]), a);
    }
    const __m512i block = _mm512_load_si512(met->block);
    OF_ROWS sum[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole[r]), _mm512_permutexvar_ps(block, scales[r]), sum[r]);
#undef OF_ROWS
}

ROWS_INLINE void add_groups(__m512 *sum, const uint8_t *const *weights, size_t at, const struct operand *a, int count,
                            bool fetches, size_t prefetch)
{
    __m512 scales[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        scales[r] = scales_of(rows_at(weights[r], at), BLOCKS, a);
#pragma GCC unroll 1
    for (size_t i = 0; i < REGISTERS; i++)
        add_registers(sum, weights, at + register_at(i), ~(__mmask64)0, &a->met[i], scales, count, fetches, prefetch);
}

/** The 1 to 7 blocks that end a row, a constant: what is after it is not read. Register 6 would begin after them. */
ROWS_INLINE void add_rest(__m512 *sum, const uint8_t *const *weights, size_t at, const struct operand *a, size_t blocks,
                          int count, size_t prefetch)
{
    __m512 scales[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        scales[r] = scales_of(rows_at(weights[r], at), (int)blocks, a);
    const size_t filled = blocks * BLOCK_BYTES / 64, left = blocks * BLOCK_BYTES % 64;
#pragma GCC unroll 1
    for (size_t i = 0; i < filled; i++)
        add_registers(sum, weights, at + 64 * i, ~(__mmask64)0, &a->met[i], scales, count, true, prefetch);
    add_registers(sum, weights, at + 64 * filled, ((__mmask64)1 << left) - 1, &a->met[filled], scales, count, true,
                  prefetch);
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, __m512 *sum, int count)
{
    const struct operand *operand = slice->prepared;
    const size_t whole = slice->steps / BLOCKS;
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = _mm512_setzero_ps();
    for (size_t i = 0; i < whole; i++)
        add_groups(sum, weights, i * GROUP_BYTES, &operand[i], count, true, slice->prefetch_bytes);
#define REST(blocks)                                                                                                   \
    case blocks:                                                                                                       \
        add_rest(sum, weights, whole *GROUP_BYTES, &operand[whole], blocks, count, slice->prefetch_bytes);             \
        break
    switch (slice->steps % BLOCKS) {
        REST(1);
        REST(2);
        REST(3);
        REST(4);
        REST(5);
        REST(6);
        REST(7);
    default: break;
    }
#undef REST
}

#include "micro/frames/rows_gemv_avx512.h"

static size_t prepared_bytes(size_t k)
{
    return (k / BLOCK_COLUMNS + BLOCKS - 1) / BLOCKS * sizeof(struct operand);
}

/** Column of a block that digit n of byte m is, or -1. */
static int column_of(size_t m, int n)
{
    if (m < 32)
        return 32 * n + (int)m;
    if (m < 48)
        return 160 + 16 * n + (int)m - 32;
    return m < CODES && n < 4 ? 240 + 4 * n + (int)m - 48 : -1;
}

/** The place of a byte of a group: of register `number`, or SIZE_MAX where another register has it. */
static size_t byte_of_group(size_t number, size_t byte)
{
    size_t at = register_at(number) + byte;
    return number + 1 == REGISTERS && at < 64 * number ? SIZE_MAX : at;
}

static void place(struct operand *to, const struct q8_256 *blocks)
{
    for (size_t number = 0; number < REGISTERS; number++) {
        struct met *met = &to->met[number];
        for (size_t byte = 0; byte < 64; byte++) {
            size_t at = byte_of_group(number, byte), block = at / BLOCK_BYTES;
            for (int n = 0; at != SIZE_MAX && n < DIGITS; n++) {
                int column = column_of(at % BLOCK_BYTES, n);
                met->digit[n][byte] = column < 0 ? 0 : blocks[block].q[column];
                met->offset[byte / 4] -= met->digit[n][byte];
                if (column >= 0)
                    met->block[byte / 4] = (int32_t)block;
            }
        }
    }
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct operand *operand = prepared;
    memset(prepared, 0, prepared_bytes(k));
    for (size_t first = 0; first < k / BLOCK_COLUMNS; first += BLOCKS, operand++) {
        struct q8_256 blocks[BLOCKS] = {0};
        for (size_t b = 0; b < BLOCKS && first + b < k / BLOCK_COLUMNS; b++) {
            q8_256_make(x + (first + b) * BLOCK_COLUMNS, BLOCK_COLUMNS, &blocks[b]);
            operand->scale[b] = blocks[b].scale;
        }
        place(operand, blocks);
    }
}

/** Byte of a block and digit there that a column is. */
static double value(const struct operand *operand, size_t column)
{
    const struct operand *of = &operand[column / BLOCK_COLUMNS / BLOCKS];
    size_t block = column / BLOCK_COLUMNS % BLOCKS, in_block = column % BLOCK_COLUMNS;
    size_t byte = in_block < 160 ? in_block % 32 : in_block < 240 ? 32 + in_block % 16 : 48 + in_block % 4;
    size_t digit = in_block < 160 ? in_block / 32 : in_block < 240 ? (in_block - 160) / 16 : (in_block - 240) / 4;
    size_t at = block * BLOCK_BYTES + byte, number = at / 64;
    return (double)of->scale[block] * of->met[number].digit[digit][at - register_at(number)];
}

KERNEL_ROW(row_of, value(prepared, column))

/* its gamma: micro/frames/gamma.h */
#define STEP_SUM          __m512
#define STEP_ACTIVATIONS  struct operand
#define STEP_ROWS         1
#define STEP_COLUMNS      BLOCK_COLUMNS
#define STEP_BYTES        BLOCK_BYTES
#define STEPS_TOGETHER    BLOCKS
#define STEP_ACCUMULATORS ROWS_TOGETHER
#define STEP_OF_ROWS
#define step_zero _mm512_setzero_ps

ROWS_INLINE void step_add_rows(__m512 *sum, const uint8_t *const *weights, const struct operand *a, int count)
{
    add_groups(sum, weights, 0, a, count, false, 0);
}

ROWS_INLINE void step_finish(float *rows, __m512 sum)
{
    rows[0] = _mm512_reduce_add_ps(sum);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 2048,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of,
};

#include "micro/frames/gamma.h"
