/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: every sample is kept, so that what is counted here is certain.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/pool/pool.h"
#include "harness/cells/rounds_tests.h"
#include "harness/measure/session_pool.h"
#include "unit_test.h"

static void find(struct bench *bench)
{
    struct execution execution = execution_of(bench);
    size_t failed = 0;
    bench->last_fraction = 0;
    assert_int_equal(pool_find(bench->session, &bench->cells, &execution, &failed), 0);
    skip_if(!bench->cells.count, "not on this machine: no read stream runs here");
}

static struct cell *sized(const struct bench *bench, unsigned times)
{
    for (size_t i = 0; i < bench->cells.count; i++) {
        if (pool_cell(&bench->cells.cell[i])->times == times)
            return &bench->cells.cell[i];
    }
    fail_msg("no pool of %u times", times);
    return NULL;
}

/** One to eight times what is stated, each with enough samples; then more or a reason why not. Once a session. */
TEST_GIVEN_BY(ever_larger_pools_are_read_until_it_is_known, struct bench *bench, open_bench, close_bench)
{
    bench->session->llc_bytes = 1 << 20;
    find(bench);
    for (unsigned times = 1; times <= 8; times *= 2) {
        assert_int_equal(sized(bench, times)->samples.count, 12);
        assert_int_equal(pool_cell(sized(bench, times))->bytes, times << 20);
        assert_string_equal(sized(bench, times)->why, "");
    }
    const struct cell *of;
    struct pool_verdict verdict = pool_verdict(&bench->cells, &of);
    assert_true(verdict.end == POOL_SETTLED || verdict.end == POOL_FALLS);
    for (unsigned times = 16; times <= 64; times *= 2)
        assert_true(sized(bench, times)->samples.count ||
                    (sized(bench, times)->needless && sized(bench, times)->why[0]));
    assert_true(bench->session->cold_bytes >= 1 << 20);
    assert_true(session_cold_bytes(bench->session, 1) >= 4 << 20);
    size_t visits = bench->visits;
    find(bench);
    assert_int_equal(bench->visits, visits);
}

/** As if a curve had been read: the pool is as large as where it settles, of however few bytes the machine speaks. */
TEST_GIVEN_BY(what_was_found_is_what_is_cold, struct bench *bench, open_bench, close_bench)
{
    static const double rates[] = {90e9, 80e9, 70e9, 60e9, 30e9, 30e9, 30e9};
    bench->session->llc_bytes = 1 << 20;
    const struct planning planning = {.session = bench->session};
    assert_int_equal(cell_kind_pool.plan(&bench->cells, &planning), 0);
    assert_int_equal(bench->cells.count, sizeof rates / sizeof *rates);
    for (size_t i = 0; i < bench->cells.count; i++) {
        struct cell *cell = &bench->cells.cell[i];
        give_many(&cell->samples, kept_sample((double)pool_cell(cell)->sample_bytes / rates[i], 1e9), 12);
    }
    find(bench);
    assert_int_equal(bench->visits, 0); /* as in a run that goes on */
    assert_int_equal(bench->session->cold_bytes, 16 << 20);
    assert_int_equal(session_cold_bytes(bench->session, 1), 16 << 20);
    json_auto_t *record = summary_record(bench->session, &bench->cells, sized(bench, 8));
    assert_flag(record, "cold", false);
    assert_near(field_number(record, "bytes"), 8 << 20);
    assert_near(field_number(record, "stated_bytes"), 1 << 20);
    assert_near(field_number(record, "pool_bytes"), 16 << 20);
    assert_near(field_median(record, "bytes_per_s"), 60e9);
    json_decref(record);
    record = summary_record(bench->session, &bench->cells, sized(bench, 16));
    assert_flag(record, "cold", true);
    json_decref(record);
    /* never a plateau */
    for (size_t i = 4; i < bench->cells.count; i++)
        sized(bench, 1u << i)->samples.count = 0;
    record = summary_record(bench->session, &bench->cells, sized(bench, 8));
    assert_null_field(record, "cold");
}

