/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alone: a team of two spins until both have a CPU.
 *
 * Members that work until all of them have: who goes on, with what, and that shares are right when they are timed.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/product/shared_product.h"
#include "harness/cells/product/team_balance.h"
#include "unit_test.h"

enum { ROWS = 4, PANELS = 9, K = 8, THREADS = 2, CALLS = 50 };

/** y is the first byte of each panel; how often a panel was multiplied that is among a member's other weights. */
static atomic_uint gone_on[THREADS];
static uint8_t packed[PANELS * ROWS * K], other[THREADS][PANELS * ROWS * K];

static void multiply(const struct gemv_slice *slice)
{
    for (size_t p = 0; p < slice->panels; p++) {
        const uint8_t *panel = slice->weights + p * slice->panel_bytes;
        for (unsigned t = 0; t < THREADS; t++)
            gone_on[t] += panel >= other[t] && panel < other[t] + sizeof other[t];
        for (size_t i = 0; i < ROWS; i++)
            slice->out[p * ROWS + i] = panel[0];
    }
}

static const struct format format = {
    .name = "bytes", .bits = 8, .rows_per_panel = ROWS, .k_per_step = 1, .step_bytes = ROWS, .max_k = 1 << 16};
static const struct kernel kernel = {.name = "bytes.test.c",
                                     .sequence = "test",
                                     .isa = "baseline",
                                     .format = &format,
                                     .whole_panels = true,
                                     .gemv = multiply};

struct contest {
    struct gemv gemv;
    struct shared_product product;
    struct contended *contended;
    pthread_barrier_t barrier;
    atomic_uint wrong;
};

static void one_call(struct contest *contest, unsigned member, unsigned generation)
{
    contended_run(contest->contended, &contest->product, member, generation - 1, generation);
}

struct seat {
    struct contest *contest;
    unsigned member;
};

static void *work(void *context)
{
    const struct seat *seat = context;
    for (unsigned call = 1; call <= CALLS; call++) {
        one_call(seat->contest, seat->member, call);
        pthread_barrier_wait(&seat->contest->barrier);
        /* no member has left before all shares were done */
        uint64_t done = atomic_load(&seat->contest->contended->done);
        seat->contest->wrong += done != (uint64_t)call * THREADS;
        pthread_barrier_wait(&seat->contest->barrier);
    }
    return NULL;
}

static void open_contest(struct contest *contest, size_t panels, const double *weights)
{
    const struct schedule shares = {.kind = SCHEDULE_WEIGHTED, .weights = weights};
    memset(contest, 0, sizeof *contest);
    assert_int_equal(gemv_prepare(&contest->gemv, &kernel, panels * ROWS, K, THREADS, 1), 0);
    assert_int_equal(gemv_set_schedule(&contest->gemv, &shares), 0);
    contest->product = (struct shared_product){.gemv = &contest->gemv, .k = contest->gemv.k};
    contest->contended = contended_open(THREADS, CALLS);
    assert_non_null(contest->contended);
    pthread_barrier_init(&contest->barrier, NULL, THREADS);
    for (unsigned t = 0; t < THREADS; t++) {
        contest->gemv.members[t].weights = packed + contest->gemv.members[t].part.first * contest->gemv.unit_bytes;
        contest->contended->members[t].more = other[t];
        atomic_store(&gone_on[t], 0);
    }
}

static void close_contest(struct contest *contest)
{
    pthread_barrier_destroy(&contest->barrier);
    contended_close(contest->contended);
    gemv_release(&contest->gemv);
}

TEST(nobody_leaves_before_all_shares_are_done)
{
    static const double weights[] = {2, 1};
    struct contest contest;
    open_contest(&contest, PANELS, weights);
    struct seat seats[THREADS] = {{&contest, 0}, {&contest, 1}};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, work, &seats[1]), 0);
    work(&seats[0]);
    pthread_join(thread, NULL);
    assert_int_equal(contest.wrong, 0);
    for (unsigned i = 0; i < THREADS * CALLS; i++)
        assert_true(contest.contended->ticks[i] > 0);
    close_contest(&contest);
}

/** The other is known to come late: a member goes on with weights of its own until then. */
static void *come_late(void *context)
{
    struct contest *contest = context;
    while (atomic_load(&gone_on[0]) < 100)
        team_relax();
    one_call(contest, 1, 1);
    return NULL;
}

TEST(who_is_done_goes_on_with_other_weights_of_its_own)
{
    static const double weights[] = {2, 1};
    struct contest contest;
    memset(packed, 3, sizeof packed);
    open_contest(&contest, PANELS, weights);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, come_late, &contest), 0);
    one_call(&contest, 0, 1);
    pthread_join(thread, NULL);
    assert_true(atomic_load(&gone_on[0]) >= 100);
    assert_int_equal(contest.gemv.y[PANELS * ROWS - 1], 3);
    close_contest(&contest);
}

/** Its share is nothing, so there is nothing that it could go on with: it waits. */
TEST(who_has_no_share_waits)
{
    struct contest contest;
    open_contest(&contest, 1, NULL);
    assert_int_equal(contest.gemv.members[0].part.end, 0);
    struct seat seats[THREADS] = {{&contest, 0}, {&contest, 1}};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, work, &seats[1]), 0);
    work(&seats[0]);
    pthread_join(thread, NULL);
    assert_int_equal(contest.wrong, 0);
    assert_int_equal(atomic_load(&gone_on[0]), 0);
    close_contest(&contest);
}

/** A share of 24 columns in 10 ticks beside one of 12 in 20: 36 rows at 2.4 + 0.6 a tick, 8 bytes each; of three calls a sample. */
TEST(the_time_of_a_sample_is_that_of_the_sum_of_rates)
{
    static const double weights[] = {2, 1};
    struct contest contest;
    struct sample samples[4] = {{.wall_s = 9}, {.wall_s = 9}, {.wall_s = 9}, {.wall_s = 9}};
    struct cell cell = {.cold = true, .repeats = 3, .samples = {.sample = samples, .count = 4}};
    open_contest(&contest, PANELS, weights);
    for (unsigned i = 0; i < 4; i++) { /* reads of the roof at 0 and 2 */
        contest.contended->ticks[i] = i % 2 ? 10 : 7777;
        contest.contended->ticks[CALLS + i] = i % 2 ? 20 : 7777;
    }
    contended_settle(contest.contended, &contest.product, &cell, 2, 1e3);
    assert_true(samples[0].wall_s == 9 && samples[1].wall_s == 9); /* of an earlier visit */
    double rate = 3 * (24 * K / 10.0 + 12 * K / 20.0);
    for (unsigned i = 2; i < 4; i++)
        assert_true(samples[i].wall_s > 0.999e-3 * 3 * 36 * K / rate &&
                    samples[i].wall_s < 1.001e-3 * 3 * 36 * K / rate);
    close_contest(&contest);
}

RUN_TESTS(NULL, NULL)
