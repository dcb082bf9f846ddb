/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/measure/hindrances.h"
#include "unit_test.h"

/** A machine that nothing can be said against. */
static struct host_facts quiet_machine(void)
{
    return (struct host_facts){.governor = "performance",
                               .thp_enabled = "madvise",
                               .clocksource = "tsc",
                               .cpu_quota_cores = -1,
                               .perf_event_paranoid = 2};
}

static struct hindrance found[HINDRANCES_MOST];

/** The names in their order, commas between. */
static const char *names_of(const struct hindrance_readings *readings)
{
    static char names[512];
    size_t count = hindrances_judge(readings, found), used = 0;
    names[0] = 0;
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? "," : "", found[i].name);
        assert_true(found[i].value[0] && found[i].harm[0] && found[i].remedy[0]);
        assert_true(i == 0 || found[i].cost >= found[i - 1].cost);
    }
    return names;
}

TEST(nothing_is_said_of_a_quiet_machine)
{
    const struct host_facts host = quiet_machine();
    const struct noise noise = {.gaps = {.duration_ns = 500000000, .lost_ns = 200000, .longest_ns = 9000},
                                .during_known = true};
    const struct hindrance_cpus cpus = {.count = 4,
                                        .cpu = {0, 2, 1, 3},
                                        .busy = {1e-2, 0, (double)NAN, 0.04},
                                        .core = {0, 1, 0, 1},
                                        .measures = {true, true}};
    assert_string_equal(names_of(&(struct hindrance_readings){&host, 2, &noise, &cpus, NULL, NULL}), "");
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host}), "");
}

TEST(what_makes_numbers_wrong_is_told_before_what_spreads_them)
{
    struct host_facts host = quiet_machine();
    host.turbo = 1;
    host.smt = 1;
    host.nmi_watchdog = 1;
    host.numa_balancing = 1;
    host.cpu_quota_cores = 1.5;
    host.perf_event_paranoid = 4;
    strcpy(host.governor, "powersave");
    strcpy(host.thp_enabled, "never");
    strcpy(host.clocksource, "hpet");
    strcpy(host.hypervisor, "KVM");
    strcpy(host.turbo_control, "/sys/devices/system/cpu/cpufreq/boost");
    const struct noise noise = {.gaps = {.duration_ns = 500000000, .lost_ns = 25000000, .longest_ns = 4000000}};
    const struct hindrance_cpus cpus = {
        .count = 4, .cpu = {0, 2, 1, 3}, .busy = {0, 0.98, 0.5, 0}, .core = {0, 1, 0, 1}, .measures = {true, true}};
    const struct counters_reason lack = {.cause = "no PMU in this VM", .remedy = "run on a bare-metal instance"};
    const struct hindrance_readings readings = {&host, 2, &noise, &cpus, &lack, NULL};
    assert_string_equal(
        names_of(&readings),
        "busy sibling,busy cores,noise,CPU quota,transparent huge pages,clock source,governor,NUMA balancing,"
        "turbo,SMT,NMI watchdog,virtual machine,no counters,perf_event_paranoid");
    assert_string_equal(found[0].value, "CPU 1 50%");
    assert_string_equal(found[1].value, "CPU 2 98%");
    assert_string_equal(found[2].value, "a busy loop lost its CPU for 5.0% of 500 ms, up to 4.0 ms at a time");
    assert_ptr_equal(strstr(found[0].remedy, "ps -eo"), found[0].remedy); /* no core is quiet */
    assert_string_equal(found[3].value, "1.50 cores");
    assert_non_null(strstr(found[8].remedy, "| sudo tee /sys/devices/system/cpu/cpufreq/boost"));
    assert_string_equal(found[12].remedy, "run on a bare-metal instance");
    assert_string_equal(found[13].remedy, "sudo sysctl kernel.perf_event_paranoid=2");
    assert_string_equal(hindrance_cost_name(found[0].cost), "wrong");
    assert_string_equal(hindrance_cost_name(found[6].cost), "spread");
    assert_string_equal(hindrance_cost_name(found[13].cost), "missing");
}

TEST(an_emulator_comes_first_and_is_no_host)
{
    struct host_facts host = quiet_machine();
    strcpy(host.hypervisor, "TCGTCGTCGTCG");
    const struct noise noise = {.gaps = {.duration_ns = 1000, .lost_ns = 900, .longest_ns = 900}};
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host, .noise = &noise, .emulator = "QEMU TCG"}),
                        "emulator,noise");
    assert_string_equal(found[0].value, "QEMU TCG");
    assert_int_equal(found[0].cost, HINDRANCE_WRONG);
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host, .noise = &noise, .emulator = ""}),
                        "noise,virtual machine");
}

TEST(quiet_cores_are_named_where_there_are_some)
{
    const struct host_facts host = quiet_machine();
    const struct hindrance_cpus cpus = {.count = 6,
                                        .cpu = {0, 1, 2, 4, 5, 6},
                                        .busy = {0, 0, 0, 0, 1, 0},
                                        .core = {0, 1, 2, 0, 1, 2},
                                        .measures = {true, true, true}};
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host, .cpus = &cpus}), "busy sibling");
    assert_string_equal(found[0].value, "CPU 5 100%");
    /* nor is the CPU that a busy loop lost to others one of them */
    struct hindrance_cpus spun = cpus;
    spun.busy[0] = (double)NAN;
    struct noise noise = {.gaps = {.duration_ns = 1000, .lost_ns = 900, .longest_ns = 900}};
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host, .cpus = &spun, .noise = &noise}),
                        "busy sibling,noise");
    assert_ptr_equal(strstr(found[0].remedy, "--cpus=2 "), found[0].remedy);
    noise.gaps.lost_ns = 0;
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host, .cpus = &spun, .noise = &noise}),
                        "busy sibling");
    assert_ptr_equal(strstr(found[0].remedy, "--cpus=0,2 "), found[0].remedy);
}

TEST(stolen_time_is_the_hosts)
{
    const struct host_facts host = quiet_machine();
    struct noise noise = {.gaps = {.duration_ns = 100000000, .lost_ns = 500000, .longest_ns = 500000},
                          .during = {.steal_ticks = 3},
                          .during_known = true};
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host, .noise = &noise}), "stolen CPU");
    assert_non_null(strstr(found[0].remedy, "(3 ticks)"));
    noise.gaps.lost_ns--; /* just below the bound */
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host, .noise = &noise}), "");
}

TEST(a_setting_is_not_told_twice)
{
    struct host_facts host = quiet_machine();
    host.perf_event_paranoid = 3;
    const struct counters_reason of_it = {.cause = "kernel.perf_event_paranoid is 3",
                                          .remedy = "sudo sysctl kernel.perf_event_paranoid=2"},
                                 without = {.cause = "no PMU"};
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host, .lack = &of_it}), "no counters");
    assert_string_equal(names_of(&(struct hindrance_readings){.host = &host, .lack = &without}),
                        "no counters,perf_event_paranoid");
}

RUN_TESTS(NULL, NULL)
