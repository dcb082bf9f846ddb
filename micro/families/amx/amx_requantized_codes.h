/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized_rows.h requires of runs of 256 columns whose codes are unsigned bytes at most, with a scale and perhaps a minimum for every 16
 * columns: a weight is step * code - minimum. In units of 1/256 of a q, its products and sums fit words:
 *
 *     q = (code * r - b + 128) >> 8      r = rint(256 step / s)      b = rint(256 minimum / s), or CODE_OFFSET * r
 *
 * so a weight is off by half of s, and by 1/512 of it for each unit of its code and of b. Some 105 vector uops for 256 weights.
 *
 * A group's largest and smallest code are found in vectors; groups lie in lanes as these come out: group 4 r + l in lane 4 l + r.
 *
 * The including file has defined CODE_OFFSET, by which codes are too large, or 0 where blocks have minima; CODES_MOST, of |code - CODE_OFFSET|;
 * RUN_PACKED, bytes of a run that is more than a block of the format, the last of K perhaps fewer; and defines, of a block or such a run,
 *
 *   void codes_of(const uint8_t *block, __m512i *codes)        columns 64 i … in codes[i]
 *   void steps_of(const uint8_t *block, __m512 *step, __m512 *minimum)      of groups, in lanes as above
 *   uint32_t code_at(block, column)      float step_at(block, column), minimum_at(block, column)
 */
#ifndef MICRO_FAMILIES_AMX_AMX_REQUANTIZED_CODES_H
#define MICRO_FAMILIES_AMX_AMX_REQUANTIZED_CODES_H

#include <immintrin.h>

struct requantizing {
    __m512i codes[4], ratios, starts; /* of 64 columns; as codes_words() makes them: of groups, r and 128 - b */
    float scale;
};

#include "micro/families/amx/amx_requantized_rows.h"

/** Bytes of an unaligned shift of all quadwords by `low` bits in their lower 256, by `high` in the upper. */
#define CODES_FIELD(low, high)                                                                                         \
    _mm512_setr_epi64(CODES_SHIFT(low), CODES_SHIFT(low), CODES_SHIFT(low), CODES_SHIFT(low), CODES_SHIFT(high),       \
                      CODES_SHIFT(high), CODES_SHIFT(high), CODES_SHIFT(high))
#define CODES_SHIFT(bits) ((long long)(0x3830282018100800 + 0x0101010101010101 * (uint64_t)((bits)&63)))

#ifndef RUN_PACKED
#define RUN_PACKED BLOCK_BYTES
#endif

#define CODES_INLINE static inline __attribute__((always_inline))

CODES_INLINE void codes_of(const uint8_t *block, __m512i *codes);
CODES_INLINE void steps_of(const uint8_t *block, __m512 *step, __m512 *minimum);
static uint32_t code_at(const uint8_t *block, size_t column);
static float step_at(const uint8_t *block, size_t column);
static float minimum_at(const uint8_t *block, size_t column);

/** 32 bytes twice. */
CODES_INLINE __m512i codes_twice(const uint8_t *from)
{
    return _mm512_broadcast_i64x4(_mm256_loadu_si256((const void *)from));
}

/** `codes`, and bits of `upper` brought to where `mask` has them. */
CODES_INLINE __m512i codes_with(__m512i codes, __m512i upper, __m512i field, char mask)
{
    return _mm512_ternarylogic_epi32(codes, _mm512_multishift_epi64_epi8(field, upper), _mm512_set1_epi8(mask), 0xf8);
}

/** Bytes of groups, in order, to where they belong. */
CODES_INLINE __m128i codes_groups(__m128i bytes)
{
    return _mm_shuffle_epi8(bytes, _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
}

CODES_INLINE __m512 codes_half(const uint8_t *half)
{
    uint16_t bits;
    memcpy(&bits, half, sizeof bits);
    return _mm512_cvtph_ps(_mm256_set1_epi16((short)bits));
}

/** The largest or smallest code of each group: most is epu8 max or min. */
#define CODES_MOST_OF(name, most)                                                                                      \
    CODES_INLINE __m512 name(const __m512i *codes)                                                                     \
    {                                                                                                                  \
        const __m512i first =                                                                                          \
            most(_mm512_unpacklo_epi32(codes[0], codes[1]), _mm512_unpackhi_epi32(codes[0], codes[1]));                \
        const __m512i second =                                                                                         \
            most(_mm512_unpacklo_epi32(codes[2], codes[3]), _mm512_unpackhi_epi32(codes[2], codes[3]));                \
        __m512i found = most(_mm512_unpacklo_epi64(first, second), _mm512_unpackhi_epi64(first, second));              \
        found = most(found, _mm512_srli_epi32(found, 16));                                                             \
        found = most(found, _mm512_srli_epi32(found, 8));                                                              \
        return _mm512_cvtepi32_ps(_mm512_and_si512(found, _mm512_set1_epi32(255)));                                    \
    }
CODES_MOST_OF(codes_largest, _mm512_max_epu8)
CODES_MOST_OF(codes_smallest, _mm512_min_epu8)

/** The low word of each lane in both of its words. */
CODES_INLINE __m512i codes_words(__m512i lanes)
{
    const __m512i low = _mm512_set1_epi64(0x0504050401000100);
    return _mm512_shuffle_epi8(
        lanes, _mm512_add_epi8(low, _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0, 0x08080808, 0x08080808))));
}

