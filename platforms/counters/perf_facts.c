/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/perf_facts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/counters/reason.h"
#include "platforms/cpu/emulator.h"
#include "platforms/system/sysfs.h"

enum { CAPABILITY_SYS_ADMIN = 21, CAPABILITY_PERFMON = 38 };

static bool read_number(const char *root, const char *path, int *number)
{
    long value;
    if (sysfs_read_long(root, path, &value) != 0)
        return false;
    *number = (int)value;
    return true;
}

/* CapEff and Seccomp of /proc/self/status. */
static void read_status(const char *root, struct perf_facts *facts)
{
    char text[64];
    uint64_t filter = 0;
    if (sysfs_read_field(root, "/proc/self/status", "CapEff", text, sizeof text) == 0) {
        unsigned long long set = strtoull(text, NULL, 16);
        facts->privileged = (set >> CAPABILITY_PERFMON | set >> CAPABILITY_SYS_ADMIN) & 1;
    }
    facts->seccomp = sysfs_read_field_u64(root, "/proc/self/status", "Seccomp", &filter) == 0 && filter != 0;
}

static void copy_signature(char signature[13], uint32_t first, uint32_t second, uint32_t third)
{
    memcpy(signature, &first, 4);
    memcpy(signature + 4, &second, 4);
    memcpy(signature + 8, &third, 4);
    signature[12] = '\0';
}

static void read_cpuid(const struct counters_system *system, struct perf_facts *facts)
{
    uint32_t r[4];
    system->cpuid(system->context, 0, 0, r);
    copy_signature(facts->vendor, r[1], r[3], r[2]);
    system->cpuid(system->context, 1, 0, r);
    if (!(r[2] >> 31))
        return;
    system->cpuid(system->context, 0x40000000u, 0, r);
    char signature[13];
    copy_signature(signature, r[1], r[2], r[3]);
    snprintf(facts->hypervisor, sizeof facts->hypervisor, "%s",
             signature[0] ? hypervisor_name(signature) : "hypervisor");
}

void perf_facts_read(const struct counters_system *system, unsigned cpu, struct perf_facts *facts)
{
    char path[160];
    int number;
    *facts = (struct perf_facts){.cpu = cpu, .rdpmc = -1};
    facts->sysfs_is_visible = pmu_sysfs_is_visible(system->root);
    facts->has_pmu = pmu_of_core(system->root, cpu, &facts->pmu, &facts->core_pmus) == 0;
    facts->has_paranoid = read_number(system->root, "/proc/sys/kernel/perf_event_paranoid", &facts->paranoid);
    facts->nmi_watchdog = read_number(system->root, "/proc/sys/kernel/nmi_watchdog", &number) && number != 0;
    snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s/rdpmc", facts->pmu.name);
    if (facts->has_pmu && read_number(system->root, path, &number))
        facts->rdpmc = number;
    facts->user_access = read_number(system->root, "/proc/sys/kernel/perf_user_access", &number) && number == 1;
    read_status(system->root, facts);
    read_cpuid(system, facts);
}

/* perf_event_open is not permitted at all, or not for what was asked: needed is the highest level that permits it. */
static void explain_permission(const struct perf_facts *facts, int needed, struct counters_reason *reason)
{
    if (facts->has_paranoid && facts->paranoid > needed && !facts->privileged) {
        reason_cause(reason, "kernel.perf_event_paranoid is %d and this process has no CAP_PERFMON", facts->paranoid);
        reason_remedy(reason, "run: sudo sysctl kernel.perf_event_paranoid=%d", needed);
    } else if (facts->seccomp) {
        reason_cause(reason, "a seccomp filter (container) forbids perf_event_open");
        reason_remedy(reason, "start the container with --cap-add=PERFMON --security-opt seccomp=<profile that allows "
                              "perf_event_open>");
    } else {
        reason_cause(reason, "a security module or a container forbids perf_event_open");
        reason_remedy(reason, "run outside of the container, or let the SELinux or AppArmor policy allow perf events");
    }
}

static void explain_no_pmu(const struct perf_facts *facts, struct counters_reason *reason)
{
    if (facts->hypervisor[0]) {
        reason_cause(reason, "no PMU in this VM (%s): the hypervisor hides the counters", facts->hypervisor);
        reason_remedy(reason,
                      "rent a bare-metal instance, or give the VM a virtual PMU (libvirt: <pmu state='on'/> with "
                      "cpu mode='host-passthrough')");
    } else {
        reason_cause(reason, "the kernel drives no PMU on CPU %u", facts->cpu);
        reason_remedy(reason, "see `dmesg | grep -i pmu`; use a kernel that supports this CPU's counters");
    }
}

bool perf_has_no_pmu(const struct perf_facts *facts, struct counters_reason *reason)
{
    *reason = (struct counters_reason){0};
    if (!facts->sysfs_is_visible || facts->has_pmu)
        return false;
    explain_no_pmu(facts, reason);
    return true;
}

