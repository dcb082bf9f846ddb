/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: every sample is kept, so that what is counted here is certain.
 */
#include <errno.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/rounds_tests.h"
#include "harness/measure/session_level.h"
#include "unit_test.h"

/** Samples of the search for a roof: fewest, most, and how many streams have those. */
struct looked {
    size_t streams, least, most, of_the_last;
    bool plain; /* one place without prefetch is among the last */
};

static struct looked looked_at(const struct bench *bench)
{
    struct looked looked = {.least = SIZE_MAX};
    for (size_t i = 0; i < bench->cells.count; i++) {
        size_t count = bench->cells.cell[i].samples.count;
        if (beta_cell(&bench->cells.cell[i])->roof)
            continue;
        looked.streams++;
        looked.least = count < looked.least ? count : looked.least;
        looked.of_the_last = count > looked.most ? 1 : looked.of_the_last + (count == looked.most);
        const struct stream_variant *variant = beta_cell(&bench->cells.cell[i])->stream.variant;
        bool plain = variant->streams == 1 && !variant->hint;
        looked.plain = (looked.plain && count <= looked.most) || (plain && count >= looked.most);
        looked.most = count > looked.most ? count : looked.most;
    }
    return looked;
}

/**
 * Whether the stream that was looked at least has been so in as many stages as there are for this many streams: of all, of 48, 12 and 4, and of
 * one more where the fastest plain one is not among these. samples: until the end of each stage.
 */
static bool is_least(const struct looked *looked, const size_t samples[4])
{
    static const size_t keeps[] = {SIZE_MAX, 48, 12, 4};
    size_t stages = 0, with_plain = 0;
    for (size_t i = 0; i < 4; i++) {
        stages = looked->streams <= keeps[i] ? i : stages;
        with_plain = looked->streams - 1 <= keeps[i] ? i : with_plain;
    }
    return looked->least == samples[stages] || looked->least == samples[with_plain];
}

static const struct cell *find_roof(struct bench *bench, const char *level, unsigned roof_samples)
{
    struct execution execution = execution_of(bench);
    execution.roof_samples = roof_samples;
    size_t failed = 0;
    bench->last_fraction = 0;
    assert_int_equal(beta_find_roof(bench->session, &bench->cells, level, 1, &execution, &failed), 0);
    skip_if(bench->cells.count < 2, "not on this machine: no read stream runs here");
    return beta_roof(&bench->cells, level, 1);
}

TEST_GIVEN_BY(the_roof_of_a_cache_level_is_searched_and_then_read, struct bench *bench, open_bench, close_bench)
{
    bench->session->level_bytes[1] = 32 << 10;
    const struct cell *roof = find_roof(bench, "L1", 0);
    assert_non_null(roof);
    struct looked looked = looked_at(bench);
    assert_true(is_least(&looked, (const size_t[]){3, 3 + 4, 3 + 4 + 8, 3 + 4 + 8 + 18}));
    assert_int_equal(looked.most, 3 + 4 + 8 + 18);
    /* four, and the fastest plain one if it is not among them */
    assert_true(looked.of_the_last == (looked.streams < 4 ? looked.streams : 4) || looked.of_the_last == 5);
    assert_true(looked.plain);
    assert_int_equal(roof->samples.count, 18); /* none of them the search's */
    assert_false(bench->session->roof[1].chosen);
    assert_true(session_roof(bench->session, "L1", 1)->chosen);
    assert_int_equal(session_stream_id(&session_roof(bench->session, "L1", 1)->stream),
                     session_stream_id(&beta_cell(roof)->stream));
}

TEST_GIVEN_BY(a_roof_that_is_chosen_is_read_and_not_searched_again, struct bench *bench, open_bench, close_bench)
{
    bench->session->level_bytes[1] = 32 << 10;
    const struct cell *roof = find_roof(bench, "L1", 0);
    unsigned chosen = session_stream_id(&beta_cell(roof)->stream);
    struct looked first = looked_at(bench);
    assert_ptr_equal(find_roof(bench, "L1", 0), roof);
    assert_int_equal(roof->samples.count, 18 + 6);
    assert_int_equal(looked_at(bench).most, first.most);
    assert_int_equal(session_stream_id(&beta_cell(roof)->stream), chosen);
}

/** What a process finds that goes on with a run: the roof, with the stream that the run chose. */
TEST_GIVEN_BY(a_run_that_goes_on_reads_the_stream_that_it_chose, struct bench *bench, open_bench, close_bench)
{
    struct session_stream slow, runs = {0};
    bench->session->level_bytes[1] = 32 << 10;
    assert_int_equal(beta_add_roof(&bench->cells, bench->session, "L1", 1), 0);
    for (size_t i = 0; session_stream_at(i, &slow); i++)
        runs = session_runs(bench->session, slow.stream->isa) && !slow.variant->hint ? slow : runs;
    if (!runs.stream)
        skip();
    beta_cell(&bench->cells.cell[0])->stream = runs;
    size_t failed = 0;
    struct execution execution = execution_of(bench);
    assert_int_equal(beta_find_roof(bench->session, &bench->cells, "L1", 1, &execution, &failed), 0);
    assert_int_equal(bench->cells.count, 1); /* nothing was searched */
    assert_int_equal(bench->cells.cell[0].samples.count, 18);
    assert_int_equal(session_stream_id(&session_roof(bench->session, "L1", 1)->stream), session_stream_id(&runs));
}

TEST_GIVEN_BY(the_roof_of_memory_is_stored_in_the_session, struct bench *bench, open_bench, close_bench)
{
    const struct cell *roof = find_roof(bench, "memory", 2);
    assert_non_null(roof);
    struct looked looked = looked_at(bench);
    assert_true(is_least(&looked, (const size_t[]){2, 2 + 2, 2 + 2 + 2, 2 + 2 + 2 + 2}));
    assert_int_equal(looked.most, 2 + 2 + 2 + 2);
    assert_int_equal(roof->samples.count, STATS_KEPT_LEAST); /* 2 a visit, until there are enough for a number */
    assert_int_equal(session_stream_id(&bench->session->roof[1].stream), session_stream_id(&beta_cell(roof)->stream));
}

/** No time: neither a choice nor a roof, and the end of the time is said. */
TEST_GIVEN_BY(without_time_nothing_is_chosen, struct bench *bench, open_bench, close_bench)
{
    bench->session->level_bytes[1] = 32 << 10;
    struct execution execution = execution_of(bench);
    execution.deadline_s = 1;
    size_t failed = 0;
    assert_int_equal(beta_find_roof(bench->session, &bench->cells, "L1", 1, &execution, &failed), -ETIME);
    assert_null(beta_roof(&bench->cells, "L1", 1));
    assert_false(session_roof(bench->session, "L1", 1)->chosen);
}

RUN_TESTS(NULL, NULL)
