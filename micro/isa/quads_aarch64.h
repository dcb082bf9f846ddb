/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Quads of GEMMs on aarch64: 16 columns of four rows in four registers of 128 bits, as the products of the instruction set need them,
 *
 *   sdot    q[c]         [4 rows][columns 4 c … 4 c + 3]
 *   smmla   q[2 o + r]   [rows 2 r, 2 r + 1][columns 8 o … 8 o + 7]
 *
 * made of bytes as formats store them. What is done with each byte by itself does not ask for the order: it is written once.
 */
#ifndef MICRO_ISA_QUADS_AARCH64_H
#define MICRO_ISA_QUADS_AARCH64_H

#include <arm_neon.h>
#include <stddef.h>

#include "micro/isa/rows_inline.h"

#ifdef __ARM_FEATURE_MATMUL_INT8
enum { QUAD_SPREADS = 2 /* registers that have a byte of each row wherever a register of columns has that row */ };
#else
enum { QUAD_SPREADS = 1 };
#endif

/** Of four registers [4 rows][4 columns]. */
ROWS_INLINE void quad_from_fours(uint8x16_t *q)
{
#ifdef __ARM_FEATURE_MATMUL_INT8
#pragma GCC unroll 2
    for (int i = 0; i < 4; i += 2) {
        uint32x4_t low = vreinterpretq_u32_u8(q[i]), high = vreinterpretq_u32_u8(q[i + 1]);
        q[i] = vreinterpretq_u8_u32(vzip1q_u32(low, high));
        q[i + 1] = vreinterpretq_u8_u32(vzip2q_u32(low, high));
    }
#else
    (void)q;
#endif
}

/** Of four registers [2 rows][8 columns]. */
ROWS_INLINE void quad_from_eights(uint8x16_t *q)
{
#ifdef __ARM_FEATURE_MATMUL_INT8
    (void)q;
#else
#pragma GCC unroll 2
    for (int i = 0; i < 4; i += 2) {
        uint32x4_t low = vreinterpretq_u32_u8(q[i]), high = vreinterpretq_u32_u8(q[i + 1]);
        q[i] = vreinterpretq_u8_u32(vuzp1q_u32(low, high));
        q[i + 1] = vreinterpretq_u8_u32(vuzp2q_u32(low, high));
    }
#endif
}

/** Of a register of each of four rows. */
ROWS_INLINE void quad_of_registers(const uint8x16_t *row, uint8x16_t *q)
{
    uint64x2_t a = vreinterpretq_u64_u8(row[0]), b = vreinterpretq_u64_u8(row[1]);
    uint64x2_t c = vreinterpretq_u64_u8(row[2]), d = vreinterpretq_u64_u8(row[3]);
    q[0] = vreinterpretq_u8_u64(vzip1q_u64(a, b));
    q[1] = vreinterpretq_u8_u64(vzip1q_u64(c, d));
    q[2] = vreinterpretq_u8_u64(vzip2q_u64(a, b));
    q[3] = vreinterpretq_u8_u64(vzip2q_u64(c, d));
    quad_from_eights(q);
}

/** 16 bytes of each of four rows, `at` bytes after their beginning. */
ROWS_INLINE void quad_of_rows(const uint8_t *const *rows, size_t at, uint8x16_t *q)
{
    const uint8x16_t row[4] = {vld1q_u8(rows[0] + at), vld1q_u8(rows[1] + at), vld1q_u8(rows[2] + at),
                               vld1q_u8(rows[3] + at)};
    quad_of_registers(row, q);
}

/** 16 bytes of each of four rows that are interleaved by 8, of `panel_rows` rows; codes: of the first of them. */
ROWS_INLINE void quad_of_eights(const uint8_t *codes, size_t panel_rows, uint8x16_t *q)
{
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        q[i] = vld1q_u8(codes + i / 2 * 8 * panel_rows + i % 2 * 16);
    quad_from_eights(q);
}

/** The same of rows that are interleaved by 4. */
ROWS_INLINE void quad_of_fours(const uint8_t *codes, size_t panel_rows, uint8x16_t *q)
{
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        q[i] = vld1q_u8(codes + i * 4 * panel_rows);
    quad_from_fours(q);
}

/** 16 bytes of each of four rows, `at` bytes after their beginning: word[i] has bytes 4 i … 4 i + 3 of each. */
ROWS_INLINE void quad_words_of_rows(const uint8_t *const *rows, size_t at, uint8x16_t *word)
{
    uint32x4_t a = vreinterpretq_u32_u8(vld1q_u8(rows[0] + at)), b = vreinterpretq_u32_u8(vld1q_u8(rows[1] + at));
    uint32x4_t c = vreinterpretq_u32_u8(vld1q_u8(rows[2] + at)), d = vreinterpretq_u32_u8(vld1q_u8(rows[3] + at));
    uint64x2_t ab[2] = {vreinterpretq_u64_u32(vtrn1q_u32(a, b)), vreinterpretq_u64_u32(vtrn2q_u32(a, b))};
    uint64x2_t cd[2] = {vreinterpretq_u64_u32(vtrn1q_u32(c, d)), vreinterpretq_u64_u32(vtrn2q_u32(c, d))};
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        word[i] = vreinterpretq_u8_u64(vzip1q_u64(ab[i], cd[i]));
        word[i + 2] = vreinterpretq_u8_u64(vzip2q_u64(ab[i], cd[i]));
    }
}

/** Byte `byte` of each of four rows' words, everywhere that a quad has that row: spread[i % QUAD_SPREADS] for its register i. */
ROWS_INLINE void quad_spread(uint8x16_t word, int byte, uint8x16_t *spread)
{
#ifdef __ARM_FEATURE_MATMUL_INT8
    const uint8x16_t first = {0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4};
    spread[1] = vqtbl1q_u8(word, vaddq_u8(first, vdupq_n_u8((uint8_t)(8 + byte))));
#else
    const uint8x16_t first = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};
#endif
    spread[0] = vqtbl1q_u8(word, vaddq_u8(first, vdupq_n_u8((uint8_t)byte)));
}

/** Two bits of each byte, bits 2 n and 2 n + 1. */
ROWS_INLINE uint8x16_t quad_crumb(uint8x16_t bytes, int n)
{
    const uint8x16_t mask = vdupq_n_u8(3);
    return n == 0   ? vandq_u8(bytes, mask)
           : n == 1 ? vandq_u8(vshrq_n_u8(bytes, 2), mask)
           : n == 2 ? vandq_u8(vshrq_n_u8(bytes, 4), mask)
                    : vshrq_n_u8(bytes, 6);
}

/** Four binary16 numbers, one after the other. */
ROWS_INLINE float32x4_t quad_halves(const uint8_t *at)
{
    return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(at)));
}

/** binary16 numbers at `at` bytes after the beginning of each of four rows. */
ROWS_INLINE float32x4_t quad_halves_of_rows(const uint8_t *const *rows, size_t at)
{
    uint16x4_t halves = vdup_n_u16(0);
    halves = vld1_lane_u16((const uint16_t *)(const void *)(rows[0] + at), halves, 0);
    halves = vld1_lane_u16((const uint16_t *)(const void *)(rows[1] + at), halves, 1);
    halves = vld1_lane_u16((const uint16_t *)(const void *)(rows[2] + at), halves, 2);
    halves = vld1_lane_u16((const uint16_t *)(const void *)(rows[3] + at), halves, 3);
    return vcvt_f32_f16(vreinterpret_f16_u16(halves));
}

#endif
