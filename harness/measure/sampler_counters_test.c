/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Samples with hardware counters and without: on a machine whose perf events are fakes and whose rdpmc is a number of
 * the test or the time-stamp counter. And that nothing enters the kernel between the readings of a clock.
 *
 * timed: it looks at the clock of this machine; none of its claims needs a quiet one.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "platforms/counters/fake_system.h"

#include "harness/measure/sampler.h"
#include "platforms/clock/clock.h"

#if defined(__SANITIZE_ADDRESS__)
static const bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif
#else
static const bool sanitized = false;
#endif

enum { COUNT = 12, WORK_CYCLES = 123456 };

/** What the events of the fake machine have counted. */
static uint64_t fake_cycles;

struct bench {
    struct fake_machine machine;
    struct topology *topology;
    struct team *team;
    struct instruments instruments;
    double spin_s;
    bool filter, call; /* what `before` and the work do */
};

static uint64_t rdtsc_as_rdpmc(void *context, uint32_t counter)
{
    (void)context, (void)counter;
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
}

static int open_bench(void **state)
{
    static struct bench bench;
    char why[256];
    unsigned cpu;
    struct team_request request = {.threads = 1};
    memset(&bench, 0, sizeof bench);
    fake_machine_open(&bench.machine);
    assert_int_equal(topology_open(NULL, &bench.topology, why, sizeof why), 0);
    assert_int_equal(topology_plan_team(bench.topology, &request, &cpu, 1, why, sizeof why), 1);
    assert_int_equal(team_create(bench.topology, &cpu, 1, &bench.team, why, sizeof why), 0);
    instruments_clocks(&bench.instruments, tsc_calibrate_hz(0.02));
    bench.spin_s = 100e-6;
    *state = &bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    team_destroy(bench->team);
    topology_close(bench->topology);
    counters_close(bench->instruments.machine);
    fake_machine_close(&bench->machine);
    return 0;
}

/** From now on samples are counted by the fake machine's events. */
static void count_with_fakes(struct bench *bench)
{
    char why[512] = "";
    fake_cpu_pmu(&bench->machine);
    bench->instruments.system = bench->machine.system;
    bench->instruments.system.rdpmc = rdtsc_as_rdpmc;
    counters_probe_all(&bench->instruments.system, team_cpus(bench->team)[0], bench->instruments.probes);
    assert_int_equal(instruments_choose("perf", &bench->instruments, why, sizeof why), 0);
}

/** From now on the fake machine's memory controllers and its energy are counted around samples, and nothing inside. */
static void count_the_machine(struct bench *bench)
{
    char why[512] = "";
    fake_memory_controllers(&bench->machine);
    fake_rapl(&bench->machine);
    count_with_fakes(bench);
    assert_int_equal(bench->instruments.around_sample,
                     COUNTER_SET(COUNTER_DRAM_READ_BYTES) | COUNTER_SET(COUNTER_PACKAGE_ENERGY_J));
    bench->instruments.in_sample = 0;
    struct counters_request request = {.quantities = bench->instruments.around_sample, .system_calls = true};
    assert_int_equal(counters_open(&bench->instruments.plan, &bench->instruments.system, &request,
                                   &bench->instruments.machine, why, sizeof why),
                     0);
}

static void spin(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    struct bench *bench = context;
    uint64_t end = tsc_begin().ticks + (uint64_t)(bench->spin_s * bench->instruments.tsc_hz);
    while (tsc_begin().ticks < end)
        continue;
    if (bench->call)
        syscall(SYS_getppid);
}

static void take(struct bench *bench, struct sample samples[COUNT])
{
    const struct sampler_work work = {.context = bench, .run = spin};
    assert_int_equal(sampler_take(bench->team, &bench->instruments, &work, samples, COUNT), 0);
}

/** Work of WORK_CYCLES cycles as the events have it, and as many of the bracket as it has readings. */
static uint64_t advance_as_rdpmc(void *context, uint32_t counter)
{
    (void)context, (void)counter;
    return fake_cycles += 7;
}

static void spin_as_work(void *context, unsigned member, unsigned sample)
{
    spin(context, member, sample);
    fake_cycles += WORK_CYCLES;
}

/* core_hz = cycles / (wall_s - empty_s), where the events count an exact number and empty_s, of the clock around nothing, is
 * that of all samples: no claim on how long anything takes here. */
