/* SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>

#include "platforms/process/starved.h"
#include "unit_test.h"

TEST(waits_that_end_late_are_counted)
{
    struct starved starved;
    starved_begin(&starved, getpid());
    starved_waited(&starved, 1000, 1001); /* as waits are */
    starved_waited(&starved, 1000, 10);   /* something ended it */
    assert_int_equal(starved.late_ms, 0);
    starved_waited(&starved, 1000, 41000); /* stopped, and continued */
    assert_int_equal(starved.late_ms, 40000);
    assert_true(starved_ms(&starved) >= 40000);
}

TEST(a_process_that_is_gone_waited_for_nothing)
{
    struct starved starved;
    starved_begin(&starved, 0x7ffffff0);
    starved.stolen_ms = UINT64_MAX; /* whatever others take meanwhile */
    assert_int_equal(starved_ms(&starved), 0);
}

RUN_TESTS(NULL, NULL)
