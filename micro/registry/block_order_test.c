/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows that are interleaved are, byte for byte, what packing into the order gives.
 */
#include <stdlib.h>
#include <string.h>

#include "micro/block_order.h"
#include "micro/isa/random.h"
#include "unit_test.h"

TEST(an_order_is_named_for_its_rows)
{
    static const char *const known[][2] = {{"q4_0_4x4", "q4_0"},     {"q4_0_4x8", "q4_0"}, {"q4_0_8x8", "q4_0"},
                                           {"q4_0_m16", "q4_0"},     {"q2_k_8x8", "q2_k"}, {"q2_k_m16", "q2_k"},
                                           {"iq4_nl_8x8", "iq4_nl"}, {"q8_0_m16", "q8_0"}, {"q4_k_m16", "q4_k"},
                                           {"q5_k_m16", "q5_k"},     {"cb2_4", NULL}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct block_order *order = block_order_of(format_find(known[i][0]));
        assert_non_null(order);
        assert_ptr_equal(block_order_rows(order), known[i][1] ? format_find(known[i][1]) : NULL);
    }
    assert_null(block_order_of(format_find("q4_0")));
    assert_null(block_order_of(format_find("i2_s")));
}

TEST(interleaving_rows_is_packing_them)
{
    for (const struct block_order *const *order = block_order_all(); *order; order++) {
        const struct format *format = (*order)->format, *rows = block_order_rows(*order);
        if (!rows)
            continue;
        const size_t m = format->rows_per_panel, steps = 3, k = steps * rows->k_per_step;
        float *w = malloc(m * k * sizeof *w);
        uint8_t *in_rows = malloc(format_packed_bytes(rows, m, k)), *packed = malloc(format_packed_bytes(format, m, k)),
                *interleaved = malloc(format_packed_bytes(format, m, k));
        uint64_t random = m;
        for (size_t i = 0; i < m * k; i++)
            w[i] = random_float(&random);
        assert_int_equal(format_pack(rows, w, m, k, in_rows), 0);
        assert_int_equal(format_pack(format, w, m, k, packed), 0);
        memset(interleaved, 0xa5, format_packed_bytes(format, m, k));
        (*order)->interleave(in_rows, format_panel_bytes(rows, k), steps, interleaved);
        if (memcmp(packed, interleaved, format_packed_bytes(format, m, k)) != 0)
            fail_msg("%s", format->name);
        free(w);
        free(in_rows);
        free(packed);
        free(interleaved);
    }
}

RUN_TESTS(NULL, NULL)