TEST_GIVEN_BY(counted_cycles_are_the_clock_of_a_sample, struct bench *bench, open_bench, close_bench)
{
    struct sample samples[COUNT];
    const struct sampler_work work = {.context = bench, .run = spin_as_work};
    count_with_fakes(bench);
    bench->instruments.system.rdpmc = advance_as_rdpmc;
    assert_int_equal(sampler_take(bench->team, &bench->instruments, &work, samples, COUNT), 0);
    for (int i = 0; i < COUNT; i++) {
        double empty_s = samples[i].wall_s - WORK_CYCLES / samples[i].core_hz;
        assert_int_equal(samples[i].grade, SAMPLE_PMU);
        assert_int_equal(samples[i].counted, COUNTER_SET(COUNTER_CORE_CYCLES) | COUNTER_SET(COUNTER_INSTRUCTIONS) |
                                                 COUNTER_SET(COUNTER_LLC_MISSES));
        assert_true(samples[i].count[COUNTER_CORE_CYCLES] == WORK_CYCLES);
        assert_true(empty_s > -1e-12 && empty_s < samples[i].wall_s);
        assert_true(fabs(empty_s - (samples[0].wall_s - WORK_CYCLES / samples[0].core_hz)) < 1e-12);
    }
}

TEST_GIVEN_BY(without_counters_the_chain_is_the_clock, struct bench *bench, open_bench, close_bench)
{
    struct sample samples[COUNT];
    take(bench, samples);
    for (int i = 0; i < COUNT; i++) {
        assert_true(samples[i].grade == SAMPLE_CHAIN || samples[i].grade == SAMPLE_WALL);
        assert_int_equal(samples[i].counted, 0);
        assert_false(samples[i].proven);
    }
}

/** As in an emulator, where a multiply takes as long as an add. */
TEST_GIVEN_BY(without_chains_only_counted_samples_are_kept, struct bench *bench, open_bench, close_bench)
{
    struct sample samples[COUNT];
    bench->instruments.clock_of[0] = (struct clock){.tsc_hz = INFINITY}; /* all spans are 0 */
    take(bench, samples);
    for (int i = 0; i < COUNT; i++)
        assert_int_not_equal(samples[i].cause, SAMPLE_KEPT);
    count_with_fakes(bench);
    bench->instruments.clock_of[0] = (struct clock){.tsc_hz = INFINITY};
    take(bench, samples);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(samples[i].grade, SAMPLE_PMU);
        assert_int_not_equal(samples[i].cause, SAMPLE_CLOCK_DRIFT);
    }
}

/** Page after page the kernel shows no counter: the events are there, but do not count. */
TEST_GIVEN_BY(events_that_do_not_count_leave_the_chain, struct bench *bench, open_bench, close_bench)
{
    struct sample samples[COUNT];
    count_with_fakes(bench);
    bench->machine.refuse = NULL;
    bench->instruments.system.rdpmc = rdtsc_as_rdpmc;
    bench->machine.user_access = false; /* rdpmc is withdrawn after the probe */
    take(bench, samples);
    for (int i = 0; i < COUNT; i++) {
        assert_int_not_equal(samples[i].grade, SAMPLE_PMU);
        assert_false(samples[i].counted & COUNTER_SET(COUNTER_CORE_CYCLES));
    }
}

TEST_GIVEN_BY(the_traffic_of_the_machine_is_counted_around_a_sample, struct bench *bench, open_bench, close_bench)
{
    struct sample samples[COUNT];
    count_the_machine(bench);
    take(bench, samples);
    for (int i = 0; i < COUNT; i++) {
        assert_true(samples[i].counted & COUNTER_SET(COUNTER_DRAM_READ_BYTES));
        /* four controllers, each of which counts a step of 100 lines from reading to reading */
        if (fabs(samples[i].count[COUNTER_DRAM_READ_BYTES] - 4 * 100 * 64.0) > 1e-6)
            fail_msg("%g bytes", samples[i].count[COUNTER_DRAM_READ_BYTES]);
        assert_false(samples[i].counted & COUNTER_SET(COUNTER_DRAM_WRITE_BYTES)); /* not published here */
    }
}

TEST_GIVEN_BY(a_sample_has_energy_if_it_is_long_enough_for_its_counter, struct bench *bench, open_bench, close_bench)
{
    struct sample samples[COUNT];
    count_the_machine(bench);
    for (int is_long = 0; is_long < 2; is_long++) {
        bench->spin_s = is_long ? 1.01 * SAMPLER_ENERGY_LEAST_S : 100e-6;
        take(bench, samples);
        for (int i = 0; i < COUNT; i++) {
            bool counted = samples[i].counted & COUNTER_SET(COUNTER_PACKAGE_ENERGY_J);
            assert_int_equal(counted, samples[i].wall_s >= SAMPLER_ENERGY_LEAST_S);
            assert_true(!is_long || counted);
        }
    }
}

/** It is counted once, and not once a member. */
TEST_GIVEN_BY(the_machine_is_counted_by_the_first_member, struct bench *bench, open_bench, close_bench)
{
    struct sample samples[COUNT];
    struct team_request request = {.threads = 2};
    unsigned cpus[2];
    char why[256];
    skip_if(topology_plan_team(bench->topology, &request, cpus, 2, why, sizeof why) != 2,
            "not on this machine: one core");
    team_destroy(bench->team);
    assert_int_equal(team_create(bench->topology, cpus, 2, &bench->team, why, sizeof why), 0);
    count_the_machine(bench);
    int before = bench->machine.reads;
    take(bench, samples);
    assert_int_equal(bench->machine.reads - before, 2 * COUNT * 5); /* four controllers and one package */
    for (int i = 0; i < COUNT; i++)
        assert_true(fabs(samples[i].count[COUNTER_DRAM_READ_BYTES] - 4 * 100 * 64.0) < 1e-6);
}

