/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/devices/opencl_facts.h"

#include <errno.h>
#include <string.h>

#include "unit_test.h"

static void assert_text(const char *said, size_t size, const char *wanted)
{
    char text[OPENCL_TEXT];
    memset(text, 'z', sizeof text);
    opencl_text(said, text, size);
    assert_string_equal(text, wanted);
}

TEST(texts_are_printable_and_on_one_line)
{
    assert_text("", OPENCL_TEXT, "");
    assert_text("   ", OPENCL_TEXT, "");
    assert_text("  Intel(R)   Arc(TM)\tB580\n", OPENCL_TEXT, "Intel(R) Arc(TM) B580");
    assert_text("\033[2J\a\303\244~\177", OPENCL_TEXT, "?[2J???~?");
}

TEST(a_long_text_is_cut)
{
    assert_text("123456789", 10, "123456789");
    assert_text("1234567890", 10, "123456...");
    assert_text("12345678 0", 10, "123456...");
    assert_text("123456789 ", 10, "123456789");
    assert_text("1234", 4, "...");
}

TEST(the_first_type_counts)
{
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

TEST(an_extension_is_a_whole_word)
{
    assert_int_equal(opencl_has_extension(NULL, "cl_khr_fp16"), OPENCL_UNKNOWN);
    assert_int_equal(opencl_has_extension("", "cl_khr_fp16"), OPENCL_NO);
    assert_int_equal(opencl_has_extension("cl_khr_fp16", "cl_khr_fp16"), OPENCL_YES);
    assert_int_equal(opencl_has_extension(" a  cl_khr_fp16 ", "cl_khr_fp16"), OPENCL_YES);
    assert_int_equal(opencl_has_extension("cl_khr_fp161 xcl_khr_fp16 cl_khr_fp1", "cl_khr_fp16"), OPENCL_NO);
}

TEST(what_no_query_writes_is_refused)
{
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

TEST(a_device_is_found_by_number_or_a_part_of_its_name)
{
    static const struct opencl_listing two = {.device_count = 2,
                                              .devices = {{.name = "Arc B580"}, {.name = "cpu-znver5"}}};
    static const struct opencl_listing alike = {.device_count = 2, .devices = {{.name = "H200"}, {.name = "H200"}}};
    static const struct opencl_listing none = {.cause = "libOpenCL.so.1 is not installed", .remedy = "install it"};
    char why[256] = "";
    assert_int_equal(opencl_find(&two, "opencl:0", why, sizeof why), 0);
    assert_int_equal(opencl_find(&two, "opencl:1", why, sizeof why), 1);
    assert_int_equal(opencl_find(&two, "b580", why, sizeof why), 0);
    assert_int_equal(opencl_find(&two, "CPU", why, sizeof why), 1);
    assert_int_equal(opencl_find(&alike, "opencl:1", why, sizeof why), 1);
    assert_string_equal(why, "");
    assert_int_equal(opencl_find(&two, "opencl:2", why, sizeof why), -ENODEV);
    assert_string_equal(
        why, "no OpenCL device is named 'opencl:2': choose one of opencl:0 (Arc B580), opencl:1 (cpu-znver5)");
    assert_int_equal(opencl_find(&two, "", why, sizeof why), -ENODEV);
    assert_int_equal(opencl_find(&alike, "h2", why, sizeof why), -ENODEV);
    assert_string_equal(why,
                        "2 OpenCL devices are named 'h2': choose one by its number: opencl:0 (H200), opencl:1 (H200)");
    assert_int_equal(opencl_find(&none, "opencl:0", why, sizeof why), -ENODEV);
    assert_string_equal(why, "there is no OpenCL device: libOpenCL.so.1 is not installed; install it");
    assert_int_equal(opencl_find(&two, "opencl:7", why, 20), -ENODEV);
    assert_string_equal(why, "no OpenCL device is");
}

RUN_TESTS(NULL, NULL)
