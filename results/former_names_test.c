/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "results/former_names.h"

static void assert_reads(const char *text, const char *wanted)
{
    char buffer[128];
    assert_string_equal(former_name_exchanged(text, buffer, sizeof buffer), wanted);
}

static void names_are_exchanged_where_they_stand_for_themselves(void **state)
{
    (void)state;
    assert_reads("int2_vnni4.paper.avx2", "int2_vnni4.envelope.avx2");
    assert_reads("int2_vnni4.paper", "int2_vnni4.envelope");
    assert_reads("gemv/tl1.paper_0.avx2/64x64/t2/cold", "gemv/tl1.bitnet_tl1_0.avx2/64x64/t2/cold");
    assert_reads("gemv/q4_0.paper*/cold", "gemv/q4_0.reference*/cold");
    assert_reads("int1_vnni4.paper.avx_vnni@4", "int1_vnni4.envelope.avx_vnni@4");
    assert_reads("i2_s.paper.avx2", "i2_s.bitnet.avx2");
}

static void other_names_stay(void **state)
{
    (void)state;
    static const char *const others[] = {"",
                                         "int2_vnni4.envelope.avx2",
                                         "int2_vnni4.paper_2.avx2",
                                         "paper",
                                         "my_int2_vnni4.paper.avx2",
                                         "int3.paper.avx2",
                                         "x.int2_vnni4.paper"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_reads(others[i], others[i]);
}

static void a_buffer_that_is_too_small_leaves_the_name(void **state)
{
    (void)state;
    char buffer[16];
    const char *name = "int2_vnni4.paper.avx2";
    assert_ptr_equal(former_name_exchanged(name, buffer, sizeof buffer), name);
}

static void records_are_read_under_the_names_of_today(void **state)
{
    (void)state;
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:{s:s}, s:[f, f], s:[{s:s}], s:i}", "name",
                               "gemv/tl2.paper_1.avx2/64x64/t1/cold", "format", "tl2", "sequence", "paper_1",
                               "gamma_used", "tl2.lookup1.avx2@2", "code", "tl2.paper_1.avx2", "0f", "samples", 1.0,
                               2.0, "beside", "name", "q4_0.paper.avx2", "m", 64);
    assert_non_null(record);
    assert_int_equal(former_names_exchange(record), 0);
    assert_string_equal(json_string_value(json_object_get(record, "name")), "gemv/tl2.bitnet_tl2_1.avx2/64x64/t1/cold");
    assert_string_equal(json_string_value(json_object_get(record, "sequence")), "bitnet_tl2_1");
    assert_string_equal(json_string_value(json_object_get(record, "gamma_used")), "tl2.lookup1.avx2@2");
    assert_string_equal(json_string_value(json_object_get(json_object_get(record, "code"), "tl2.bitnet_tl2_1.avx2")),
                        "0f");
    assert_null(json_object_get(json_object_get(record, "code"), "tl2.paper_1.avx2"));
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(json_object_get(record, "beside"), 0), "name")),
        "q4_0.reference.avx2");
    json_decref(record);
}

static void a_sequence_called_paper_of_another_format_stays(void **state)
{
    (void)state;
    json_t *record = json_pack("{s:s, s:s}", "format", "int3", "sequence", "paper");
    assert_int_equal(former_names_exchange(record), 0);
    assert_string_equal(json_string_value(json_object_get(record, "sequence")), "paper");
    json_decref(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_exchanged_where_they_stand_for_themselves),
        cmocka_unit_test(other_names_stay),
        cmocka_unit_test(a_buffer_that_is_too_small_leaves_the_name),
        cmocka_unit_test(records_are_read_under_the_names_of_today),
        cmocka_unit_test(a_sequence_called_paper_of_another_format_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
