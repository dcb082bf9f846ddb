/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <time.h>

#include "platforms/counters/backends.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/fake_system.h"
#include "platforms/counters/perf_counter.h"

static const struct counters_backend *const perf = &counters_backend_perf;

static struct counters_session *open_session(struct fake_machine *machine, unsigned cpu, counter_set quantities,
                                             bool system_calls)
{
    struct counters_request request = {cpu, quantities, system_calls};
    struct counters_session *session = NULL;
    char why[COUNTERS_TEXT] = "";
    assert_int_equal(perf->open(&machine->system, &request, &session, why, sizeof why), 0);
    return session;
}

static struct counters_sample sample_of(struct counters_session *session)
{
    struct counters_sample sample = {0};
    perf->begin(session);
    perf->end(session);
    perf->result(session, &sample);
    return sample;
}

TEST_GIVEN_BY(counts_with_rdpmc_and_without_system_calls, struct fake_machine *machine, open_machine, close_machine)
{
    fake_cpu_pmu(machine);
    struct counters_session *session = open_session(machine, 0, COUNTER_SET_THREAD, false);
    struct counters_sample sample = sample_of(session);
    assert_int_equal(machine->opened, 4);
    assert_int_equal(machine->rdpmcs, 8);
    assert_int_equal(machine->reads, 0);
    for (int q = COUNTER_CORE_CYCLES; q <= COUNTER_LLC_MISSES; q++) {
        assert_int_equal(sample.of[q].grade, COUNTER_MEASURED);
        assert_true(sample.of[q].value == 100);
        assert_string_equal(sample.of[q].reason, "");
    }
    perf->close(session);
}

TEST_GIVEN_BY(user_mode_events_of_this_thread, struct fake_machine *machine, open_machine, close_machine)
{
    fake_cpu_pmu(machine);
    perf->close(open_session(machine, 0, COUNTER_SET_THREAD, false));
    static const uint64_t configs[] = {PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_INSTRUCTIONS,
                                       PERF_COUNT_HW_REF_CPU_CYCLES, PERF_COUNT_HW_CPU_CYCLES};
    for (int e = 0; e < 4; e++) {
        const struct fake_event *event = &machine->events[e];
        assert_int_equal(event->attr.type, PERF_TYPE_HARDWARE);
        assert_int_equal(event->attr.config, configs[e]); /* core cycles last: next to the timed region */
        assert_true(event->attr.exclude_kernel && event->attr.exclude_hv);
        assert_int_equal(event->attr.size, sizeof event->attr);
        assert_int_equal(event->pid, 0);
        assert_int_equal(event->cpu, -1);
    }
}

TEST_GIVEN_BY(reads_through_the_kernel_where_rdpmc_is_off, struct fake_machine *machine, open_machine, close_machine)
{
    fake_cpu_pmu(machine);
    machine->user_access = false;
    struct counters_session *session = open_session(machine, 0, COUNTER_SET(COUNTER_INSTRUCTIONS), true);
    struct counters_sample sample = sample_of(session);
    assert_int_equal(machine->rdpmcs, 0);
    assert_int_equal(machine->reads, 2);
    assert_true(sample.of[COUNTER_INSTRUCTIONS].value == 100);
    perf->close(session);
}

TEST_GIVEN_BY(refuses_to_read_through_the_kernel_around_a_sample, struct fake_machine *machine, open_machine,
              close_machine)
{
    struct counters_request request = {0, COUNTER_SET(COUNTER_CORE_CYCLES), false};
    struct counters_session *session;
    char why[COUNTERS_TEXT];
    fake_cpu_pmu(machine);
    fake_pmu(machine, "cpu", "rdpmc", "0");
    machine->user_access = false;
    assert_int_equal(perf->open(&machine->system, &request, &session, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "rdpmc is not allowed, and read() is a system call"));
    assert_non_null(strstr(why, "devices/cpu/rdpmc"));
}

TEST_GIVEN_BY(a_multiplexed_sample_is_unavailable, struct fake_machine *machine, open_machine, close_machine)
{
    fake_cpu_pmu(machine);
    machine->user_access = false;
    machine->running_step = 400;
    struct counters_session *session = open_session(machine, 0, COUNTER_SET(COUNTER_CORE_CYCLES), true);
    struct counters_sample sample = sample_of(session);
    assert_int_equal(sample.of[COUNTER_CORE_CYCLES].grade, COUNTER_UNAVAILABLE);
    assert_true(isnan(sample.of[COUNTER_CORE_CYCLES].value));
    assert_string_equal(sample.of[COUNTER_CORE_CYCLES].reason,
                        "the event was multiplexed: it counted 40.0% of the time");
    perf->close(session);
}

