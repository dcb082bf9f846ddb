/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "platforms/counters/backends.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/fake_library.h"

static const struct counters_backend *const likwid = &counters_backend_likwid;

static struct counters_probe probe_of(struct fake_machine *machine)
{
    struct counters_probe probe = {.backend = likwid};
    likwid->probe(&machine->system, 0, &probe);
    return probe;
}

/* Probe a library with one behaviour, which must fail with this cause and a remedy. */
static void assert_fails(struct fake_machine *machine, const char *behaviour, const char *cause, const char *remedy)
{
    struct fake_library library;
    fake_library_build(&library, machine, "counters/fixtures/fake_likwid.c", behaviour);
    machine->system.libraries = library.names;
    struct counters_probe probe = probe_of(machine);
    assert_false(probe.works);
    assert_string_equal(probe.reason.cause, cause);
    assert_string_equal(probe.reason.remedy, remedy);
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        assert_int_equal(probe.of[q].grade, COUNTER_UNAVAILABLE);
        assert_string_equal(probe.of[q].reason.cause, cause);
    }
}

#define NEWER "install a newer likwid, or use --counters=auto"

static void absent(void **state)
{
    struct counters_probe probe = probe_of(*state);
    assert_false(probe.works);
    assert_string_equal(probe.reason.cause, "liblikwid 5: it is not installed");
    assert_string_equal(probe.reason.remedy, "install likwid (Debian: sudo apt install likwid)");
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
    assert_null(strstr(probe.reason.cause, "not installed"));
}

static void lacks_a_symbol(void **state)
{
    struct fake_machine *machine = *state;
    char cause[COUNTERS_TEXT];
    snprintf(cause, sizeof cause, "%s/libLACKS_A_SYMBOL.so has no HPMmode", machine->root);
    assert_fails(machine, "LACKS_A_SYMBOL", cause, "");
}

static void does_not_know_this_cpu(void **state)
{
    assert_fails(*state, "UNKNOWN_CPU", "likwid does not know this CPU", NEWER);
}

static void cannot_reach_the_counters(void **state)
{
    assert_fails(*state, "NO_ACCESS", "likwid cannot reach the performance counters",
                 "run: sudo modprobe msr, then as root, or install likwid-accessD setuid root");
}

static void cannot_program_its_group(void **state)
{
    assert_fails(*state, "NO_PROGRAM", "likwid cannot program its group MEM on this CPU", NEWER);
}

static void crashes(void **state)
{
    assert_fails(*state, "CRASHES", "liblikwid crashed (Segmentation fault)", NEWER);
}

static void is_not_loaded_where_a_hypervisor_hides_the_counters(void **state)
{
    struct fake_machine *machine = *state;
    fake_pmu(machine, "software", "type", "1");
    machine->hypervisor = "KVMKVMKVM";
    assert_fails(machine, "CRASHES", "no PMU in this VM (KVM): the hypervisor hides the counters",
                 "rent a bare-metal instance, or give the VM a virtual PMU (libvirt: <pmu state='on'/> with "
                 "cpu mode='host-passthrough')");
    /* the registers may be there without the kernel's PMU */
    fake_file(machine, "dev/cpu/0/msr", "");
    crashes(state);
    machine->system.aarch64 = true; /* where likwid counts by perf events alone */
    assert_false(strstr(probe_of(machine).reason.cause, "crashed"));
}

static void exits(void **state)
{
    assert_fails(*state, "EXITS", "liblikwid ended the process with status 1: it does not know this CPU", NEWER);
}

static void hangs(void **state)
{
    assert_fails(*state, "HANGS", "liblikwid did not return within 200 ms", NEWER);
}

static void add_two_packages(struct fake_machine *machine)
{
    fake_file(machine, "sys/devices/system/cpu/online", "0-3");
    fake_file(machine, "sys/devices/system/cpu/cpu0/topology/physical_package_id", "0");
    fake_file(machine, "sys/devices/system/cpu/cpu1/topology/physical_package_id", "0");
    fake_file(machine, "sys/devices/system/cpu/cpu2/topology/physical_package_id", "1");
    fake_file(machine, "sys/devices/system/cpu/cpu3/topology/physical_package_id", "1");
}

