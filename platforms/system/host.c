/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/system/host.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/cpu/emulator.h"
#include "platforms/cpu/isa.h"
#include "platforms/system/cgroup.h"
#include "platforms/system/sysfs.h"

/* ---------------------------------------------------------------- the system */

static void read_kernel(const char *root, struct host_facts *facts)
{
    char release[48], version[72];
    sysfs_read_text(root, "/proc/sys/kernel/hostname", facts->hostname, sizeof facts->hostname);
    sysfs_read_text(root, "/proc/sys/kernel/osrelease", release, sizeof release);
    sysfs_read_text(root, "/proc/sys/kernel/version", version, sizeof version);
    snprintf(facts->kernel, sizeof facts->kernel, "%s%s%s", release, release[0] && version[0] ? " " : "", version);
}

/** Without the quotes around it, of which a name that is cut has no last one. */
static void read_distribution(const char *root, struct host_facts *facts)
{
    char quoted[512];
    if (sysfs_read_field(root, "/etc/os-release", "PRETTY_NAME", quoted, sizeof quoted) != 0)
        sysfs_read_field(root, "/usr/lib/os-release", "PRETTY_NAME", quoted, sizeof quoted);
    size_t length = strlen(quoted);
    bool has_quotes = length >= 2 && (quoted[0] == '"' || quoted[0] == '\'') && quoted[length - 1] == quoted[0];
    if (has_quotes)
        quoted[length - 1] = '\0';
    snprintf(facts->distribution, sizeof facts->distribution, "%.*s", (int)sizeof facts->distribution - 1,
             quoted + has_quotes);
}

static void read_cpu(const char *root, struct host_facts *facts)
{
    if (sysfs_read_field(root, "/proc/cpuinfo", "model name", facts->cpu_model, sizeof facts->cpu_model) != 0)
        sysfs_read_text(root, "/proc/device-tree/model", facts->cpu_model, sizeof facts->cpu_model);
    sysfs_read_field(root, "/proc/cpuinfo", "microcode", facts->microcode, sizeof facts->microcode);
}

/* ---------------------------------------------------------------- hypervisor */

/** Whether a space-separated list has a word. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length) {
        bool begins = at == list || isspace((unsigned char)at[-1]);
        if (begins && (at[length] == '\0' || isspace((unsigned char)at[length])))
            return true;
    }
    return false;
}

static bool is_guest(const char *root)
{
    char flags[8192];
    if (sysfs_read_field(root, "/proc/cpuinfo", "flags", flags, sizeof flags) == 0)
        return has_word(flags, "hypervisor");
    /* Arm has no such flag: believe the products that are only ever virtual. */
    static const char *const products[] = {"QEMU Virtual Machine", "KVM Virtual Machine", "Google Compute Engine",
                                           "Virtual Machine", "VMware Virtual Platform"};
    char product[64];
    sysfs_read_text(root, "/sys/class/dmi/id/product_name", product, sizeof product);
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        if (strcmp(product, products[i]) == 0)
            return true;
    }
    return false;
}

/** The signature that the CPUID of the running machine gives; a moved root has no CPUID. */
static void read_signature(const char *root, char *text, size_t size)
{
    struct cpuid_dump dump;
    struct cpu_identity identity;
    if (root[0] != '\0' || cpuid_dump_host(&dump) != 0)
        return;
    cpu_identity_of(&dump, &identity);
    snprintf(text, size, "%s", identity.hypervisor);
}

static void read_hypervisor(const char *root, struct host_facts *facts)
{
    char vendor[48], product[96], both[sizeof vendor + sizeof product];
    if (!is_guest(root))
        return;
    sysfs_read_text(root, "/sys/class/dmi/id/sys_vendor", vendor, sizeof vendor);
    sysfs_read_text(root, "/sys/class/dmi/id/product_name", product, sizeof product);
    snprintf(both, sizeof both, "%s%s%s", vendor, vendor[0] && product[0] ? " " : "", product);
    if (both[0] == '\0')
        read_signature(root, both, sizeof both);
    if (both[0] == '\0')
        sysfs_read_text(root, "/sys/hypervisor/type", both, sizeof both);
    if (both[0] == '\0')
        strcpy(both, "unnamed hypervisor");
    both[sizeof facts->hypervisor - 1] = '\0';
    strcpy(facts->hypervisor, both);
}

