/* SPDX-License-Identifier: BSD-3-Clause */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "platforms/counters/backends.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/fake_system.h"

/* Sanitizers slow every access down and make system calls of their own. */
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

static struct counters *open_counters(const struct counters_system *system, const char *name, counter_set quantities,
                                      bool system_calls)
{
    struct counters_probe probes[COUNTERS_BACKENDS];
    struct counters_plan plan;
    struct counters_request request = {0, quantities, system_calls};
    struct counters *counters = NULL;
    char why[2 * COUNTERS_TEXT] = "";
    counters_probe_all(system, 0, probes);
    assert_int_equal(counters_choose(name, system_calls, probes, COUNTERS_BACKENDS, &plan, why, sizeof why), 0);
    assert_int_equal(counters_open(&plan, system, &request, &counters, why, sizeof why), 0);
    assert_string_equal(why, "");
    return counters;
}

static void names_of_quantities_and_grades(void **state)
{
    (void)state;
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        assert_non_null(counter_quantity_name((enum counter_quantity)q));
    assert_string_equal(counter_quantity_name(COUNTER_PACKAGE_ENERGY_J), "package_energy_j");
    assert_string_equal(counter_grade_name(COUNTER_UNAVAILABLE), "unavailable");
    assert_string_equal(counter_grade_name(COUNTER_MEASURED), "measured");
}

static void each_quantity_from_its_own_back_end(void **state)
{
    struct fake_machine *machine = *state;
    struct counters_sample sample;
    fake_cpu_pmu(machine);
    machine->vendor = "AuthenticAMD"; /* no LLC misses by perf */
    struct counters *counters = open_counters(&machine->system, "auto", COUNTER_SET_THREAD, false);
    counters_begin(counters);
    counters_end(counters);
    counters_result(counters, &sample);
    assert_int_equal(sample.of[COUNTER_CORE_CYCLES].grade, COUNTER_MEASURED);
    assert_int_equal(sample.of[COUNTER_INSTRUCTIONS].grade, COUNTER_MEASURED);
    assert_int_equal(sample.of[COUNTER_LLC_MISSES].grade, COUNTER_UNAVAILABLE);
    assert_true(isnan(sample.of[COUNTER_LLC_MISSES].value));
    assert_string_equal(sample.of[COUNTER_LLC_MISSES].reason,
                        "the PMU cpu has no event for llc_misses that this kernel knows");
    assert_string_equal(sample.of[COUNTER_DRAM_READ_BYTES].reason, "not asked for");
    counters_close(counters);
}

static int refuse_reference_cycles(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)pid, (void)cpu;
    return attr->type == PERF_TYPE_HARDWARE && attr->config == PERF_COUNT_HW_REF_CPU_CYCLES ? ENOENT : 0;
}

static void an_estimate_fills_what_perf_lacks(void **state)
{
    struct fake_machine *machine = *state;
    struct counters_sample sample;
    fake_cpu_pmu(machine);
    machine->refuse = refuse_reference_cycles;
    struct counters *counters = open_counters(&machine->system, "auto", COUNTER_SET_THREAD, false);
    counters_begin(counters);
    counters_end(counters);
    counters_result(counters, &sample);
    assert_int_equal(sample.of[COUNTER_CORE_CYCLES].grade, COUNTER_MEASURED);
    assert_int_equal(sample.of[COUNTER_REFERENCE_CYCLES].grade, COUNTER_ESTIMATED);
    assert_true(sample.of[COUNTER_REFERENCE_CYCLES].value > 0);
    counters_close(counters);
}

static int refuse_all(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)attr, (void)pid, (void)cpu;
    return EACCES;
}

/* What worked when it was probed may be gone when it is opened. */
static void a_back_end_that_fails_to_open_leaves_its_reason(void **state)
{
    struct fake_machine *machine = *state;
    struct counters_probe probes[COUNTERS_BACKENDS];
    struct counters_plan plan;
    struct counters_request request = {0, COUNTER_SET_THREAD, false};
    struct counters *counters = NULL;
    struct counters_sample sample;
    char why[2 * COUNTERS_TEXT];
    fake_cpu_pmu(machine);
    counters_probe_all(&machine->system, 0, probes);
    fake_file(machine, "proc/sys/kernel/perf_event_paranoid", "3");
    assert_int_equal(counters_choose("perf", false, probes, COUNTERS_BACKENDS, &plan, why, sizeof why), 0);
    machine->refuse = refuse_all;
    assert_int_equal(counters_open(&plan, &machine->system, &request, &counters, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "kernel.perf_event_paranoid is 3"));
    assert_null(counters);
    plan.of[COUNTER_REFERENCE_CYCLES].backend = &counters_backend_tsc;
    assert_int_equal(counters_open(&plan, &machine->system, &request, &counters, why, sizeof why), 0);
    counters_begin(counters);
    counters_end(counters);
    counters_result(counters, &sample);
    assert_int_equal(sample.of[COUNTER_CORE_CYCLES].grade, COUNTER_UNAVAILABLE);
    assert_non_null(strstr(sample.of[COUNTER_CORE_CYCLES].reason, "kernel.perf_event_paranoid is 3"));
    assert_int_equal(sample.of[COUNTER_REFERENCE_CYCLES].grade, COUNTER_ESTIMATED);
    counters_close(counters);
    counters_close(NULL);
}

