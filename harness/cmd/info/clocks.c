/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info/info_command.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "harness/cmd/console/table.h"
#include "harness/record/run_writer.h"
#include "platforms/clock/clock.h"
#include "platforms/topology/affinity.h"
#include "results/files/need.h"
#include "results/records/record.h"

enum { CLOCK_COLUMNS = 12 };

static bool leads_kind(const struct topology_core *cores, size_t i)
{
    for (size_t former = 0; former < i; former++) {
        if (cores[former].kind == cores[i].kind)
            return false;
    }
    return true;
}

static int print_clock(json_t *record)
{
    double step_ns = 1e9 * (double)json_integer_value(json_object_get(record, "tsc_step")) /
                     json_number_value(json_object_get(record, "tsc_hz"));
    const char *disagreement = json_string_value(json_object_get(record, "disagreement"));
    const json_t *hz = json_object_get(json_object_get(record, "core_hz"), "median"),
                 *ratio = json_object_get(record, "imul_add_ratio");
    char line[512], agreement[64] = "";
    if (!disagreement)
        snprintf(agreement, sizeof agreement, ", which agree to %.2f%%",
                 100 * fabs(json_number_value(json_object_get(ratio, "median")) - 1));
    if (!json_is_number(hz))
        snprintf(line, sizeof line, "not known by the chains of multiplies and of adds");
    else
        snprintf(line, sizeof line, "%.3f GHz by a chain of multiplies, of %lld cycles each, and one of adds%s",
                 1e-9 * json_number_value(hz),
                 (long long)json_integer_value(json_object_get(record, "multiply_cycles")), agreement);
    printf("  kind %-2s   ", json_string_value(json_object_get(record, "kind")));
    console_print_hanging(CLOCK_COLUMNS, line);
    snprintf(line, sizeof line, "the time-stamp counter runs at %.3f GHz, in steps of %.1f ns",
             1e-9 * json_number_value(json_object_get(record, "tsc_hz")), step_ns);
    info_print_behind(CLOCK_COLUMNS, line);
    snprintf(line, sizeof line, "%s; cycles are graded wall", disagreement ? disagreement : "");
    if (disagreement)
        info_print_behind(CLOCK_COLUMNS, line);
    return 0;
}

static int write_clock(json_t *record)
{
    return record_write_line(stdout, record);
}

/** The clock of the first core of each kind, taken on it. */
static int each_clock(const struct machine *machine, int (*take)(json_t *record))
{
    char why[SESSION_WHY];
    const struct topology_core *cores = topology_cores(machine->topology);
    double tsc_hz = tsc_calibrate_hz(INFO_CALIBRATION_S);
    struct affinity *before;
    int error = need_result(affinity_keep(&before));
    for (size_t i = 0; i < topology_core_count(machine->topology) && error == 0; i++) {
        if (!leads_kind(cores, i) ||
            need_result(topology_bind_thread(machine->topology, cores[i].cpu, why, sizeof why)))
            continue;
        json_t *record = clock_record(&cores[i], tsc_hz);
        error = record ? take(record) : -ENOMEM;
        json_decref(record);
    }
    affinity_restore(before);
    return error;
}

static void print_clocks(const struct machine *machine)
{
    info_heading("Clock (of the first core of a kind)");
    if (topology_is_this_machine(machine->topology))
        each_clock(machine, print_clock);
    else
        puts("  not read: the topology describes another machine");
}

static int record_clocks(const struct machine *machine)
{
    return topology_is_this_machine(machine->topology) ? each_clock(machine, write_clock) : 0;
}

const struct info_section info_clocks = {print_clocks, record_clocks};
