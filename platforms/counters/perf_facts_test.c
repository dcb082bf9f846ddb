/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/fake_system.h"
#include "platforms/counters/perf_facts.h"

/* An ordinary process on an ordinary bare-metal machine. */
static struct perf_facts ordinary(void)
{
    return (struct perf_facts){
        .cpu = 3,
        .sysfs_is_visible = true,
        .has_pmu = true,
        .pmu = {.name = "cpu", .type = 4},
        .core_pmus = 1,
        .vendor = "GenuineIntel",
        .has_paranoid = true,
        .paranoid = 2,
        .rdpmc = 1,
    };
}

static void assert_reason(const struct counters_reason *reason, const char *cause, const char *remedy)
{
    assert_string_equal(reason->cause, cause);
    assert_string_equal(reason->remedy, remedy);
}

TEST(no_pmu_in_this_vm)
{
    struct perf_facts facts = ordinary();
    struct counters_reason reason;
    facts.has_pmu = false;
    strcpy(facts.hypervisor, "KVM");
    static const int errors[] = {ENOENT, EACCES, EPERM, EOPNOTSUPP};
    for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++) {
        perf_explain_core(&facts, COUNTER_CORE_CYCLES, errors[e], &reason);
        assert_reason(&reason, "no PMU in this VM (KVM): the hypervisor hides the counters",
                      "rent a bare-metal instance, or give the VM a virtual PMU (libvirt: <pmu state='on'/> with "
                      "cpu mode='host-passthrough')");
    }
}

TEST(no_pmu_on_bare_metal)
{
    struct perf_facts facts = ordinary();
    struct counters_reason reason;
    facts.has_pmu = false;
    perf_explain_core(&facts, COUNTER_CORE_CYCLES, ENOENT, &reason);
    assert_reason(&reason, "the kernel drives no PMU on CPU 3",
                  "see `dmesg | grep -i pmu`; use a kernel that supports this CPU's counters");
}

TEST(paranoid)
{
    struct perf_facts facts = ordinary();
    struct counters_reason reason;
    facts.paranoid = 3;
    perf_explain_core(&facts, COUNTER_CORE_CYCLES, EACCES, &reason);
    assert_reason(&reason, "kernel.perf_event_paranoid is 3 and this process has no CAP_PERFMON",
                  "run: sudo sysctl kernel.perf_event_paranoid=2");
    facts.paranoid = 2; /* enough for a thread's own events, not for the machine's */
    perf_explain_machine(&facts, COUNTER_DRAM_READ_BYTES, EACCES, &reason);
    assert_reason(&reason, "kernel.perf_event_paranoid is 2 and this process has no CAP_PERFMON",
                  "run: sudo sysctl kernel.perf_event_paranoid=0");
}

TEST(seccomp_in_a_container)
{
    struct perf_facts facts = ordinary();
    struct counters_reason reason;
    facts.seccomp = true;
    perf_explain_core(&facts, COUNTER_CORE_CYCLES, EPERM, &reason);
    assert_string_equal(reason.cause, "a seccomp filter (container) forbids perf_event_open");
    assert_non_null(strstr(reason.remedy, "--cap-add=PERFMON"));
    facts.paranoid = 4; /* the container's root passes the sysctl: the filter is the cause */
    facts.privileged = true;
    perf_explain_core(&facts, COUNTER_CORE_CYCLES, EPERM, &reason);
    assert_string_equal(reason.cause, "a seccomp filter (container) forbids perf_event_open");
}

TEST(security_module)
{
    struct perf_facts facts = ordinary();
    struct counters_reason reason;
    perf_explain_core(&facts, COUNTER_CORE_CYCLES, EACCES, &reason);
    assert_string_equal(reason.cause, "a security module or a container forbids perf_event_open");
    assert_true(reason.remedy[0]);
}

TEST(kernel_without_perf)
{
    struct perf_facts facts = {0};
    struct counters_reason reason;
    perf_explain_core(&facts, COUNTER_CORE_CYCLES, ENOSYS, &reason);
    assert_reason(&reason, "this kernel has no perf_event_open",
                  "use a kernel with CONFIG_PERF_EVENTS, not a sandbox that emulates system calls");
    perf_explain_machine(&facts, COUNTER_PACKAGE_ENERGY_J, ENOSYS, &reason);
    assert_string_equal(reason.cause, "this kernel has no perf_event_open");
}

TEST(other_errors_of_a_core_event)
{
    struct perf_facts facts = ordinary();
    struct counters_reason reason;
    perf_explain_core(&facts, COUNTER_REFERENCE_CYCLES, ENOENT, &reason);
    assert_string_equal(reason.cause, "the PMU cpu has no event for reference_cycles that this kernel knows");
    perf_explain_core(&facts, COUNTER_CORE_CYCLES, EMFILE, &reason);
    assert_reason(&reason, "no file descriptor is left for a counter", "run: ulimit -n 4096");
    perf_explain_core(&facts, COUNTER_CORE_CYCLES, EBUSY, &reason);
    assert_string_equal(reason.cause, "another user holds the PMU of CPU 3");
    perf_explain_core(&facts, COUNTER_CORE_CYCLES, E2BIG, &reason);
    assert_string_equal(reason.cause, "perf_event_open failed on the PMU cpu: Argument list too long");
}

