/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/perf_counter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The events of a core, by quantity: the kernel's generic one and the names under which PMUs publish their own. */
struct core_event {
    bool generic;
    uint64_t hardware;      /* PERF_COUNT_HW_… */
    const char *aliases[3]; /* below events/ of the PMU */
};

static const struct core_event core_events[COUNTER_QUANTITIES] = {
    [COUNTER_CORE_CYCLES] = {true, PERF_COUNT_HW_CPU_CYCLES, {"cpu-cycles", "cpu_cycles"}},
    [COUNTER_REFERENCE_CYCLES] = {true, PERF_COUNT_HW_REF_CPU_CYCLES, {"ref-cycles"}},
    [COUNTER_INSTRUCTIONS] = {true, PERF_COUNT_HW_INSTRUCTIONS, {"instructions", "inst_retired"}},
    [COUNTER_LLC_MISSES] = {true, PERF_COUNT_HW_CACHE_MISSES, {"ll_cache_miss_rd"}},
};

/* The generic cache-misses event is the last level on Intel only: it counts L2 misses on AMD and L1 refills on Arm. */
static bool generic_event_is_true(const struct counters_system *system, const struct perf_facts *facts,
                                  enum counter_quantity quantity)
{
    if (quantity != COUNTER_LLC_MISSES)
        return core_events[quantity].generic;
    return !system->aarch64 && strcmp(facts->vendor, "GenuineIntel") == 0;
}

int perf_counter_open(const struct counters_system *system, struct perf_event_attr attr, pid_t pid, int cpu,
                      struct perf_counter *counter)
{
    attr.size = sizeof attr;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    int fd = system->perf_event_open(system->context, &attr, pid, cpu, -1);
    if (fd < 0)
        return fd;
    *counter = (struct perf_counter){.quantity = counter->quantity, .fd = fd, .scale = 1};
    if (pid < 0) /* an event of a CPU cannot be read by rdpmc */
        return 0;
    size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    struct perf_event_mmap_page *page = system->map(system->context, fd, bytes);
    if (page && perf_page_is_readable(page))
        counter->page = page;
    else if (page)
        system->unmap(system->context, page, bytes);
    return 0;
}

void perf_counter_close(const struct counters_system *system, struct perf_counter *counter)
{
    if (counter->page)
        system->unmap(system->context, counter->page, (size_t)sysconf(_SC_PAGESIZE));
    if (counter->fd >= 0)
        system->close(system->context, counter->fd);
    counter->page = NULL;
    counter->fd = -1;
}

/*
 * On aarch64 user access is asked for event by event in config1: bit 1 asks for it, bit 0 for a 64-bit counter. Kernels
 * before 5.17 know neither, and a PMU without long events refuses the second, hence the ladder. Where
 * kernel.perf_user_access is not 1 the kernel opens such an event all the same and never shows its counter: it is not asked for.
 */
static int open_with_user_access(const struct counters_system *system, const struct perf_facts *facts,
                                 struct perf_event_attr attr, struct perf_counter *counter)
{
    static const uint64_t access[] = {3, 2, 0};
    int status = -EINVAL;
    if (!system->aarch64 || !facts->user_access)
        return perf_counter_open(system, attr, 0, -1, counter);
    for (size_t step = 0; step < sizeof access / sizeof access[0] && status; step++) {
        attr.config1 = access[step];
        status = perf_counter_open(system, attr, 0, -1, counter);
        if (status == -EACCES || status == -EPERM)
            break;
    }
    return status;
}

int perf_counter_open_core(const struct counters_system *system, const struct perf_facts *facts,
                           enum counter_quantity quantity, struct perf_counter *counter)
{
    const struct core_event *event = &core_events[quantity];
    int status = -ENOENT;
    counter->quantity = quantity;
    if (generic_event_is_true(system, facts, quantity)) {
        struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE, .exclude_kernel = 1, .exclude_hv = 1};
        attr.config = event->hardware;
        if (facts->core_pmus > 1)
            attr.config |= (uint64_t)facts->pmu.type << PERF_PMU_TYPE_SHIFT;
        status = open_with_user_access(system, facts, attr, counter);
    }
    for (size_t a = 0; facts->has_pmu && status && status != -EACCES && status != -EPERM && event->aliases[a]; a++) {
        struct pmu_event own;
        if (pmu_event_read(system->root, &facts->pmu, event->aliases[a], &own) != 0)
            continue;
        struct perf_event_attr attr = {.type = facts->pmu.type, .exclude_kernel = 1, .exclude_hv = 1};
        attr.config = own.config;
        attr.config1 = own.config1;
        status = open_with_user_access(system, facts, attr, counter);
    }
    return status;
}

/* Where the kernels of various platforms publish a quantity of the whole machine. */
struct machine_event {
    enum counter_quantity quantity;
    const char *pmu, *event;
};

/*
 * Servers publish both cas_count and, on Ice Lake, free-running copies of it: the first row that exists counts alone.
 */
