/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platforms/counters/backend.h"
#include "platforms/counters/likwid_marker.h"
#include "platforms/counters/perf_facts.h"
#include "platforms/counters/pmu.h"
#include "platforms/counters/reason.h"
#include "platforms/counters/system.h"
#include "platforms/process/child.h"
#include "platforms/process/library.h"
#include "platforms/system/sysfs.h"

/**
 * likwid 5 programs the counters of CPUs, not of threads: whatever runs on the pinned thread's CPU is counted. It knows
 * the memory controllers of many CPUs, which is what it is for here. It can crash or exit on a CPU that it does not
 * know, so it is loaded into this process only after it worked in a child.
 */

#if __has_include(<likwid.h>) && !defined(WITHOUT_LIKWID)
#define HAS_LIKWID
#include <likwid.h>

// clang-format off
#define LIKWID_FUNCTIONS(X) \
    X(topology_init) X(numa_init) X(HPMmode) X(perfmon_init) X(perfmon_getGroups) X(perfmon_returnGroups) \
    X(perfmon_addEventSet) X(perfmon_setupCounters) X(perfmon_startCounters) X(perfmon_stopCounters) \
    X(perfmon_getNumberOfEvents) X(perfmon_getEventName) X(perfmon_getLastResult) X(perfmon_getNumberOfMetrics) \
    X(perfmon_getMetricName) X(perfmon_getLastMetric) X(perfmon_finalize)
// clang-format on
struct likwid_functions {
    LIKWID_FUNCTIONS(LIBRARY_FUNCTION)
};
#define LIKWID_SYMBOL(function) LIBRARY_SYMBOL(likwid_functions, function)
static const struct library_symbol likwid_symbols[] = {LIKWID_FUNCTIONS(LIKWID_SYMBOL)};

/* Groups to count with, the fullest first: memory and energy, memory, energy. Vendors name their events differently. */
static const char *const likwid_groups[] = {"MEM_DP", "MEM_SP", "MEM", "CLOCK"};

struct likwid_name {
    enum counter_quantity quantity;
    const char *name;
    double scale;
};

static const struct likwid_name event_names[] = {
    {COUNTER_CORE_CYCLES, "CPU_CLK_UNHALTED_CORE", 1},
    {COUNTER_CORE_CYCLES, "ACTUAL_CPU_CLOCK", 1},
    {COUNTER_CORE_CYCLES, "CPU_CYCLES", 1},
    {COUNTER_REFERENCE_CYCLES, "CPU_CLK_UNHALTED_REF", 1},
    {COUNTER_REFERENCE_CYCLES, "MAX_CPU_CLOCK", 1},
    {COUNTER_INSTRUCTIONS, "INSTR_RETIRED_ANY", 1},
    {COUNTER_INSTRUCTIONS, "RETIRED_INSTRUCTIONS", 1},
    {COUNTER_INSTRUCTIONS, "INST_RETIRED", 1},
};

/* AMD's groups do not tell reads from writes, hence no row for them. */
static const struct likwid_name metric_names[] = {
    {COUNTER_DRAM_READ_BYTES, "Memory read data volume [GBytes]", 1e9},
    {COUNTER_DRAM_WRITE_BYTES, "Memory write data volume [GBytes]", 1e9},
    {COUNTER_PACKAGE_ENERGY_J, "Energy [J]", 1},
};

enum { LIKWID_CPUS = 16, LIKWID_GROUP = 32 };

struct counters_session {
    struct likwid_functions likwid;
    counter_set asked, counted;
    int group;
    int threads;                   /* CPUs counted: the thread's own first, then one of each other package */
    int index[COUNTER_QUANTITIES]; /* event or metric of the group */
    double scale[COUNTER_QUANTITIES];
    int status; /* of start or stop */
};

/* The library has one set of counted CPUs per process. */
static atomic_flag in_use = ATOMIC_FLAG_INIT;

static int package_of(const struct counters_system *system, unsigned cpu)
{
    char path[128], line[32], *end;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
    if (sysfs_read_text(system->root, path, line, sizeof line) != 0)
        return -1;
    long package = strtol(line, &end, 10);
    return end == line ? -1 : (int)package;
}