static void opening_nothing_is_an_error(void **state)
{
    struct fake_machine *machine = *state;
    struct counters_plan plan = {0};
    struct counters_request request = {0, COUNTER_SET_ALL, true};
    struct counters *counters;
    char why[COUNTERS_TEXT];
    assert_int_equal(counters_open(&plan, &machine->system, &request, &counters, why, sizeof why), -ENOTSUP);
    assert_string_equal(why, "no back end counts what was asked for");
}

static void differences_between_back_ends(void **state)
{
    (void)state;
    struct counters_sample a = {0}, b = {0};
    assert_true(isnan(counters_difference(&a, &b, COUNTER_INSTRUCTIONS)));
    a.of[COUNTER_INSTRUCTIONS] = (struct counter_value){.grade = COUNTER_MEASURED, .value = 1000};
    assert_true(isnan(counters_difference(&a, &b, COUNTER_INSTRUCTIONS)));
    b.of[COUNTER_INSTRUCTIONS] = (struct counter_value){.grade = COUNTER_MEASURED, .value = 1010};
    assert_true(fabs(counters_difference(&a, &b, COUNTER_INSTRUCTIONS) - 0.01) < 1e-12);
    a.of[COUNTER_INSTRUCTIONS].value = 0;
    assert_true(isnan(counters_difference(&a, &b, COUNTER_INSTRUCTIONS)));
}

/* ---- this machine */

static void probing_leaves_the_affinity_alone(void **state)
{
    struct fake_machine *machine = *state;
    struct counters_probe probes[COUNTERS_BACKENDS];
    cpu_set_t before, after;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    counters_probe_all(&machine->system, 0, probes);
    counters_probe_all(&machine->system, 4000, probes); /* no such CPU */
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
}

static unsigned first_allowed_cpu(void)
{
    cpu_set_t allowed;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    unsigned cpu = 0;
    while (!CPU_ISSET(cpu, &allowed))
        cpu++;
    return cpu;
}

static void this_machine_says_what_it_has(void **state)
{
    (void)state;
    struct counters_system host;
    struct counters_probe probes[COUNTERS_BACKENDS];
    counters_system_host(&host);
    counters_probe_all(&host, first_allowed_cpu(), probes);
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++) {
        assert_ptr_equal(probes[b].backend, counters_backend(b));
        assert_true(probes[b].works || probes[b].reason.cause[0]);
        for (int q = 0; q < COUNTER_QUANTITIES; q++)
            assert_true((probes[b].of[q].grade == COUNTER_UNAVAILABLE) == (probes[b].of[q].reason.cause[0] != '\0'));
    }
}

/* rdtsc stands in for rdpmc, which faults where there is no PMU; the pages are the fake machine's. */
static uint64_t rdtsc_as_rdpmc(void *context, uint32_t counter)
{
    (void)context, (void)counter;
#if defined(__x86_64__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#else
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
}

static struct counters *open_with_real_reads(struct fake_machine *machine)
{
    fake_cpu_pmu(machine);
    machine->system.rdpmc = rdtsc_as_rdpmc;
    return open_counters(&machine->system, "auto", COUNTER_SET_THREAD, false);
}

/* The real TSC; the fake machine's CPUID vouches for it and its chain clock goes with it. */
static struct counters *open_ticks(struct fake_machine *machine, struct counters_system *system)
{
    counters_system_host(system);
    system->context = machine;
    system->cpuid = machine->system.cpuid;
    system->chain_clock = machine->system.chain_clock;
    return open_counters(system, "tsc", COUNTER_SET_THREAD, false);
}

/* From here on any system call but exit kills the process. */
static bool forbid_system_calls(void)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof rules / sizeof rules[0], .filter = rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* Exit status of a process that begins and ends a sample under the filter; -signal if that killed it. */
static int run_filtered(struct counters *counters, bool call)
{
    pid_t child = fork();
    int status;
    assert_true(child >= 0);
    if (child == 0) {
        if (!forbid_system_calls())
            _exit(77);
        for (int sample = 0; sample < 1000; sample++) {
            counters_begin(counters);
            counters_end(counters);
        }
        if (call)
            syscall(SYS_getppid);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void a_sample_makes_no_system_call(void **state)
{
    struct fake_machine *machine = *state;
    skip_if(sanitized, "not on this machine: sanitizers make system calls of their own");
    struct counters_system host;
    struct counters *perf = open_with_real_reads(machine), *tsc = open_ticks(machine, &host);
    int forbidden = run_filtered(tsc, true), quiet_perf = run_filtered(perf, false),
        quiet_tsc = run_filtered(tsc, false);
    counters_close(perf);
    counters_close(tsc);
    skip_if(quiet_tsc == 77, "not on this machine: no filter of system calls is permitted");
    assert_int_equal(forbidden, -SIGSYS); /* the filter bites */
    assert_int_equal(quiet_perf, 0);
    assert_int_equal(quiet_tsc, 0);
}

int main(void)
{
#define COUNTERS_TEST(name) cmocka_unit_test_setup_teardown(name, open_machine, close_machine)
    const struct CMUnitTest tests[] = {
        COUNTERS_TEST(probing_leaves_the_affinity_alone), /* first: any probe of this process would narrow it */
        COUNTERS_TEST(names_of_quantities_and_grades),
        COUNTERS_TEST(each_quantity_from_its_own_back_end),
        COUNTERS_TEST(an_estimate_fills_what_perf_lacks),
        COUNTERS_TEST(a_back_end_that_fails_to_open_leaves_its_reason),
        COUNTERS_TEST(opening_nothing_is_an_error),
        COUNTERS_TEST(differences_between_back_ends),
        COUNTERS_TEST(this_machine_says_what_it_has),
        COUNTERS_TEST(a_sample_makes_no_system_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
