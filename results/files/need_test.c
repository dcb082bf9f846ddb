/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "results/files/need.h"
#include "unit_test.h"

enum { BYTES = 8 };
static unsigned ends;

static void count_end(void)
{
    ends++;
}

/** How often the program would have ended since the last call. */
static unsigned ended(void)
{
    unsigned count = ends;
    ends = 0;
    return count;
}

static void what_is_there_ends_nothing(void **state)
{
    (void)state;
    char *block = need(BYTES, 1);
    block = need_longer(block, 2 * BYTES);
    assert_non_null(block);
    free(block);
    char *copy = need_copy("text");
    assert_string_equal(copy, "text");
    free(copy);
    assert_int_equal(need_result(0), 0);
    assert_int_equal(need_result(7), 7);
    assert_int_equal(need_result(-EIO), -EIO);
    assert_int_equal(ended(), 0);
}

/** Allocations that fail are scripts/faults'. */
static void what_lacked_memory_ends_the_program(void **state)
{
    (void)state;
    assert_int_equal(need_result(-ENOMEM), -ENOMEM);
    assert_int_equal(ended(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_ends_nothing),
        cmocka_unit_test(what_lacked_memory_ends_the_program),
    };
    need_or(count_end);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
