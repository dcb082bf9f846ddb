/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "platforms/counters/backends.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/fake_system.h"

static const struct counters_backend *const powercap = &counters_backend_powercap;

/** /sys/class/powercap of a server with two packages, the first with its parts, and what is no package. */
static void fake_zone(struct fake_machine *machine, const char *zone, const char *name, const char *energy)
{
    char path[128];
    snprintf(path, sizeof path, "sys/class/powercap/%s/name", zone);
    fake_file(machine, path, name);
    snprintf(path, sizeof path, "sys/class/powercap/%s/max_energy_range_uj", zone);
    fake_file(machine, path, "262143328850");
    snprintf(path, sizeof path, "sys/class/powercap/%s/energy_uj", zone);
    fake_file(machine, path, energy);
}

static void fake_energy(struct fake_machine *machine, const char *zone, const char *energy)
{
    char path[128];
    snprintf(path, sizeof path, "sys/class/powercap/%s/energy_uj", zone);
    fake_file(machine, path, energy);
}

static void fake_server(struct fake_machine *machine)
{
    fake_file(machine, "sys/class/powercap/intel-rapl/enabled", "1");
    fake_zone(machine, "intel-rapl:0", "package-0", "1000000");
    fake_zone(machine, "intel-rapl:0:0", "dram", "7000000");
    fake_zone(machine, "intel-rapl:1", "package-1", "262143328000");
    fake_zone(machine, "intel-rapl:2", "psys", "9000000");
    fake_zone(machine, "intel-rapl-mmio:0", "package-0", "1000000");
}

static struct fake_machine *sleeping; /* whose packages use energy while it sleeps */

static void sleep_and_use(void *context, uint64_t ns)
{
    (void)context, (void)ns;
    fake_energy(sleeping, "intel-rapl:0", "1250000");
    fake_energy(sleeping, "intel-rapl:1", "262143328000");
}

static int set_up(void **state)
{
    static struct fake_machine machine;
    fake_machine_open(&machine);
    sleeping = &machine;
    *state = &machine;
    return 0;
}

static struct counters_support probe_energy(struct fake_machine *machine, struct counters_probe *probe)
{
    probe_clear(probe, powercap);
    powercap->probe(&machine->system, 0, probe);
    return probe->of[COUNTER_PACKAGE_ENERGY_J];
}

TEST_GIVEN_BY(a_counter_that_moves_works_and_is_all_that_it_counts, struct fake_machine *machine, set_up, close_machine)
{
    struct counters_probe probe;
    fake_server(machine);
    machine->system.sleep_ns = sleep_and_use;
    struct counters_support energy = probe_energy(machine, &probe);
    assert_true(probe.works);
    assert_int_equal(energy.grade, COUNTER_MEASURED);
    assert_true(energy.system_call);
    assert_string_equal(energy.reason.cause, "");
    for (int q = 0; q < COUNTER_PACKAGE_ENERGY_J; q++) {
        assert_int_equal(probe.of[q].grade, COUNTER_UNAVAILABLE);
        assert_non_null(strstr(probe.of[q].reason.cause, "does not count"));
    }
}

TEST_GIVEN_BY(packages_are_added_and_a_counter_may_begin_anew, struct fake_machine *machine, set_up, close_machine)
{
    struct counters_request request = {0, COUNTER_SET(COUNTER_PACKAGE_ENERGY_J), true};
    struct counters_session *session = NULL;
    struct counters_sample sample = {0};
    char why[COUNTERS_TEXT] = "";
    fake_server(machine);
    assert_int_equal(powercap->open(&machine->system, &request, &session, why, sizeof why), 0);
    powercap->begin(session);
    fake_energy(machine, "intel-rapl:0", "3500000"); /* 2.5 J */
    fake_energy(machine, "intel-rapl:0:0", "9000000");
    fake_energy(machine, "intel-rapl:1", "999150"); /* 850 uJ to the end, then 0.99915 J */
    fake_energy(machine, "intel-rapl:2", "99000000");
    powercap->end(session);
    powercap->result(session, &sample);
    assert_int_equal(sample.of[COUNTER_PACKAGE_ENERGY_J].grade, COUNTER_MEASURED);
    assert_true(fabs(sample.of[COUNTER_PACKAGE_ENERGY_J].value - 3.5) < 1e-9);

    powercap->begin(session);
    powercap->end(session);
    powercap->result(session, &sample);
    assert_true(sample.of[COUNTER_PACKAGE_ENERGY_J].value == 0);
    powercap->close(session);
}