/** 64 columns whose groups' r and start, 128 - b, are in all words of their 128 bits: even bytes, odd bytes, and the upper halves of both. */
CODES_INLINE __m512i codes_requantized(__m512i codes, __m512i r, __m512i start)
{
    const __m512i even = _mm512_and_si512(codes, _mm512_set1_epi16(255)), odd = _mm512_srli_epi16(codes, 8);
    const __m512i first = _mm512_add_epi16(_mm512_mullo_epi16(even, r), start);
    const __m512i second = _mm512_add_epi16(_mm512_mullo_epi16(odd, r), start);
    /* (first >> 8) | second & 0xff00 */
    return _mm512_ternarylogic_epi32(_mm512_srli_epi16(first, 8), second, _mm512_set1_epi16((short)0xff00), 0xf8);
}

/** 256 s / max|w| and s. */
CODES_INLINE float codes_factor(float most, float *scale)
{
    *scale = most / 127;
    return most > 0 ? 256 * 127 / most : 0;
}

static inline struct requantizing requantize_begin(const uint8_t *row, size_t run, size_t columns)
{
    const uint8_t *block = row + run * RUN_PACKED;
    uint8_t whole[RUN_PACKED];
    struct requantizing begun;
    __m512 step, minimum;
    if (RUN_PACKED > BLOCK_BYTES && columns < RUN_COLUMNS) { /* steps of 0 where K ends */
        memset(whole, 0, sizeof whole);
        block = memcpy(whole, block, columns / BLOCK_COLUMNS * BLOCK_BYTES);
    }
    codes_of(block, begun.codes);
    steps_of(block, &step, &minimum);
    const __m512 upper = _mm512_abs_ps(_mm512_fmsub_ps(step, codes_largest(begun.codes), minimum));
    const __m512 lower = _mm512_abs_ps(_mm512_fmsub_ps(step, codes_smallest(begun.codes), minimum));
    const __m512 factor = _mm512_set1_ps(codes_factor(_mm512_reduce_max_ps(_mm512_max_ps(upper, lower)), &begun.scale));
    const __m512i r = _mm512_cvtps_epi32(_mm512_mul_ps(step, factor));
    const __m512i b = CODE_OFFSET ? _mm512_mullo_epi16(r, _mm512_set1_epi16(CODE_OFFSET))
                                  : _mm512_cvtps_epi32(_mm512_mul_ps(minimum, factor));
    begun.ratios = codes_words(r);
    begun.starts = codes_words(_mm512_sub_epi16(_mm512_set1_epi16(128), b));
    return begun;
}

/** Lane `line` of all 128 bits. */
CODES_INLINE __m512i codes_lane(__m512i lanes, size_t line)
{
    switch (line) {
    case 0: return _mm512_shuffle_epi32(lanes, 0x00);
    case 1: return _mm512_shuffle_epi32(lanes, 0x55);
    case 2: return _mm512_shuffle_epi32(lanes, 0xaa);
    default: return _mm512_shuffle_epi32(lanes, 0xff);
    }
}

static inline __m512i requantize_line(const struct requantizing *run, size_t line)
{
    return codes_requantized(run->codes[line], codes_lane(run->ratios, line), codes_lane(run->starts, line));
}

static float requantized_row(const uint8_t *row, size_t run, size_t columns, struct requantized *to)
{
    const uint8_t *block = row + run * RUN_PACKED;
    uint32_t codes[RUN_COLUMNS]; /* what a weight is made of, read once */
    float steps[RUN_COLUMNS], minima[RUN_COLUMNS], most = 0, scale;
    for (size_t column = 0; column < columns; column++) {
        codes[column] = code_at(block, column);
        steps[column] = step_at(block, column);
        minima[column] = minimum_at(block, column);
        const float code = (float)codes[column], weight = fabsf(fmaf(steps[column], code, -minima[column]));
        most = weight > most ? weight : most;
        to->magnitude[column] = fabs((double)steps[column] * (double)code) + fabs((double)minima[column]);
    }
    const float factor = codes_factor(most, &scale);
    for (size_t column = 0; column < columns; column++) {
        const int32_t r = (int32_t)lrintf(steps[column] * factor);
        const int32_t b = CODE_OFFSET ? CODE_OFFSET * r : (int32_t)lrintf(minima[column] * factor);
        to->q[column] = (int16_t)(uint16_t)(codes[column] * (uint32_t)r - (uint32_t)b + 128) >> 8;
    }
    return scale;
}

#define AMX_REQUANTIZED_CODES AMX_REQUANTIZED_ROWS((0.5 + (CODES_MOST + !CODE_OFFSET) / 512.0) / 127 * 1.0001)

#endif
