/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/fake_system.h"
#include "platforms/counters/perf_counter.h"

struct page_fixture {
    struct fake_machine machine;
    struct perf_event_mmap_page *page;
};

static int set_up(void **state)
{
    static struct page_fixture fixture;
    fake_machine_open(&fixture.machine);
    fixture.machine.step = 0;
    fixture.machine.opened = 1;
    fixture.page = &fixture.machine.events[0].page;
    fixture.page->cap_user_rdpmc = 1;
    fixture.page->pmc_width = 48;
    fixture.page->index = 1;
    fixture.page->offset = 5000;
    fixture.page->time_enabled = 70;
    fixture.page->time_running = 60;
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct page_fixture *fixture = *state;
    fake_machine_close(&fixture->machine);
    return 0;
}

static struct perf_reading read_page(const struct page_fixture *f)
{
    struct perf_reading reading;
    perf_page_read(&f->machine.system, f->page, &reading);
    return reading;
}

TEST_WITH(adds_the_offset_to_the_counter, set_up, tear_down)
{
    struct page_fixture *f = *state;
    f->machine.pmc[0] = 42;
    struct perf_reading reading = read_page(f);
    assert_int_equal(reading.state, PERF_COUNTED);
    assert_int_equal(reading.count, 5042);
    assert_int_equal(reading.enabled_ns, 70);
    assert_int_equal(reading.running_ns, 60);
}

TEST_WITH(extends_the_sign_of_every_width, set_up, tear_down)
{
    struct page_fixture *f = *state;
    static const unsigned widths[] = {1, 32, 40, 48, 64};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        f->page->pmc_width = (uint16_t)widths[w];
        f->machine.pmc[0] = UINT64_MAX >> (64 - widths[w]); /* -1 in that width */
        struct perf_reading reading = read_page(f);
        assert_int_equal(reading.state, PERF_COUNTED);
        assert_int_equal(reading.count, 4999);
    }
    f->page->pmc_width = 48;
    f->machine.pmc[0] = 0x800000000000u;
    assert_true(read_page(f).count == 5000 - 0x800000000000u);
    f->machine.pmc[0] = 0x7fffffffffffu;
    assert_true(read_page(f).count == 5000 + 0x7fffffffffffu);
}

TEST_GIVEN_BY(ignores_bits_above_the_width, struct page_fixture *f, set_up, tear_down)
{
    f->machine.pmc[0] = 0xffff000000000007u;
    assert_int_equal(read_page(f).count, 5007);
}

TEST_WITH(retries_while_the_lock_changes, set_up, tear_down)
{
    struct page_fixture *f = *state;
    f->machine.pmc[0] = 1;
    f->machine.lock_changes = 3;
    struct perf_reading reading = read_page(f);
    assert_int_equal(reading.state, PERF_COUNTED);
    assert_int_equal(reading.count,
                     5000 + 3 * 1000 + 1); /* the offset after the last change, none of the ones between */
    assert_int_equal(f->machine.rdpmcs, 4);
}

TEST_WITH(gives_up_on_a_page_that_never_stands_still, set_up, tear_down)
{
    struct page_fixture *f = *state;
    f->machine.lock_changes = 1000000;
    assert_int_equal(read_page(f).state, PERF_UNSTABLE);
    f->machine.lock_changes = 0;
    f->page->lock = 7; /* odd: the kernel is writing */
    assert_int_equal(read_page(f).state, PERF_UNSTABLE);
}

TEST_WITH(index_zero_is_not_counting_and_never_rdpmc, set_up, tear_down)
{
    struct page_fixture *f = *state;
    f->page->index = 0;
    assert_int_equal(read_page(f).state, PERF_NOT_COUNTING);
    assert_int_equal(f->machine.rdpmcs, 0);
}

TEST_WITH(capability_off_never_executes_rdpmc, set_up, tear_down)
{
    struct page_fixture *f = *state;
    f->page->cap_user_rdpmc = 0;
    assert_int_equal(read_page(f).state, PERF_NO_ACCESS);
    f->page->cap_user_rdpmc = 1;
    f->page->pmc_width = 0;
    assert_int_equal(read_page(f).state, PERF_NO_ACCESS);
    f->page->pmc_width = 65;
    assert_int_equal(read_page(f).state, PERF_NO_ACCESS);
    assert_int_equal(f->machine.rdpmcs, 0);
}

TEST(a_difference_wraps)
{
    struct perf_reading begin = {.count = UINT64_MAX - 4, .enabled_ns = 9, .running_ns = 3};
    struct perf_reading end = {.count = 5, .enabled_ns = 19, .running_ns = 13};
    double count = 0;
    char why[128];
    assert_true(perf_difference(&begin, &end, &count, why, sizeof why)); /* an earlier loss does not matter */
    assert_true(count == 10);
}

TEST(a_multiplexed_sample_is_rejected)
{
    struct perf_reading begin = {.count = 0, .enabled_ns = 100, .running_ns = 100};
    struct perf_reading end = {.count = 50, .enabled_ns = 1100, .running_ns = 350};
    double count = -1;
    char why[128];
    assert_false(perf_difference(&begin, &end, &count, why, sizeof why));
    assert_string_equal(why, "the event was multiplexed: it counted 25.0% of the time");
    assert_true(count == -1);
}

TEST(a_reading_that_failed_names_its_reason)
{
    static const struct {
        enum perf_state state;
        const char *words;
    } rows[] = {
        {PERF_NOT_COUNTING, "not on the PMU"},
        {PERF_NO_ACCESS, "rdpmc was disabled"},
        {PERF_UNSTABLE, "kept changing"},
        {PERF_READ_FAILED, "reading the event failed"},
    };
    struct perf_reading good = {.count = 1};
    double count;
    char why[128];
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct perf_reading bad = {.state = rows[r].state};
        assert_false(perf_difference(&bad, &good, &count, why, sizeof why));
        assert_non_null(strstr(why, rows[r].words));
        assert_false(perf_difference(&good, &bad, &count, why, sizeof why));
        assert_non_null(strstr(why, rows[r].words));
    }
}

RUN_TESTS(NULL, NULL)
