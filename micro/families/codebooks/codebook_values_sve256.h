/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of group-wise codebooks with SVE of 256 bits, of eight of a panel's sixteen rows, a word a row [arm-kernels-codebooks, 5.3]. SVE has no shift
 * that inserts: fields are masked and joined by `orr` with what precedes them in an index. A table is one register: all codebooks where they are 32
 * bytes at most, and of cb2_16 the codebook of each row's group, four bytes, in its own word, so that an index is the row's number and the
 * code.
 */
#ifndef MICRO_FAMILIES_CODEBOOKS_CODEBOOK_VALUES_SVE256_H
#define MICRO_FAMILIES_CODEBOOKS_CODEBOOK_VALUES_SVE256_H

#include "micro/families/codebooks/codebook_block_aarch64.h"
#include "micro/isa/registers_aarch64.h"

enum { TABLE_REGISTERS = (CB_BOOKS << CB_BITS) / 32 + ((CB_BOOKS << CB_BITS) < 32) };

typedef struct {
    tile_bytes of[TABLE_REGISTERS];
} value_table;

/** 32 bytes of codebooks from `from` on; of 16 bytes both halves. */
ROWS_INLINE value_table load_table(void)
{
    value_table table;
#pragma GCC unroll 2
    for (int i = 0; i < TABLE_REGISTERS; i++) {
        const uint8_t *from = (const uint8_t *)codebooks[0] + 32 * i;
#if CB_BOOKS << CB_BITS == 16
        table.of[i] = svld1rq_u8(TILE_ALL, from);
#else
        table.of[i] = tile_load(from);
#endif
    }
    return table;
}

/** Scale of group 4 m + byte. */
ROWS_INLINE tile_ints scale_of(tile_bytes group_bytes, int byte)
{
    tile_ints words = svreinterpret_s32_u8(group_bytes);
    if (byte < 3)
        words = TILE_SHIFT_WORDS_UP(words, 24 - 8 * (unsigned)byte);
    return svasr_n_s32_x(TILE_ALL, words, 24 + CB_NUMBER_BITS);
}

/** 4 times each word's number, in all its bytes, and `plus`. */
ROWS_INLINE tile_bytes four_times_lane(uint8_t plus)
{
    svuint32_t lanes = svindex_u32(0x01010101u * plus, 0x04040404u);
    return svreinterpret_u8_u32(lanes);
}

/** What the values of a group are found by: in the table of[0] at `base` or the code. */
struct group_table {
    tile_bytes values, base;
};

#if CB_BOOKS == 16
ROWS_INLINE struct group_table group_table_of(value_table table, tile_bytes group_bytes, int byte)
{
    svuint32_t words = svreinterpret_u32_u8(group_bytes);
    if (byte)
        words = svlsr_n_u32_x(TILE_ALL, words, 8 * (unsigned)byte);
    words = svand_n_u32_x(TILE_ALL, words, CB_BOOKS - 1);
    /* a table has eight of them, and what is not in it is 0 */
    svuint32_t lower = svtbl_u32(svreinterpret_u32_u8(table.of[0]), words);
    svuint32_t upper = svtbl_u32(svreinterpret_u32_u8(table.of[1]), svsub_n_u32_x(TILE_ALL, words, 8));
    return (struct group_table){svreinterpret_u8_u32(svorr_u32_x(TILE_ALL, lower, upper)), four_times_lane(0)};
}
#else
ROWS_INLINE struct group_table group_table_of(value_table table, tile_bytes group_bytes, int byte)
{
    tile_bytes numbers = tile_and(TILE_SHIFT_UP(group_bytes, CB_BITS), (CB_BOOKS - 1) << CB_BITS);
    return (struct group_table){table.of[0], svtbl_u8(numbers, four_times_lane((uint8_t)byte))};
}
#endif

/** Field p of codes. */
ROWS_INLINE tile_bytes field_of(tile_bytes codes, int p)
{
    if (p)
        codes = TILE_SHIFT_DOWN(codes, (uint8_t)(2 * p));
    return p < 3 ? tile_and(codes, 3) : codes;
}

#if CB_BITS == 3
/** The upper bit of a code, in its place. */
ROWS_INLINE tile_bytes upper_of(tile_bytes upper, int bit)
{
    if (bit < 2)
        upper = TILE_SHIFT_UP(upper, (uint8_t)(2 - bit));
    else if (bit > 2)
        upper = TILE_SHIFT_DOWN(upper, (uint8_t)(bit - 2));
    return tile_and(upper, 4);
}
#endif

ROWS_INLINE tile_bytes tile_or(tile_bytes a, tile_bytes b)
{
    return svorr_u8_x(TILE_ALL, a, b);
}

/** Group 4 m + byte of eight rows, found[p] columns 4 p … of each; at: of their part of the line, from that of group 0. */
ROWS_INLINE void find_values(const uint8_t *at, tile_bytes group_bytes, size_t m, int byte, value_table table,
                             tile_bytes *found)
{
    struct group_table in = group_table_of(table, group_bytes, byte);
    tile_bytes codes = tile_load(at + CODES + LINE * (4 * m + (size_t)byte));
#if CB_BITS == 3
    tile_bytes upper = tile_load(at + UPPER + LINE * (2 * m + (size_t)byte / 2));
#endif
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++) {
        tile_bytes index = tile_or(field_of(codes, p), in.base);
#if CB_BITS == 3
        index = tile_or(index, upper_of(upper, 4 * (byte % 2) + p));
#endif
        found[p] = svtbl_u8(in.values, index);
    }
}

#endif
