/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/info/info_command.h"
#include "harness/command/command.h"
#include "harness/measure/hidden_siblings.h"
#include "harness/measure/session.h"
#include "platforms/clock/clock.h"
#include "platforms/topology/affinity.h"
#include "results/files/need.h"

static const struct info_section *const sections[] = {
    &info_cpu,      &info_system, &info_cores,    &info_caches,  &info_memory, &info_instruction_sets,
    &info_counters, &info_clocks, &info_settings, &info_devices, &info_noise,
};

/** Cores that a hypervisor shows as two are joined before anything is said. Where that cannot be looked at, nothing is. */
static void join_hidden_siblings(struct machine *machine)
{
    char why[SESSION_WHY];
    struct clock clock;
    struct affinity *before;
    need_result(affinity_keep(&before));
    if (machine->identity.hypervisor[0] && topology_core_count(machine->topology) > 1 &&
        need_result(
            topology_bind_thread(machine->topology, topology_cores(machine->topology)[0].cpu, why, sizeof why)) == 0) {
        clock_calibrate(tsc_calibrate_hz(INFO_CALIBRATION_S), &clock);
        need_result(hidden_siblings_join(machine->topology, &clock, clock_issue_width(&clock), why, sizeof why));
    }
    affinity_restore(before);
}

static int show(const struct machine *machine, bool json)
{
    int error = 0;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] && error == 0; i++) {
        if (!json)
            sections[i]->print(machine);
        else if (sections[i]->record)
            error = sections[i]->record(machine);
    }
    return error;
}

/** What everything else said of the CPU follows from. */
static int show_cpuid(const struct machine *machine)
{
    char *text = cpuid_dump_text(&machine->dump);
    if (!text)
        return -ENOMEM;
    fputs(text, stdout);
    free(text);
    return 0;
}

struct info_options {
    bool json, cpuid;
};

enum { OPTION_CPUID = 0x100 };

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 0},
    {"cpuid", OPTION_CPUID, NULL, 0, "Print what CPUID reports, as text to send with a bug report", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct info_options *given = state->input;
    switch (key) {
    case 'j': given->json = true; return 0;
    case OPTION_CPUID: given->cpuid = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "takes no argument, but was given '%s'", argument); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Shows this machine as kneepoint sees it: CPU, cores, caches, memory, which kernels can run, OpenCL "
               "devices, and what would disturb a measurement.\vIt changes nothing and needs no privileges.",
    };
    struct info_options given = {0};
    int code = parse_options(&argp, argc, argv, &given);
    if (code != 0)
        return code;
    if (given.json && given.cpuid)
        return complain(EXIT_USAGE, "info", "--cpuid prints text, not JSON; leave out --cpuid or --json");

    struct machine machine;
    char why[256];
    if (machine_open(&machine, why, sizeof why) != 0)
        return complain(EXIT_USAGE, "info", "%s", why);
    if (!given.cpuid)
        join_hidden_siblings(&machine);
    int error = given.cpuid ? show_cpuid(&machine) : show(&machine, given.json);
    machine_close(&machine);
    return error ? complain(EXIT_USAGE, "info", "cannot write %s: %s", given.cpuid ? "CPUID" : "the records",
                            strerror(-error))
                 : EXIT_DONE;
}

const struct command command_info = {
    .name = "info",
    .summary = "this machine as the tool sees it, and what would disturb a measurement",
    .run = run,
};
