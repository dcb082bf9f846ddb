/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/info_command/layout.h"
#include "harness/cmd/info_command/section.h"
#include "harness/command.h"
#include "harness/measure/hidden_siblings.h"
#include "harness/measure/session.h"
#include "platforms/affinity.h"
#include "platforms/clock.h"

static const struct info_section *const sections[] = {
    &info_cpu,      &info_system, &info_cores,    &info_caches, &info_memory, &info_instruction_sets,
    &info_counters, &info_clocks, &info_settings, &info_noise,
};

/** Cores that a hypervisor shows as two are joined before anything is said. Where that cannot be looked at, nothing is. */
static void join_hidden_siblings(struct machine *machine)
{
    char why[SESSION_WHY];
    struct clock clock;
    struct affinity *before = affinity_keep();
    if (machine->identity.hypervisor[0] && topology_core_count(machine->topology) > 1 &&
        topology_bind_thread(machine->topology, topology_cores(machine->topology)[0].cpu, why, sizeof why) == 0) {
        clock_calibrate(tsc_calibrate_hz(INFO_CALIBRATION_S), &clock);
        hidden_siblings_join(machine->topology, &clock, clock_issue_width(&clock), why, sizeof why);
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

static const struct argp_option options[] = {
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
        .options = options,
        .parser = parse,
        .doc = "This machine as kneepoint sees it: CPU, cores, caches, memory, which kernels can run, and what would "
               "disturb a measurement.\vIt changes nothing and needs no privileges.",
    };
    bool json = false;
    int code = parse_options(&argp, argc, argv, &json);
    if (code != 0)
        return code;

    struct machine machine;
    char why[256];
    if (machine_open(&machine, why, sizeof why) != 0)
        return complain(EXIT_USAGE, "info", "%s", why);
    join_hidden_siblings(&machine);
    int error = show(&machine, json);
    machine_close(&machine);
    return error ? complain(EXIT_USAGE, "info", "cannot write the records: %s", strerror(-error)) : EXIT_DONE;
}

const struct command command_info = {
    .name = "info",
    .summary = "this machine as the tool sees it, and what would disturb a measurement",
    .run = run,
};