static void a_good_one_counts_per_quantity(void **state)
{
    struct fake_machine *machine = *state;
    struct fake_library library;
    struct counters_request request = {0, COUNTER_SET_ALL, true};
    struct counters_session *session, *second;
    struct counters_sample sample = {0};
    char why[COUNTERS_TEXT];
    add_two_packages(machine);
    fake_library_build(&library, machine, "counters/fixtures/fake_likwid.c", "GOOD");
    machine->system.libraries = library.names;
    struct counters_probe probe = probe_of(machine);
    assert_true(probe.works);
    assert_int_equal(probe.of[COUNTER_CORE_CYCLES].grade, COUNTER_MEASURED);
    assert_true(probe.of[COUNTER_CORE_CYCLES].system_call);
    assert_int_equal(probe.of[COUNTER_DRAM_READ_BYTES].grade, COUNTER_MEASURED);
    assert_int_equal(probe.of[COUNTER_DRAM_WRITE_BYTES].grade, COUNTER_UNAVAILABLE); /* it says NaN */
    assert_int_equal(probe.of[COUNTER_PACKAGE_ENERGY_J].grade, COUNTER_UNAVAILABLE);
    assert_string_equal(probe.of[COUNTER_PACKAGE_ENERGY_J].reason.cause,
                        "no likwid group of this CPU counts package_energy_j");

    assert_int_equal(likwid->open(&machine->system, &request, &session, why, sizeof why), 0);
    assert_int_equal(likwid->open(&machine->system, &request, &second, why, sizeof why), -EBUSY);
    assert_non_null(strstr(why, "one thread of a process only"));
    likwid->begin(session);
    likwid->end(session);
    likwid->result(session, &sample);
    likwid->close(session);
    assert_true(sample.of[COUNTER_INSTRUCTIONS].value == 1000);
    assert_true(sample.of[COUNTER_CORE_CYCLES].value == 1001);
    assert_true(sample.of[COUNTER_REFERENCE_CYCLES].value == 1002);
    assert_true(sample.of[COUNTER_DRAM_READ_BYTES].value == 3e9); /* 1 GB of one package and 2 of the other */
    assert_true(isnan(sample.of[COUNTER_DRAM_WRITE_BYTES].value));
    assert_true(isnan(sample.of[COUNTER_LLC_MISSES].value));

    assert_int_equal(likwid->open(&machine->system, &request, &session, why, sizeof why), 0); /* free again */
    likwid->close(session);
}

static void a_counter_stuck_at_zero_is_unavailable(void **state)
{
    struct fake_machine *machine = *state;
    struct fake_library library;
    fake_library_build(&library, machine, "counters/fixtures/fake_likwid.c", "STUCK");
    machine->system.libraries = library.names;
    struct counters_probe probe = probe_of(machine);
    assert_true(probe.works);
    assert_int_equal(probe.of[COUNTER_CORE_CYCLES].grade, COUNTER_UNAVAILABLE);
    assert_string_equal(probe.of[COUNTER_CORE_CYCLES].reason.cause, "likwid's counter of core_cycles is stuck at 0");
    assert_int_equal(probe.of[COUNTER_DRAM_READ_BYTES].grade, COUNTER_UNAVAILABLE);
    assert_non_null(strstr(probe.of[COUNTER_DRAM_READ_BYTES].reason.cause, "likwid counted nothing"));
}

static void a_failed_stop_is_unavailable(void **state)
{
    struct fake_machine *machine = *state;
    struct fake_library library;
    fake_library_build(&library, machine, "counters/fixtures/fake_likwid.c", "BROKEN_READ");
    machine->system.libraries = library.names;
    struct counters_probe probe = probe_of(machine);
    assert_false(probe.works);
    assert_string_equal(probe.reason.cause, "likwid failed to read its counters (status -1)");
}

static void likwid_perfctr_already_counts(void **state)
{
    setenv("LIKWID_FILEPATH", "/nonexistent/likwid.txt", 1);
    setenv("LIKWID_MODE", "1", 1);
    struct counters_probe probe = probe_of(*state);
    unsetenv("LIKWID_FILEPATH");
    unsetenv("LIKWID_MODE");
    assert_false(probe.works);
    assert_string_equal(probe.reason.cause, "likwid-perfctr -m, which runs this process, has the counters");
    assert_string_equal(probe.reason.remedy, "run without likwid-perfctr, or use --counters=auto");
}

static void makes_no_system_call_around_a_sample(void **state)
{
    struct fake_machine *machine = *state;
    struct counters_request request = {0, COUNTER_SET_ALL, false};
    struct counters_session *session;
    char why[COUNTERS_TEXT];
    assert_int_equal(likwid->open(&machine->system, &request, &session, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "system calls"));
}

static void this_build_has_no_likwid(void **state)
{
    (void)state;
    print_message("# not on this machine: built without likwid\n");
    print_message("# not on this machine: built without likwid.h\n"); /* what it says then: without_headers_test.c */
    skip();
}

int main(void)
{
    const struct CMUnitTest without[] = {cmocka_unit_test(this_build_has_no_likwid)};
    if (!likwid->open)
        return cmocka_run_group_tests(without, NULL, NULL);
#define LIKWID_TEST(name) cmocka_unit_test_setup_teardown(name, open_machine, close_machine)
    const struct CMUnitTest tests[] = {
        LIKWID_TEST(absent),
        LIKWID_TEST(broken_file),
        LIKWID_TEST(lacks_a_symbol),
        LIKWID_TEST(does_not_know_this_cpu),
        LIKWID_TEST(cannot_reach_the_counters),
        LIKWID_TEST(cannot_program_its_group),
        LIKWID_TEST(crashes),
        LIKWID_TEST(is_not_loaded_where_a_hypervisor_hides_the_counters),
        LIKWID_TEST(exits),
        LIKWID_TEST(hangs),
        LIKWID_TEST(a_good_one_counts_per_quantity),
        LIKWID_TEST(a_counter_stuck_at_zero_is_unavailable),
        LIKWID_TEST(a_failed_stop_is_unavailable),
        LIKWID_TEST(likwid_perfctr_already_counts),
        LIKWID_TEST(makes_no_system_call_around_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
