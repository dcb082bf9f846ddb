/* SPDX-License-Identifier: BSD-3-Clause
 *
 * On a recorded machine (platforms/machine/machine_standin.h) no counter can be opened: perf_event_paranoid forbids it, or there is no PMU.
 */
#include "platforms/counters/system.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "platforms/cpu/isa.h"
#include "platforms/machine/machine_standin.h"
#include "platforms/system/sysfs.h"

void __real_counters_system_host(struct counters_system *system);
void __wrap_counters_system_host(struct counters_system *system);

static int open_no_event(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
    long paranoid = 0;
    (void)context, (void)attr, (void)pid, (void)cpu, (void)group;
    sysfs_read_long(machine_standin_folder(), "/proc/sys/kernel/perf_event_paranoid", &paranoid);
    return paranoid > 2 ? -EACCES : -ENOENT;
}

static void recorded_cpuid(void *context, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
    struct cpuid_dump dump;
    (void)context;
    memset(registers, 0, 4 * sizeof registers[0]);
    const struct cpuid_leaf *found = cpuid_dump_host(&dump) == 0 ? cpuid_dump_leaf(&dump, leaf, subleaf) : NULL;
    if (found)
        memcpy(registers, (const uint32_t[]){found->eax, found->ebx, found->ecx, found->edx}, 4 * sizeof registers[0]);
}

void __wrap_counters_system_host(struct counters_system *system)
{
    static const char *const no_libraries[] = {NULL};
    __real_counters_system_host(system);
    if (!machine_standin_folder())
        return;
    struct cpuid_dump dump;
    system->aarch64 = cpuid_dump_host(&dump) == 0 && strcmp(cpuid_dump_architecture(&dump), "aarch64") == 0;
    system->root = machine_standin_folder();
    system->libraries = no_libraries;
    system->perf_event_open = open_no_event;
    system->cpuid = recorded_cpuid;
}
