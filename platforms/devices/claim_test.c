/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/devices/claim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit_test.h"

static int claim_elsewhere(const char *name)
{
    int status;
    char why[160];
    pid_t child = fork();
    if (child == 0)
        _exit(-device_claim(name, why, sizeof why));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return -WEXITSTATUS(status);
}

static void a_device_is_claimed_by_one_process_until_it_ends(void **state)
{
    (void)state;
    char name[48], other[48], why[160] = "";
    snprintf(name, sizeof name, "test:%ld", (long)getpid());
    snprintf(other, sizeof other, "test:%ld:1", (long)getpid());
    assert_int_equal(claim_elsewhere(name), 0); /* and ended */
    assert_int_equal(device_claim(name, why, sizeof why), 0);
    assert_int_equal(claim_elsewhere(name), -EBUSY);
    assert_int_equal(claim_elsewhere(other), 0);
    assert_int_equal(device_claim(name, why, sizeof why), -EBUSY);
    assert_non_null(strstr(why, name));
    assert_non_null(strstr(why, "wait until it has ended"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_device_is_claimed_by_one_process_until_it_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
