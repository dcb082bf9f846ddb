/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command.h"
#include "harness/cmd/compare_command/comparing.h"
#include "harness/cmd/console/console.h"
#include "harness/compare/live.h"
#include "harness/measure/process_arguments.h"
#include "harness/record/provenance.h"

static const char command_name[] = "compare";

static const double BLOCK_LIMIT_S = 300;

static void tell(void *context, double fraction, double remaining_s, const char *now)
{
    progress_update(context, fraction, remaining_s, now);
}

/** What the processes of the blocks are told of these options. */
static struct process_arguments tell_blocks(const struct comparing *options)
{
    struct process_arguments told = {0};
    for (size_t i = 0; i < options->shape_count; i++)
        process_arguments_add(&told, "--shape=%s", options->shapes[i]);
    if (options->model)
        process_arguments_add(&told, "--model=%s", options->model);
    if (options->cold)
        process_arguments_add(&told, "--cold");
    if (options->warm)
        process_arguments_add(&told, "--warm");
    if (options->accumulators)
        process_arguments_add(&told, "--accumulators=%u", options->accumulators);
    options_pass_on(&options->measuring, &told);
    return told;
}

static int complain_live(int error, const char *why)
{
    return complain(error == -EILSEQ ? EXIT_CHECK_FAILED : EXIT_USAGE, command_name, "%s", why);
}

/** Keep both sides as runs, so that every sample can be looked at. */
static int keep_runs(const struct comparing *options, const struct live_result *result)
{
    static const char *const side[] = {"base", "head"};
    char platform[128], name[64], path[4352], why[1024];
    comparing_platform(result->runs[0].meta, platform, sizeof platform);
    provenance_run_name(NULL, name, sizeof name);
    for (int s = 0; s < 2; s++) {
        struct run *run;
        snprintf(path, sizeof path, "%s/%s/%s-%s", options->results, platform, name, side[s]);
        if (run_create(path, result->runs[s].meta, &run, why, sizeof why))
            return complain(EXIT_USAGE, command_name, "%s", why);
        int error = 0;
        for (size_t i = 0; !error && i < json_array_size(result->runs[s].records); i++)
            error = run_append(run, json_array_get(result->runs[s].records, i));
        run_close(run);
        if (error)
            return complain(EXIT_USAGE, command_name, "cannot write records into %s: %s", path, strerror(-error));
        fprintf(stderr, "kneepoint compare: %s kept in %s\n", side[s], path);
    }
    return EXIT_DONE;
}

static int make_live(const struct comparing_going *going, const struct live_result *result,
                     struct comparison *comparison)
{
    struct comparison_request request = {
        .paired = true, .seed = going->seed, .floor = comparing_floor_of, .context = going->floors};
    return comparison_make(&result->base, &result->head, &request, comparison)
               ? complain(EXIT_USAGE, command_name, "no memory")
               : EXIT_DONE;
}

/** Twice as many pairs look afresh at what is suspected: a true loss should not be missed by the luck of one of them.
 */
static unsigned confirming_pairs(const struct comparing *options)
{
    unsigned pairs = 2 * options->blocks;
    return pairs < LIVE_BLOCKS_MOST ? pairs : LIVE_BLOCKS_MOST;
}

/** Measure the suspects once more. */
static int confirm_live(const struct comparing_going *going, struct comparison *comparison)
{
    char why[SESSION_WHY];
    struct live_result result;
    struct comparison fresh;
    const char **labels = calloc(comparison->count + 1, sizeof *labels);
    if (!labels)
        return complain(EXIT_USAGE, command_name, "no memory");
    size_t count = comparing_list_suspects(comparison, labels);
    int error = live_measure(going->live, confirming_pairs(going->options), labels, count, &result, why, sizeof why);
    free(labels);
    if (error)
        return complain_live(error, why);
    int code = make_live(going, &result, &fresh);
    if (!code) {
        compare_confirm(comparison->outcome, comparison->count, fresh.outcome, fresh.count);
        comparison_release(&fresh);
    }
    live_result_release(&result);
    return code;
}

