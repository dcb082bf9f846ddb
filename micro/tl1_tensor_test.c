/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Our tiles of TL1 against a tensor as bitnet.cpp's converter writes it: one 16 bytes after another, by the loops that its splits are.
 */
#include <stdlib.h>

#include "micro/kernel.h"
#include "unit_test.h"

enum { M = 320, K = 256 };

/** Some weight of -1, 0, 1. */
static int weight_of(size_t row, size_t column)
{
    return (int)((row * 7 + column * 5 + row * column % 11) % 3) - 1;
}

static uint8_t index_of(size_t row, size_t column)
{
    return (uint8_t)(3 * (weight_of(row, column) + 1) + weight_of(row, column + 1) + 1);
}

/** Each split of rows or columns is a loop, the first the outermost; a byte has four columns of a row. */
static void write_tensor(size_t rows, size_t bm, size_t bk, size_t at_once, uint8_t *tensor)
{
    size_t by = 256 / at_once;
    for (size_t tile = 0; tile < rows; tile += bm)
        for (size_t block = 0; block < K; block += bk)
            for (size_t part = 0; part < bm; part += at_once)
                for (size_t chunk = 0; chunk < bk; chunk += by)
                    for (size_t sixteen = 0; sixteen < at_once; sixteen += 16)
                        for (size_t four = 0; four < by; four += 4)
                            for (size_t r = 0; r < 16; r++) {
                                size_t row = tile + part + sixteen + r, column = block + chunk + four;
                                *tensor++ = (uint8_t)(index_of(row, column) << 4 | index_of(row, column + 2));
                            }
}

TEST(a_tensor_is_what_pack_makes)
{
    static const struct {
        const char *name;
        size_t bm, bk, at_once;
    } orders[] = {{"tl1_160x64x32", 160, 64, 32}, {"tl1_320x128x64", 320, 128, 64}, {"tl1_320x64x32", 320, 64, 32}};
    float *w = malloc(M * K * sizeof *w);
    uint8_t *tensor = malloc(M * K / 4), *tiles = malloc(M * K / 4);
    assert_true(w && tensor && tiles);
    for (size_t i = 0; i < M * K; i++)
        w[i] = (float)weight_of(i / K, i % K);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        const struct format *format = format_find(orders[o].name);
        assert_non_null(format);
        write_tensor(M, orders[o].bm, orders[o].bk, orders[o].at_once, tensor);
        for (size_t tile = 0; tile < M / orders[o].bm; tile++)
            format->pack(w + tile * orders[o].bm * K, K, tiles + tile * orders[o].bm * K / 4);
        assert_memory_equal(tiles, tensor, M * K / 4);
        /* and back */
        for (size_t row = 0; row < orders[o].bm; row++)
            for (size_t column = 0; column < K; column++)
                assert_true(format->weight(tensor, K, (uint32_t)row, (uint32_t)column) == weight_of(row, column));
    }
    free(w);
    free(tensor);
    free(tiles);
}

RUN_TESTS(NULL, NULL)