void perf_explain_core(const struct perf_facts *facts, enum counter_quantity quantity, int error,
                       struct counters_reason *reason)
{
    *reason = (struct counters_reason){0};
    if (error == ENOSYS) {
        reason_cause(reason, "this kernel has no perf_event_open");
        reason_remedy(reason, "use a kernel with CONFIG_PERF_EVENTS, not a sandbox that emulates system calls");
    } else if (facts->sysfs_is_visible && !facts->has_pmu) {
        explain_no_pmu(facts, reason);
    } else if (error == EACCES || error == EPERM) {
        explain_permission(facts, 2, reason);
    } else if (error == EMFILE || error == ENFILE) {
        reason_cause(reason, "no file descriptor is left for a counter");
        reason_remedy(reason, "run: ulimit -n 4096");
    } else if (error == EBUSY) {
        reason_cause(reason, "another user holds the PMU of CPU %u", facts->cpu);
        reason_remedy(reason, "stop other profilers (perf, oprofile, a hypervisor's perf)");
    } else if (!facts->has_pmu) {
        explain_no_pmu(facts, reason);
    } else if (error == ENOENT || error == EINVAL || error == EOPNOTSUPP || error == ENODEV) {
        reason_cause(reason, "the PMU %s has no event for %s that this kernel knows", facts->pmu.name,
                     counter_quantity_name(quantity));
    } else {
        reason_cause(reason, "perf_event_open failed on the PMU %s: %s", facts->pmu.name, strerror(error));
    }
}

void perf_explain_machine(const struct perf_facts *facts, enum counter_quantity quantity, int error,
                          struct counters_reason *reason)
{
    bool energy = quantity == COUNTER_PACKAGE_ENERGY_J;
    const char *what = energy ? "package energy (RAPL)" : "DRAM traffic (memory-controller PMU)";
    *reason = (struct counters_reason){0};
    if (error == ENOSYS) {
        perf_explain_core(facts, quantity, error, reason);
    } else if (error == EACCES || error == EPERM) {
        explain_permission(facts, 0, reason);
    } else if (error == ENOENT && facts->hypervisor[0]) {
        reason_cause(reason, "this VM (%s) exposes no %s", facts->hypervisor, what);
        reason_remedy(reason, "measure on bare metal");
    } else if (error == ENOENT && !energy && strcmp(facts->vendor, "AuthenticAMD") == 0) {
        reason_cause(reason, "the kernel publishes no events for the memory controllers of AMD CPUs in sysfs");
    } else if (error == ENOENT) {
        reason_cause(reason, "the kernel offers no %s here", what);
        if (facts->vendor[0]) /* x86: others have no such module */
            reason_remedy(reason, "%s", energy ? "run: sudo modprobe rapl" : "run: sudo modprobe intel_uncore");
    } else if (error == EINVAL) {
        reason_cause(reason, "sysfs describes %s in terms that are not understood", what);
    } else {
        reason_cause(reason, "perf_event_open failed for %s: %s", what, strerror(error));
    }
}

void perf_explain_idle(const struct perf_facts *facts, enum counter_quantity quantity, struct counters_reason *reason)
{
    const char *name = counter_quantity_name(quantity);
    *reason = (struct counters_reason){0};
    if (quantity == COUNTER_PACKAGE_ENERGY_J) {
        reason_cause(reason, "the energy counter is stuck at 0");
        reason_remedy(reason, "%s",
                      facts->hypervisor[0] ? "measure on bare metal: the hypervisor does not pass RAPL on" : "");
    } else if (quantity == COUNTER_DRAM_READ_BYTES || quantity == COUNTER_DRAM_WRITE_BYTES) {
        reason_cause(reason, "the memory-controller counter of %s is stuck at 0", name);
    } else if (facts->nmi_watchdog) {
        reason_cause(reason, "%s never gets a counter: the NMI watchdog holds one", name);
        reason_remedy(reason, "run: sudo sysctl kernel.nmi_watchdog=0");
    } else {
        reason_cause(reason, "%s never gets a counter: other perf events hold them all", name);
        reason_remedy(reason, "stop other profilers");
    }
}

void perf_explain_read(const struct counters_system *system, const struct perf_facts *facts,
                       struct counters_reason *reason)
{
    *reason = (struct counters_reason){0};
    if (system->aarch64) {
        reason_cause(reason, "user access to counters is disabled, read() is used (about 1 us a reading)");
        reason_remedy(reason, "run: sudo sysctl kernel.perf_user_access=1");
    } else if (facts->rdpmc == 0) {
        reason_cause(reason, "rdpmc is disabled, read() is used (about 1 us a reading)");
        reason_remedy(reason, "run: echo 1 | sudo tee %s/sys/bus/event_source/devices/%s/rdpmc", system->root,
                      facts->pmu.name);
    } else {
        reason_cause(reason, "the kernel does not allow rdpmc for these events, read() is used (about 1 us a reading)");
    }
}