/* The thread's CPU and one CPU of every other package: each package counts its own memory controllers and energy. */
static int choose_cpus(const struct counters_system *system, unsigned cpu, int cpus[LIKWID_CPUS])
{
    char list[4096];
    enum { ONLINE_MOST = 8192 }; /* that Linux can be built for */
    unsigned online[ONLINE_MOST];
    int packages[LIKWID_CPUS] = {package_of(system, cpu)}, count = 1;
    cpus[0] = (int)cpu;
    if (sysfs_read_text(system->root, "/sys/devices/system/cpu/online", list, sizeof list) != 0)
        return 1;
    int found = cpu_list_parse(list, online, ONLINE_MOST);
    for (int c = 0; c < found && c < ONLINE_MOST && count < LIKWID_CPUS; c++) {
        int package = package_of(system, online[c]);
        bool seen = package < 0;
        for (int p = 0; p < count; p++)
            seen |= packages[p] == package;
        if (seen)
            continue;
        packages[count] = package;
        cpus[count++] = (int)online[c];
    }
    return count;
}

/* First of our groups that likwid has for this CPU. */
static bool choose_group(const struct likwid_functions *likwid, char group[LIKWID_GROUP])
{
    char **names, **shorts, **longs;
    int count = likwid->perfmon_getGroups(&names, &shorts, &longs);
    group[0] = '\0';
    for (size_t wanted = 0; wanted < sizeof likwid_groups / sizeof likwid_groups[0] && !group[0]; wanted++)
        for (int g = 0; g < count; g++)
            if (strcmp(names[g], likwid_groups[wanted]) == 0)
                snprintf(group, LIKWID_GROUP, "%s", likwid_groups[wanted]);
    if (count > 0)
        likwid->perfmon_returnGroups(count, names, shorts, longs);
    return group[0] != '\0';
}

static void find_names(struct counters_session *session, const struct likwid_name *names, size_t rows, int count,
                       char *(*name_of)(int group, int index))
{
    for (int i = 0; i < count; i++) {
        const char *name = name_of(session->group, i);
        for (size_t r = 0; name && r < rows; r++) {
            if (strcmp(name, names[r].name) != 0 || session->counted & COUNTER_SET(names[r].quantity))
                continue;
            session->counted |= COUNTER_SET(names[r].quantity);
            session->index[names[r].quantity] = i;
            session->scale[names[r].quantity] = names[r].scale;
        }
    }
}

/* Each step that can fail, in order; the first that does names itself. */
static int set_up(const struct counters_system *system, unsigned cpu, struct counters_session *session, char *why,
                  size_t size)
{
    const struct likwid_functions *likwid = &session->likwid;
    char group[LIKWID_GROUP];
    int cpus[LIKWID_CPUS];
    if (likwid->topology_init() != 0 || likwid->numa_init() != 0) {
        snprintf(why, size, "likwid cannot read the topology");
        return -ENOTSUP;
    }
    if (!choose_group(likwid, group)) {
        snprintf(why, size, "likwid does not know this CPU: it has no event groups for it");
        return -ENODEV;
    }
    likwid->HPMmode(geteuid() == 0 ? ACCESSMODE_DIRECT : ACCESSMODE_DAEMON);
    session->threads = choose_cpus(system, cpu, cpus);
    if (likwid->perfmon_init(session->threads, cpus) != 0) {
        snprintf(why, size, "likwid cannot reach the performance counters");
        return -EACCES;
    }
    session->group = likwid->perfmon_addEventSet(group);
    if (session->group < 0 || likwid->perfmon_setupCounters(session->group) != 0) {
        snprintf(why, size, "likwid cannot program its group %s on this CPU", group);
        likwid->perfmon_finalize();
        return -ENODEV;
    }
    find_names(session, event_names, sizeof event_names / sizeof event_names[0],
               likwid->perfmon_getNumberOfEvents(session->group), likwid->perfmon_getEventName);
    find_names(session, metric_names, sizeof metric_names / sizeof metric_names[0],
               likwid->perfmon_getNumberOfMetrics(session->group), likwid->perfmon_getMetricName);
    return 0;
}