static void read_emulator(const char *root, struct host_facts *facts)
{
    char line[4096];
    sysfs_read_text(root, "/proc/cmdline", line, sizeof line);
    emulator_of_command_line(line, facts->emulator, sizeof facts->emulator);
}

/* ---------------------------------------------------------------- clock and power */

static void read_governor(const char *root, struct host_facts *facts)
{
    char allowed[64], path[96];
    if (sysfs_read_field(root, "/proc/self/status", "Cpus_allowed_list", allowed, sizeof allowed) != 0)
        strcpy(allowed, "0");
    long cpu = strtol(allowed, NULL, 10);
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cpufreq/scaling_governor", cpu);
    sysfs_read_text(root, path, facts->governor, sizeof facts->governor);
}

/** intel_pstate says "no turbo", every other driver "boost". */
static void read_turbo(const char *root, struct host_facts *facts)
{
    static const char no_turbo[] = "/sys/devices/system/cpu/intel_pstate/no_turbo";
    static const char boost[] = "/sys/devices/system/cpu/cpufreq/boost";
    long value;
    facts->turbo = -1;
    if (sysfs_read_long(root, no_turbo, &value) == 0) {
        facts->turbo = value == 0;
        strcpy(facts->turbo_control, no_turbo);
    } else if (sysfs_read_long(root, boost, &value) == 0) {
        facts->turbo = value != 0;
        strcpy(facts->turbo_control, boost);
    }
}

/** A setting that is 0 or more; -1 unknown. */
static int read_switch(const char *root, const char *path)
{
    long value;
    return sysfs_read_long(root, path, &value) == 0 && value >= 0 ? value != 0 : -1;
}

static int read_paranoid(const char *root)
{
    long value;
    bool known = sysfs_read_long(root, "/proc/sys/kernel/perf_event_paranoid", &value) == 0;
    return known && value >= -1 && value <= INT_MAX ? (int)value : -9;
}

/* ---------------------------------------------------------------- memory */

/** The chosen word of "always [madvise] never". */
static void read_thp(const char *root, struct host_facts *facts)
{
    char text[96];
    sysfs_read_text(root, "/sys/kernel/mm/transparent_hugepage/enabled", text, sizeof text);
    char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
    if (close) {
        *close = '\0';
        snprintf(facts->thp_enabled, sizeof facts->thp_enabled, "%.*s", (int)sizeof facts->thp_enabled - 1, open + 1);
    }
}

static long read_count(const char *root, const char *key)
{
    uint64_t value;
    return sysfs_read_field_u64(root, "/proc/meminfo", key, &value) == 0 && value <= LONG_MAX ? (long)value : -1;
}

/** A "kB" line of meminfo in bytes, 0 if unknown. */
static uint64_t read_kib(const char *root, const char *key)
{
    uint64_t kib;
    bool known = sysfs_read_field_u64(root, "/proc/meminfo", key, &kib) == 0 && kib <= UINT64_MAX / 1024;
    return known ? kib * 1024 : 0;
}

static void read_memory(const char *root, struct host_facts *facts)
{
    uint64_t limit = cgroup_memory_limit(root), hugepage = read_kib(root, "Hugepagesize");
    facts->memory_total_bytes = read_kib(root, "MemTotal");
    facts->memory_limit_bytes = limit == UINT64_MAX ? 0 : limit;
    facts->hugetlb_total = read_count(root, "HugePages_Total");
    facts->hugetlb_free = read_count(root, "HugePages_Free");
    facts->hugepage_bytes = hugepage > 0 && hugepage <= LONG_MAX ? (long)hugepage : -1;
    facts->numa_balancing = read_switch(root, "/proc/sys/kernel/numa_balancing");
    read_thp(root, facts);
}

