/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of group-wise codebooks on aarch64, of four of a panel's sixteen rows [arm-kernels-codebooks, 5.3]: the number of a group's
 * codebook stands in every byte of its lane, a shift that inserts joins it to the code and clears what stands above, and tbl finds the
 * value.
 */
#ifndef MICRO_FAMILIES_CODEBOOKS_CODEBOOK_VALUES_NEON_H
#define MICRO_FAMILIES_CODEBOOKS_CODEBOOK_VALUES_NEON_H

#include <arm_neon.h>

#include "micro/families/codebooks/codebook_block_aarch64.h"
#include "micro/frames/rows.h"

/** In registers: one, two or four. */
enum { TABLE_REGISTERS = (CB_BOOKS << CB_BITS) / 16 };

#if CB_BITS == 3
typedef int8x16x2_t value_table;
#define LOOK_UP(table, index) vreinterpretq_u8_s8(vqtbl2q_s8(table, index))
#elif CB_BOOKS == 16
typedef int8x16x4_t value_table;
#define LOOK_UP(table, index) vreinterpretq_u8_s8(vqtbl4q_s8(table, index))
#else
typedef struct {
    int8x16_t val[1];
} value_table;
#define LOOK_UP(table, index) vreinterpretq_u8_s8(vqtbl1q_s8((table).val[0], index))
#endif

ROWS_INLINE value_table load_table(void)
{
    value_table table;
#pragma GCC unroll 4
    for (int i = 0; i < TABLE_REGISTERS; i++) {
        table.val[i] = vld1q_s8(codebooks[0] + 16 * i);
        ROWS_IN_REGISTER(table.val[i]);
    }
    return table;
}

/** Of the group whose byte of a lane is `byte`: the codebook's number in all bytes of the lane. */
ROWS_INLINE uint8x16_t number_of(uint8x16_t group_bytes, int byte)
{
    const uint8x16_t first = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};
    uint8x16_t spread = vqtbl1q_u8(group_bytes, vaddq_u8(first, vdupq_n_u8((uint8_t)byte)));
    return vandq_u8(spread, vdupq_n_u8(CB_BOOKS - 1));
}

/** And its scale. */
ROWS_INLINE int32x4_t scale_of(uint8x16_t group_bytes, int byte)
{
    int32x4_t words = vreinterpretq_s32_u8(group_bytes);
    words = byte == 0   ? vshlq_n_s32(words, 24)
            : byte == 1 ? vshlq_n_s32(words, 16)
            : byte == 2 ? vshlq_n_s32(words, 8)
                        : words;
    return vshrq_n_s32(words, 24 + CB_NUMBER_BITS);
}

/** Field p of codes at the bottom of their bytes; what stands above stays there. */
ROWS_INLINE uint8x16_t field_of(uint8x16_t codes, int p)
{
    return p == 0 ? codes : p == 1 ? vshrq_n_u8(codes, 2) : p == 2 ? vshrq_n_u8(codes, 4) : vshrq_n_u8(codes, 6);
}

#if CB_BITS == 3
/** The upper bit of a code, at the bottom. */
ROWS_INLINE uint8x16_t upper_of(uint8x16_t upper, int bit)
{
    switch (bit) {
    case 0: return upper;
    case 1: return vshrq_n_u8(upper, 1);
    case 2: return vshrq_n_u8(upper, 2);
    case 3: return vshrq_n_u8(upper, 3);
    case 4: return vshrq_n_u8(upper, 4);
    case 5: return vshrq_n_u8(upper, 5);
    case 6: return vshrq_n_u8(upper, 6);
    default: return vshrq_n_u8(upper, 7);
    }
}
#endif

/** Group 4 m + byte of four rows, found[p] columns 4 p … of each; at: of their part of the line, from that of group 0. */
ROWS_INLINE void find_values(const uint8_t *at, uint8x16_t group_bytes, size_t m, int byte, value_table table,
                             uint8x16_t *found)
{
    uint8x16_t number = number_of(group_bytes, byte);
    uint8x16_t codes = vld1q_u8(at + CODES + LINE * (4 * m + (size_t)byte));
#if CB_BITS == 3
    uint8x16_t upper = vld1q_u8(at + UPPER + LINE * (2 * m + (size_t)byte / 2));
#endif
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++) {
        uint8x16_t index = field_of(codes, p);
#if CB_BITS == 3
        index = vsliq_n_u8(index, upper_of(upper, 4 * (byte % 2) + p), 2);
#endif
        found[p] = LOOK_UP(table, vsliq_n_u8(index, number, CB_BITS));
    }
}

#endif
