/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/command.h"
#include "harness/console.h"
#include "harness/measuring.h"
#include "harness/options.h"
#include "harness/plan.h"
#include "results/record.h"

static const char command_name[] = "gamma";

struct options {
    struct measuring_options measuring;
    unsigned accumulators;
    char **names;
    int count;
};

/** Samples with agreeing clocks to wait for, and for how long. */
enum { DEFAULT_SAMPLES = 40, VISITS = 4, SETTLED = 10, PATIENCE_S = 20 };

static const struct argp_option option_table[] = {
    {"accumulators", 'a', "N", 0,
     "Only with N independent accumulators (default: 1, 2, 4, 8, 12 as the registers allow)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = state->child_inputs[1] = &options->measuring; return 0;
    case 'a': options->accumulators = (unsigned)option_number(argument, 1, 12, "--accumulators", state); return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int add_named(struct plan *plan, const struct session *session, const struct options *options,
                     const char *pattern)
{
    bool known = false, runs = false;
    const struct sequence *last = NULL;
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if (pattern && !option_means(pattern, (*sequence)->name))
            continue;
        known = true;
        last = *sequence;
        if (!session_runs(session, (*sequence)->isa))
            continue;
        runs = true;
        if (plan_add_gamma(plan, *sequence, options->accumulators))
            return complain(EXIT_USAGE, command_name, "no memory");
    }
    if (!known)
        return complain(EXIT_USAGE, command_name, "no sequence '%s'; `kneepoint list sequences` shows them",
                        pattern ? pattern : "");
    if (!runs) {
        char missing[160];
        isa_missing(isa_find(last->isa), &session->machine.dump, missing, sizeof missing);
        return complain(EXIT_USAGE, command_name, "%s cannot run on this CPU: it %s", last->name, missing);
    }
    return 0;
}

static void print_row(const json_t *record)
{
    struct summary gamma;
    const char *name = json_string_value(json_object_get(record, "name"));
    int accumulators = (int)json_integer_value(json_object_get(record, "accumulators"));
    if (record_quantity_read(record, "gamma", &gamma)) {
        printf("%-34s %3d  every sample was rejected\n", name, accumulators);
        return;
    }
    const json_t *claimed = json_object_get(record, "claimed");
    char claim[16] = "-";
    if (json_is_number(claimed))
        snprintf(claim, sizeof claim, "%.2f", json_number_value(claimed));
    const char *bound = json_string_value(json_object_get(record, "bound"));
    bool best = json_is_true(json_object_get(record, "best"));
    printf("%s%-34s %3d %8.3f %8.3f %-17s %7.2f %8s %8s %6s%s%s\n", best ? console_bold() : "", name, accumulators,
           gamma.median, gamma.mad, json_string_value(json_object_get(json_object_get(record, "gamma"), "grade")),
           json_number_value(json_object_get(record, "uops_per_cycle")), bound ? bound : "-", claim,
           json_is_true(json_object_get(record, "usable")) ? "" : "probe", best ? " best" : "",
           best ? console_plain() : "");
}

static int print_all(const struct session *session, const struct plan *plan, bool json)
{
    if (!json)
        printf("%-34s %3s %8s %8s %-17s %7s %8s %8s\n", "sequence", "acc", "gamma", "mad", "grade", "uops/c", "bound",
               "claimed");
    size_t disturbed = 0;
    for (size_t i = 0; i < plan->cells.count; i++) {
        json_t *record = summary_record(session, &plan->cells, &plan->cells.cell[i]);
        if (!record)
            continue;
        if (json && print_record(command_name, record))
            return EXIT_USAGE;
        if (!json) {
            print_row(record);
            json_decref(record);
        }
        disturbed += strcmp(summary_gamma(&plan->cells.cell[i]).grade, "chain") != 0;
    }
    if (!json && disturbed)
        printf("\n%zu of these are graded wall: the two clock chains disagreed by more than 1%%, so something else "
               "runs on the "
               "core\n(its other hardware thread?) and gamma is too high. Measure again on a quiet core.\n",
               disturbed);
    if (!json)
        puts("\ngamma: core cycles per output vector of 32 weights, loads excluded. probe: too few accumulators for a "
             "kernel,\n"
             "measured to see the latency. claimed: what the sequence's source states for a performance core.");
    return EXIT_DONE;
}

static int measure(const void *given, struct session *session, struct plan *plan)
{
    const struct options *options = given;
    int code = 0;
    for (int i = 0; !code && i < options->count; i++)
        code = add_named(plan, session, options, options->names[i]);
    if (!options->count)
        code = add_named(plan, session, options, NULL);
    if (code)
        return code;
    if (!plan->cells.count)
        return complain(EXIT_USAGE, command_name, "no sequence given has %u accumulators; try 1, 2, 4, 8 or 12",
                        options->accumulators);
    unsigned samples = options->measuring.samples ? options->measuring.samples : DEFAULT_SAMPLES;
    unsigned visits = samples < VISITS ? 1 : VISITS;
    size_t failed;
    struct execution execution = {0};
    int error = plan_visit(session, plan, 0, plan->cells.count, visits, samples / visits, &execution, &failed);
    if (!error)
        error = plan_settle(session, plan, 0, plan->cells.count, SETTLED, PATIENCE_S, &execution, &failed);
    if (error)
        return complain(error == -EILSEQ ? EXIT_CHECK_FAILED : EXIT_USAGE, command_name, "%s",
                        plan->cells.cell[failed].why);
    return print_all(session, plan, options->measuring.json);
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0}, {&samples_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[NAME...]",
        .doc = "Measure gamma: core cycles to up-convert and multiply one output vector of 32 weights, loads excluded, "
               "for "
               "built-in sequences. NAME is a sequence or the leading parts of one, such as int2_vnni4 or "
               "int2_vnni4.mask; without one, every sequence that runs here.",
        .children = children,
    };
    struct options options = {.measuring.request.team.threads = 1};
    int code = parse_options(&argp, argc, argv, &options);
    return code ? code : measuring_run(command_name, &options.measuring.request, measure, &options);
}

const struct command command_gamma = {
    .name = command_name,
    .summary = "core cycles to up-convert and multiply one output vector, per sequence",
    .run = run,
};
