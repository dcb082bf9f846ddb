/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "platforms/counters/backends.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/fake_library.h"

static const struct counters_backend *const papi = &counters_backend_papi;

static int set_up(void **state)
{
    static struct fake_machine machine;
    fake_machine_open(&machine);
    fake_cpu_pmu(&machine); /* the kernel counts: what fails is PAPI's fault */
    *state = &machine;
    return 0;
}

static struct counters_probe probe_of(struct fake_machine *machine)
{
    struct counters_probe probe = {.backend = papi};
    papi->probe(&machine->system, 0, &probe);
    return probe;
}

static void assert_fails(struct fake_machine *machine, const char *behaviour, const char *cause, const char *remedy)
{
    struct fake_library library;
    fake_library_build(&library, machine, "counters/fixtures/fake_papi.c", behaviour);
    machine->system.libraries = library.names;
    struct counters_probe probe = probe_of(machine);
    assert_false(probe.works);
    assert_string_equal(probe.reason.cause, cause);
    assert_string_equal(probe.reason.remedy, remedy);
}

#define TOO_OLD "install a newer PAPI, or use --counters=perf, which needs none"

static void absent(void **state)
{
    struct counters_probe probe = probe_of(*state);
    assert_false(probe.works);
    assert_string_equal(probe.reason.cause, "PAPI 7: it is not installed");
    assert_string_equal(probe.reason.remedy, "install PAPI 7 (Debian: sudo apt install libpapi-dev)");
}

static void libpfm_too_old(void **state)
{
    assert_fails(*state, "NO_EVENTS",
                 "the libpfm inside PAPI is too old for this CPU (PAPI cannot count core_cycles: Event does not exist)",
                 TOO_OLD);
}

static void component_disabled(void **state)
{
    assert_fails(*state, "DISABLED",
                 "the libpfm inside PAPI is too old for this CPU (PAPI's perf_event component is disabled: Unknown "
                 "libpfm4 related error)",
                 TOO_OLD);
}

/* Debian's default is 3, which root may pass and PAPI does not. */
static void paranoid_beyond_what_papi_knows(void **state)
{
    fake_file(*state, "proc/sys/kernel/perf_event_paranoid", "3");
    assert_fails(*state, "DISABLED", "PAPI counts nothing where kernel.perf_event_paranoid is above 2, and it is 3",
                 "run: sudo sysctl kernel.perf_event_paranoid=2, or use --counters=perf, which may count");
}

static int refuse_all(const struct perf_event_attr *attr, int pid, int cpu)
{
    (void)attr, (void)pid, (void)cpu;
    return ENOENT;
}

static void is_not_loaded_without_a_pmu(void **state)
{
    struct fake_machine *machine = *state, vm;
    fake_machine_open(&vm);
    fake_pmu(&vm, "software", "type", "1");
    vm.hypervisor = "KVMKVMKVM";
    vm.refuse = refuse_all;
    (void)machine;
    assert_fails(&vm, "CRASHES", "no PMU in this VM (KVM): the hypervisor hides the counters",
                 "rent a bare-metal instance, or give the VM a virtual PMU (libvirt: <pmu state='on'/> with "
                 "cpu mode='host-passthrough')");
    fake_machine_close(&vm);
}

static void built_without_perf_event(void **state)
{
    assert_fails(*state, "NO_COMPONENT", "PAPI was built without its perf_event component",
                 "install a PAPI 7 with the perf_event component, or use --counters=auto");
}

static void another_version(void **state)
{
    assert_fails(*state, "OTHER_VERSION", "PAPI_library_init refused versions 7.0 to 7.2 (Some error)",
                 "install a PAPI 7 with the perf_event component, or use --counters=auto");
}

static void crashes(void **state)
{
    assert_fails(*state, "CRASHES", "libpapi crashed: Segmentation fault", "use --counters=auto");
}

static void exits(void **state)
{
    assert_fails(*state, "EXITS", "libpapi ended the process with status 3", "use --counters=auto");
}

static void hangs(void **state)
{
    assert_fails(*state, "HANGS", "libpapi did not return within 200 ms", "use --counters=auto");
}

