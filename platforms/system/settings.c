/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/system/settings.h"

#include <stdio.h>
#include <string.h>

static const char unknown[] = "not visible";

static const char *on_off(int value)
{
    return value < 0 ? unknown : value ? "on" : "off";
}

static struct setting plain(const char *name, const char *value)
{
    struct setting setting = {.name = name};
    snprintf(setting.value, sizeof setting.value, "%s", value[0] ? value : unknown);
    return setting;
}

static struct setting harmful(const char *name, const char *value, const char *harm, const char *remedy)
{
    struct setting setting = plain(name, value);
    setting.harm = harm;
    snprintf(setting.remedy, sizeof setting.remedy, "%s", remedy);
    return setting;
}

static struct setting judge_governor(const struct host_facts *facts)
{
    if (facts->governor[0] == '\0' || strcmp(facts->governor, "performance") == 0)
        return plain("governor", facts->governor);
    return harmful("governor", facts->governor, "the clock follows the load, so it changes during a measurement",
                   "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
}

static struct setting judge_turbo(const struct host_facts *facts)
{
    if (facts->turbo != 1)
        return plain("turbo", on_off(facts->turbo));
    char remedy[128];
    bool inverted = strstr(facts->turbo_control, "no_turbo");
    snprintf(remedy, sizeof remedy, "echo %d | sudo tee %s", inverted, facts->turbo_control);
    return harmful("turbo", "on",
                   "the clock depends on heat and on how many cores work; it is measured, but results spread", remedy);
}

static struct setting judge_smt(const struct host_facts *facts)
{
    if (facts->smt != 1)
        return plain("SMT", on_off(facts->smt));
    return harmful("SMT", "on", "another program on the sibling thread takes half of a core's ports and caches",
                   "echo off | sudo tee /sys/devices/system/cpu/smt/control");
}

static struct setting judge_numa_balancing(const struct host_facts *facts, size_t numa_nodes)
{
    if (facts->numa_balancing != 1 || numa_nodes < 2)
        return plain("NUMA balancing", on_off(facts->numa_balancing));
    return harmful("NUMA balancing", "on", "the kernel unmaps and moves pages while they are read",
                   "sudo sysctl kernel.numa_balancing=0");
}

static struct setting judge_transparent_huge_pages(const struct host_facts *facts)
{
    const char *name = "transparent huge pages";
    if (strcmp(facts->thp_enabled, "never") != 0)
        return plain(name, facts->thp_enabled);
    return harmful(name, "never", "4 KiB pages: memory bandwidth is limited by page walks",
                   "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
}

static struct setting judge_reserved_huge_pages(const struct host_facts *facts)
{
    struct setting setting = plain("reserved huge pages", "");
    if (facts->hugetlb_total == 0)
        snprintf(setting.value, sizeof setting.value, "none");
    else if (facts->hugetlb_total > 0)
        snprintf(setting.value, sizeof setting.value, "%ld free of %ld, %ld KiB each", facts->hugetlb_free,
                 facts->hugetlb_total, facts->hugepage_bytes / 1024);
    return setting;
}

/** Clocks that are read in user space; the others enter the kernel for every reading. */
static struct setting judge_clock_source(const struct host_facts *facts)
{
    static const char *const fast[] = {"", "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"};
    for (size_t i = 0; i < sizeof fast / sizeof fast[0]; i++) {
        if (strcmp(facts->clocksource, fast[i]) == 0)
            return plain("clock source", facts->clocksource);
    }
    if (facts->tsc_given_up)
        return harmful("clock source", facts->clocksource,
                       "every reading of the clock enters the kernel, which rejected the time-stamp counter",
                       "sudo dmesg | grep -i tsc    # says why; where it is wrong, boot with tsc=reliable");
    return harmful("clock source", facts->clocksource, "every reading of the clock enters the kernel",
                   "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource");
}

static struct setting judge_cpu_quota(const struct host_facts *facts)
{
    char value[32];
    if (facts->cpu_quota_cores < 0)
        return plain("CPU quota", "none");
    snprintf(value, sizeof value, "%.2f cores", facts->cpu_quota_cores);
    return harmful("CPU quota", value, "the cgroup stops this process in the middle of a measurement",
                   "start the container with a set of CPUs (--cpuset-cpus=0-3) instead of a quota (--cpus=4)");
}

static struct setting judge_nmi_watchdog(const struct host_facts *facts)
{
    if (facts->nmi_watchdog != 1)
        return plain("NMI watchdog", on_off(facts->nmi_watchdog));
    return harmful("NMI watchdog", "on", "it occupies a hardware counter and interrupts every core",
                   "sudo sysctl kernel.nmi_watchdog=0");
}

size_t settings_judge(const struct host_facts *facts, size_t numa_nodes, struct setting settings[SETTINGS_MOST])
{
    size_t count = 0;
    settings[count++] = judge_governor(facts);
    settings[count++] = judge_turbo(facts);
    settings[count++] = judge_smt(facts);
    settings[count++] = judge_numa_balancing(facts, numa_nodes);
    settings[count++] = judge_transparent_huge_pages(facts);
    settings[count++] = judge_reserved_huge_pages(facts);
    settings[count++] = judge_clock_source(facts);
    settings[count++] = judge_cpu_quota(facts);
    settings[count++] = judge_nmi_watchdog(facts);
    settings[count++] = plain("isolated CPUs", facts->isolated_cpus[0] ? facts->isolated_cpus
                                               : facts->isolated_known ? "none"
                                                                       : unknown);
    return count;
}
