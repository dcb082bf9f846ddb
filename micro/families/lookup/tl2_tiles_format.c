/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2 in bitnet.cpp's own order, of tiles of TL2_BM rows and blocks of TL2_BK columns: micro/families/lookup/tl2_tiles.h draws it.
 */
#include <string.h>

#include "micro/families/lookup/tl2_tiles.h"
#include "micro/isa/random.h"
#include "micro/kernel.h"

static size_t panel_bytes(size_t k)
{
    return tl2_tiles_part_at(TL2_PARTS, TL2_BM, TL2_BK, k);
}

/** Of 9 w0 + 3 w1 + w2 >= 0 one of the three. */
static int32_t triple_weight(int32_t number, uint32_t within)
{
    int32_t w2 = (number + 1) % 3 - 1, rest = (number - w2) / 3, w1 = (rest + 1) % 3 - 1;
    return within == 2 ? w2 : within == 1 ? w1 : (rest - w1) / 3;
}

/** Where the code of a group of columns is, of which one is given; a pair has no sign. */
struct place {
    size_t index, sign;
    unsigned shift, bit;
    uint32_t group, within;
};

static struct place place_of(size_t k, uint32_t row, uint32_t column)
{
    size_t triples_k = tl2_tiles_triples_k(k, TL2_BK);
    struct place at = {0};
    if (column < triples_k) {
        size_t triple = column / 3;
        at.group = 3;
        at.within = column % 3;
        at.index = tl2_tiles_index_at(TL2_BM, TL2_BK, row, triple);
        at.shift = triple % 2 ? 0 : 4;
        at.sign = tl2_tiles_part_at(TL2_TILE_SIGNS, TL2_BM, TL2_BK, k) +
                  tl2_tiles_sign_at(TL2_BM, TL2_BK, row, triple, &at.bit);
    } else {
        size_t pair = (column - triples_k) / 2;
        at.group = 2;
        at.within = (uint32_t)(column - triples_k) % 2;
        at.index = tl2_tiles_part_at(TL2_PAIRS, TL2_BM, TL2_BK, k) + tl2_tiles_pair_at(TL2_BM, row, pair);
        at.shift = pair % 2 ? 0 : 4;
    }
    return at;
}

/** Invalid indices have weights of 0, as elut_decode() has it. */
static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    struct place at = place_of(k, row, column);
    int32_t index = panel[at.index] >> at.shift & 15;
    if (at.group == 2)
        return index > 8 ? 0 : (at.within ? index % 3 : index / 3) - 1;
    if (index > 13)
        return 0;
    int32_t w = triple_weight(index, at.within);
    return panel[at.sign] >> at.bit & 1 ? -w : w;
}

enum { TRIPLES = 8, TRIPLES_COLUMNS = 3 * TRIPLES };

/** Triples whose signs are one word: two indices in each of four lines; the first sign is the word's highest. */
struct triples {
    size_t index, signs;
    unsigned first;
};

static struct triples triples_of(size_t k, uint32_t row, uint32_t column)
{
    unsigned bit;
    const size_t sign = tl2_tiles_sign_at(TL2_BM, TL2_BK, row, column / 3, &bit);
    return (struct triples){.index = tl2_tiles_index_at(TL2_BM, TL2_BK, row, column / 3),
                            .signs = tl2_tiles_part_at(TL2_TILE_SIGNS, TL2_BM, TL2_BK, k) + sign - 1,
                            .first = 8 + bit};
}