static const struct machine_event machine_events[] = {
    {COUNTER_DRAM_READ_BYTES, "uncore_imc", "cas_count_read"},
    {COUNTER_DRAM_READ_BYTES, "uncore_imc", "data_reads"},
    {COUNTER_DRAM_READ_BYTES, "uncore_imc_free_running", "data_read"},
    {COUNTER_DRAM_READ_BYTES, "uncore_imc_free_running", "read"},
    {COUNTER_DRAM_WRITE_BYTES, "uncore_imc", "cas_count_write"},
    {COUNTER_DRAM_WRITE_BYTES, "uncore_imc", "data_writes"},
    {COUNTER_DRAM_WRITE_BYTES, "uncore_imc_free_running", "data_write"},
    {COUNTER_DRAM_WRITE_BYTES, "uncore_imc_free_running", "write"},
    {COUNTER_PACKAGE_ENERGY_J, "power", "energy-pkg"},
};

/* Factor from the event's unit to bytes or joules; 0 if it is neither. */
static double unit_factor(const char *unit)
{
    if (strcmp(unit, "MiB") == 0)
        return 1048576.0;
    if (strcmp(unit, "Bytes") == 0 || strcmp(unit, "Joules") == 0)
        return 1.0;
    return 0;
}

enum { MACHINE_PMUS = 64, MACHINE_CPUS = 64 };

/* Open one event of one PMU on each CPU of its mask. */
static int open_on_mask(const struct counters_system *system, const struct pmu *pmu, const struct pmu_event *event,
                        struct perf_counter *counters, size_t capacity)
{
    unsigned cpus[MACHINE_CPUS];
    int mask = pmu_cpumask(system->root, pmu, cpus, MACHINE_CPUS);
    struct perf_event_attr attr = {.type = pmu->type};
    attr.config = event->config;
    attr.config1 = event->config1;
    attr.config2 = event->config2;
    for (int c = 0; c < mask; c++) {
        int status = -ENOSPC;
        if ((size_t)c < capacity)
            status = perf_counter_open(system, attr, -1, (int)cpus[c], &counters[c]);
        if (status) {
            while (c-- > 0)
                perf_counter_close(system, &counters[c]);
            return status;
        }
        counters[c].scale = event->scale * unit_factor(event->unit);
    }
    return mask == 0 ? -ENOENT : mask;
}

static int open_machine_event(const struct counters_system *system, const struct machine_event *row,
                              struct perf_counter *counters, size_t capacity)
{
    struct pmu pmus[MACHINE_PMUS];
    size_t found = pmu_find(system->root, row->pmu, pmus, MACHINE_PMUS), opened = 0;
    int status = -ENOENT;
    for (size_t p = 0; p < found; p++) {
        struct pmu_event event;
        status = pmu_event_read(system->root, &pmus[p], row->event, &event);
        if (status == -ENOENT && opened == 0)
            continue;
        if (status == 0 && unit_factor(event.unit) == 0)
            status = -EINVAL;
        if (status == 0)
            status = open_on_mask(system, &pmus[p], &event, counters + opened, capacity - opened);
        if (status < 0)
            break;
        for (int c = 0; c < status; c++)
            counters[opened++].quantity = row->quantity;
    }
    if (status >= 0 && opened > 0)
        return (int)opened;
    while (opened > 0) /* part of the channels would be a wrong sum */
        perf_counter_close(system, &counters[--opened]);
    return status < 0 ? status : -ENOENT;
}

int perf_counter_open_machine(const struct counters_system *system, enum counter_quantity quantity,
                              struct perf_counter *counters, size_t capacity)
{
    for (size_t r = 0; r < sizeof machine_events / sizeof machine_events[0]; r++) {
        if (machine_events[r].quantity != quantity)
            continue;
        int status = open_machine_event(system, &machine_events[r], counters, capacity);
        if (status != -ENOENT)
            return status;
    }
    return -ENOENT;
}

void perf_counter_read_slow(const struct counters_system *system, int fd, struct perf_reading *reading)
{
    uint64_t words[3];
    ssize_t got = system->read(system->context, fd, words, sizeof words);
    *reading = (struct perf_reading){.state = PERF_READ_FAILED};
    if (got == (ssize_t)sizeof words)
        *reading = (struct perf_reading){words[0], words[1], words[2], PERF_COUNTED};
}

static const char *state_text(enum perf_state state)
{
    switch (state) {
    case PERF_NOT_COUNTING:
        return "the event was not on the PMU (multiplexed, or the thread was on a core of another kind)";
    case PERF_NO_ACCESS: return "rdpmc was disabled while the event was open";
    case PERF_UNSTABLE: return "the kernel kept changing the event's page";
    case PERF_READ_FAILED: return "reading the event failed";
    case PERF_COUNTED: break;
    }
    return "";
}

bool perf_difference(const struct perf_reading *begin, const struct perf_reading *end, double *count, char *why,
                     size_t size)
{
    enum perf_state state = begin->state != PERF_COUNTED ? begin->state : end->state;
    uint64_t enabled_ns = end->enabled_ns - begin->enabled_ns, running_ns = end->running_ns - begin->running_ns;
    if (state != PERF_COUNTED) {
        snprintf(why, size, "%s", state_text(state));
        return false;
    }
    if (enabled_ns != running_ns) {
        snprintf(why, size, "the event was multiplexed: it counted %.1f%% of the time",
                 100.0 * (double)running_ns / (double)enabled_ns);
        return false;
    }
    *count = (double)(int64_t)(end->count - begin->count);
    return true;
}
