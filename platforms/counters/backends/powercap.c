/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/counters/backend.h"
#include "platforms/counters/perf_facts.h"
#include "platforms/counters/reason.h"
#include "platforms/counters/system.h"
#include "platforms/system/sysfs.h"

/**
 * Energy of the packages as the kernel's powercap zones have it, of Intel and AMD alike:
 *
 *     /sys/class/powercap/intel-rapl:N/name                  "package-0", "package-0-die-1"; "psys" is the platform, which is left out
 *                                     /energy_uj             microjoules, 0 … max_energy_range_uj, then from 0 again; moves once a millisecond
 *                                     /max_energy_range_uj
 *
 * Zones within a zone (intel-rapl:0:0: cores, DRAM) are parts of it, and intel-rapl-mmio:N is the same package once more. It is the
 * same register as perf's power/energy-pkg/, which is preferred: one read instead of a file opened, and no wrap to be seen.
 */

enum { POWERCAP_ZONES = 16, POWERCAP_NAME = 32, POWERCAP_PATH = 128 };

/* The counter moves once a millisecond. */
enum { PROBE_NS = 12 * 1000 * 1000 };

static const char folder[] = "/sys/class/powercap";

struct zone {
    char name[POWERCAP_NAME]; /* "intel-rapl:0" */
    uint64_t range_uj;        /* 0: the kernel does not say it */
    uint64_t begin_uj, end_uj;
};

struct counters_session {
    const struct counters_system *system;
    size_t count;
    struct zone zones[POWERCAP_ZONES];
    int error; /* of the last reading that failed */
};

/* ---- zones */

static int read_u64(const struct counters_system *system, const char *zone, const char *file, uint64_t *value)
{
    char path[POWERCAP_PATH], text[32], *end;
    snprintf(path, sizeof path, "%s/%s/%s", folder, zone, file);
    int error = sysfs_read_text(system->root, path, text, sizeof text);
    if (error)
        return error;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return end == text || *end || errno ? -EINVAL : 0;
}

/** "intel-rapl:" and digits alone, of a package. */
static bool is_package(const struct counters_system *system, const char *zone)
{
    static const char prefix[] = "intel-rapl:";
    const char *number = zone + sizeof prefix - 1;
    char path[POWERCAP_PATH], name[64];
    if (strncmp(zone, prefix, sizeof prefix - 1) != 0 || !*number || number[strspn(number, "0123456789")] ||
        strlen(zone) >= POWERCAP_NAME)
        return false;
    snprintf(path, sizeof path, "%s/%s/name", folder, zone);
    return sysfs_read_text(system->root, path, name, sizeof name) == 0 && strncmp(name, "package-", 8) == 0;
}

/** @return how many there are; negative errno if the folder cannot be read */
static int find_zones(const struct counters_system *system, struct zone *zones)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s", system->root, folder);
    DIR *all = opendir(path);
    int count = 0;
    if (!all)
        return -errno;
    for (struct dirent *entry; count < POWERCAP_ZONES && (entry = readdir(all));) {
        if (!is_package(system, entry->d_name))
            continue;
        zones[count] = (struct zone){0};
        snprintf(zones[count].name, sizeof zones[count].name, "%s", entry->d_name);
        read_u64(system, entry->d_name, "max_energy_range_uj", &zones[count].range_uj);
        count++;
    }
    closedir(all);
    return count;
}

/** Of all zones, into begin_uj or end_uj. 0 or the first error */
static int read_zones(const struct counters_system *system, struct zone *zones, int count, bool begin)
{
    int error = 0;
    for (int z = 0; z < count && !error; z++)
        error = read_u64(system, zones[z].name, "energy_uj", begin ? &zones[z].begin_uj : &zones[z].end_uj);
    return error;
}

/** The counter begins anew once on the way at most: at 1 kW that takes a minute and more. @return -1: it fell, and its range is not known */
static double joules_of(const struct zone *zone)
{
    if (zone->end_uj >= zone->begin_uj)
        return (double)(zone->end_uj - zone->begin_uj) * 1e-6;
    if (zone->range_uj < zone->begin_uj)
        return -1;
    return (double)(zone->range_uj - zone->begin_uj + zone->end_uj) * 1e-6;
}

/* ---- probe */

