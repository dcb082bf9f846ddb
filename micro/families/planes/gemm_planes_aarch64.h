/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm.run() and gemm.prepare_many() on aarch64 of an integer kernel whose format has bytes [rows][4 columns], of which each field, a
 * plane, is another run of rows. A panel is unpacked to bytes in scratch, once for all tokens, and multiplied in register blocks: with
 * i8mm by usmmla, which takes two rows and two tokens of eight columns, with SVE of 256 bits two such; else by sdot, which takes four rows
 * and one of four tokens of four columns, or what stands for it where there is none.
 *
 * The including .c defines, before it,
 *
 *   ROWS                       of a panel, by the format's kernels.def
 *   PLANES, PLANE_REGISTERS    fields of a byte, and 16-byte registers of four rows each that hold a plane's four columns
 *   PLANES_INLINE uint8x16_t field(uint8x16_t bytes, int plane)    weights of a plane plus the format's activation_offset; less
 *                              SIGNED_OFFSET for sdot, if that is defined: 128 where they have all eight bits
 *
 *     unpacked, i8mm   [8 columns] [2 rows] [row 2][column 8]      operand  [8 tokens] [8 columns] [2 tokens] [token 2][column 8]
 *     unpacked, else   [4 columns] [4 rows] [row 4][column 4]      operand  [8 tokens] [4 columns]            [token 8][column 4]
 *
 * Columns are cut so that what is unpacked stays in the second level; sums of parts wait in out as the integers that they are.
 * Results are exact. Port budget of 8 rows by 8 tokens by 8 columns: 16 usmmla and 8 loads, 8 of 256 bits and 6 loads, or 32 sdot and 8
 * loads (without dot products 144 uops): the multiplications bind on cores with up to four vector pipes, or two of 256 bits, and two loads a cycle. Bytes read past a panel: none.
 */
#ifndef MICRO_FAMILIES_PLANES_GEMM_PLANES_AARCH64_H
#define MICRO_FAMILIES_PLANES_GEMM_PLANES_AARCH64_H

#include <arm_neon.h>
#include <string.h>
#ifdef __ARM_FEATURE_SVE
#include <arm_sve.h>
#endif

#include "micro/kernel.h"

#define PLANES_INLINE static inline __attribute__((always_inline))

#ifdef __ARM_FEATURE_MATMUL_INT8
#define PLANES_UNIT 8 /* columns that one multiplication takes */
#ifdef __ARM_FEATURE_SVE
#define PLANES_MULTIPLY "int8_pairs.mmla.sve256"
#else
#define PLANES_MULTIPLY "int8_pairs.mmla.neon_i8mm"
#endif
#else
#define PLANES_UNIT 4
#ifdef __ARM_FEATURE_DOTPROD
#define PLANES_MULTIPLY "int8_vnni4.dot.neon_dotprod"
#else
#define PLANES_MULTIPLY "int8_vnni4.dot.neon"
#endif
#endif
#ifndef SIGNED_OFFSET
#define SIGNED_OFFSET 0
#endif

enum {
    PLANES_TOKENS = 8,                         /* of a block and of a group of the operand */
    PLANES_ROWS = 8,                           /* of a block */
    PLANES_CUT = 2048,                         /* columns */
    PLANES_GROUP_BYTES = 16 * PLANE_REGISTERS, /* packed, of 4 columns */
    PLANES_UNIT_BYTES = ROWS * PLANES_UNIT,    /* unpacked */
    PLANES_OPERAND_BYTES = PLANES_TOKENS * PLANES_UNIT,
};
_Static_assert(ROWS == 4 * PLANE_REGISTERS * PLANES && ROWS % PLANES_ROWS == 0, "planes are runs of rows");

PLANES_INLINE uint8x16_t field(uint8x16_t bytes, int plane);

/* ---- the operand ---- */

static size_t planes_units(size_t k)
{
    return (k + PLANES_UNIT - 1) / PLANES_UNIT;
}

static size_t planes_prepared_bytes(size_t k)
{
    return (planes_units(k) * PLANES_OPERAND_BYTES + 63) / 64 * 64;
}