TEST_GIVEN_BY(a_multiplexed_page_is_unavailable, struct fake_machine *machine, open_machine, close_machine)
{
    struct counters_sample sample = {0};
    fake_cpu_pmu(machine);
    struct counters_session *session = open_session(machine, 0, COUNTER_SET(COUNTER_CORE_CYCLES), false);
    perf->begin(session);
    machine->events[0].page.time_enabled += 1000; /* off the PMU and back within the sample */
    machine->events[0].page.time_running += 900;
    perf->end(session);
    perf->result(session, &sample);
    assert_string_equal(sample.of[COUNTER_CORE_CYCLES].reason,
                        "the event was multiplexed: it counted 90.0% of the time");
    perf->begin(session);
    machine->events[0].page.index = 0; /* off the PMU */
    perf->end(session);
    perf->result(session, &sample);
    assert_true(isnan(sample.of[COUNTER_CORE_CYCLES].value));
    assert_non_null(strstr(sample.of[COUNTER_CORE_CYCLES].reason, "was not on the PMU"));
    perf->close(session);
}

TEST_GIVEN_BY(hybrid_events_carry_the_type_of_their_core, struct fake_machine *machine, open_machine, close_machine)
{
    fake_hybrid_pmus(machine);
    perf->close(open_session(machine, 2, COUNTER_SET(COUNTER_CORE_CYCLES), false));
    perf->close(open_session(machine, 9, COUNTER_SET(COUNTER_CORE_CYCLES), false));
    assert_int_equal(machine->events[0].attr.type, PERF_TYPE_HARDWARE);
    assert_true(machine->events[0].attr.config == (4ull << 32 | PERF_COUNT_HW_CPU_CYCLES));
    assert_true(machine->events[1].attr.config == (10ull << 32 | PERF_COUNT_HW_CPU_CYCLES));
}

static int refuse_extended_type(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)pid, (void)cpu;
    return attr->config >> 32 ? EINVAL : 0;
}

TEST_GIVEN_BY(big_little_falls_back_to_the_pmu_own_event, struct fake_machine *machine, open_machine, close_machine)
{
    fake_big_little_pmus(machine);
    machine->refuse = refuse_extended_type; /* kernels before 6.6 know no extended type on Arm */
    perf->close(open_session(machine, 4, COUNTER_SET(COUNTER_CORE_CYCLES), false));
    assert_int_equal(machine->opened, 1);
    assert_int_equal(machine->events[0].attr.type, 9);
    assert_int_equal(machine->events[0].attr.config, 0x11);
    assert_int_equal(machine->events[0].attr.config1, 3); /* 64 bits wide, user access */
}

static int refuse_long(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)pid, (void)cpu;
    return attr->config1 & 1 ? EOPNOTSUPP : 0;
}

static int refuse_config1(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)pid, (void)cpu;
    return attr->config1 ? EINVAL : 0;
}

TEST_GIVEN_BY(aarch64_user_access_falls_back_step_by_step, struct fake_machine *machine, open_machine, close_machine)
{
    fake_big_little_pmus(machine);
    machine->refuse = refuse_long;
    perf->close(open_session(machine, 0, COUNTER_SET(COUNTER_INSTRUCTIONS), false));
    assert_int_equal(machine->events[0].attr.config1, 2);
    machine->refuse = refuse_config1;
    machine->user_access = false;
    perf->close(open_session(machine, 0, COUNTER_SET(COUNTER_INSTRUCTIONS), true));
    assert_int_equal(machine->events[1].attr.config1, 0);
}

TEST_GIVEN_BY(aarch64_user_access_that_the_kernel_does_not_grant_is_not_asked_for, struct fake_machine *machine,
              open_machine, close_machine)
{
    fake_big_little_pmus(machine);
    fake_file(machine, "proc/sys/kernel/perf_user_access", "0");
    machine->user_access = false;
    perf->close(open_session(machine, 0, COUNTER_SET(COUNTER_CORE_CYCLES), true));
    assert_int_equal(machine->events[0].attr.config1, 0);
    char why[COUNTERS_TEXT];
    struct counters_session *session;
    const struct counters_request request = {.quantities = COUNTER_SET(COUNTER_CORE_CYCLES)};
    assert_int_equal(perf->open(&machine->system, &request, &session, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "kernel.perf_user_access=1"));
}

