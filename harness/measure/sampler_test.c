/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timed: it looks at the clock of this machine; none of its claims needs a quiet one.
 */
#include <math.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "harness/measure/sampler.h"
#include "platforms/clock/clock.h"
#include "unit_test.h"

enum { COUNT = 24, TEAM_MOST = 2 };
#define DOZE_S 500e-6

/** A team and a work that each test fills in. */
struct bench {
    struct topology *topology;
    unsigned cpus[TEAM_MOST];
    unsigned widest;
    struct instruments instruments;

    double spin_s;
    volatile unsigned char *pages; /* fresh ones, one a sample and member */
    unsigned threads;
    unsigned before_calls[TEAM_MOST], run_calls[TEAM_MOST];
};

static int open_bench(void **state)
{
    static struct bench bench;
    char why[256];
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    bench.widest = CPU_COUNT(&allowed) < TEAM_MOST ? 1 : TEAM_MOST;
    struct team_request request = {.threads = bench.widest, .use_smt = true};
    assert_int_equal(topology_open(NULL, &bench.topology, why, sizeof why), 0);
    assert_int_equal(topology_plan_team(bench.topology, &request, bench.cpus, TEAM_MOST, why, sizeof why),
                     bench.widest);
    instruments_clocks(&bench.instruments, tsc_calibrate_hz(0.05));
    *state = &bench;
    return 0;
}

static int close_bench(void **state)
{
    topology_close(((struct bench *)*state)->topology);
    return 0;
}