/** Tokens that a last group lacks are zeros. Columns past k are zeros already. */
static void planes_prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    const int8_t *from = activations;
    uint8_t *to = prepared;
    size_t units = planes_units(k);
    for (size_t group = 0; group < tokens; group += PLANES_TOKENS, to += planes_prepared_bytes(k)) {
        for (size_t unit = 0; unit < units; unit++) {
            for (size_t token = 0; token < PLANES_TOKENS; token++) {
                uint8_t *at = to + unit * PLANES_OPERAND_BYTES + token * PLANES_UNIT;
                if (group + token < tokens)
                    memcpy(at, from + (group + token) * stride + unit * PLANES_UNIT, PLANES_UNIT);
                else
                    memset(at, 0, PLANES_UNIT);
            }
        }
    }
}

/* ---- unpacking ---- */

/** One register of each plane, of four or eight columns. second: columns 4-7, or NULL if the panel ends before them. */
PLANES_INLINE void unpack_register(const uint8_t *first, const uint8_t *second, int number, uint8_t *to)
{
    uint8x16_t low = vld1q_u8(first + 16 * number);
#pragma GCC unroll 8
    for (int plane = 0; plane < PLANES; plane++) {
        uint8_t *rows = to + (size_t)(plane * PLANE_REGISTERS + number) * 4 * PLANES_UNIT;
        uint32x4_t columns = vreinterpretq_u32_u8(field(low, plane));
        if (PLANES_UNIT == 4) {
            vst1q_u8(rows, vreinterpretq_u8_u32(columns));
            continue;
        }
        uint32x4_t next = second ? vreinterpretq_u32_u8(field(vld1q_u8(second + 16 * number), plane)) : vdupq_n_u32(0);
        vst1q_u8(rows, vreinterpretq_u8_u32(vzip1q_u32(columns, next)));
        vst1q_u8(rows + 16, vreinterpretq_u8_u32(vzip2q_u32(columns, next)));
    }
}

static void unpack_columns(const uint8_t *packed, size_t columns, size_t prefetch, uint8_t *unpacked)
{
    size_t groups = columns / 4, together = PLANES_UNIT / 4;
    for (size_t group = 0; group < groups; group += together, unpacked += PLANES_UNIT_BYTES) {
        const uint8_t *first = packed + group * PLANES_GROUP_BYTES;
        if (prefetch)
            __builtin_prefetch((const void *)((uintptr_t)first + prefetch), 0, 2);
#pragma GCC unroll 8
        for (int number = 0; number < PLANE_REGISTERS; number++)
            unpack_register(first, group + 1 < groups ? first + PLANES_GROUP_BYTES : NULL, number, unpacked);
    }
}

/* ---- multiplying ---- */

#ifdef __ARM_FEATURE_SVE
enum { PLANES_SUMS = 8 };
typedef svint32_t planes_sum __attribute__((arm_sve_vector_bits(256)));

PLANES_INLINE planes_sum planes_zero(void)
{
    return svdup_n_s32(0);
}
#else
enum { PLANES_SUMS = 16 };
typedef int32x4_t planes_sum;

PLANES_INLINE planes_sum planes_zero(void)
{
    return vdupq_n_s32(0);
}
#endif

/** 8 rows by 8 tokens: rows [4 rows][token], or with i8mm [2 rows][2 tokens] of [row 2][token 2], two rows further on in the upper half. */
struct planes_sums {
    planes_sum of[PLANES_SUMS];
};

#ifndef __ARM_FEATURE_MATMUL_INT8
/** Four rows with columns 4 lane … 4 lane + 3 of the tokens: lane is a constant. Pairs of products fit 16 bits of activations from -127 on. */
PLANES_INLINE int32x4_t add_four_columns(int32x4_t sum, int8x16_t weights, int8x16_t tokens, int lane)
{
#ifdef __ARM_FEATURE_DOTPROD
    return vdotq_laneq_s32(sum, weights, tokens, lane);
#else
    int8x16_t a = vreinterpretq_s8_s32(vdupq_laneq_s32(vreinterpretq_s32_s8(tokens), lane));
    int16x8_t low = vmull_s8(vget_low_s8(weights), vget_low_s8(a)), high = vmull_high_s8(weights, a);
    return vpadalq_s16(sum, vpaddq_s16(low, high));
#endif
}
#endif