TEST_GIVEN_BY(a_core_that_was_wider_before_is_shared_now, struct bench *bench, open_bench, close_bench)
{
    struct sample samples[COUNT];
    bench->instruments.issue_width_of[0] = 100;
    take(bench, samples);
    for (int i = 0; i < COUNT; i++) {
        assert_int_not_equal(samples[i].cause, SAMPLE_KEPT);
        assert_int_not_equal(samples[i].cause, SAMPLE_CLOCK_DRIFT);
    }
    assert_true(bench->instruments.issue_width_of[0] == 100);
}

/* What the samples of a run were rejected for, the most frequent cause first. */
TEST(rejections_are_told_in_words)
{
    struct instruments *instruments = calloc(1, sizeof *instruments);
    char text[192];
    assert_non_null(instruments);
    sampler_rejections(instruments, text, sizeof text);
    assert_string_equal(text, "no sample was taken");
    instruments->judged[SAMPLE_KEPT] = 7;
    sampler_rejections(instruments, text, sizeof text);
    assert_string_equal(text, "all 7 samples were kept");
    instruments->judged[SAMPLE_INTERRUPT] = 2;
    instruments->judged[SAMPLE_SIBLING] = 30;
    instruments->judged[SAMPLE_PAGE_FAULT] = 2;
    sampler_rejections(instruments, text, sizeof text);
    assert_string_equal(text, "of 41 samples 30 shared a core with others, 2 were interrupted, 2 had a page fault");
    sampler_rejections(instruments, text, 20);
    assert_string_equal(text, "of 41 samples 30 sh");
    free(instruments);
}

/* Of this machine: each sample is counted once. */
TEST_GIVEN_BY(samples_are_counted_by_cause, struct bench *bench, open_bench, close_bench)
{
    struct sample samples[COUNT];
    unsigned long before[SAMPLE_CAUSES], seen[SAMPLE_CAUSES] = {0};
    memcpy(before, bench->instruments.judged, sizeof before);
    take(bench, samples);
    for (int i = 0; i < COUNT; i++)
        seen[samples[i].cause]++;
    for (int cause = 0; cause < SAMPLE_CAUSES; cause++)
        assert_int_equal(bench->instruments.judged[cause] - before[cause], seen[cause]);
}

TEST_GIVEN_BY(the_issue_width_of_a_member_is_known_after_its_first_sample, struct bench *bench, open_bench, close_bench)
{
    enum { TRIES = 50 };
    double *width = &bench->instruments.issue_width_of[0];
    int tries = 0;
    do { /* what is known first may come of a disturbed reading */
        struct sample samples[COUNT];
        *width = 0;
        take(bench, samples);
    } while (!(*width > 1 && *width < 16) && ++tries < TRIES);
    assert_true(*width > 1 && *width < 16);
}

/* ---------------------------------------------------------------- no system call between two readings of a clock */

/** From here on any system call but getrusage and clock_gettime, which the sampler makes outside of its clocks, kills the process. */
static bool forbid_system_calls(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrusage, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0), /* CPU time of the thread */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof rules / sizeof rules[0], .filter = rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void filter_at_first(void *context, unsigned member, unsigned sample)
{
    (void)context, (void)member;
    if (sample == 0 && !forbid_system_calls())
        _exit(77);
}

/** The last sample is over: end before the events are closed. */
static void end_at_last(void *context, unsigned member, unsigned sample)
{
    filter_at_first(context, member, sample);
    if (sample == COUNT)
        _exit(0);
}

/** Exit status of a process that samples under the filter; -signal if that killed it. */
static int sample_filtered(struct bench *bench, bool call)
{
    struct sample samples[COUNT + 1];
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct sampler_work work = {.context = bench, .before = end_at_last, .run = spin};
        bench->call = call;
        sampler_take(bench->team, &bench->instruments, &work, samples, COUNT + 1);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_GIVEN_BY(a_sample_makes_no_system_call, struct bench *bench, open_bench, close_bench)
{
    skip_if(sanitized, "not on this machine: sanitizers make system calls of their own");
    int forbidden = sample_filtered(bench, true), quiet = sample_filtered(bench, false);
    count_with_fakes(bench);
    int counted = sample_filtered(bench, false);
    skip_if(quiet == 77, "not on this machine: no filter of system calls is permitted");
    assert_int_equal(forbidden, -SIGSYS); /* the filter bites */
    assert_int_equal(quiet, 0);
    assert_int_equal(counted, 0);
}

RUN_TESTS(NULL, NULL)