static int likwid_open(const struct counters_system *system, const struct counters_request *request,
                       struct counters_session **out, char *why, size_t size)
{
    if (!request->system_calls) {
        snprintf(why, size, "likwid reads with system calls, which are not made around this sample");
        return -ENOTSUP;
    }
    if (atomic_flag_test_and_set(&in_use)) {
        snprintf(why, size, "likwid counts for one thread of a process only, and another has it open");
        return -EBUSY;
    }
    struct counters_session *session = calloc(1, sizeof *session);
    int status = -ENOMEM;
    snprintf(why, size, "likwid: no memory");
    if (session)
        status = library_open(system->libraries ? system->libraries : likwid_libraries, likwid_symbols,
                              sizeof likwid_symbols / sizeof likwid_symbols[0], &session->likwid, why, size);
    if (status == 0)
        status = set_up(system, request->cpu, session, why, size);
    if (status) {
        free(session);
        atomic_flag_clear(&in_use);
        return status;
    }
    session->asked = request->quantities;
    *out = session;
    return 0;
}

/* Starting sets the counters to 0, so that the last result is the difference. */
static void likwid_begin(struct counters_session *session)
{
    session->status = session->likwid.perfmon_startCounters();
}

static void likwid_end(struct counters_session *session)
{
    int status = session->likwid.perfmon_stopCounters();
    session->status = session->status ? session->status : status;
}

static double read_quantity(const struct counters_session *session, enum counter_quantity quantity)
{
    const struct likwid_functions *likwid = &session->likwid;
    int index = session->index[quantity];
    if (COUNTER_SET_THREAD & COUNTER_SET(quantity))
        return likwid->perfmon_getLastResult(session->group, index, 0) * session->scale[quantity];
    double sum = 0;
    for (int thread = 0; thread < session->threads; thread++)
        sum += likwid->perfmon_getLastMetric(session->group, index, thread) * session->scale[quantity];
    return sum;
}

static void likwid_result(struct counters_session *session, struct counters_sample *sample)
{
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        struct counter_value *value = &sample->of[q];
        if (!(session->asked & COUNTER_SET(q)))
            continue;
        double read = NAN;
        if (session->counted & COUNTER_SET(q) && session->status == 0)
            read = read_quantity(session, (enum counter_quantity)q);
        if (!(session->counted & COUNTER_SET(q)))
            value_unavailable(value, "no likwid group of this CPU counts %s",
                              counter_quantity_name((enum counter_quantity)q));
        else if (!isfinite(read))
            value_unavailable(value, "likwid failed to read its counters (status %d)", session->status);
        else if (read == 0 && COUNTER_SET_MACHINE & COUNTER_SET(q))
            value_unavailable(value, "likwid counted nothing: another program may use its counters");
        else
            *value = (struct counter_value){.grade = COUNTER_MEASURED, .value = read};
    }
}

static void likwid_close(struct counters_session *session)
{
    session->likwid.perfmon_finalize();
    free(session);
    atomic_flag_clear(&in_use);
}

/* ---- probe */

struct likwid_trial {
    const struct counters_system *system;
    struct counters_request request;
};

struct likwid_report {
    int status;
    char why[COUNTERS_TEXT];
    struct counters_sample sample;
};

/* In a child process: count two milliseconds of work. */
static void try_likwid(void *argument, void *out)
{
    const struct likwid_trial *trial = argument;
    struct likwid_report *report = out;
    struct counters_session *session;
    uint64_t start = trial->system->monotonic_raw_ns(trial->system->context);
    report->status = likwid_open(trial->system, &trial->request, &session, report->why, sizeof report->why);
    if (report->status)
        return;
    likwid_begin(session);
    while (trial->system->monotonic_raw_ns(trial->system->context) - start < 2000000)
        ;
    likwid_end(session);
    likwid_result(session, &report->sample);
    likwid_close(session);
}

static void explain_status(const struct likwid_report *report, const char *printed, struct counters_reason *reason)
{
    reason_cause(reason, "%s", report->why);
    if (strstr(printed, "Unsupported") || strstr(printed, "not supported")) {
        reason_cause(reason, "likwid does not know this CPU");
        reason_remedy(reason, "install a newer likwid, or use --counters=auto");
    } else if (report->status == -ENOENT) {
        reason_cause(reason, "liblikwid 5: %s", report->why);
        reason_remedy(reason, "install likwid (Debian: sudo apt install likwid)");
    } else if (report->status == -EACCES) {
        reason_remedy(reason, "run: sudo modprobe msr, then as root, or install likwid-accessD setuid root");
    } else if (report->status == -ENODEV) {
        reason_remedy(reason, "install a newer likwid, or use --counters=auto");
    }
}

