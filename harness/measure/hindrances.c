/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/hindrances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "platforms/cpu/emulator.h"

static const char look_command[] = "ps -eo pcpu,pid,comm --sort=-pcpu | head    # then stop what is busy, or wait for "
                                   "it";

const char *hindrance_cost_name(enum hindrance_cost cost)
{
    return cost == HINDRANCE_WRONG ? "wrong" : cost == HINDRANCE_SPREAD ? "spread" : "missing";
}

struct list {
    struct hindrance *at;
    size_t count;
};

static struct hindrance *add(struct list *list, const char *name, enum hindrance_cost cost)
{
    struct hindrance *hindrance = &list->at[list->count++];
    *hindrance = (struct hindrance){.name = name, .cost = cost};
    return hindrance;
}

/* ---- others at work ---- */

static bool is_lost(const struct noise *noise)
{
    return noise && noise->gaps.duration_ns &&
           (double)noise->gaps.lost_ns >= HINDRANCE_LOST_SHARE * (double)noise->gaps.duration_ns;
}

/** Who else has the CPU: the kernel of the host, or a program here. */
static void judge_lost(const struct hindrance_readings *readings, struct list *list)
{
    if (!is_lost(readings->noise))
        return;
    const struct gap_scan *gaps = &readings->noise->gaps;
    bool stolen = readings->noise->during_known && readings->noise->during.steal_ticks > 0;
    struct hindrance *hindrance = add(list, stolen ? "stolen CPU" : "noise", HINDRANCE_WRONG);
    snprintf(hindrance->value, sizeof hindrance->value,
             "a busy loop lost its CPU for %.1f%% of %.0f ms, up to %.1f ms at a time",
             100 * (double)gaps->lost_ns / (double)gaps->duration_ns, 1e-6 * (double)gaps->duration_ns,
             1e-6 * (double)gaps->longest_ns);
    snprintf(hindrance->harm, sizeof hindrance->harm,
             "interrupted samples are rejected, and replacing them takes long");
    if (stolen)
        snprintf(hindrance->remedy, sizeof hindrance->remedy,
                 "ask the host for CPUs of your own: the hypervisor gave this one to others (%llu ticks)",
                 (unsigned long long)readings->noise->during.steal_ticks);
    else
        snprintf(hindrance->remedy, sizeof hindrance->remedy, "%s", look_command);
}

static bool is_busy(const struct hindrance_cpus *cpus, size_t i)
{
    return cpus->busy[i] >= HINDRANCE_BUSY_SHARE; /* not of NAN */
}

/** "CPU 1 98%, 3 12%, ..." of those that are marked. */
static void name_busy(const struct hindrance_cpus *cpus, bool siblings, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < cpus->count && used + 16 < size; i++) {
        if (is_busy(cpus, i) && cpus->measures[i] != siblings)
            used += (size_t)snprintf(text + used, size - used, "%s%u %.0f%%", used ? ", " : "CPU ", cpus->cpu[i],
                                     100 * cpus->busy[i]);
    }
}

/** @param lost  the CPU that the noise is of has others on it */
static bool core_is_quiet(const struct hindrance_cpus *cpus, unsigned core, bool lost)
{
    for (size_t i = 0; i < cpus->count; i++) {
        if (cpus->core[i] == core && (is_busy(cpus, i) || (lost && isnan(cpus->busy[i]))))
            return false;
    }
    return true;
}

/** "--cpus=0,2" of cores none of whose threads works, or how to see who does. */
static void choose_quiet(const struct hindrance_cpus *cpus, bool lost, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < cpus->count && used + 16 < size; i++) {
        if (cpus->measures[i] && core_is_quiet(cpus, cpus->core[i], lost))
            used += (size_t)snprintf(text + used, size - used, "%s%u", used ? "," : "--cpus=", cpus->cpu[i]);
    }
    if (!used)
        snprintf(text, size, "%s", look_command);
    else
        snprintf(text + used, size - used,
                 "    # to each command that measures; or: ps -eo pcpu,pid,comm --sort=-pcpu | head");
}

static void judge_cpus(const struct hindrance_cpus *cpus, bool lost, struct list *list)
{
    bool siblings = false, others = false;
    for (size_t i = 0; i < cpus->count; i++) {
        siblings = siblings || (is_busy(cpus, i) && !cpus->measures[i]);
        others = others || (is_busy(cpus, i) && cpus->measures[i]);
    }
    if (siblings) {
        struct hindrance *hindrance = add(list, "busy sibling", HINDRANCE_WRONG);
        name_busy(cpus, true, hindrance->value, sizeof hindrance->value);
        snprintf(hindrance->harm, sizeof hindrance->harm,
                 "a program on the other hardware thread takes half of a core's ports and caches");
        choose_quiet(cpus, lost, hindrance->remedy, sizeof hindrance->remedy);
    }
    if (others) {
        struct hindrance *hindrance = add(list, "busy cores", HINDRANCE_WRONG);
        name_busy(cpus, false, hindrance->value, sizeof hindrance->value);
        snprintf(
            hindrance->harm, sizeof hindrance->harm,
            "these programs share memory bandwidth and the last-level cache, and a team of all cores waits for its "
            "slowest member");
        choose_quiet(cpus, lost, hindrance->remedy, sizeof hindrance->remedy);
    }
}

/* ---- settings ---- */

