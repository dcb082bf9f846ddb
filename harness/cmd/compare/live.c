/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/compare/compare_command.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/interruption.h"
#include "harness/command/command.h"
#include "harness/measure/process_arguments.h"
#include "harness/record/provenance.h"
#include "results/gate/looks.h"

static const char command_name[] = "compare";

static const double BLOCK_LIMIT_S = 300;

static void show_progress(void *context, double fraction, double remaining_s, const char *now)
{
    progress_update(context, fraction, remaining_s, now);
}

/** Options that the processes of the blocks get. */
static struct process_arguments block_arguments(const struct compare_options *options)
{
    struct process_arguments arguments = {0};
    for (size_t i = 0; i < options->shape_count; i++)
        process_arguments_add(&arguments, "--shape=%s", options->shapes[i]);
    if (options->model)
        process_arguments_add(&arguments, "--model=%s", options->model);
    if (options->cold)
        process_arguments_add(&arguments, "--cold");
    if (options->warm)
        process_arguments_add(&arguments, "--warm");
    if (options->accumulators)
        process_arguments_add(&arguments, "--accumulators=%u", options->accumulators);
    options_pass_on(&options->measuring, &arguments);
    return arguments;
}

/** Keep both sides as runs, so that every sample can be looked at. */
static int keep_runs(const struct compare_options *options, const struct live_comparison *live)
{
    char name[64], path[4352], why[1024];
    provenance_run_name(NULL, name, sizeof name);
    for (int side = 0; side < 2; side++) {
        if (live_comparison_keep(live, side, options->results, name, path, sizeof path, why, sizeof why))
            return complain(EXIT_USAGE, command_name, "%s", why);
        complain(0, command_name, "%s kept in %s", side ? "head" : "base", path);
    }
    return EXIT_DONE;
}

static int list_withheld(const struct live_withheld *faults, struct compare_report *report)
{
    struct verdict_withheld *withheld = calloc(faults->count + 1, sizeof *withheld);
    for (size_t i = 0; withheld && i < faults->count; i++)
        withheld[i] = (struct verdict_withheld){
            .name = faults->fault[i].name, .why = faults->fault[i].why, .record = faults->fault[i].record};
    report->withheld = withheld;
    report->withheld_count = withheld ? faults->count : 0;
    return withheld ? 0 : -ENOMEM;
}

/** Without a verdict: nothing was left to judge. */
static int print_withheld(const struct live_withheld *faults, int code)
{
    for (size_t i = 0; i < faults->count; i++) {
        if (print_record(command_name, json_incref(faults->fault[i].record)))
            return EXIT_USAGE;
    }
    return code;
}

static int judge_pairs(const struct compare_options *options, const struct live_comparison_request *request,
                       struct progress *progress)
{
    struct live_comparison live;
    char confirmation[64] = "";
    int code = compare_measured(request, progress, &live);
    if (code)
        return options->format == VERDICT_JSON ? print_withheld(live_faults(request->live), code) : code;
    if (live.confirming_pairs)
        snprintf(confirmation, sizeof confirmation, "%zu fresh pairs of those cells", live.confirming_pairs);
    struct compare_report report = {
        .comparison = &live.comparison,
        .base = options->given[0],
        .head = options->given[1],
        .allowed = options->allowed,
        .live = true,
        .pairs = live.result.pairs,
        .first_pairs = options->blocks,
        .seconds = live.seconds,
        .confirmation = confirmation,
    };
    memcpy(report.moved, live.result.moved, sizeof report.moved);
    if (list_withheld(live_faults(request->live), &report))
        code = complain(EXIT_USAGE, command_name, "no memory");
    if (!code && options->keep)
        code = keep_runs(options, &live);
    if (!code)
        code = compare_print(&report, options);
    if (live_stopped(request->live))
        code = complain(EXIT_INTERRUPTED, command_name, "interrupted; the verdict is of the %zu pairs so far%s",
                        live.result.pairs, options->keep ? "" : ", which are not saved (--keep saves them)");
    free((void *)report.withheld);
    live_comparison_release(&live);
    return code;
}

/** With the floor of the machine loaded and provenance known. */
static int compare_opened(const struct compare_options *options, struct session *session, const json_t *meta,
                          const char *const *arguments, struct machine_floor *floor)
{
    char why[SESSION_WHY];
    struct progress progress;
    progress_begin(&progress, command_name);
    const struct live_request pair = {
        .given = {options->given[0], options->given[1]},
        .program = "/proc/self/exe",
        .arguments = arguments,
        .patterns = options->patterns,
        .pattern_count = options->pattern_count,
        .block_limit_s = BLOCK_LIMIT_S,
        .seed = session_random(session),
        .meta = meta,
        .progress = show_progress,
        .context = &progress,
        .stop = interruption_watch(),
    };
    struct live *live;
    int error = live_open(session, &pair, &live, why, sizeof why);
    if (error)
        progress_end(&progress);
    if (error == -EINTR || (error && *pair.stop))
        return complain(EXIT_INTERRUPTED, command_name, "interrupted before anything was measured");
    if (error)
        return complain(error == -EILSEQ ? EXIT_CHECK_FAILED : EXIT_USAGE, command_name, "%s", why);
    floor->live = live;
    compare_say_faults(live);
    if (live_left_out(live))
        complain(0, command_name, "%zu cell%s on one side only: skipped", live_left_out(live),
                 live_left_out(live) == 1 ? " exists" : "s exist");
    const struct live_comparison_request request = {
        .live = live,
        .floor = floor,
        .blocks = options->blocks,
        .once = options->noise_floor > 0, /* a floor is that of this many pairs */
        .budget_s = options->noise_floor ? 0 : options->budget_s,
        .seed = options->measuring.request.seed,
    };
    size_t least = looks_least_pairs(compare_rule_default().alpha, live_cells(live), request.once);
    if (least > options->blocks && !options->noise_floor) {
        size_t cells = live_cells(live);
        live_close(live);
        return complain(EXIT_USAGE, command_name,
                        "no cell can fail: to find a loss among %zu cells takes --blocks=%zu or more; give that, or "
                        "choose fewer cells with --cell",
                        cells, least);
    }
    int code = options->noise_floor ? compare_noise_floor(options, &request, &progress, floor)
                                    : judge_pairs(options, &request, &progress);
    compare_say_faults(live);
    bool faulty = live_faults(live)->count > 0;
    live_close(live);
    return faulty && (code == EXIT_DONE || code == EXIT_INCONCLUSIVE) ? EXIT_CHECK_FAILED : code;
}

int compare_live_pairs(const struct compare_options *options, struct session *session)
{
    char why[1024];
    struct machine_floor floor = {0};
    struct process_arguments arguments = block_arguments(options);
    json_auto_t *meta = arguments.failed ? NULL : live_comparison_meta(session, options->given);
    int code;
    if (!meta)
        code = complain(EXIT_USAGE, command_name, "no memory");
    else if (machine_floor_load(options->results, meta, &floor, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    else
        code = compare_opened(options, session, meta, (const char *const *)arguments.argv, &floor);
    machine_floor_release(&floor);
    process_arguments_release(&arguments);
    return code;
}