TEST(events_of_the_machine)
{
    struct perf_facts facts = ordinary();
    struct counters_reason reason;
    perf_explain_machine(&facts, COUNTER_DRAM_READ_BYTES, ENOENT, &reason);
    assert_reason(&reason, "the kernel offers no DRAM traffic (memory-controller PMU) here",
                  "run: sudo modprobe intel_uncore");
    perf_explain_machine(&facts, COUNTER_PACKAGE_ENERGY_J, ENOENT, &reason);
    assert_reason(&reason, "the kernel offers no package energy (RAPL) here", "run: sudo modprobe rapl");
    facts.vendor[0] = '\0'; /* not x86 */
    perf_explain_machine(&facts, COUNTER_DRAM_READ_BYTES, ENOENT, &reason);
    assert_reason(&reason, "the kernel offers no DRAM traffic (memory-controller PMU) here", "");
    strcpy(facts.vendor, ordinary().vendor);
    perf_explain_machine(&facts, COUNTER_DRAM_READ_BYTES, EINVAL, &reason);
    assert_non_null(strstr(reason.cause, "not understood"));
    perf_explain_machine(&facts, COUNTER_DRAM_READ_BYTES, EMFILE, &reason);
    assert_non_null(strstr(reason.cause, "Too many open files"));
    strcpy(facts.vendor, "AuthenticAMD");
    perf_explain_machine(&facts, COUNTER_DRAM_WRITE_BYTES, ENOENT, &reason);
    assert_non_null(strstr(reason.cause, "AMD"));
    strcpy(facts.hypervisor, "Hyper-V");
    perf_explain_machine(&facts, COUNTER_DRAM_WRITE_BYTES, ENOENT, &reason);
    assert_reason(&reason, "this VM (Hyper-V) exposes no DRAM traffic (memory-controller PMU)",
                  "measure on bare metal");
}

TEST(events_that_never_count)
{
    struct perf_facts facts = ordinary();
    struct counters_reason reason;
    perf_explain_idle(&facts, COUNTER_CORE_CYCLES, &reason);
    assert_reason(&reason, "core_cycles never gets a counter: other perf events hold them all", "stop other profilers");
    facts.nmi_watchdog = true;
    perf_explain_idle(&facts, COUNTER_CORE_CYCLES, &reason);
    assert_reason(&reason, "core_cycles never gets a counter: the NMI watchdog holds one",
                  "run: sudo sysctl kernel.nmi_watchdog=0");
    perf_explain_idle(&facts, COUNTER_PACKAGE_ENERGY_J, &reason);
    assert_reason(&reason, "the energy counter is stuck at 0", "");
    strcpy(facts.hypervisor, "KVM");
    perf_explain_idle(&facts, COUNTER_PACKAGE_ENERGY_J, &reason);
    assert_reason(&reason, "the energy counter is stuck at 0",
                  "measure on bare metal: the hypervisor does not pass RAPL on");
    perf_explain_idle(&facts, COUNTER_DRAM_READ_BYTES, &reason);
    assert_string_equal(reason.cause, "the memory-controller counter of dram_read_bytes is stuck at 0");
}

TEST(rdpmc_is_disabled)
{
    struct counters_system system = {.root = ""};
    struct perf_facts facts = ordinary();
    struct counters_reason reason;
    facts.rdpmc = 0;
    perf_explain_read(&system, &facts, &reason);
    assert_reason(&reason, "rdpmc is disabled, read() is used (about 1 us a reading)",
                  "run: echo 1 | sudo tee /sys/bus/event_source/devices/cpu/rdpmc");
    facts.rdpmc = 1;
    perf_explain_read(&system, &facts, &reason);
    assert_non_null(strstr(reason.cause, "the kernel does not allow rdpmc"));
    system.aarch64 = true;
    perf_explain_read(&system, &facts, &reason);
    assert_reason(&reason, "user access to counters is disabled, read() is used (about 1 us a reading)",
                  "run: sudo sysctl kernel.perf_user_access=1");
}

TEST(facts_are_read_from_the_machine)
{
    struct fake_machine machine;
    struct perf_facts facts;
    fake_machine_open(&machine);
    machine.hypervisor = "KVMKVMKVM";
    fake_cpu_pmu(&machine);
    fake_pmu(&machine, "cpu", "rdpmc", "0");
    fake_file(&machine, "proc/sys/kernel/perf_event_paranoid", "-1");
    fake_file(&machine, "proc/sys/kernel/nmi_watchdog", "1");
    fake_file(&machine, "proc/self/status", "CapEff:\t0000004000000000\nSeccomp:\t2");
    perf_facts_read(&machine.system, 3, &facts);
    assert_true(facts.sysfs_is_visible && facts.has_pmu && facts.has_paranoid);
    assert_int_equal(facts.paranoid, -1);
    assert_true(facts.nmi_watchdog);
    assert_true(facts.privileged);
    assert_true(facts.seccomp);
    assert_int_equal(facts.rdpmc, 0);
    assert_string_equal(facts.vendor, "GenuineIntel");
    assert_string_equal(facts.hypervisor, "KVM");
    fake_file(&machine, "proc/self/status", "CapEff:\t0000000000000001\nSeccomp:\t0");
    machine.hypervisor = NULL;
    perf_facts_read(&machine.system, 3, &facts);
    assert_false(facts.privileged);
    assert_false(facts.seccomp);
    assert_string_equal(facts.hypervisor, "");
    fake_machine_close(&machine);
}

TEST(facts_of_an_empty_machine)
{
    struct fake_machine machine;
    struct perf_facts facts;
    fake_machine_open(&machine);
    machine.system.root = "/nonexistent";
    perf_facts_read(&machine.system, 0, &facts);
    assert_false(facts.sysfs_is_visible);
    assert_false(facts.has_pmu);
    assert_false(facts.has_paranoid);
    assert_false(facts.nmi_watchdog);
    assert_int_equal(facts.rdpmc, -1);
    fake_machine_close(&machine);
}

RUN_TESTS(NULL, NULL)
