/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/heat.h"

#include "reports/select/run/testing.h"

static double luminance_of(unsigned colour)
{
    static const double weight[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double value = ((colour >> (16 - 8 * i)) & 0xff) / 255.0;
        sum += weight[i] * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
    }
    return sum;
}

TEST(more_is_darker_all_the_way)
{
    for (int i = 0; i < 100; i++)
        assert_true(luminance_of(heat_colour(i / 100.0)) > luminance_of(heat_colour((i + 1) / 100.0)));
}

TEST(numbers_are_readable_on_every_colour)
{
    for (int i = 0; i <= 100; i++) {
        double ground = luminance_of(heat_colour(i / 100.0)) + 0.05,
               text = luminance_of(heat_text_colour(i / 100.0)) + 0.05;
        double contrast = ground > text ? ground / text : text / ground;
        assert_int_not_equal(heat_text_colour(i / 100.0), 0x000000); /* the page makes this one white in the dark */
        assert_int_not_equal(heat_text_colour(i / 100.0), 0x1a1a1a);
        if (contrast < 4.5)
            fail_msg("%d%%: contrast %.2f", i, contrast);
    }
}

TEST(what_lies_outside_is_taken_to_the_end)
{
    assert_int_equal(heat_colour(-1), heat_colour(0));
    assert_int_equal(heat_colour(NAN), heat_colour(0));
    assert_int_equal(heat_colour(7), heat_colour(1));
    assert_int_equal(heat_colour(0), 0xf4f7fb);
    assert_int_equal(heat_colour(1), 0x0c4a80);
}

RUN_TESTS(NULL, NULL)