static void explain(const struct counters_system *system, unsigned cpu, int error, struct counters_reason *reason)
{
    struct perf_facts facts;
    perf_facts_read(system, cpu, &facts);
    if (error == -EACCES || error == -EPERM) {
        reason_cause(reason, "only root can read %s/intel-rapl:*/energy_uj", folder);
        reason_remedy(reason, "run: sudo chmod a+r %s/intel-rapl:*/energy_uj, or run as root", folder);
    } else if (error == -ENOENT && facts.hypervisor[0]) {
        reason_cause(reason, "this VM (%s) exposes no package energy (RAPL) in %s", facts.hypervisor, folder);
        reason_remedy(reason, "measure on bare metal");
    } else if (error == -ENOENT) {
        reason_cause(reason, "the kernel has no zone of a package in %s", folder);
        if (facts.vendor[0])
            reason_remedy(reason, "run: sudo modprobe intel_rapl_msr, which also serves AMD");
    } else {
        reason_cause(reason, "%s/intel-rapl:*/energy_uj cannot be read: %s", folder, strerror(-error));
    }
}

static bool any_moved(const struct zone *zones, int count)
{
    for (int z = 0; z < count; z++) {
        if (zones[z].begin_uj != zones[z].end_uj)
            return true;
    }
    return false;
}

static void powercap_probe(const struct counters_system *system, unsigned cpu, struct counters_probe *probe)
{
    struct zone zones[POWERCAP_ZONES];
    struct counters_reason reason = {0};
    int count = find_zones(system, zones);
    int error = count > 0 ? read_zones(system, zones, count, true) : count ? count : -ENOENT;
    if (!error) {
        system->sleep_ns(system->context, PROBE_NS);
        error = read_zones(system, zones, count, false);
    }
    struct counters_support *support = &probe->of[COUNTER_PACKAGE_ENERGY_J];
    *support = (struct counters_support){.grade = COUNTER_UNAVAILABLE, .system_call = true};
    if (error)
        explain(system, cpu, error, &reason);
    else if (!any_moved(zones, count))
        reason_cause(&reason, "the energy counter does not advance");
    else
        support->grade = COUNTER_MEASURED;
    support->reason = probe->reason = reason;
    probe_conclude(probe);
}

/* ---- session */

static int powercap_open(const struct counters_system *system, const struct counters_request *request,
                         struct counters_session **out, char *why, size_t size)
{
    struct counters_reason reason = {0};
    bool asked = request->quantities & COUNTER_SET(COUNTER_PACKAGE_ENERGY_J);
    struct counters_session *session = calloc(1, sizeof *session);
    int count = session ? find_zones(system, session->zones) : -ENOMEM;
    int error = count > 0 ? read_zones(system, session->zones, count, true) : count ? count : -ENOENT;
    if (!error && asked && request->system_calls) {
        session->system = system;
        session->count = (size_t)count;
        *out = session;
        return 0;
    }
    free(session);
    if (error == -ENOMEM)
        reason_cause(&reason, "no memory");
    else if (!asked)
        reason_cause(&reason, "no quantity was asked for");
    else if (!request->system_calls)
        reason_cause(&reason, "reading it takes a system call, which is not made around this sample");
    else
        explain(system, request->cpu, error, &reason);
    char line[COUNTERS_TEXT];
    reason_line(&reason, line, sizeof line);
    snprintf(why, size, "powercap: %s", line);
    return error == -ENOMEM ? error : -ENOTSUP;
}

static void powercap_begin(struct counters_session *session)
{
    session->error = read_zones(session->system, session->zones, (int)session->count, true);
}

static void powercap_end(struct counters_session *session)
{
    int error = read_zones(session->system, session->zones, (int)session->count, false);
    session->error = session->error ? session->error : error;
}

static void powercap_result(struct counters_session *session, struct counters_sample *sample)
{
    struct counter_value *value = &sample->of[COUNTER_PACKAGE_ENERGY_J];
    double sum = 0;
    if (session->error) {
        value_unavailable(value, "energy_uj cannot be read any more: %s", strerror(-session->error));
        return;
    }
    for (size_t z = 0; z < session->count; z++) {
        double joules = joules_of(&session->zones[z]);
        if (joules < 0) {
            value_unavailable(value, "%s wrapped, and does not state its range", session->zones[z].name);
            return;
        }
        sum += joules;
    }
    *value = (struct counter_value){.grade = COUNTER_MEASURED, .value = sum};
}

static void powercap_close(struct counters_session *session)
{
    free(session);
}

const struct counters_backend counters_backend_powercap = {
    .name = "powercap",
    .summary = "energy of packages from /sys/class/powercap (RAPL), where perf may not read it",
    .priority = 5,
    .probe = powercap_probe,
    .open = powercap_open,
    .begin = powercap_begin,
    .end = powercap_end,
    .result = powercap_result,
    .close = powercap_close,
};