TEST_GIVEN_BY(llc_misses_only_where_the_event_means_that, struct fake_machine *machine, open_machine, close_machine)
{
    struct perf_facts facts;
    struct perf_counter counter;
    fake_cpu_pmu(machine);
    machine->vendor = "AuthenticAMD"; /* its generic cache-misses are L2 misses */
    perf_facts_read(&machine->system, 0, &facts);
    assert_int_equal(perf_counter_open_core(&machine->system, &facts, COUNTER_LLC_MISSES, &counter), -ENOENT);
    assert_int_equal(machine->opened, 0);
    fake_big_little_pmus(machine); /* only the big core's PMU names a last-level event */
    perf_facts_read(&machine->system, 5, &facts);
    facts.core_pmus = 2;
    strcpy(facts.pmu.name, "armv8_cortex_a76");
    facts.pmu.type = 9;
    assert_int_equal(perf_counter_open_core(&machine->system, &facts, COUNTER_LLC_MISSES, &counter), 0);
    assert_int_equal(machine->events[0].attr.config, 0x37);
    perf_counter_close(&machine->system, &counter);
}

TEST_GIVEN_BY(dram_bytes_are_summed_over_channels_and_sockets, struct fake_machine *machine, open_machine,
              close_machine)
{
    fake_memory_controllers(machine);
    fake_pmu(machine, "uncore_imc_free_running_0", "type", "40"); /* the same traffic again */
    fake_pmu(machine, "uncore_imc_free_running_0", "cpumask", "0");
    fake_pmu(machine, "uncore_imc_free_running_0", "format/event", "config:0-7");
    fake_pmu(machine, "uncore_imc_free_running_0", "events/read", "event=0xff");
    fake_pmu(machine, "uncore_imc_free_running_0", "events/read.unit", "MiB");
    struct counters_session *session = open_session(machine, 0, COUNTER_SET(COUNTER_DRAM_READ_BYTES), true);
    struct counters_sample sample = sample_of(session);
    assert_int_equal(machine->opened, 4);
    assert_true(fabs(sample.of[COUNTER_DRAM_READ_BYTES].value - 4 * 100 * 64.0) < 1e-6);
    assert_int_equal(machine->events[1].pid, -1);
    assert_int_equal(machine->events[1].cpu, 28);
    assert_int_equal(machine->events[1].attr.config, 0x0304);
    assert_false(machine->events[1].attr.exclude_kernel); /* uncore PMUs refuse to exclude */
    perf->close(session);
}

static int refuse_second_channel(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)pid;
    return attr->type == 21 && cpu == 28 ? EACCES : 0;
}

TEST_GIVEN_BY(part_of_the_channels_is_no_answer, struct fake_machine *machine, open_machine, close_machine)
{
    struct perf_counter counters[8];
    fake_memory_controllers(machine);
    machine->refuse = refuse_second_channel;
    assert_int_equal(perf_counter_open_machine(&machine->system, COUNTER_DRAM_READ_BYTES, counters, 8), -EACCES);
    machine->refuse = NULL;
    assert_int_equal(perf_counter_open_machine(&machine->system, COUNTER_DRAM_READ_BYTES, counters, 3), -ENOSPC);
    assert_int_equal(perf_counter_open_machine(&machine->system, COUNTER_DRAM_WRITE_BYTES, counters, 8), -ENOENT);
}

TEST_GIVEN_BY(a_unit_that_is_not_known_is_no_answer, struct fake_machine *machine, open_machine, close_machine)
{
    struct perf_counter counters[8];
    fake_memory_controllers(machine);
    fake_pmu(machine, "uncore_imc_1", "events/cas_count_read.unit", "furlongs");
    assert_int_equal(perf_counter_open_machine(&machine->system, COUNTER_DRAM_READ_BYTES, counters, 8), -EINVAL);
}

TEST_GIVEN_BY(energy_by_its_scale_file, struct fake_machine *machine, open_machine, close_machine)
{
    fake_rapl(machine);
    machine->step = 1ull << 32;
    struct counters_session *session = open_session(machine, 0, COUNTER_SET(COUNTER_PACKAGE_ENERGY_J), true);
    struct counters_sample sample = sample_of(session);
    assert_true(fabs(sample.of[COUNTER_PACKAGE_ENERGY_J].value - 1.0) < 1e-12);
    perf->close(session);
}

