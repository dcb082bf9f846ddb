/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "micro/kernel.h"
#include "micro/kernels/tl2_tiles.h"

enum { BM = 160, BK = 96, M = 2 * BM, K = 2 * BK + 64, BYTES = M * (2 * BK) / 3 * 5 / 8 + M * 64 / 4 };

static void a_tensor_has_each_part_of_all_tiles_and_comes_back(void **state)
{
    (void)state;
    static uint8_t tensor[BYTES], tiles[BYTES], again[BYTES];
    const struct format *format = format_find("tl2_160x96");
    assert_int_equal(format_packed_bytes(format, M, K), BYTES);
    for (size_t i = 0; i < BYTES; i++)
        tensor[i] = (uint8_t)(i * 41 >> 3);
    tl2_tiles_from_tensor(M, K, BM, BK, tensor, tiles);
    size_t tile = BYTES / 2, indices = BM * 64 / 2, signs = BM * 64 / 8, pairs = BM * 64 / 4;
    assert_memory_equal(tiles, tensor, indices);
    assert_memory_equal(tiles + tile, tensor + indices, indices);
    assert_memory_equal(tiles + indices, tensor + 2 * indices, signs);
    assert_memory_equal(tiles + tile + indices, tensor + 2 * indices + signs, signs);
    assert_memory_equal(tiles + indices + signs, tensor + 2 * (indices + signs), pairs);
    assert_memory_equal(tiles + tile + indices + signs, tensor + 2 * (indices + signs) + pairs, pairs);
    tl2_tiles_to_tensor(M, K, BM, BK, tiles, again);
    assert_memory_equal(again, tensor, BYTES);
}

/** As its converter orders them: eighths of a line 0, 2, 1, 3, the first group in the upper nibble; sign i of a word in bit 15 - i. */
static void a_weight_is_where_the_converter_puts_it(void **state)
{
    (void)state;
    static float w[BM * K];
    static uint8_t panel[BYTES / 2];
    const struct format *format = format_find("tl2_160x96");
    w[(32 + 9) * K + 96 + 3] = -1; /* row 41, triple 1 of block 1: -9 */
    w[20 * K + 192 + 3] = 1;       /* row 20, pair 1: 3 (0 + 1) + 1 + 1 */
    assert_int_equal(format_pack(format, w, BM, K, panel), 0);
    size_t line = 32, block = 5 * 16 * line, signs = 2 * block;
    assert_int_equal(panel[block + 16 * line + 17], 9);
    assert_int_equal(panel[signs + 5 * 4 * line + 4 * line + 9 * 2 + 1], 1 << (13 - 8));
    size_t pairs = signs + 2 * 5 * 4 * line;
    assert_int_equal(panel[pairs + 8 + 4], 0x45);
    assert_true(format_weight(format, panel, K, 41, 99) == -1);
    assert_true(format_weight(format, panel, K, 20, 195) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tensor_has_each_part_of_all_tiles_and_comes_back),
        cmocka_unit_test(a_weight_is_where_the_converter_puts_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
