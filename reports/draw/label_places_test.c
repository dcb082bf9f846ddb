/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/label_places.h"

#include "reports/select/run/testing.h"

TEST(labels_that_have_room_stay)
{
    double at[] = {30, 10, 20};
    label_places(at, 3, 5, 0, 100);
    assert_near(at[0], 30, 1e-9);
    assert_near(at[1], 10, 1e-9);
    assert_near(at[2], 20, 1e-9);
}

TEST(labels_of_one_place_spread_to_both_sides_in_order)
{
    double at[] = {50, 50, 80, 50};
    label_places(at, 4, 10, 0, 100);
    assert_near(at[0], 40, 1e-9);
    assert_near(at[1], 50, 1e-9);
    assert_near(at[3], 60, 1e-9);
    assert_near(at[2], 80, 1e-9);
}

TEST(labels_at_an_end_stay_within)
{
    double at[] = {2, 0, 99, 100, 98};
    label_places(at, 5, 10, 5, 95);
    assert_near(at[1], 5, 1e-9);
    assert_near(at[0], 15, 1e-9);
    assert_near(at[4], 75, 1e-9);
    assert_near(at[2], 85, 1e-9);
    assert_near(at[3], 95, 1e-9);
}

TEST(too_many_for_the_axis_keep_their_distance)
{
    double at[] = {3, 1, 2};
    label_places(at, 3, 10, 0, 15);
    assert_near(at[1], 0, 1e-9);
    assert_near(at[2], 10, 1e-9);
    assert_near(at[0], 20, 1e-9);
    label_places(at, 0, 10, 0, 15);
}

RUN_TESTS(NULL, NULL)