static void cannot_start(void **state)
{
    assert_fails(*state, "NO_START", "PAPI cannot start counting: Resource limitations", "stop other profilers");
}

static void counts_nothing(void **state)
{
    assert_fails(*state, "STUCK", "PAPI counts no core_cycles", "stop other profilers");
}

static void cannot_read(void **state)
{
    assert_fails(*state, "BROKEN_READ", "PAPI counts no core_cycles", "stop other profilers");
}

static void broken_file(void **state)
{
    struct fake_machine *machine = *state;
    struct fake_library library;
    fake_library_broken(&library, machine);
    machine->system.libraries = library.names;
    struct counters_probe probe = probe_of(machine);
    assert_false(probe.works);
    assert_non_null(strstr(probe.reason.cause, "libbroken.so"));
}

static void a_good_one_counts_per_quantity(void **state)
{
    struct fake_machine *machine = *state;
    struct fake_library library;
    struct counters_request request = {0, COUNTER_SET_THREAD, true};
    struct counters_session *session;
    struct counters_sample sample = {0};
    char why[COUNTERS_TEXT];
    fake_library_build(&library, machine, "counters/fixtures/fake_papi.c", "GOOD");
    machine->system.libraries = library.names;
    struct counters_probe probe = probe_of(machine);
    assert_true(probe.works);
    assert_int_equal(probe.of[COUNTER_INSTRUCTIONS].grade, COUNTER_MEASURED);
    assert_true(probe.of[COUNTER_INSTRUCTIONS].system_call);
    assert_int_equal(probe.of[COUNTER_LLC_MISSES].grade, COUNTER_UNAVAILABLE);
    assert_string_equal(probe.of[COUNTER_LLC_MISSES].reason.cause,
                        "PAPI cannot count llc_misses: Event does not exist");

    assert_int_equal(papi->open(&machine->system, &request, &session, why, sizeof why), 0);
    papi->begin(session);
    papi->end(session);
    papi->result(session, &sample);
    papi->close(session);
    assert_true(sample.of[COUNTER_CORE_CYCLES].value == 500);
    assert_true(sample.of[COUNTER_REFERENCE_CYCLES].value == 1000);
    assert_true(sample.of[COUNTER_INSTRUCTIONS].value == 1500);
    assert_true(isnan(sample.of[COUNTER_LLC_MISSES].value));
    assert_string_equal(sample.of[COUNTER_LLC_MISSES].reason, "PAPI cannot count llc_misses: Event does not exist");
}

static void makes_no_system_call_around_a_sample(void **state)
{
    struct fake_machine *machine = *state;
    struct counters_request request = {0, COUNTER_SET_THREAD, false};
    struct counters_session *session;
    char why[COUNTERS_TEXT];
    assert_int_equal(papi->open(&machine->system, &request, &session, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "system call"));
}

static void this_build_has_no_papi(void **state)
{
    (void)state;
    print_message("# not on this machine: built without PAPI\n");
    print_message("# not on this machine: built without papi.h\n"); /* what it says then: without_headers_test.c */
    skip();
}

int main(void)
{
    const struct CMUnitTest without[] = {cmocka_unit_test(this_build_has_no_papi)};
    if (!papi->open)
        return cmocka_run_group_tests(without, NULL, NULL);
#define PAPI_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, close_machine)
    const struct CMUnitTest tests[] = {
        PAPI_TEST(absent),
        PAPI_TEST(broken_file),
        PAPI_TEST(libpfm_too_old),
        PAPI_TEST(component_disabled),
        PAPI_TEST(paranoid_beyond_what_papi_knows),
        PAPI_TEST(is_not_loaded_without_a_pmu),
        PAPI_TEST(built_without_perf_event),
        PAPI_TEST(another_version),
        PAPI_TEST(crashes),
        PAPI_TEST(exits),
        PAPI_TEST(hangs),
        PAPI_TEST(cannot_start),
        PAPI_TEST(counts_nothing),
        PAPI_TEST(cannot_read),
        PAPI_TEST(a_good_one_counts_per_quantity),
        PAPI_TEST(makes_no_system_call_around_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