/** The cost of harmful settings, in the order in which they are reported; all others spread numbers. */
static const struct {
    const char *name;
    enum hindrance_cost cost;
} setting_costs[] = {
    {"CPU quota", HINDRANCE_WRONG}, {"transparent huge pages", HINDRANCE_WRONG}, {"clock source", HINDRANCE_WRONG},
    {"governor", HINDRANCE_SPREAD}, {"NUMA balancing", HINDRANCE_SPREAD},        {"turbo", HINDRANCE_SPREAD},
    {"SMT", HINDRANCE_SPREAD},      {"NMI watchdog", HINDRANCE_SPREAD},
};

enum { SETTING_COSTS = sizeof setting_costs / sizeof *setting_costs };

static size_t order_of(const char *name)
{
    size_t i = 0;
    while (i < SETTING_COSTS && strcmp(setting_costs[i].name, name) != 0)
        i++;
    return i;
}

static void judge_settings(const struct hindrance_readings *readings, struct list *list)
{
    struct setting settings[SETTINGS_MOST];
    size_t count = settings_judge(readings->host, readings->numa_nodes, settings);
    for (size_t order = 0; order <= SETTING_COSTS; order++) {
        for (size_t i = 0; i < count; i++) {
            if (!settings[i].harm || order_of(settings[i].name) != order)
                continue;
            struct hindrance *hindrance =
                add(list, settings[i].name, order < SETTING_COSTS ? setting_costs[order].cost : HINDRANCE_SPREAD);
            snprintf(hindrance->value, sizeof hindrance->value, "%s", settings[i].value);
            snprintf(hindrance->harm, sizeof hindrance->harm, "%s", settings[i].harm);
            snprintf(hindrance->remedy, sizeof hindrance->remedy, "%s", settings[i].remedy);
        }
    }
}

/* ---- what the machine does not have, or does not give ---- */

/** @return whether there is one, of which a virtual machine is no other hindrance */
static bool judge_emulator(const char *emulator, struct list *list)
{
    if (!emulator || !emulator[0])
        return false;
    struct hindrance *hindrance = add(list, "emulator", HINDRANCE_WRONG);
    snprintf(hindrance->value, sizeof hindrance->value, "%s", emulator);
    snprintf(hindrance->harm, sizeof hindrance->harm, EMULATOR_MEANS);
    snprintf(hindrance->remedy, sizeof hindrance->remedy, "measure on real hardware");
    return true;
}

static void judge_hypervisor(const struct host_facts *host, struct list *list)
{
    if (!host->hypervisor[0])
        return;
    struct hindrance *hindrance = add(list, "virtual machine", HINDRANCE_SPREAD);
    snprintf(hindrance->value, sizeof hindrance->value, "%s", hypervisor_name(host->hypervisor));
    snprintf(hindrance->harm, sizeof hindrance->harm,
             "the host may run other guests on these cores and caches and sets the clock, none of which is visible "
             "here");
    snprintf(hindrance->remedy, sizeof hindrance->remedy,
             "measure on bare metal, or on a host that gives the machine whole cores of its own");
}

static void judge_counters(const struct hindrance_readings *readings, struct list *list)
{
    if (!readings->lack)
        return;
    struct hindrance *hindrance = add(list, "no counters", HINDRANCE_MISSING);
    snprintf(hindrance->value, sizeof hindrance->value, "%s", readings->lack->cause);
    snprintf(hindrance->harm, sizeof hindrance->harm,
             "core cycles come from a chain of instructions timed beside each sample (grade chain); instructions and "
             "misses are not counted");
    snprintf(hindrance->remedy, sizeof hindrance->remedy, "%s",
             readings->lack->remedy[0] ? readings->lack->remedy : "measure on a machine whose CPU has counters");
}

/** From 3 on Debian's kernels let no unprivileged program count; at 2 and below a program may count itself in user mode. */
static void judge_paranoid(const struct hindrance_readings *readings, struct list *list)
{
    int paranoid = readings->host->perf_event_paranoid;
    if (paranoid <= 2 || (readings->lack && strstr(readings->lack->cause, "perf_event_paranoid")))
        return;
    struct hindrance *hindrance = add(list, "perf_event_paranoid", HINDRANCE_MISSING);
    snprintf(hindrance->value, sizeof hindrance->value, "%d", paranoid);
    snprintf(hindrance->harm, sizeof hindrance->harm, "without privileges nothing is counted");
    snprintf(hindrance->remedy, sizeof hindrance->remedy, "sudo sysctl kernel.perf_event_paranoid=2");
}

/** Few, and those of one cost stay as they were found. */
static void sort_by_cost(struct list *list)
{
    for (size_t i = 1; i < list->count; i++) {
        struct hindrance one = list->at[i];
        size_t at = i;
        for (; at && list->at[at - 1].cost > one.cost; at--)
            list->at[at] = list->at[at - 1];
        list->at[at] = one;
    }
}

size_t hindrances_judge(const struct hindrance_readings *readings, struct hindrance hindrances[HINDRANCES_MOST])
{
    struct list list = {.at = hindrances};
    bool emulated = judge_emulator(readings->emulator, &list);
    if (readings->cpus)
        judge_cpus(readings->cpus, is_lost(readings->noise), &list);
    judge_lost(readings, &list);
    judge_settings(readings, &list);
    if (!emulated)
        judge_hypervisor(readings->host, &list);
    judge_counters(readings, &list);
    judge_paranoid(readings, &list);
    sort_by_cost(&list);
    return list.count;
}
