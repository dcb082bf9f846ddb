/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/plan/room.h"

enum { KIND = 3, OTHER = 5 };

static void a_kind_needs_what_its_cells_have_needed(void **state)
{
    (void)state;
    struct room room = {.summary[KIND] = 1500};
    room_note(&room, KIND, true, 2000, 700);
    room_note(&room, KIND, false, 0, 300);
    room_note(&room, KIND, true, 2000, 1000);
    assert_true(room_of(&room, KIND) == (2000 + 2 * 1500) / 4000.0);
    assert_true(room_of(&room, OTHER) == 1); /* nothing of it was begun */
}

static void little_is_no_reason_to_plan_twice_as_much(void **state)
{
    (void)state;
    struct room room = {0};
    room_note(&room, KIND, true, 2000, 10);
    assert_true(room_of(&room, KIND) == 0.5);
}

static void summaries_that_are_still_to_come_take_their_room(void **state)
{
    (void)state;
    struct room room = {.summary[KIND] = 2000};
    double without = room_left(&room, 1e6, 300e3);
    assert_true(without > 600e3 && without < 700e3); /* the end of the run is to come */
    room.summaries[KIND] = 2;
    assert_true(room_left(&room, 1e6, 300e3) == without - 2 * 2000);
    assert_true(room_left(&room, 1e6, 2e6) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_needs_what_its_cells_have_needed),
        cmocka_unit_test(little_is_no_reason_to_plan_twice_as_much),
        cmocka_unit_test(summaries_that_are_still_to_come_take_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