TEST_GIVEN_BY(machine_quantities_need_a_system_call, struct fake_machine *machine, open_machine, close_machine)
{
    fake_cpu_pmu(machine);
    fake_rapl(machine);
    counter_set both = COUNTER_SET(COUNTER_PACKAGE_ENERGY_J) | COUNTER_SET(COUNTER_CORE_CYCLES);
    struct counters_session *session = open_session(machine, 0, both, false);
    struct counters_sample sample = sample_of(session);
    assert_int_equal(sample.of[COUNTER_CORE_CYCLES].grade, COUNTER_MEASURED);
    assert_int_equal(sample.of[COUNTER_PACKAGE_ENERGY_J].grade, COUNTER_UNAVAILABLE);
    assert_non_null(strstr(sample.of[COUNTER_PACKAGE_ENERGY_J].reason, "system call"));
    perf->close(session);
}

static struct counters_probe probe_of(struct fake_machine *machine, unsigned cpu)
{
    struct counters_probe probe = {.backend = perf};
    perf->probe(&machine->system, cpu, &probe);
    return probe;
}

TEST_GIVEN_BY(probe_of_a_good_machine, struct fake_machine *machine, open_machine, close_machine)
{
    fake_cpu_pmu(machine);
    fake_memory_controllers(machine);
    fake_rapl(machine);
    struct counters_probe probe = probe_of(machine, 0);
    assert_true(probe.works);
    assert_string_equal(probe.reason.cause, "");
    assert_int_equal(probe.of[COUNTER_CORE_CYCLES].grade, COUNTER_MEASURED);
    assert_false(probe.of[COUNTER_CORE_CYCLES].system_call);
    assert_int_equal(probe.of[COUNTER_DRAM_READ_BYTES].grade, COUNTER_MEASURED);
    assert_true(probe.of[COUNTER_DRAM_READ_BYTES].system_call);
    assert_string_equal(probe.of[COUNTER_DRAM_READ_BYTES].reason.cause, "");
    assert_int_equal(probe.of[COUNTER_DRAM_WRITE_BYTES].grade, COUNTER_UNAVAILABLE);
    assert_true(probe.of[COUNTER_DRAM_WRITE_BYTES].reason.cause[0]);
    assert_int_equal(probe.of[COUNTER_PACKAGE_ENERGY_J].grade, COUNTER_MEASURED);
}

TEST_GIVEN_BY(probe_with_rdpmc_disabled_still_works, struct fake_machine *machine, open_machine, close_machine)
{
    fake_cpu_pmu(machine);
    fake_pmu(machine, "cpu", "rdpmc", "0");
    machine->user_access = false;
    struct counters_probe probe = probe_of(machine, 0);
    assert_true(probe.works);
    assert_string_equal(probe.reason.cause, "rdpmc is disabled, read() is used (about 1 us a reading)");
    assert_true(probe.of[COUNTER_CORE_CYCLES].system_call);
}

TEST_GIVEN_BY(probe_with_counters_held_by_the_watchdog, struct fake_machine *machine, open_machine, close_machine)
{
    fake_cpu_pmu(machine);
    fake_file(machine, "proc/sys/kernel/nmi_watchdog", "1");
    machine->user_access = false;
    machine->step = 0;
    machine->running_step = 0;
    struct counters_probe probe = probe_of(machine, 0);
    assert_false(probe.works);
    assert_string_equal(probe.reason.cause, "core_cycles never gets a counter: the NMI watchdog holds one");
    assert_string_equal(probe.reason.remedy, "run: sudo sysctl kernel.nmi_watchdog=0");
}

TEST_GIVEN_BY(probe_with_energy_stuck_at_zero, struct fake_machine *machine, open_machine, close_machine)
{
    fake_rapl(machine);
    machine->hypervisor = "KVMKVMKVM";
    machine->step = 0;
    struct counters_probe probe = probe_of(machine, 0);
    assert_int_equal(probe.of[COUNTER_PACKAGE_ENERGY_J].grade, COUNTER_UNAVAILABLE);
    assert_string_equal(probe.of[COUNTER_PACKAGE_ENERGY_J].reason.cause, "the energy counter is stuck at 0");
}

