/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/items/sequence_check.h"

#include <errno.h>
#include <string.h>

#include "unit_test.h"

TEST(what_cannot_be_loaded_is_not_wrong)
{
    char why[USER_SEQUENCE_WHY];
    struct user_sequence user = {.path = "mine.S"};
    assert_int_equal(check_sequence_apart("./no_such_object.so", &user, 1, NULL, why, sizeof why), -EINVAL);
    assert_ptr_equal(strstr(why, "cannot load what was assembled from mine.S: "), why);
}

RUN_TESTS(NULL, NULL)
