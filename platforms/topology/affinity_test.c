/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "platforms/topology/affinity.h"
#include "unit_test.h"

/** A kernel with 8,192 CPUs, which lets this thread run on CPUs 0, 1,024 and 5,000. */
static int get_of_8192(pid_t pid, size_t bytes, cpu_set_t *set)
{
    (void)pid;
    if (8 * bytes < 8192) {
        errno = EINVAL;
        return -1;
    }
    CPU_SET_S(0, bytes, set);
    CPU_SET_S(1024, bytes, set);
    CPU_SET_S(5000, bytes, set);
    return 0;
}

static int get_refused(pid_t pid, size_t bytes, cpu_set_t *set)
{
    (void)pid, (void)bytes, (void)set;
    errno = EPERM;
    return -1;
}

static int get_never_large_enough(pid_t pid, size_t bytes, cpu_set_t *set)
{
    (void)pid, (void)bytes, (void)set;
    errno = EINVAL;
    return -1;
}

/** CPUs that this thread may run on. */
static int allowed(void)
{
    enum { CPUS_MOST = 8192 };
    cpu_set_t *set = CPU_ALLOC(CPUS_MOST);
    assert_non_null(set);
    assert_int_equal(sched_getaffinity(0, CPU_ALLOC_SIZE(CPUS_MOST), set), 0);
    int count = CPU_COUNT_S(CPU_ALLOC_SIZE(CPUS_MOST), set);
    CPU_FREE(set);
    return count;
}

TEST(a_kernel_with_more_cpus_than_a_set_of_the_c_library_is_asked_again)
{
    struct affinity *affinity;
    assert_int_equal(affinity_keep_by(get_of_8192, &affinity), 0);
    assert_non_null(affinity);
    affinity_restore(affinity); /* CPU 0 is one of them */
}

TEST(a_kernel_that_refuses_is_not_asked_for_ever)
{
    struct affinity *affinity;
    assert_int_equal(affinity_keep_by(get_refused, &affinity), 0);
    assert_null(affinity);
    assert_int_equal(affinity_keep_by(get_never_large_enough, &affinity), 0);
    assert_null(affinity);
    assert_int_equal(affinity_restore(NULL), 0);
}

TEST(a_thread_is_bound_and_comes_back)
{
    struct affinity *before;
    assert_int_equal(affinity_keep(&before), 0);
    assert_non_null(before);
    const int count = allowed();
    int cpu = sched_getcpu();
    assert_true(cpu >= 0);
    assert_int_equal(affinity_bind((unsigned)cpu), 0);
    assert_int_equal(sched_getcpu(), cpu);
    assert_int_equal(allowed(), 1);
    assert_int_equal(affinity_restore(before), 0);
    assert_int_equal(allowed(), count);
}

TEST(a_cpu_that_is_not_there_is_refused_and_nothing_moves)
{
    const int before = allowed();
    assert_int_equal(affinity_bind(1 << 20), -EINVAL);
    assert_int_equal(affinity_bind(UINT32_MAX), -EINVAL);
    assert_int_equal(allowed(), before);
}

RUN_TESTS(NULL, NULL)