static void take(struct bench *bench, unsigned threads, const struct sampler_work *work, struct sample samples[COUNT])
{
    struct team *team;
    char why[256];
    bench->threads = threads;
    memset(bench->before_calls, 0, sizeof bench->before_calls);
    memset(bench->run_calls, 0, sizeof bench->run_calls);
    if (team_create(bench->topology, bench->cpus, threads, &team, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_int_equal(sampler_take(team, &bench->instruments, work, samples, COUNT), 0);
    team_destroy(team);
}

static unsigned count_of(const struct sample samples[COUNT], enum sample_cause cause)
{
    unsigned count = 0;
    for (unsigned i = 0; i < COUNT; i++)
        count += samples[i].cause == cause;
    return count;
}

static void spin(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    struct bench *bench = context;
    bench->run_calls[member]++;
    uint64_t end = tsc_begin().ticks + (uint64_t)ceil(bench->spin_s * bench->instruments.tsc_hz);
    while (tsc_begin().ticks < end)
        continue;
}

static void count_before(void *context, unsigned member, unsigned sample)
{
    struct bench *bench = context;
    assert_int_equal(bench->before_calls[member], sample);
    assert_int_equal(bench->run_calls[member], sample);
    bench->before_calls[member]++;
}

TEST_GIVEN(wall_time_is_that_of_the_work, struct bench *bench)
{
    for (unsigned threads = 1; threads <= bench->widest; threads++) {
        struct sample samples[COUNT];
        bench->spin_s = 200e-6;
        struct sampler_work work = {.context = bench, .before = count_before, .run = spin};
        take(bench, threads, &work, samples);
        for (unsigned i = 0; i < COUNT; i++) {
            assert_true(samples[i].wall_s >= bench->spin_s);
            if (samples[i].grade > SAMPLE_WALL)
                assert_true(samples[i].core_hz > 1e8 && samples[i].core_hz < 2e10);
        }
        for (unsigned t = 0; t < threads; t++) {
            assert_int_equal(bench->before_calls[t], COUNT);
            assert_int_equal(bench->run_calls[t], COUNT);
        }
        /* on an idle machine nearly all; on a loaded one it may be few, but the causes are then names of the table */
        for (unsigned i = 0; i < COUNT; i++)
            assert_in_range(samples[i].cause, SAMPLE_KEPT, SAMPLE_CAUSES - 1);
    }
}

static void spin_unevenly(void *context, unsigned member, unsigned sample)
{
    struct bench own = *(struct bench *)context;
    own.spin_s *= member ? 3 : 1;
    spin(&own, member, sample);
}

TEST_GIVEN(wall_time_ends_with_the_last_member, struct bench *bench)
{
    skip_if(bench->widest < 2, "not on this machine: one CPU");
    struct sample samples[COUNT];
    bench->spin_s = 100e-6;
    struct sampler_work work = {.context = bench, .run = spin_unevenly};
    take(bench, 2, &work, samples);
    for (unsigned i = 0; i < COUNT; i++)
        assert_true(samples[i].wall_s >= 3 * bench->spin_s);
}

static void doze(void *context, unsigned member, unsigned sample)
{
    (void)context, (void)member, (void)sample;
    nanosleep(&(struct timespec){.tv_nsec = (long)(DOZE_S * 1e9)}, NULL);
}

TEST_GIVEN(work_that_sleeps_is_a_context_switch, struct bench *bench)
{
    struct sample samples[COUNT];
    struct sampler_work work = {.context = bench, .run = doze};
    take(bench, 1, &work, samples);
    assert_int_equal(count_of(samples, SAMPLE_CONTEXT_SWITCH), COUNT);
    /* all that it slept, however long it then waited for a core or for the hypervisor */
    for (unsigned i = 0; i < COUNT; i++) {
        assert_true(samples[i].switched && samples[i].off_core_share <= 1);
        assert_true(samples[i].off_core_share == 1 || samples[i].off_core_share * samples[i].wall_s > 0.9 * DOZE_S);
    }
}

static void touch(void *context, unsigned member, unsigned sample)
{
    struct bench *bench = context;
    if (member == bench->threads - 1)
        bench->pages[(size_t)sample * 4096] = 1;
}

TEST_GIVEN(work_that_touches_a_fresh_page_is_a_page_fault, struct bench *bench)
{
    for (unsigned threads = 1; threads <= bench->widest; threads++) {
        struct sample samples[COUNT];
        bench->pages = mmap(NULL, COUNT * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(bench->pages != MAP_FAILED);
        assert_int_equal(madvise((void *)(uintptr_t)bench->pages, COUNT * 4096, MADV_NOHUGEPAGE), 0);
        struct sampler_work work = {.context = bench, .run = touch};
        take(bench, threads, &work, samples);
        assert_int_equal(count_of(samples, SAMPLE_PAGE_FAULT) + count_of(samples, SAMPLE_CONTEXT_SWITCH), COUNT);
        assert_true(count_of(samples, SAMPLE_PAGE_FAULT) > 0);
        munmap((void *)(uintptr_t)bench->pages, COUNT * 4096);
    }
}

/** A tick comes at least every 10 ms; longer than SAMPLER_INTERRUPT_LIMIT_S it does not reject. */
TEST_GIVEN(a_long_sample_is_never_rejected_for_an_interrupt, struct bench *bench)
{
    struct sample samples[COUNT];
    bench->spin_s = 20e-3;
    struct sampler_work work = {.context = bench, .run = spin};
    take(bench, 1, &work, samples);
    assert_int_equal(count_of(samples, SAMPLE_INTERRUPT), 0);
}

/** As the kernel does when the CPU of a thread goes offline. */
static void go_elsewhere(void *context, unsigned member, unsigned sample)
{
    struct bench *bench = context;
    cpu_set_t other;
    (void)member, (void)sample;
    CPU_ZERO(&other);
    CPU_SET(bench->cpus[1], &other);
    assert_int_equal(sched_setaffinity(0, sizeof other, &other), 0);
}

TEST_GIVEN(a_thread_that_left_its_cpu_is_not_measured, struct bench *bench)
{
    skip_if(bench->widest < 2, "not on this machine: one core");
    struct sample samples[COUNT];
    bench->spin_s = 10e-6;
    struct sampler_work work = {.context = bench, .before = go_elsewhere, .run = spin};
    take(bench, 1, &work, samples);
    assert_int_equal(count_of(samples, SAMPLE_MOVED), COUNT);
}

TEST(causes_follow_from_what_was_observed)
{
    static const struct {
        struct sampler_disturbance seen;
        double wall_s;
        enum sample_cause cause;
    } table[] = {
        {{0}, 1e-4, SAMPLE_KEPT},
        {{.interrupted = true}, 1e-4, SAMPLE_INTERRUPT},
        {{.interrupted = true}, 1.49e-3, SAMPLE_INTERRUPT},
        {{.interrupted = true}, SAMPLER_INTERRUPT_LIMIT_S, SAMPLE_KEPT},
        {{.interrupted = true}, 20e-3, SAMPLE_KEPT},
        {{.switched = true, .off_s = 1e-3}, 20e-3, SAMPLE_CONTEXT_SWITCH},
        {{.faulted = true}, 20e-3, SAMPLE_PAGE_FAULT},
        {{.drifted = true}, 1e-4, SAMPLE_CLOCK_DRIFT},
        /* the most telling cause is named */
        {{.interrupted = true, .drifted = true}, 1e-4, SAMPLE_INTERRUPT},
        {{.interrupted = true, .drifted = true}, 20e-3, SAMPLE_CLOCK_DRIFT},
        {{.interrupted = true, .faulted = true}, 1e-4, SAMPLE_PAGE_FAULT},
        {{.shared = true}, 1e-4, SAMPLE_SIBLING},
        {{.shared = true}, 20e-3, SAMPLE_SIBLING},
        {{.shared = true, .drifted = true}, 1e-4, SAMPLE_SIBLING},
        {{.shared = true, .interrupted = true}, 1e-4, SAMPLE_INTERRUPT},
        {{true, true, true, true, true, false, 1}, 1e-4, SAMPLE_CONTEXT_SWITCH},
        {{.moved = true}, 1e-4, SAMPLE_MOVED},
        {{true, true, true, true, true, true, 1}, 1, SAMPLE_MOVED},
        {{.switched = true, .off_s = 9e-5}, SAMPLER_SWITCH_LIMIT_S, SAMPLE_KEPT},
        {{.switched = true, .off_s = 9e-5}, 0.99 * SAMPLER_SWITCH_LIMIT_S, SAMPLE_CONTEXT_SWITCH},
        {{.switched = true, .off_s = 1.1e-4}, SAMPLER_SWITCH_LIMIT_S, SAMPLE_CONTEXT_SWITCH},
        {{.switched = true, .off_s = 9e-3}, 1, SAMPLE_KEPT},
        {{.switched = true, .shared = true, .off_s = 9e-3}, 1, SAMPLE_SIBLING},
    };
    const struct sampler_work work = {0};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(sampler_cause(table[i].seen, &work, table[i].wall_s), table[i].cause);
}

TEST(what_work_does_by_itself_is_no_cause_of_rejection)
{
    const struct sampler_work sleeps = {.sleeps = true}, moves = {.moves_clock = true};
    static const struct sampler_disturbance slept = {.switched = true, .interrupted = true, .off_s = 1},
                                            drifted = {.drifted = true};
    assert_int_equal(sampler_cause(slept, &sleeps, 1e-4), SAMPLE_KEPT);
    assert_int_equal(sampler_cause(drifted, &sleeps, 1e-4), SAMPLE_CLOCK_DRIFT);
    assert_int_equal(sampler_cause(drifted, &moves, 1e-4), SAMPLE_KEPT);
    assert_int_equal(sampler_cause(slept, &moves, 1e-4), SAMPLE_CONTEXT_SWITCH);
    for (int other = 0; other < 4; other++) {
        const struct sampler_disturbance both = {.drifted = true,
                                                 .interrupted = other == 0,
                                                 .faulted = other == 1,
                                                 .shared = other == 2,
                                                 .moved = other == 3};
        assert_int_not_equal(sampler_cause(both, &moves, 1e-4), SAMPLE_KEPT);
    }
}

TEST(causes_have_the_names_of_the_records)
{
    static const char *const names[SAMPLE_CAUSES] = {"kept",        "interrupt", "context_switch", "page_fault",
                                                     "clock_drift", "sibling",   "moved"};
    for (int cause = 0; cause < SAMPLE_CAUSES; cause++)
        assert_string_equal(sample_cause_name((enum sample_cause)cause), names[cause]);
    assert_string_equal(sample_cause_name(SAMPLE_CAUSES), "unknown");
}

TEST_GIVEN(no_samples_can_be_asked_for, struct bench *bench)
{
    struct team *team;
    char why[256];
    assert_int_equal(team_create(bench->topology, bench->cpus, 1, &team, why, sizeof why), 0);
    struct sampler_work work = {.context = bench, .run = spin};
    assert_int_equal(sampler_take(team, &bench->instruments, &work, NULL, 0), 0);
    team_destroy(team);
}

RUN_TESTS(open_bench, close_bench)