PLANES_INLINE void multiply_unit(struct planes_sums *sums, const uint8_t *weights, const int8_t *activations)
{
#if defined __ARM_FEATURE_SVE
    svuint8_t low = svld1_u8(svptrue_b8(), weights), high = svld1_u8(svptrue_b8(), weights + 32);
#pragma GCC unroll 4
    for (int pair = 0; pair < 4; pair++) {
        svint8_t a = svld1rq_s8(svptrue_b8(), activations + 16 * pair);
        sums->of[pair] = svusmmla_s32(sums->of[pair], low, a);
        sums->of[4 + pair] = svusmmla_s32(sums->of[4 + pair], high, a);
    }
#elif defined __ARM_FEATURE_MATMUL_INT8
    uint8x16_t w[4] = {vld1q_u8(weights), vld1q_u8(weights + 16), vld1q_u8(weights + 32), vld1q_u8(weights + 48)};
#pragma GCC unroll 4
    for (int pair = 0; pair < 4; pair++) {
        int8x16_t a = vld1q_s8(activations + 16 * pair);
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++)
            sums->of[4 * r + pair] = vusmmlaq_s32(sums->of[4 * r + pair], w[r], a);
    }
#else
    int8x16_t a[2] = {vld1q_s8(activations), vld1q_s8(activations + 16)};
#pragma GCC unroll 2
    for (int r = 0; r < 2; r++) {
        int8x16_t w = vreinterpretq_s8_u8(vld1q_u8(weights + 16 * r));
        int32x4_t *of = &sums->of[8 * r];
#pragma GCC unroll 2
        for (int half = 0; half < 2; half++) {
            of[4 * half] = add_four_columns(of[4 * half], w, a[half], 0);
            of[4 * half + 1] = add_four_columns(of[4 * half + 1], w, a[half], 1);
            of[4 * half + 2] = add_four_columns(of[4 * half + 2], w, a[half], 2);
            of[4 * half + 3] = add_four_columns(of[4 * half + 3], w, a[half], 3);
        }
    }
#endif
}

/** Sums of rows 4 half … 4 half + 3 with a token. */
PLANES_INLINE int32x4_t sums_of(const struct planes_sums *sums, int half, int token)
{
#if defined __ARM_FEATURE_SVE
    int32_t rows[8];
    planes_sum both = sums->of[4 * half + token / 2];
    svst1_s32(svptrue_b8(), rows, token % 2 ? svuzp2_s32(both, both) : svuzp1_s32(both, both));
    return vld1q_s32(rows);
#elif defined __ARM_FEATURE_MATMUL_INT8
    int32x4_t low = sums->of[8 * half + token / 2], high = sums->of[8 * half + 4 + token / 2];
    return token % 2 ? vuzp2q_s32(low, high) : vuzp1q_s32(low, high);
#else
    return sums->of[8 * half + token];
#endif
}

/** Where a block's results go, and whether parts of the columns came before or come after. */
struct planes_place {
    size_t row, token, tokens;
    bool first, last;
};

static void planes_finish(const struct gemm_slice *slice, const struct planes_place *place,
                          const struct planes_sums *sums, const int32_t *corrections)
{
#pragma GCC unroll 8
    for (int token = 0; token < PLANES_TOKENS; token++) {
        if ((size_t)token >= place->tokens)
            return;
        float *out = slice->out + (place->token + (size_t)token) * slice->out_stride + place->row;
        for (int half = 0; half < 2; half++, out += 4) {
            int32x4_t sum = sums_of(sums, half, token);
            if (!place->first)
                sum = vaddq_s32(sum, vreinterpretq_s32_f32(vld1q_f32(out)));
            if (!place->last) {
                vst1q_f32(out, vreinterpretq_f32_s32(sum));
                continue;
            }
            sum = vaddq_s32(sum, vdupq_n_s32(corrections[place->token + (size_t)token]));
            vst1q_f32(out, vmulq_n_f32(vcvtq_f32_s32(sum), slice->scales[place->token + (size_t)token]));
        }
    }
}