static void row_weights(const uint8_t *panel, size_t k, uint32_t row, double *weights)
{
    static const int8_t triple[16][3] = {{0, 0, 0},   {0, 0, 1},  {0, 1, -1}, {0, 1, 0},  {0, 1, 1},
                                         {1, -1, -1}, {1, -1, 0}, {1, -1, 1}, {1, 0, -1}, {1, 0, 0},
                                         {1, 0, 1},   {1, 1, -1}, {1, 1, 0},  {1, 1, 1}};
    size_t triples_k = tl2_tiles_triples_k(k, TL2_BK), column = 0;
    for (; column < triples_k; column += TRIPLES_COLUMNS) {
        const struct triples at = triples_of(k, row, (uint32_t)column);
        const unsigned signs = panel[at.signs] | (unsigned)panel[at.signs + 1] << 8;
        for (unsigned t = 0; t < TRIPLES; t++) {
            const int8_t *w = triple[panel[at.index + t / 2 * TL2_LINE] >> (t % 2 ? 0 : 4) & 15];
            const int sign = signs >> (at.first - 2 * t) & 1 ? -1 : 1;
            for (unsigned i = 0; i < 3; i++)
                weights[column + 3 * t + i] = sign * w[i];
        }
    }
    for (; column < k; column++)
        weights[column] = weight(panel, k, row, (uint32_t)column);
}

/** Triples as numbers 9 w0 + 3 w1 + w2, into a panel of zeros. */
static void put_triples(uint8_t *panel, size_t k, uint32_t row, uint32_t column, const int32_t *numbers)
{
    const struct triples at = triples_of(k, row, column);
    unsigned signs = 0;
    for (unsigned t = 0; t < TRIPLES; t++) {
        signs |= (unsigned)(numbers[t] < 0) << (at.first - 2 * t);
        panel[at.index + t / 2 * TL2_LINE] |= (uint8_t)((numbers[t] < 0 ? -numbers[t] : numbers[t]) << (t % 2 ? 0 : 4));
    }
    panel[at.signs] |= (uint8_t)signs;
    panel[at.signs + 1] |= (uint8_t)(signs >> 8);
}

static void put_pair(uint8_t *panel, size_t k, uint32_t row, uint32_t column, int32_t first, int32_t second)
{
    const struct place at = place_of(k, row, column);
    panel[at.index] |= (uint8_t)((3 * first + second + 4) << at.shift);
}

/** The nearest of -1, 0, 1. */
static int32_t ternary(float w)
{
    return (w >= 0.5f) - (w <= -0.5f);
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    const size_t triples_k = tl2_tiles_triples_k(k, TL2_BK);
    memset(panel, 0, panel_bytes(k));
    for (uint32_t row = 0; row < TL2_BM; row++, w += k) {
        uint32_t column = 0;
        for (; column < triples_k; column += TRIPLES_COLUMNS) {
            const float *of = w + column;
            int32_t numbers[TRIPLES];
            for (unsigned t = 0; t < TRIPLES; t++)
                numbers[t] = 9 * ternary(of[3 * t]) + 3 * ternary(of[3 * t + 1]) + ternary(of[3 * t + 2]);
            put_triples(panel, k, row, column, numbers);
        }
        for (; column < k; column += 2)
            put_pair(panel, k, row, column, ternary(w[column]), ternary(w[column + 1]));
    }
}

/** Of 27 triples, which pairs are the beginning of. */
static int32_t draw(uint64_t *random)
{
    return (int32_t)((random_bits(random) >> 32) * 27 >> 32);
}

/** All groups equally often. */
static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    const size_t triples_k = tl2_tiles_triples_k(k, TL2_BK);
    memset(panel, 0, panel_bytes(k));
    for (uint32_t row = 0; row < TL2_BM; row++) {
        uint32_t column = 0;
        for (; column < triples_k; column += TRIPLES_COLUMNS) {
            int32_t numbers[TRIPLES];
            for (unsigned t = 0; t < TRIPLES; t++)
                numbers[t] = draw(random) - 13;
            put_triples(panel, k, row, column, numbers);
        }
        for (; column < k; column += 2) {
            const int32_t number = draw(random);
            put_pair(panel, k, row, column, number / 9 - 1, number / 3 % 3 - 1);
        }
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 5.0 / 3,
    .rows_per_panel = TL2_BM,
    .k_per_step = TL2_PAIRS_COLUMNS,
    .k_multiple = TL2_PAIRS_COLUMNS,
    .weight_min = -1,
    .weight_max = 1,
    .max_k = 1 << 17,
    .panel_bytes = panel_bytes,
    .pack = pack,
    .weight = weight,
    .row_weights = row_weights,
    .fill = fill,
};
