/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/devices/opencl_facts.h"

#include <string.h>

#include "unit_test.h"

static void assert_text(const char *said, size_t size, const char *wanted)
{
    char text[OPENCL_TEXT];
    memset(text, 'z', sizeof text);
    opencl_text(said, text, size);
    assert_string_equal(text, wanted);
}

static void texts_are_printable_and_on_one_line(void **state)
{
    (void)state;
    assert_text("", OPENCL_TEXT, "");
    assert_text("   ", OPENCL_TEXT, "");
    assert_text("  Intel(R)   Arc(TM)\tB580\n", OPENCL_TEXT, "Intel(R) Arc(TM) B580");
    assert_text("\033[2J\a\303\244~\177", OPENCL_TEXT, "?[2J???~?");
}

static void a_long_text_is_cut(void **state)
{
    (void)state;
    assert_text("123456789", 10, "123456789");
    assert_text("1234567890", 10, "123456...");
    assert_text("12345678 0", 10, "123456...");
    assert_text("123456789 ", 10, "123456789");
    assert_text("1234", 4, "...");
}

static void the_first_type_counts(void **state)
{
    (void)state;
    assert_int_equal(opencl_kind_of(0), OPENCL_UNKNOWN_KIND);
    assert_int_equal(opencl_kind_of(1), OPENCL_UNKNOWN_KIND);
    assert_int_equal(opencl_kind_of(2 | 1), OPENCL_CPU);
    assert_int_equal(opencl_kind_of(2 | 4), OPENCL_CPU);
    assert_int_equal(opencl_kind_of(4), OPENCL_GPU);
    assert_int_equal(opencl_kind_of(8), OPENCL_ACCELERATOR);
    assert_int_equal(opencl_kind_of(16), OPENCL_CUSTOM);
    assert_string_equal(opencl_kind_name(OPENCL_GPU), "GPU");
    assert_string_equal(opencl_kind_name(OPENCL_UNKNOWN_KIND), "device of unknown type");
}

static void an_extension_is_a_whole_word(void **state)
{
    (void)state;
    assert_int_equal(opencl_has_extension(NULL, "cl_khr_fp16"), OPENCL_UNKNOWN);
    assert_int_equal(opencl_has_extension("", "cl_khr_fp16"), OPENCL_NO);
    assert_int_equal(opencl_has_extension("cl_khr_fp16", "cl_khr_fp16"), OPENCL_YES);
    assert_int_equal(opencl_has_extension(" a  cl_khr_fp16 ", "cl_khr_fp16"), OPENCL_YES);
    assert_int_equal(opencl_has_extension("cl_khr_fp161 xcl_khr_fp16 cl_khr_fp1", "cl_khr_fp16"), OPENCL_NO);
}

static void what_no_query_writes_is_refused(void **state)
{
    (void)state;
    static const struct opencl_listing sound = {
        .platform_count = 1, .device_count = 1, .platforms = {{.name = "P"}}, .devices = {{.name = "D"}}};
    struct opencl_listing wrong = sound;
    assert_true(opencl_is_sound(&wrong));
    wrong.platform_count = OPENCL_PLATFORMS + 1;
    assert_false(opencl_is_sound(&wrong));
    wrong = sound;
    wrong.device_count = OPENCL_DEVICES + 1;
    assert_false(opencl_is_sound(&wrong));
    wrong = sound;
    wrong.devices[0].platform = 1;
    assert_false(opencl_is_sound(&wrong));
    wrong = sound;
    wrong.devices[0].kind = OPENCL_KINDS;
    assert_false(opencl_is_sound(&wrong));
    wrong = sound;
    wrong.devices[0].fp16 = OPENCL_ANSWERS;
    assert_false(opencl_is_sound(&wrong));
    wrong = sound;
    memset(wrong.devices[0].driver, 'x', sizeof wrong.devices[0].driver);
    assert_false(opencl_is_sound(&wrong));
    wrong = sound;
    wrong.platforms[0].name[0] = '\033';
    assert_false(opencl_is_sound(&wrong));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_printable_and_on_one_line),
        cmocka_unit_test(a_long_text_is_cut),
        cmocka_unit_test(the_first_type_counts),
        cmocka_unit_test(an_extension_is_a_whole_word),
        cmocka_unit_test(what_no_query_writes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