/** A block of tokens meets all rows of what is unpacked. */
static void multiply_group(const struct gemm_slice *slice, struct planes_place place, size_t column, size_t units,
                           const int32_t *corrections, const uint8_t *unpacked)
{
    const int8_t *activations = (const int8_t *)slice->prepared +
                                place.token / PLANES_TOKENS * planes_prepared_bytes(slice->k) +
                                column / PLANES_UNIT * PLANES_OPERAND_BYTES;
    for (size_t row = 0; row < ROWS; row += PLANES_ROWS, place.row += PLANES_ROWS) {
        struct planes_sums sums;
#pragma GCC unroll 16
        for (int i = 0; i < PLANES_SUMS; i++)
            sums.of[i] = planes_zero();
        for (size_t unit = 0; unit < units; unit++)
            multiply_unit(&sums, unpacked + unit * PLANES_UNIT_BYTES + row * PLANES_UNIT,
                          activations + unit * PLANES_OPERAND_BYTES);
        planes_finish(slice, &place, &sums, corrections);
    }
}

static size_t planes_scratch_bytes(size_t k, size_t tokens)
{
    (void)k;
    return (size_t)PLANES_CUT / PLANES_UNIT * PLANES_UNIT_BYTES + (SIGNED_OFFSET ? tokens * sizeof(int32_t) : 0);
}

static void multiply_panels(const struct gemm_slice *slice, const int32_t *corrections)
{
    for (size_t panel = 0; panel < slice->panels; panel++) {
        for (size_t column = 0; column < slice->k; column += PLANES_CUT) {
            size_t columns = slice->k - column < PLANES_CUT ? slice->k - column : PLANES_CUT;
            struct planes_place place = {
                .row = panel * ROWS, .first = column == 0, .last = column + columns == slice->k};
            unpack_columns(slice->weights + panel * slice->panel_bytes + column / 4 * PLANES_GROUP_BYTES, columns,
                           slice->prefetch_bytes, slice->scratch);
            for (size_t token = 0; token < slice->tokens; token += PLANES_TOKENS) {
                size_t left = slice->tokens - token;
                place.token = token;
                place.tokens = left < PLANES_TOKENS ? left : PLANES_TOKENS;
                multiply_group(slice, place, column, planes_units(columns), corrections, slice->scratch);
            }
        }
    }
}

#if SIGNED_OFFSET
static int32_t sum_of_activations(const int8_t *activations, size_t k)
{
    int32_t sum = 0;
    for (size_t i = 0; i < k; i++)
        sum += activations[i];
    return sum;
}

/** Weights less SIGNED_OFFSET leave out that many times the sum of the activations. */
static void planes_run(const struct gemm_slice *slice)
{
    int32_t *corrections = (int32_t *)(void *)((uint8_t *)slice->scratch + planes_scratch_bytes(0, 0));
    for (size_t token = 0; token < slice->tokens; token++) {
        int32_t sum = sum_of_activations(slice->activations + token * slice->activations_stride, slice->k);
        corrections[token] = add_wrapping(slice->corrections[token], SIGNED_OFFSET * sum);
    }
    multiply_panels(slice, corrections);
}
#else
static void planes_run(const struct gemm_slice *slice)
{
    multiply_panels(slice, slice->corrections);
}
#endif

#define PLANES_GEMM                                                                                                    \
    {                                                                                                                  \
        .run = planes_run, .prepare_many = planes_prepare_many, .tokens_per_group = PLANES_TOKENS,                     \
        .prepared_bytes = planes_prepared_bytes, .scratch_bytes = planes_scratch_bytes, .multiply = PLANES_MULTIPLY    \
    }

#define PLANES_GEMM_KERNEL                                                                                             \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_MODEL, .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */                \
            .lossless = true, .gemm = PLANES_GEMM                                                                      \
    }

#endif