int comparing_once(const struct comparing_going *going, struct live_result *result, struct comparison *comparison,
                   bool *confirmed)
{
    char why[SESSION_WHY];
    int error = live_measure(going->live, going->options->blocks, NULL, 0, result, why, sizeof why);
    if (error)
        return complain_live(error, why);
    int code = make_live(going, result, comparison);
    if (!code) {
        *confirmed = comparing_suspects(comparison) > 0;
        code = *confirmed ? confirm_live(going, comparison) : EXIT_DONE;
        if (code)
            comparison_release(comparison);
    }
    progress_end(going->progress);
    if (code)
        live_result_release(result);
    return code;
}

static int show_live(const struct comparing_going *going)
{
    const struct comparing *options = going->options;
    struct live_result result;
    struct comparison comparison;
    char confirmation[64] = "";
    bool confirmed = false;
    int code = comparing_once(going, &result, &comparison, &confirmed);
    if (code)
        return code;
    if (confirmed)
        snprintf(confirmation, sizeof confirmation, "%u fresh pairs of those cells", confirming_pairs(options));
    struct compare_report report = {
        .comparison = &comparison,
        .base = options->given[0],
        .head = options->given[1],
        .allowed = options->allowed,
        .live = true,
        .pairs = result.pairs,
        .confirmation = confirmation,
    };
    memcpy(report.moved, result.moved, sizeof report.moved);
    if (options->keep)
        code = keep_runs(options, &result);
    if (!code)
        code = comparing_show(&report, options);
    comparison_release(&comparison);
    live_result_release(&result);
    return code;
}

/** The files of plug-ins that are compared, and what tells two builds apart. */
static void name_subjects(json_t *meta, const struct comparing *options)
{
    json_t *subjects = json_array();
    for (int side = 0; side < 2; side++) {
        char hash[20];
        if (plugin_is_named(options->given[side]) && plugin_hash(options->given[side], hash, sizeof hash) == 0)
            json_array_append_new(subjects, json_pack("{s:s, s:s}", "file", options->given[side], "hash", hash));
    }
    if (json_array_size(subjects))
        json_object_set(meta, "subjects", subjects);
    json_decref(subjects);
}

int comparing_live(const struct comparing *options, struct session *session)
{
    char why[SESSION_WHY];
    struct progress progress;
    struct comparing_floors floors = {0};
    struct process_arguments told = tell_blocks(options);
    char *command[] = {(char *)"kneepoint compare", (char *)"--live", (char *)options->given[0],
                       (char *)options->given[1]};
    json_t *meta = told.failed ? NULL : provenance_meta(session, 4, command);
    if (!meta) {
        process_arguments_release(&told);
        return complain(EXIT_USAGE, command_name, "no memory");
    }
    name_subjects(meta, options);
    progress_begin(&progress, "compare");
    struct live_request request = {
        .given = {options->given[0], options->given[1]},
        .program = "/proc/self/exe",
        .arguments = (const char *const *)told.argv,
        .patterns = options->patterns,
        .pattern_count = options->pattern_count,
        .block_limit_s = BLOCK_LIMIT_S,
        .seed = session_random(session),
        .meta = meta,
        .progress = tell,
        .context = &progress,
    };
    struct comparing_going going = {
        .options = options, .floors = &floors, .progress = &progress, .seed = options->measuring.request.seed};
    int code = comparing_floors_load(options, meta, &floors);
    if (!code) {
        int error = live_open(session, &request, &going.live, why, sizeof why);
        code = error ? complain_live(error, why) : EXIT_DONE;
    }
    if (!code) {
        floors.live = going.live;
        if (live_left_out(going.live))
            complain(0, command_name, "%zu cells that only one of them has are left out", live_left_out(going.live));
        code = options->noise_floor ? comparing_floors_measure(&going) : show_live(&going);
        live_close(going.live);
    }
    noise_floor_release(&floors.floor);
    json_decref(meta);
    process_arguments_release(&told);
    return code;
}
