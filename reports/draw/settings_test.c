/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/settings.h"

#include "reports/select/run/testing.h"

TEST(arrays_are_complete_with_their_last_element)
{
    freed char *text;
    size_t length;
    FILE *settings = open_memstream(&text, &length);
    struct settings_array titles = settings_texts(settings, "title", 2);
    array_text(&titles, "β");
    array_text(&titles, "it's `rm`\n");
    struct settings_array numbers = settings_numbers(settings, "number", 3);
    array_number(&numbers, 2.5);
    array_number(&numbers, (double)NAN);
    array_number(&numbers, 1234567);
    struct settings_array colours = settings_numbers(settings, "colour", 1);
    array_colour(&colours, 0x72b2);
    fclose(settings);
    assert_string_equal(text, "array title[2] = ['β', 'it’s ’rm’ ']\n"
                              "array number[3] = [2.5, NaN, 1.23457e+06]\n"
                              "array colour[1] = [0x0072b2]\n");
}

TEST(an_array_of_nothing_has_one_element)
{
    freed char *text;
    size_t length;
    const struct series none = {.prefix = "line"};
    FILE *settings = open_memstream(&text, &length);
    series_write(&none, settings);
    fclose(settings);
    assert_string_equal(text, "lines = 0\narray line_title[1] = ['']\narray line_colour[1] = [1]\n"
                              "array line_dash[1] = [1]\narray line_mark[1] = [1]\n");
}

RUN_TESTS(NULL, NULL)
