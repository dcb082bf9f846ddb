/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cmd/compare/compare_command.h"
#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "harness/compare/input.h"
#include "reports/verdict/verdict_words.h"
#include "results/records/run.h"
#include "results/text/refuse.h"

static const char command_name[] = "compare";

static int load_input(const char *given, const struct compare_options *options, struct compare_input *input)
{
    char why[1024];
    int error = compare_input_load(given, options->results, input, why, sizeof why);
    if (error)
        return complain(error == -EXDEV ? EXIT_INCOMPARABLE : EXIT_USAGE, command_name, "%s", why);
    const struct run_damage damage = {.truncated = input->truncated, .bad_lines = input->bad_lines};
    complain_of_damage(command_name, given, &damage);
    return EXIT_DONE;
}

/** The runs of both sides, first and confirming. */
struct sides {
    const struct blocks *base, *head;
};

/** A copy under another name, or the baseline that was saved from a run, is not another measurement. */
static int refuse_same(const char *option, const char *given, const struct blocks *again, const char *side,
                       const struct blocks *first)
{
    return blocks_are_same(again, first)
               ? complain(EXIT_USAGE, command_name, "%s=%s holds the same measurement as %s; it confirms nothing",
                          option, given, side)
               : EXIT_DONE;
}

/** Runs of both sides that the comparison which they confirm did not have. */
struct stored_confirmation {
    const struct blocks *base; /* measured again, or the same as before */
    const struct blocks *head;
    enum compare_confirming confirming; /* which of it */
    unsigned allowed;                   /* bits 1 << comparable_fact that may differ between both */
};

/**
 * Compare the suspected cells of a stored comparison once more; those that lose there too fail, or stay suspected where
 * base is the same.
 * @return 0; -EXDEV what cannot be compared, joined with "; " in why; -ENOMEM
 */
static int compare_suspects(const struct stored_confirmation *again, struct comparison *comparison, char *why,
                            size_t size)
{
    struct comparison fresh;
    const char **names = calloc(comparison->count + 1, sizeof *names);
    if (!names)
        return refuse(-ENOMEM, why, size, "no memory");
    const struct comparison_request request = {
        .patterns = names,
        .pattern_count = comparison_suspects(comparison, names),
        .seed = comparison->rule.seed + 1,
        .layout = comparison->layout, /* what was known of this machine at first, where the fresh BASE does not say */
    };
    int error = comparison_make(again->base, again->head, &request, &fresh);
    free(names);
    if (error)
        return refuse(error, why, size, "no memory");
    const struct compare_report report = {.comparison = &fresh, .allowed = again->allowed, .confirmation = ""};
    if (verdict_incomparable(&report, why, size))
        error = -EXDEV;
    else
        compare_confirm(comparison->outcome, comparison->count, again->confirming, fresh.outcome, fresh.count);
    comparison_release(&fresh);
    return error;
}

/** Compare the suspects of the first comparison once more, with these runs. */
static int confirm_with(const struct compare_options *options, const struct stored_confirmation *again,
                        struct comparison *comparison)
{
    char why[2048];
    int error = compare_suspects(again, comparison, why, sizeof why);
    if (error == -EXDEV)
        return complain(EXIT_INCOMPARABLE, command_name, "%s as HEAD: %s", options->confirm_run, why);
    return error ? complain(EXIT_USAGE, command_name, "%s", why) : EXIT_DONE;
}

static int confirm(const struct compare_options *options, const struct sides *first, struct comparison *comparison)
{
    struct compare_input head, base = {0};
    int code = load_input(options->confirm_run, options, &head);
    if (code)
        return code;
    code = refuse_same("--confirm-run", options->confirm_run, &head.blocks, "HEAD", first->head);
    if (!code && options->confirm_base)
        code = load_input(options->confirm_base, options, &base);
    if (!code && options->confirm_base)
        code = refuse_same("--confirm-base", options->confirm_base, &base.blocks, "BASE", first->base);
    if (!code) {
        const struct stored_confirmation again = {
            .base = options->confirm_base ? &base.blocks : first->base,
            .head = &head.blocks,
            .confirming = options->confirm_base ? COMPARE_FRESH_BASE : COMPARE_BASE_AGAIN,
            .allowed = options->allowed,
        };
        code = confirm_with(options, &again, comparison);
    }
    compare_input_release(&base);
    compare_input_release(&head);
    return code;
}