uint64_t host_memory_available(const char *root)
{
    uint64_t kib, granted = cgroup_memory_available(root);
    bool known = sysfs_read_field_u64(root, "/proc/meminfo", "MemAvailable", &kib) == 0 && kib <= UINT64_MAX / 1024;
    return known && kib * 1024 < granted ? kib * 1024 : granted;
}

/* ---------------------------------------------------------------- all of it */

/** What the kernel found unstable is no longer listed, and cannot be chosen. */
static void read_clocksource(const char *root, struct host_facts *facts)
{
    char available[96];
    sysfs_read_text(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource", facts->clocksource,
                    sizeof facts->clocksource);
    facts->tsc_given_up = sysfs_read_text(root, "/sys/devices/system/clocksource/clocksource0/available_clocksource",
                                          available, sizeof available) == 0 &&
                          !has_word(available, "tsc");
}

void host_facts_read(const char *root, struct host_facts *facts)
{
    memset(facts, 0, sizeof *facts);
    read_kernel(root, facts);
    read_distribution(root, facts);
    read_cpu(root, facts);
    read_hypervisor(root, facts);
    read_emulator(root, facts);
    read_governor(root, facts);
    read_memory(root, facts);
    read_turbo(root, facts);
    facts->smt = read_switch(root, "/sys/devices/system/cpu/smt/active");
    facts->nmi_watchdog = read_switch(root, "/proc/sys/kernel/nmi_watchdog");
    facts->perf_event_paranoid = read_paranoid(root);
    facts->cpu_quota_cores = cgroup_cpu_quota_cores(root);
    int unread =
        sysfs_read_text(root, "/sys/devices/system/cpu/isolated", facts->isolated_cpus, sizeof facts->isolated_cpus);
    facts->isolated_known = unread == 0;
    read_clocksource(root, facts);
}

/** Steal is the eighth number of the line "cpu  user nice system idle iowait irq softirq steal …". */
static int read_steal(const char *root, uint64_t *ticks)
{
    char text[256];
    int error = sysfs_read_field(root, "/proc/stat", "cpu", text, sizeof text);
    if (error != 0)
        return error;
    unsigned long long steal;
    if (sscanf(text, "%*u %*u %*u %*u %*u %*u %*u %llu", &steal) != 1)
        return -EINVAL;
    *ticks = steal;
    return 0;
}

int host_cpu_time_read(const char *root, unsigned cpu, struct host_cpu_time *time)
{
    char key[16], text[256];
    unsigned long long user, nice, system, idle, waiting, irq, softirq;
    *time = (struct host_cpu_time){0};
    if (cpu == HOST_ALL_CPUS)
        snprintf(key, sizeof key, "cpu");
    else
        snprintf(key, sizeof key, "cpu%u", cpu);
    int error = sysfs_read_field(root, "/proc/stat", key, text, sizeof text);
    if (error != 0)
        return error;
    if (sscanf(text, "%llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &waiting, &irq, &softirq) != 7)
        return -EINVAL;
    *time = (struct host_cpu_time){.worked = user + nice + system + irq + softirq, .idle = idle + waiting};
    return 0;
}

int host_disturbance_read(const char *root, struct host_disturbance *counts)
{
    struct host_disturbance read = {0};
    *counts = read;
    int error = read_steal(root, &read.steal_ticks);
    if (error == 0)
        error = sysfs_read_field_u64(root, "/proc/stat", "intr", &read.interrupts);
    if (error == 0)
        error = sysfs_read_field_u64(root, "/proc/stat", "ctxt", &read.context_switches);
    if (error == 0)
        *counts = read;
    return error;
}
