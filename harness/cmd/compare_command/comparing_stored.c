/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command.h"
#include "harness/cmd/compare_command/comparing.h"
#include "harness/cmd/console/console.h"
#include "harness/compare/side.h"
#include "results/run.h"

static const char command_name[] = "compare";

static void accept_suspects(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        if (comparison->outcome[i].verdict == COMPARE_SUSPECTED)
            comparison->outcome[i].verdict = COMPARE_FAILED;
    }
}

static int load_side(const char *given, const struct comparing *options, struct side *side)
{
    char why[1024];
    int error = side_load(given, options->results, side, why, sizeof why);
    if (error)
        return complain(EXIT_USAGE, command_name, "%s", why);
    if (side->truncated)
        complain(0, command_name, "%s: the last line was cut off and is left out", given);
    if (side->bad_lines)
        complain(0, command_name, "%s: %zu damaged line%s left out", given, side->bad_lines,
                 side->bad_lines == 1 ? " is" : "s are");
    return EXIT_DONE;
}

/** Hold the suspects against another run of HEAD. */
static int confirm_stored(const struct comparing *options, const struct blocks *base, struct comparison *comparison)
{
    struct side again;
    struct comparison fresh;
    char how[2048];
    const char **names = calloc(comparison->count + 1, sizeof *names);
    int code =
        names ? load_side(options->confirm_run, options, &again) : complain(EXIT_USAGE, command_name, "no memory");
    if (code) {
        free(names);
        return code;
    }
    struct comparison_request request = {
        .patterns = names,
        .pattern_count = comparing_list_suspects(comparison, names),
        .seed = comparison->rule.seed + 1,
    };
    if (comparison_make(base, &again.blocks, &request, &fresh)) {
        code = complain(EXIT_USAGE, command_name, "no memory");
    } else {
        struct compare_report report = {.comparison = &fresh, .allowed = options->allowed, .confirmation = ""};
        if (verdict_incomparable(&report, how, sizeof how))
            code = complain(EXIT_INCOMPARABLE, command_name, "%s as HEAD: %s; --allow=WHAT compares nevertheless",
                            options->confirm_run, how);
        else
            compare_confirm(comparison->outcome, comparison->count, fresh.outcome, fresh.count);
        comparison_release(&fresh);
    }
    side_release(&again);
    free(names);
    return code;
}

static int judge_stored(const struct comparing *options, const struct side *base, const struct side *head)
{
    struct comparing_floors floors = {0};
    struct comparison comparison;
    int code = comparing_floors_load(options, head->blocks.meta, &floors);
    if (code)
        return code;
    struct comparison_request request = {
        .patterns = options->patterns,
        .pattern_count = options->pattern_count,
        .seed = options->measuring.request.seed,
        .floor = comparing_floor_of,
        .context = &floors,
    };
    if (comparison_make(&base->blocks, &head->blocks, &request, &comparison)) {
        noise_floor_release(&floors.floor);
        return complain(EXIT_USAGE, command_name, "no memory");
    }
    struct compare_report report = {.comparison = &comparison,
                                    .base = options->given[0],
                                    .head = options->given[1],
                                    .allowed = options->allowed,
                                    .confirmation = ""};
    char how[2048];
    bool suspects = comparing_suspects(&comparison) && !verdict_incomparable(&report, how, sizeof how);
    if (suspects && options->confirm_run) {
        code = confirm_stored(options, &base->blocks, &comparison);
        report.confirmation = options->confirm_run;
    } else if (suspects && options->allowed & 1u << COMPARING_ALLOW_UNCONFIRMED) {
        accept_suspects(&comparison);
        report.confirmation = "nothing: --allow=unconfirmed";
    }
    if (!code)
        code = comparing_show(&report, options);
    if (code == EXIT_INCONCLUSIVE && comparing_suspects(&comparison))
        complain(0, command_name,
                 "a loss counts when a fresh run shows it too: run HEAD again and give --confirm-run=RUN (or "
                 "--allow=unconfirmed)");
    comparison_release(&comparison);
    noise_floor_release(&floors.floor);
    return code;
}

int comparing_stored(struct comparing *options)
{
    static char newest[4096];
    struct side base, head;
    if (options->count == 1 && run_find_newest(options->results, newest, sizeof newest) != 0)
        return complain(EXIT_USAGE, command_name,
                        "no run below %s to be HEAD; measure one with `kneepoint characterize`, or name its folder",
                        options->results);
    if (options->count == 1)
        options->given[1] = newest;
    if (options->confirm_run && side_is_same(options->confirm_run, options->given[1]))
        return complain(EXIT_USAGE, command_name,
                        "--confirm-run=%s is HEAD itself; it confirms nothing, measure another", options->confirm_run);
    int code = load_side(options->given[0], options, &base);
    if (code)
        return code;
    code = load_side(options->given[1], options, &head);
    if (!code) {
        code = judge_stored(options, &base, &head);
        side_release(&head);
    }
    side_release(&base);
    return code;
}
