/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/room.h"
#include "unit_test.h"

enum { KIND = 3, OTHER = 5 };

static const struct room_estimate estimate = {.all = 2000, .summary = 1000};

TEST(a_kind_needs_what_its_cells_have_needed)
{
    struct room room = {.summary[KIND] = 1500};
    room_note(&room, KIND, &estimate, 700);
    room_note(&room, KIND, NULL, 300);
    room_note(&room, KIND, &estimate, 1000);
    assert_true(room_of(&room, KIND) == (2000 + 2 * 1500) / 4000.0);
    assert_true(room_of(&room, OTHER) == 1); /* nothing of it was begun */
}

TEST(little_is_no_reason_to_plan_twice_as_much)
{
    struct room room = {0};
    room_note(&room, KIND, &(struct room_estimate){.all = 2000, .summary = 20}, 10);
    assert_true(room_of(&room, KIND) == 0.5);
}

TEST(summaries_that_are_still_to_come_take_their_room)
{
    struct room room = {.summary[KIND] = 2000};
    double without = room_left(&room, 1e6, 300e3);
    assert_true(without > 600e3 && without < 700e3); /* the end of the run is to come */
    room.summaries[KIND] = 2;
    assert_true(room_left(&room, 1e6, 300e3) == without - 2 * 2000);
    assert_true(room_left(&room, 1e6, 2e6) == 0);
}

TEST(a_summary_is_as_long_as_estimated_until_one_is_seen)
{
    struct room room = {0};
    double before = room_left(&room, 1e6, 0);
    room_note(&room, KIND, &estimate, 700);
    assert_true(room_left(&room, 1e6, 0) == before - 1000);
    room.summary[KIND] = 300;
    room_note(&room, KIND, &estimate, 700);
    assert_true(room_left(&room, 1e6, 0) == before - 2 * 300);
}

/** What was begun goes on in the room that is kept for it, and nothing is begun there. */
TEST(what_was_begun_has_its_room_kept)
{
    struct room room = {.summary[KIND] = 2000, .summaries[KIND] = 10, .owed = 100e3};
    double left = room_left(&room, 1e6, 0);
    assert_int_equal(room_for(&room, 1e6, left - 1), ROOM_FOR_ALL);
    assert_int_equal(room_for(&room, 1e6, left), ROOM_FOR_BEGUN);
    assert_int_equal(room_for(&room, 1e6, left + 100e3 - 1), ROOM_FOR_BEGUN);
    assert_int_equal(room_for(&room, 1e6, left + 100e3), ROOM_FOR_NONE);
}

/** In steps that become shorter as the end comes near, and none shorter than a two-hundredth of the budget. */
TEST(summaries_are_looked_at_again_once_as_much_is_written_as_is_left)
{
    struct room room = {.summary[KIND] = 2000, .summaries[KIND] = 10, .looked_at = 400e3};
    double left = room_left(&room, 1e6, 0), half = (left + 400e3) / 2;
    assert_false(room_wants_look(&room, 1e6, 400e3));
    assert_false(room_wants_look(&room, 1e6, half - 1));
    assert_true(room_wants_look(&room, 1e6, half));
    room.looked_at = left - 100; /* at the end */
    assert_false(room_wants_look(&room, 1e6, left));
    assert_true(room_wants_look(&room, 1e6, left + 4900));
}

RUN_TESTS(NULL, NULL)