static int refuse_all_acces(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)attr, (void)pid, (void)cpu;
    return EACCES;
}

static int refuse_all_noent(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)attr, (void)pid, (void)cpu;
    return ENOENT;
}

TEST_GIVEN_BY(probe_where_perf_is_forbidden, struct fake_machine *machine, open_machine, close_machine)
{
    fake_cpu_pmu(machine);
    fake_file(machine, "proc/sys/kernel/perf_event_paranoid", "4");
    machine->refuse = refuse_all_acces;
    struct counters_probe probe = probe_of(machine, 0);
    assert_false(probe.works);
    assert_string_equal(probe.reason.cause, "kernel.perf_event_paranoid is 4 and this process has no CAP_PERFMON");
    assert_string_equal(probe.reason.remedy, "run: sudo sysctl kernel.perf_event_paranoid=2");
}

TEST_GIVEN_BY(probe_of_this_kind_of_vm, struct fake_machine *machine, open_machine, close_machine)
{
    fake_pmu(machine, "software", "type", "1");
    machine->hypervisor = "KVMKVMKVM";
    machine->refuse = refuse_all_noent;
    struct counters_probe probe = probe_of(machine, 0);
    assert_false(probe.works);
    assert_non_null(strstr(probe.reason.cause, "no PMU in this VM (KVM)"));
    assert_string_equal(probe.of[COUNTER_DRAM_READ_BYTES].reason.cause,
                        "this VM (KVM) exposes no DRAM traffic (memory-controller PMU)");
    assert_string_equal(probe.of[COUNTER_PACKAGE_ENERGY_J].reason.cause,
                        "this VM (KVM) exposes no package energy (RAPL)");
}

TEST_GIVEN_BY(asking_for_nothing_is_an_error, struct fake_machine *machine, open_machine, close_machine)
{
    struct counters_request request = {0, 0, true};
    struct counters_session *session;
    char why[COUNTERS_TEXT];
    assert_int_equal(perf->open(&machine->system, &request, &session, why, sizeof why), -ENOTSUP);
    assert_string_equal(why, "perf: no quantity was asked for");
}

/* ---- the real kernel, with software events in the place of hardware ones */

static int software_instead(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
    struct counters_system *host = context;
    attr->type = PERF_TYPE_SOFTWARE;
    attr->config = attr->config == PERF_COUNT_HW_CPU_CYCLES ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_PAGE_FAULTS;
    return host->perf_event_open(host->context, attr, pid, cpu, group);
}

/* Seconds that this thread ran. */
static double thread_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

TEST_GIVEN_BY(real_software_events_end_to_end, struct fake_machine *machine, open_machine, close_machine)
{
    struct counters_system host, system;
    struct counters_request request = {0, COUNTER_SET(COUNTER_CORE_CYCLES) | COUNTER_SET(COUNTER_INSTRUCTIONS), true};
    struct counters_session *session;
    struct counters_sample sample = {0};
    char why[COUNTERS_TEXT];
    counters_system_host(&host);
    system = host;
    system.context = &host;
    system.root = machine->root;
    system.perf_event_open = software_instead;
    fake_cpu_pmu(machine);
    if (perf->open(&system, &request, &session, why, sizeof why) != 0) {
        print_message("no perf events here: %s\n", why); /* forbidden in a container: then it must say why */
        assert_true(strstr(why, "perf_event_paranoid") || strstr(why, "forbids") || strstr(why, "perf_event_open"));
        return;
    }
    enum { PAGES = 50, PAGE = 4096 };
    perf->begin(session);
    char *memory = malloc(PAGES * PAGE);
    assert_non_null(memory);
    double start_s = thread_s();
    for (int p = 0; p < PAGES; p++)
        ((volatile char *)memory)[p * PAGE] = 1;
    while (thread_s() - start_s < 5e-3)
        ;
    perf->end(session);
    free(memory);
    perf->result(session, &sample);
    perf->close(session);
    const struct counter_value *time_ns = &sample.of[COUNTER_CORE_CYCLES], *faults = &sample.of[COUNTER_INSTRUCTIONS];
    assert_int_equal(time_ns->grade, COUNTER_MEASURED);
    assert_true(time_ns->value > 1e6 && time_ns->value < 60e9);
    assert_int_equal(faults->grade, COUNTER_MEASURED);
    assert_true(faults->value >= 1);
}

RUN_TESTS(NULL, NULL)
