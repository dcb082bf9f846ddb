/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/table.h"
#include "harness/command/command.h"
#include "harness/measure/hidden_siblings.h"
#include "harness/measure/hindrances.h"
#include "harness/measure/instruments.h"
#include "platforms/clock/clock.h"
#include "platforms/counters/backends.h"
#include "platforms/machine/machine.h"
#include "platforms/topology/affinity.h"
#include "results/files/need.h"

/* This command looks; it changes nothing. What is judged is what `kneepoint info` reads. */

static const char command_name[] = "doctor";

enum { NODES_MOST = 64 };

static const double CALIBRATION_S = 0.02;
/** As long as a busy CPU shows in ticks of 10 ms. */
static const uint64_t look_ns = 500 * 1000 * 1000;

struct look {
    struct machine machine;
    struct instruments instruments;
    struct noise noise;
    struct hindrance_cpus cpus;
    struct counters_reason lack;
    bool counts;
};

/* ---- looking ---- */

/** Every CPU that may be used, core by core. */
static void list_cpus(const struct topology *topology, struct hindrance_cpus *cpus)
{
    const struct topology_core *cores = topology_cores(topology);
    for (unsigned core = 0; core < topology_core_count(topology); core++) {
        for (unsigned s = 0; s < cores[core].sibling_cpus && cpus->count < HINDRANCES_CPUS; s++) {
            size_t at = cpus->count++;
            cpus->cpu[at] = topology_sibling(topology, &cores[core], s);
            cpus->core[at] = core;
            cpus->measures[at] = cpus->cpu[at] == cores[core].cpu;
        }
    }
}

/** Spin on the first core; what its CPU does otherwise shows in the scan, what the others do in their times. */
static int watch(struct look *look)
{
    struct hindrance_cpus *cpus = &look->cpus;
    struct host_cpu_time *before = calloc(cpus->count + 1, sizeof *before), after;
    bool *known = calloc(cpus->count + 1, sizeof *known);
    for (size_t i = 0; before && known && i < cpus->count; i++)
        known[i] = host_cpu_time_read("", cpus->cpu[i], &before[i]) == 0;
    if (before && known)
        look->noise = noise_scan(look_ns);
    for (size_t i = 0; before && known && i < cpus->count; i++) {
        cpus->busy[i] = (double)NAN;
        if (i == 0 || !known[i] || host_cpu_time_read("", cpus->cpu[i], &after))
            continue;
        uint64_t worked = after.worked - before[i].worked, idle = after.idle - before[i].idle;
        if (worked + idle > 0)
            cpus->busy[i] = (double)worked / (double)(worked + idle);
    }
    int error = before && known ? 0 : -ENOMEM;
    free(before);
    free(known);
    return error;
}

/** Whether any back end counts core cycles inside samples; if none does, the reason of the one that is asked first. */
static void look_for_counters(struct look *look)
{
    const struct counters_probe *first = NULL;
    instruments_clocks(&look->instruments, tsc_calibrate_hz(CALIBRATION_S));
    need_result(counters_probe_all(&look->instruments.system, topology_cores(look->machine.topology)[0].cpu,
                                   look->instruments.probes));
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++) {
        const struct counters_probe *probe = &look->instruments.probes[b];
        const struct counters_support *cycles = &probe->of[COUNTER_CORE_CYCLES];
        look->counts = look->counts || (cycles->grade == COUNTER_MEASURED && !cycles->system_call);
        if (!first || probe->backend->priority > first->backend->priority)
            first = probe;
    }
    if (first)
        look->lack = first->works && first->of[COUNTER_CORE_CYCLES].reason.cause[0]
                         ? first->of[COUNTER_CORE_CYCLES].reason
                         : first->reason;
}

/** @return 0, or exit code after complaining */
static int look_around(struct look *look)
{
    char why[256];
    struct affinity *before;
    need_result(affinity_keep(&before));
    struct topology *topology = look->machine.topology;
    int error = topology_bind_thread(topology, topology_cores(topology)[0].cpu, why, sizeof why);
    if (!error && look->machine.identity.hypervisor[0] && topology_core_count(topology) > 1) {
        struct clock clock;
        clock_calibrate(tsc_calibrate_hz(CALIBRATION_S), &clock);
        need_result(hidden_siblings_join(topology, &clock, clock_issue_width(&clock), why, sizeof why));
    }
    if (!error) {
        look_for_counters(look);
        list_cpus(topology, &look->cpus);
        error = watch(look);
        if (error)
            snprintf(why, sizeof why, "no memory");
    }
    affinity_restore(before);
    return error ? complain(EXIT_USAGE, command_name, "%s", why) : EXIT_DONE;
}