TEST_GIVEN_BY(a_size_without_memory_says_so, struct bench *bench, open_bench, close_bench)
{
    bench->session->llc_bytes = UINT64_C(1) << 44;
    find(bench);
    assert_string_equal(sized(bench, 1)->why, "a pool of this size is more than a third of the memory available");
    assert_string_equal(sized(bench, 2)->why, sized(bench, 1)->why);
    assert_int_equal(bench->visits, 0);
    assert_int_equal(bench->session->search.end, SESSION_SEARCH_MEMORY);
    assert_true(bench->session->search.next_bytes == UINT64_C(1) << 44);
    const struct cell *of;
    assert_int_equal(pool_verdict(&bench->cells, &of).end, POOL_UNKNOWN);
    assert_null(of);
}

/** A third of 12 MiB holds four times 1 MiB and no more: the search ends there, and says so. */
TEST_GIVEN_BY(the_search_ends_at_a_third_of_the_memory, struct bench *bench, open_bench, close_bench)
{
    bench->session->llc_bytes = 1 << 20;
    bench->session->machine.memory_available_bytes = 12 << 20;
    find(bench);
    assert_int_equal(sized(bench, 4)->samples.count, 12);
    assert_int_equal(sized(bench, 8)->samples.count, 0);
    assert_true(sized(bench, 8)->needless);
    assert_true(bench->session->search.next_bytes == 8 << 20);
    json_auto_t *record = summary_record(bench->session, &bench->cells, sized(bench, 4));
    assert_string_equal(json_string_value(json_object_get(record, "search")), "memory");
}

/** Of sizes up to four times what is stated: what a run has whose search was cut there. */
static int give_the_first_sizes(void *context, struct cells *cells, size_t first, size_t end)
{
    (void)context;
    for (size_t i = first; i < end; i++) {
        struct cell *cell = &cells->cell[i];
        if (pool_cell(cell)->times <= 4)
            give_many(&cell->samples, kept_sample((double)pool_cell(cell)->sample_bytes / 60e9, 1e9), 12);
    }
    return 0;
}

TEST_GIVEN_BY(a_run_that_had_its_search_is_not_searched_again, struct bench *bench, open_bench, close_bench)
{
    struct execution execution = execution_of(bench);
    size_t failed = 0;
    execution.added = give_the_first_sizes;
    bench->session->llc_bytes = 1 << 20;
    assert_int_equal(pool_find(bench->session, &bench->cells, &execution, &failed), 0);
    if (!bench->cells.count)
        skip();
    assert_int_equal(bench->visits, 0);
    assert_string_equal(sized(bench, 8)->why, "the search for what is cold had taken its time");
    assert_int_equal(bench->session->search.end, SESSION_SEARCH_TIME);
    assert_true(bench->session->search.next_bytes == 8 << 20);
}

/** What fails for another reason than memory for a larger pool fails the command: no smaller pool is taken in its place. */
TEST_GIVEN_BY(a_team_that_cannot_be_had_is_no_want_of_memory, struct bench *bench, open_bench, close_bench)
{
    const struct execution execution = execution_of(bench);
    unsigned cpu = bench->session->cpus[0];
    size_t failed = SIZE_MAX;
    bench->session->llc_bytes = 1 << 20;
    bench->session->cpus[0] = 1u << 20;
    assert_int_equal(pool_find(bench->session, &bench->cells, &execution, &failed), -EINVAL);
    bench->session->cpus[0] = cpu;
    assert_ptr_equal(&bench->cells.cell[failed], sized(bench, 1));
    assert_non_null(strstr(sized(bench, 1)->why, "1048576"));
    assert_int_equal(bench->session->search.next_bytes, 0);
}

TEST_GIVEN_BY(samples_of_another_size_are_not_taken_up, struct bench *bench, open_bench, close_bench)
{
    const struct planning planning = {.session = bench->session};
    assert_int_equal(cell_kind_pool.plan(&bench->cells, &planning), 0);
    struct cell *cell = &bench->cells.cell[0];
    json_auto_t *record = json_object();
    assert_true(cell_kind_pool.lacks_choice(cell));
    cell_kind_pool.describe(cell, record);
    cell_kind_pool.restore(cell, record);
    assert_false(cell_kind_pool.lacks_choice(cell));
    json_object_set_new(record, "bytes", json_integer(1234));
    cell_kind_pool.restore(cell, record);
    assert_true(cell_kind_pool.lacks_choice(cell));
}

RUN_TESTS(NULL, NULL)
