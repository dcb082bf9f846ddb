/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the bytes of a row's block lie in the block of a panel: the rows of a panel are interleaved part by part (scales,
 * codes), each in chunks of some bytes that the rows follow each other with [arm-kernels-codebooks, 4.1.1],
 *
 *     chunk c of row r of a part begins at    part * BLOCK_ROWS + (c * BLOCK_ROWS + r) * chunk
 *
 * so that a register that is read from it has the same columns of several rows. A panel of one row is that row's block. The
 * format's kernels.def has BLOCK_ROWS; for more than one the including file defines BLOCK_PARTS: struct block_part of each, in the order of the panel.
 * Where kernels read parts by their names, kernels.def says where these begin (BLOCK_CODES, ...), the chunk of codes (BLOCK_CHUNK, 0 of a row alone) and
 * the bits of each byte that are stored turned over (BLOCK_TURNED).
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCK_LAYOUT_H
#define MICRO_FAMILIES_BLOCKS_BLOCK_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "micro/isa/half.h"

struct block_part {
    size_t from;    /* byte of a row's block at which it begins */
    size_t bytes;   /* of a row */
    size_t chunk;   /* bytes of a row that lie side by side: 8 or fewer, a divisor of bytes */
    uint8_t turned; /* bits of each byte that are stored turned over */
};

#ifdef BLOCK_PARTS
static const struct block_part block_parts[] = BLOCK_PARTS;
enum { BLOCK_PART_COUNT = sizeof block_parts / sizeof *block_parts };

/**
 * Place of a byte of a row's block in the block of its panel, and which of its bits are turned over there. Inlined with the
 * parts as constants: definitions read every weight through it, and divide by none then.
 */
static inline __attribute__((always_inline)) size_t block_place(uint32_t row, size_t byte, uint8_t *turned)
{
    size_t before = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < BLOCK_PART_COUNT; i++) {
        const struct block_part *part = &block_parts[i];
        if (byte - part->from < part->bytes) {
            size_t in = byte - part->from;
            *turned = part->turned;
            return before * BLOCK_ROWS + (in / part->chunk * BLOCK_ROWS + row) * part->chunk + in % part->chunk;
        }
        before += part->bytes;
    }
    *turned = 0;
    return 0;
}
#else
static inline size_t block_place(uint32_t row, size_t byte, uint8_t *turned)
{
    (void)row;
    *turned = 0;
    return byte;
}
#endif

/** Byte of a row's block, as the row's format has it. */
static inline uint8_t block_byte(const uint8_t *block, uint32_t row, size_t byte)
{
    uint8_t turned;
    size_t place = block_place(row, byte, &turned);
    return block[place] ^ turned;
}

static inline void block_put_byte(uint8_t *block, uint32_t row, size_t byte, uint8_t value)
{
    uint8_t turned;
    size_t place = block_place(row, byte, &turned);
    block[place] = value ^ turned;
}

/** Two bytes of it that are a binary16 number. */
static inline double block_half(const uint8_t *block, uint32_t row, size_t byte)
{
    uint16_t half = (uint16_t)(block_byte(block, row, byte) | block_byte(block, row, byte + 1) << 8);
    return (double)half_to_float(half);
}

/** For block_pack() and block_fill(), which write the block of one row: store binary16, which half_float_at() reads. */
static inline void block_put_half(uint8_t *at, float value)
{
    uint16_t half = half_from_float(value);
    memcpy(at, &half, sizeof half);
}

#endif
