/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info/info_command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/table.h"
#include "harness/measure/instruments.h"
#include "platforms/clock/clock.h"
#include "platforms/counters/backends.h"
#include "results/files/need.h"
#include "results/records/record.h"

/** Probe every back end on the first core; false when it is not this machine's. */
static bool probe_counters(const struct machine *machine, struct instruments *instruments)
{
    if (!topology_is_this_machine(machine->topology))
        return false;
    instruments_clocks(instruments, tsc_calibrate_hz(INFO_CALIBRATION_S));
    need_result(
        counters_probe_all(&instruments->system, topology_cores(machine->topology)[0].cpu, instruments->probes));
    return true;
}

enum { BACKEND_COLUMNS = 11 };

static void print_remedy(const struct counters_reason *reason)
{
    if (reason->remedy[0])
        info_print_behind(BACKEND_COLUMNS, reason->remedy);
}

/** "core_cycles, instructions" of one grade; false if there is none. */
static bool print_quantities(const struct counters_probe *probe, enum counter_grade grade, const char *before)
{
    bool any = false;
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if (probe->of[q].grade != grade)
            continue;
        printf("%s%s", any ? ", " : before, counter_quantity_name((enum counter_quantity)q));
        any = true;
    }
    return any;
}

/** What a working back end lacks, each cause once; what it never counts anywhere is not spoken of. */
static void print_lacks(const struct counters_probe *probe)
{
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        const struct counters_reason *reason = &probe->of[q].reason;
        bool shown = !reason->remedy[0];
        for (int former = 0; former < q && !shown; former++)
            shown = strcmp(probe->of[former].reason.cause, reason->cause) == 0;
        if (!shown) {
            printf("           no %s: %s\n", counter_quantity_name((enum counter_quantity)q), reason->cause);
            print_remedy(reason);
        }
    }
}

static void print_backend(const struct counters_probe *probe)
{
    printf("  %-8s ", probe->backend->name);
    if (!probe->works) {
        char line[1024];
        snprintf(line, sizeof line, "no: %s", probe->reason.cause);
        console_print_hanging(BACKEND_COLUMNS, line);
        print_remedy(&probe->reason);
        return;
    }
    bool measures = print_quantities(probe, COUNTER_MEASURED, "yes: measures ");
    print_quantities(probe, COUNTER_ESTIMATED, measures ? "; estimates " : "yes: estimates ");
    putchar('\n');
    if (probe->reason.cause[0])
        info_print_behind(BACKEND_COLUMNS, probe->reason.cause);
    print_remedy(&probe->reason);
    print_lacks(probe);
}

static void print_counters(const struct machine *machine)
{
    struct instruments instruments;
    info_heading("Counters (what can count, and what would change it)");
    if (!probe_counters(machine, &instruments)) {
        puts("  not probed: the topology describes another machine");
        return;
    }
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++)
        print_backend(&instruments.probes[b]);
}

static int record_counters(const struct machine *machine)
{
    struct instruments instruments;
    int error = 0;
    if (!probe_counters(machine, &instruments))
        return 0;
    for (size_t b = 0; b < COUNTERS_BACKENDS && error == 0; b++) {
        json_t *record = instruments_probe_record(&instruments.probes[b]);
        error = record ? record_write_line(stdout, record) : -ENOMEM;
        json_decref(record);
    }
    return error;
}

const struct info_section info_counters = {print_counters, record_counters};
