/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "harness/cmd/compare_command/compare_command.h"
#include "harness/cmd/console/console.h"
#include "harness/command.h"
#include "harness/compare/input.h"
#include "harness/compare/stored_confirmation.h"
#include "results/run.h"

static const char command_name[] = "compare";

static int load_input(const char *given, const struct compare_options *options, struct compare_input *input)
{
    char why[1024];
    int error = compare_input_load(given, options->results, input, why, sizeof why);
    if (error)
        return complain(EXIT_USAGE, command_name, "%s", why);
    const struct run_damage damage = {.truncated = input->truncated, .bad_lines = input->bad_lines};
    complain_of_damage(command_name, given, &damage);
    return EXIT_DONE;
}

/** Compare the suspects with another run of HEAD. */
static int confirm(const struct compare_options *options, const struct blocks *base, struct comparison *comparison)
{
    struct compare_input again;
    char why[2048];
    int code = load_input(options->confirm_run, options, &again);
    if (code)
        return code;
    int error = stored_confirmation_make(base, &again.blocks, options->allowed, comparison, why, sizeof why);
    if (error == -EXDEV)
        code = complain(EXIT_INCOMPARABLE, command_name, "%s as HEAD: %s; --allow=WHAT compares anyway",
                        options->confirm_run, why);
    else if (error)
        code = complain(EXIT_USAGE, command_name, "%s", why);
    compare_input_release(&again);
    return code;
}

static int judge_stored(const struct compare_options *options, const struct compare_input *base,
                        const struct compare_input *head)
{
    struct machine_floor floor = {0};
    struct comparison comparison;
    char why[2048];
    int code = EXIT_DONE;
    if (machine_floor_load(options->results, head->blocks.meta, &floor, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    struct comparison_request request = {
        .patterns = options->patterns,
        .pattern_count = options->pattern_count,
        .seed = options->measuring.request.seed,
        .floor = machine_floor_of,
        .context = &floor,
    };
    if (comparison_make(&base->blocks, &head->blocks, &request, &comparison)) {
        machine_floor_release(&floor);
        return complain(EXIT_USAGE, command_name, "no memory");
    }
    struct compare_report report = {.comparison = &comparison,
                                    .base = options->given[0],
                                    .head = options->given[1],
                                    .allowed = options->allowed,
                                    .confirmation = ""};
    bool suspects = comparison_suspects(&comparison, NULL) && !verdict_incomparable(&report, why, sizeof why);
    if (suspects && options->confirm_run) {
        code = confirm(options, &base->blocks, &comparison);
        report.confirmation = options->confirm_run;
    } else if (suspects && options->allowed & 1u << COMPARE_ALLOW_UNCONFIRMED) {
        comparison_accept_suspects(&comparison);
        report.confirmation = "nothing: --allow=unconfirmed";
    }
    if (!code)
        code = compare_print(&report, options);
    if (code == EXIT_INCONCLUSIVE && comparison_suspects(&comparison, NULL))
        complain(0, command_name,
                 "a loss counts when a fresh run shows it too: run HEAD again and give --confirm-run=RUN (or "
                 "--allow=unconfirmed)");
    comparison_release(&comparison);
    machine_floor_release(&floor);
    return code;
}

int compare_stored_runs(struct compare_options *options)
{
    static char newest[4096];
    struct compare_input base, head;
    if (options->count == 1 && run_find_newest(options->results, newest, sizeof newest) != 0)
        return complain(EXIT_USAGE, command_name,
                        "no run below %s to be HEAD; measure one with `kneepoint characterize`, or name its folder",
                        options->results);
    if (options->count == 1)
        options->given[1] = newest;
    if (options->confirm_run && compare_input_is_same(options->confirm_run, options->given[1]))
        return complain(EXIT_USAGE, command_name,
                        "--confirm-run=%s is HEAD itself; it confirms nothing, measure another", options->confirm_run);
    int code = load_input(options->given[0], options, &base);
    if (code)
        return code;
    code = load_input(options->given[1], options, &head);
    if (!code) {
        code = judge_stored(options, &base, &head);
        compare_input_release(&head);
    }
    compare_input_release(&base);
    return code;
}