TEST_GIVEN_BY(without_its_range_a_counter_that_fell_says_nothing, struct fake_machine *machine, set_up, close_machine)
{
    struct counters_request request = {0, COUNTER_SET(COUNTER_PACKAGE_ENERGY_J), true};
    struct counters_session *session = NULL;
    struct counters_sample sample = {0};
    char why[COUNTERS_TEXT] = "", path[128];
    fake_file(machine, "sys/class/powercap/intel-rapl:0/name", "package-0");
    fake_energy(machine, "intel-rapl:0", "500");
    assert_int_equal(powercap->open(&machine->system, &request, &session, why, sizeof why), 0);
    powercap->begin(session);
    fake_energy(machine, "intel-rapl:0", "400");
    powercap->end(session);
    powercap->result(session, &sample);
    assert_int_equal(sample.of[COUNTER_PACKAGE_ENERGY_J].grade, COUNTER_UNAVAILABLE);
    assert_non_null(strstr(sample.of[COUNTER_PACKAGE_ENERGY_J].reason, "intel-rapl:0 wrapped"));

    snprintf(path, sizeof path, "%s/sys/class/powercap/intel-rapl:0/energy_uj", machine->root);
    assert_int_equal(unlink(path), 0); /* the module was removed */
    powercap->begin(session);
    powercap->end(session);
    powercap->result(session, &sample);
    assert_true(isnan(sample.of[COUNTER_PACKAGE_ENERGY_J].value));
    assert_non_null(strstr(sample.of[COUNTER_PACKAGE_ENERGY_J].reason, "No such file"));
    powercap->close(session);
}

TEST_GIVEN_BY(what_is_in_the_way_is_said_with_its_remedy, struct fake_machine *machine, set_up, close_machine)
{
    struct counters_probe probe;
    struct counters_reason reason = probe_energy(machine, &probe).reason;
    assert_false(probe.works);
    assert_string_equal(reason.cause, "the kernel has no zone of a package in /sys/class/powercap");
    assert_non_null(strstr(reason.remedy, "modprobe intel_rapl_msr"));
    const char *vendor = machine->vendor;
    machine->vendor = NULL; /* not x86 */
    assert_string_equal(probe_energy(machine, &probe).reason.remedy, "");
    machine->vendor = vendor;

    machine->hypervisor = "KVMKVMKVM";
    fake_file(machine, "sys/class/powercap/intel-rapl/enabled", "1");
    reason = probe_energy(machine, &probe).reason;
    assert_non_null(strstr(reason.cause, "this VM (KVM) exposes no package energy"));

    fake_server(machine);
    reason = probe_energy(machine, &probe).reason; /* this machine's sleep moves nothing */
    assert_string_equal(reason.cause, "the energy counter does not advance");

    fake_energy(machine, "intel-rapl:1", "many");
    reason = probe_energy(machine, &probe).reason;
    assert_non_null(strstr(reason.cause, "cannot be read: Invalid argument"));
}

/** As the kernel has them since 5.10; root can read them anyhow, so another user asks. */
TEST_GIVEN_BY(files_of_root_are_said_to_be, struct fake_machine *machine, set_up, close_machine)
{
    struct counters_probe probe;
    char path[128];
    fake_server(machine);
    assert_int_equal(chmod(machine->root, 0755), 0);
    snprintf(path, sizeof path, "%s/sys/class/powercap/intel-rapl:0/energy_uj", machine->root);
    assert_int_equal(chmod(path, 0400), 0);
    bool root = geteuid() == 0;
    if (root)
        assert_int_equal(seteuid(65534), 0);
    else
        assert_int_equal(chmod(path, 0), 0);
    struct counters_reason reason = probe_energy(machine, &probe).reason;
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_non_null(strstr(reason.cause, "only root can read "));
    assert_non_null(strstr(reason.remedy, "chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj"));
}

TEST_GIVEN_BY(it_opens_for_energy_alone_and_where_system_calls_are_made, struct fake_machine *machine, set_up,
              close_machine)
{
    struct counters_session *session = NULL;
    char why[COUNTERS_TEXT] = "";
    struct counters_request request = {0, COUNTER_SET(COUNTER_PACKAGE_ENERGY_J), true};
    assert_int_equal(powercap->open(&machine->system, &request, &session, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "powercap: the kernel has no zone"));
    fake_server(machine);
    request.system_calls = false;
    assert_int_equal(powercap->open(&machine->system, &request, &session, why, sizeof why), -ENOTSUP);
    assert_non_null(strstr(why, "takes a system call"));
    request = (struct counters_request){0, COUNTER_SET(COUNTER_CORE_CYCLES), true};
    assert_int_equal(powercap->open(&machine->system, &request, &session, why, sizeof why), -ENOTSUP);
    assert_string_equal(why, "powercap: no quantity was asked for");
}

RUN_TESTS(NULL, NULL)
