/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of tq1_0 as they are stored, four side by side: a block is one register, three digits and two
 * at a time.
 *
 *     register, 64 bytes = 10 bytes before the block, 52 bytes of digits, 2 of the scale
 *
 * What is no digit meets zeros. Before a row's first block nothing is read, instead of after its last one, so that no
 * other block needs a mask.
 */
#include <stdint.h>

#include "micro/families/blocks/q8.h"

enum { DIGITS = 5, BEFORE = 10 };

struct tq1_0_digits {
    int8_t digit[DIGITS][64]; /* what digit n of each byte of the register meets */
    int32_t offset[16];       /* of each lane, minus the sum of what it meets */
    float scales[4];          /* of this block and the next */
    float unused[12];
};

static inline double tq1_0_value(const struct tq1_0_digits *a, size_t column)
{
    size_t byte = column < 160 ? column % 32 : column < 240 ? 32 + column % 16 : 48 + column % 4;
    size_t digit = column < 160 ? column / 32 : column < 240 ? (column - 160) / 16 : (column - 240) / 4;
    return (double)a->scales[0] * a->digit[digit][BEFORE + byte];
}

#define BLOCK_ACTIVATIONS struct tq1_0_digits
#define BLOCK_VALUE       tq1_0_value

#include "micro/families/blocks/block_rows_avx512.h"

/* digit of value 9, 3, 1 in the three lowest ones of 0 … 26 */
static const uint8_t digits[3][64] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2},
    {0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1, 2, 2, 2},
    {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2},
};

ROWS_INLINE __m512i times(__m512i bytes, int factor)
{
    return _mm512_maddubs_epi16(bytes, _mm512_set1_epi16((int16_t)factor));
}

/** The upper bytes of the words of even bytes and of odd ones, each in its place; what is beside a digit is left. */
ROWS_INLINE __m512i join(__m512i even, __m512i odd)
{
    const __m512i upper = _mm512_set4_epi32(0x000f000d, 0x000b0009, 0x00070005, 0x00030001);
    return _mm512_mask_shuffle_epi8(odd, 0x5555555555555555, even, upper);
}

ROWS_INLINE __m512i add(__m512i sum, __m512i places, const uint8_t *digit, const int8_t *activations)
{
    return _mm512_dpbusd_epi32(sum, _mm512_permutexvar_epi8(places, _mm512_loadu_si512(digit)),
                               _mm512_load_si512(activations));
}

ROWS_INLINE __m512i block_whole(const uint8_t *weights, bool is_first, const struct tq1_0_digits *a)
{
    const uint8_t *from = weights - BEFORE;
    __m512i w = is_first ? _mm512_maskz_loadu_epi8(~0ULL << BEFORE, from) : _mm512_loadu_si512(from);
    __m512i even = times(w, 27), odd = times(w, 27 << 8);
    __m512i three = join(even, odd), two = join(times(even, 9), times(odd, 9));
    __m512i sum = add(_mm512_load_si512(a->offset), three, digits[0], a->digit[0]);
    sum = add(sum, three, digits[1], a->digit[1]);
    sum = add(sum, three, digits[2], a->digit[2]);
    sum = add(sum, two, digits[1], a->digit[3]);
    return add(sum, two, digits[2], a->digit[4]);
}

/** Column of a block that digit n of byte m is, or -1. */
static int column_of(int m, int n)
{
    if (m < 0 || m >= 52)
        return -1;
    if (m < 32)
        return 32 * n + m;
    if (m < 48)
        return 160 + 16 * n + m - 32;
    return n < 4 ? 240 + 4 * n + m - 48 : -1;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct tq1_0_digits *blocks = prepared;
    for (size_t i = 0; i < k / BLOCK_COLUMNS; i++) {
        struct tq1_0_digits *block = &blocks[i];
        struct q8_256 q8;
        q8_256_make(x + i * BLOCK_COLUMNS, BLOCK_COLUMNS, &q8);
        block->scales[0] = q8.scale;
        for (int n = 0; n < DIGITS; n++) {
            for (int byte = 0; byte < 64; byte++) {
                int column = column_of(byte - BEFORE, n);
                block->digit[n][byte] = column < 0 ? 0 : q8.q[column];
            }
        }
        block_offsets((const int8_t(*)[64])block->digit, DIGITS, block->offset);
        memset(block->unused, 0, sizeof block->unused);
    }
    block_scales(blocks, k / BLOCK_COLUMNS);
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
    .prepared_bytes_per_step = sizeof(struct tq1_0_digits),
    .prepare = prepare,
    .row = block_row,
};

#include "micro/frames/gamma.h"