/** Confirm what is suspected, as far as the options allow, and put into words how. */
static int settle_suspects(const struct compare_options *options, const struct sides *first,
                           struct comparison *comparison, char *words, size_t size)
{
    int code = EXIT_DONE;
    if (options->confirm_run) {
        code = confirm(options, first, comparison);
        snprintf(words, size, "%s against %s%s", options->confirm_run,
                 options->confirm_base ? options->confirm_base : "the same BASE",
                 options->confirm_base || !(options->allowed & 1u << COMPARE_ALLOW_SAME_BASE) ? ""
                                                                                              : ": --allow=same-base");
        if (!code && options->allowed & 1u << COMPARE_ALLOW_SAME_BASE)
            comparison_accept_suspects(comparison);
    } else if (options->allowed & 1u << COMPARE_ALLOW_UNCONFIRMED) {
        comparison_accept_suspects(comparison);
        snprintf(words, size, "nothing: --allow=unconfirmed");
    }
    return code;
}

static void say_what_is_missing(const struct compare_options *options)
{
    if (options->confirm_run)
        complain(0, command_name,
                 "both comparisons use the same BASE, so a lucky BASE counts twice: run BASE again and give "
                 "--confirm-base=RUN (or --allow=same-base)");
    else
        complain(0, command_name,
                 "a loss counts when fresh runs show it too: run BASE and HEAD again and give --confirm-base=RUN and "
                 "--confirm-run=RUN (or --allow=unconfirmed)");
}

static int judge_stored(const struct compare_options *options, const struct compare_input *base,
                        const struct compare_input *head)
{
    struct machine_floor floor = {0};
    struct comparison comparison;
    char why[2048], confirmation[512] = "";
    int code = EXIT_DONE;
    if (machine_floor_load(options->results, head->blocks.meta, &floor, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    double layout[COMPARE_CLASSES];
    machine_floor_layout(&floor, layout);
    struct comparison_request request = {
        .layout = layout,
        .patterns = options->patterns,
        .pattern_count = options->pattern_count,
        .wanted = compare_wants,
        .wanted_context = &options->filter,
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
                                    .confirmation = confirmation};
    if (comparison_suspects(&comparison, NULL) && !verdict_incomparable(&report, why, sizeof why))
        code = settle_suspects(options, &(struct sides){&base->blocks, &head->blocks}, &comparison, confirmation,
                               sizeof confirmation);
    if (!code)
        code = compare_print(&report, options);
    if (code == EXIT_INCONCLUSIVE && comparison_suspects(&comparison, NULL))
        say_what_is_missing(options);
    comparison_release(&comparison);
    machine_floor_release(&floor);
    return code;
}

/** One of a pair of options that names the same file as the side that it is to confirm. */
static int refuse_itself(const char *option, const char *again, const char *side, const char *first)
{
    return again && compare_input_is_same(again, first)
               ? complain(EXIT_USAGE, command_name, "%s=%s is %s itself; it confirms nothing, measure another", option,
                          again, side)
               : EXIT_DONE;
}

int compare_stored_runs(struct compare_options *options)
{
    static char newest[4096];
    struct compare_input base, head;
    int error = options->count == 1 ? run_find_newest(options->results, newest, sizeof newest) : 0;
    if (error)
        return complain_of_no_run(command_name, error, options->results, " to be HEAD", "name its folder");
    if (options->count == 1)
        options->given[1] = newest;
    int code = refuse_itself("--confirm-run", options->confirm_run, "HEAD", options->given[1]);
    if (!code)
        code = refuse_itself("--confirm-base", options->confirm_base, "BASE", options->given[0]);
    if (!code)
        code = load_input(options->given[0], options, &base);
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