static void explain_outcome(const struct child_result *child, unsigned limit_ms, struct counters_reason *reason)
{
    bool unknown = strstr(child->printed, "Unsupported") || strstr(child->printed, "not supported");
    const char *because = unknown ? ": it does not know this CPU" : "";
    switch (child->outcome) {
    case CHILD_CRASHED: reason_cause(reason, "liblikwid crashed (%s)%s", strsignal(child->detail), because); break;
    case CHILD_EXITED:
        reason_cause(reason, "liblikwid ended the process with status %d%s", child->detail, because);
        break;
    case CHILD_HUNG: reason_cause(reason, "liblikwid did not return within %u ms%s", limit_ms, because); break;
    default: reason_cause(reason, "no process to try liblikwid in: %s", strerror(child->detail)); break;
    }
    reason_remedy(reason, "install a newer likwid, or use --counters=auto");
}

static void judge_quantity(const struct counter_value *value, int quantity, struct counters_support *support)
{
    *support = (struct counters_support){.grade = COUNTER_UNAVAILABLE, .system_call = true};
    if (value->grade != COUNTER_MEASURED)
        reason_cause(&support->reason, "%s", value->reason);
    else if (!(value->value > 0))
        reason_cause(&support->reason, "likwid's counter of %s is stuck at 0",
                     counter_quantity_name((enum counter_quantity)quantity));
    else
        support->grade = COUNTER_MEASURED;
}

/** The device through which likwid, and its access daemon, reach the counters of an x86-64 CPU without the kernel's PMU driver. */
static bool has_registers(const struct counters_system *system, unsigned cpu)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/dev/cpu/%u/msr", system->root, cpu);
    return !system->aarch64 && access(path, F_OK) == 0;
}

/** What is known without loading likwid, whose tables of events are megabytes of pointers to relocate. */
static bool cannot_count(const struct counters_system *system, unsigned cpu, struct counters_reason *reason)
{
    struct perf_facts facts;
    if (likwid_marker_is_wanted()) {
        reason_cause(reason, "likwid-perfctr -m, which runs this process, has the counters");
        reason_remedy(reason, "run without likwid-perfctr, or use --counters=auto");
        return true;
    }
    perf_facts_read(system, cpu, &facts);
    return facts.hypervisor[0] && !has_registers(system, cpu) && perf_has_no_pmu(&facts, reason);
}

/** What of the report, if anything, keeps it from counting. */
static void try_apart(const struct counters_system *system, unsigned cpu, struct likwid_report *report,
                      struct counters_reason *reason)
{
    struct likwid_trial trial = {system, {cpu, COUNTER_SET_ALL, true}};
    struct child_result child;
    child_run(try_likwid, &trial, report, sizeof *report, system->child_limit_ms, &child);
    if (child.outcome != CHILD_RETURNED)
        explain_outcome(&child, system->child_limit_ms, reason);
    else if (report->status)
        explain_status(report, child.printed, reason);
}

static void likwid_probe(const struct counters_system *system, unsigned cpu, struct counters_probe *probe)
{
    struct likwid_report report;
    struct counters_reason reason = {0};
    if (!cannot_count(system, cpu, &reason))
        try_apart(system, cpu, &report, &reason);
    if (reason.cause[0]) {
        probe_fail(probe, &reason, COUNTER_SET_ALL);
        return;
    }
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        judge_quantity(&report.sample.of[q], q, &probe->of[q]);
    probe_conclude(probe);
}

#else

static void likwid_probe(const struct counters_system *system, unsigned cpu, struct counters_probe *probe)
{
    (void)system, (void)cpu;
    probe_without_header(probe, "likwid.h", "likwid");
}

#endif

const struct counters_backend counters_backend_likwid = {
    .name = "likwid",
    .summary = "likwid 5, for memory controllers and energy; counts CPUs, not threads",
    .priority = 20,
    .programs_cores = true,
    .probe = likwid_probe,
#ifdef HAS_LIKWID
    .open = likwid_open,
    .begin = likwid_begin,
    .end = likwid_end,
    .result = likwid_result,
    .close = likwid_close,
#endif
};