/* ---- telling ---- */

static const char *cost_text(enum hindrance_cost cost)
{
    return cost == HINDRANCE_WRONG    ? "These make results wrong, or keep a measurement from finishing:"
           : cost == HINDRANCE_SPREAD ? "These make results differ from one run to the next:"
                                      : "These leave results out, or lower their grade:";
}

enum { REMEDY_INDENT = 6 };

static void print_text(const struct hindrance *hindrances, size_t count)
{
    char line[1024];
    if (!count) {
        puts("No problems found on this machine. `kneepoint selftest` checks that by measuring.");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct hindrance *one = &hindrances[i];
        if (!i || one->cost != hindrances[i - 1].cost)
            printf("%s%s\n", i ? "\n" : "", cost_text(one->cost));
        snprintf(line, sizeof line, "%2zu. %s%s%s: %s; %s.\n", i + 1, console_bold(), one->name, console_plain(),
                 one->value, one->harm);
        console_print_text(line);
        printf("%*s", REMEDY_INDENT, "");
        console_print_hanging(REMEDY_INDENT, one->remedy);
    }
    snprintf(line, sizeof line,
             "\n%zu problem%s, worst first. Nothing was changed; the line below each one fixes it.\n", count,
             count == 1 ? "" : "s");
    console_print_text(line);
}

static const struct table_column columns[] = {
    {"hindrance", "name", .left = true}, {"severity", "cost", .left = true}, {"value", "value", .left = true},
    {"effect", "harm", .left = true},    {"remedy", "remedy", .left = true},
};

static const struct table hindrance_table = {"hindrance", "What hinders measuring", columns,
                                             .count = sizeof columns / sizeof *columns};

static const struct table *const tables[] = {&hindrance_table, NULL};

static int print_json(const struct hindrance *hindrances, size_t count)
{
    int code = EXIT_DONE;
    for (size_t i = 0; !code && i < count; i++)
        code = print_record(command_name,
                            json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "type", "hindrance", "name", hindrances[i].name,
                                      "cost", hindrance_cost_name(hindrances[i].cost), "value", hindrances[i].value,
                                      "harm", hindrances[i].harm, "remedy", hindrances[i].remedy));
    return code;
}

static int judge_and_print(const struct look *look, bool json)
{
    struct hindrance hindrances[HINDRANCES_MOST];
    struct topology_node nodes[NODES_MOST];
    const struct hindrance_readings readings = {
        .host = &look->machine.host,
        .emulator = machine_emulator(&look->machine),
        .numa_nodes = topology_nodes(look->machine.topology, nodes, NODES_MOST),
        .noise = &look->noise,
        .cpus = &look->cpus,
        .lack = look->counts ? NULL : &look->lack,
    };
    size_t count = hindrances_judge(&readings, hindrances);
    int code = EXIT_DONE;
    if (json)
        code = print_json(hindrances, count);
    else
        print_text(hindrances, count);
    return code ? code : count ? EXIT_INCONCLUSIVE : EXIT_DONE;
}

/* ---- the command line ---- */

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    bool *json = state->input;
    switch (key) {
    case 'j': *json = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "takes no argument, but was given '%s'", argument); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .doc =
            "Says why this machine cannot be measured well: what makes results wrong, unrepeatable or incomplete, "
            "worst first, each with a fix. Exit: 0 no problems, 3 problems found.\vIt watches the machine for half a "
            "second, changes nothing and needs no privileges.",
    };
    static struct look look; /* large */
    bool json = false;
    char why[256];
    int code = parse_options(&argp, argc, argv, &json);
    if (code)
        return code;
    if (machine_open(&look.machine, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    code = topology_is_this_machine(look.machine.topology)
               ? look_around(&look)
               : complain(EXIT_USAGE, command_name, "HWLOC_* variables name another machine's topology; unset them");
    if (!code)
        code = judge_and_print(&look, json);
    machine_close(&look.machine);
    return code;
}

const struct command command_doctor = {
    .name = command_name,
    .summary = "why this machine cannot be measured well, and how to fix it",
    .run = run,
    .tables = tables,
};
