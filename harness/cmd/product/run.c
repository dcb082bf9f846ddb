/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A command that multiplies matrices: what is asked for is measured, printed and written.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/product/product_cell.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/options/tuning_option.h"
#include "harness/cmd/console/watched.h"
#include "harness/cmd/product/product_command.h"
#include "harness/command/command.h"
#include "harness/plan/product_measure.h"

/* ---- printing ---- */

/** What was left out, by name and reason. */
static int print_left_out(const struct product_command *command, const struct product_job *job, bool json)
{
    char why[160];
    for (size_t i = 0; i < job->pair_count; i++) {
        const struct product_pair *pair = &job->pairs[i];
        const struct shape *shape = pair->shape;
        if (!product_pair_is_left_out(pair, why, sizeof why))
            continue;
        if (!json)
            printf("left out: %s on %zux%zu: %s\n", pair->kernel->name, shape->m, shape->k, why);
        else if (print_record(command->name,
                              json_pack("{s:s, s:s, s:I, s:I, s:s}", "type", "skipped", "name", pair->kernel->name, "m",
                                        (json_int_t)shape->m, "k", (json_int_t)shape->k, "reason", why)))
            return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* ---- measuring ---- */

struct task {
    const struct product_command *command;
    const struct product_options *options;
    struct tuning_table tuning; /* empty: none */
};

/** Of which cells there are samples and no number; @return EXIT_INCONCLUSIVE if of all that was asked for */
static int tell_of_none(const struct product_command *command, const struct session *session, const struct cells *cells)
{
    size_t all = 0, without = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        bool asked = strcmp(cell->kind->name, command->name) == 0 && !product_cell(cell)->beside;
        if (!asked || plugins_fault(&session->plugins, cell->kernel->name))
            continue;
        all++;
        without += warn_no_samples(command->name, cell);
    }
    return all && without == all ? EXIT_INCONCLUSIVE : EXIT_DONE;
}

/** Measure, print, and write what was asked to be written. */
static int measure_and_write(const struct task *task, struct session *session, struct cells *cells,
                             const struct product_job *job)
{
    const struct product_command *command = task->command;
    char why[SESSION_WHY];
    const struct table_view *view = &task->options->view;
    bool json = task->options->measuring.json, peers = task->options->peers && !json;
    struct watched watched = {
        .command = command->name, .shows = command->name, .json = json, .line = product_line, .given = command};
    watched.done = peers ? product_peer_done : NULL;
    int code = watched_open(&watched, &task->options->run, session);
    if (code)
        return code;
    const struct execution execution = watched_begin(&watched);
    int error = product_job_measure(job, session, cells, &execution, why, sizeof why);
    code = watched_end(&watched, cells, error, why);
    if (!code && json)
        code = watched_lines(&watched, cells, cells->count);
    if (!code)
        code = peers ? product_print_peers(command, session, cells, view)
                     : product_print(command, session, cells, json, view);
    if (!code && !json && !peers) {
        code = product_print_repacking(command->name, session, cells, view);
        product_print_renderings(session, cells);
    }
    if (!code && !json && !task->options->prefetch_given)
        tuning_option_print(&task->tuning, cells);
    if (!code)
        code = print_left_out(command, job, json);
    if (!code)
        code = json ? command_session_print_withheld(command->name, session) : code;
    if (!code && !watched.interrupted)
        code = tell_of_none(command, session, cells);
    return watched_close(&watched, session, cells, code);
}

/** What the options ask for, refused or thinned out where it cannot be measured. */
static int prepare_job(const struct task *task, struct session *session, struct product_job *job)
{
    const struct product_command *command = task->command;
    char why[SESSION_WHY];
    int code = product_select(command, session, task->options, job);
    if (code)
        return code;
    if (product_job_pair(job, why, sizeof why) || product_job_check(job, session, why, sizeof why) ||
        product_job_try(job, session, why, sizeof why))
        return complain(EXIT_USAGE, command->name, "%s", why);
    return EXIT_DONE;
}

static int measure_job(const struct task *task, struct session *session, struct cells *cells, struct product_job *job)
{
    const struct product_command *command = task->command;
    int code = prepare_job(task, session, job);
    if (!code && !job->kernel_count)
        return task->options->measuring.json ? command_session_print_withheld(command->name, session)
                                             : EXIT_DONE; /* all that was asked for */
    return code ? code : measure_and_write(task, session, cells, job);
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    struct task task = *(const struct task *)given;
    const char *name = task.command->name, *tuning = task.options->tuning;
    if (task.options->prefetch_given && tuning && strcmp(tuning, "none") != 0)
        return complain(EXIT_USAGE, name, "--tuning sets the prefetch distance, too; leave out --tuning or --prefetch");
    struct product_job *job = calloc(1, sizeof *job);
    if (!job)
        return complain(EXIT_USAGE, name, "no memory");
    int code = tuning_option_read(name, task.options->prefetch_given ? "none" : tuning, session, &task.tuning);
    job->tuning = task.tuning.count ? &task.tuning : NULL;
    if (!task.options->prefetch_given)
        session->tunes = tuning_option_tunes(tuning);
    if (!code)
        code = measure_job(&task, session, cells, job);
    tuning_release(&task.tuning);
    product_job_free(job);
    return code;
}

/** Of a command that sweeps numbers of tokens, where none are given. */
static void default_tokens(const struct product_command *command, struct product_options *options)
{
    static const size_t usual[] = {1, 2, 4, 8, 16, 32, 64, 128, 512, 1024};
    if (!command->sweeps || options->token_count)
        return;
    memcpy(options->tokens, usual, sizeof usual);
    options->token_count = sizeof usual / sizeof *usual;
}

/** Options that do not go together are refused. */
static int settle(const struct product_command *command, struct product_options *options)
{
    char why[SESSION_WHY];
    if (schedule_options_settle(&options->sharing, why, sizeof why))
        return complain(EXIT_USAGE, command->name, "%s", why);
    if (options->reads && options->warm && !options->cold)
        return complain(EXIT_USAGE, command->name, "--reads needs cold GEMVs; add --cold, or leave --warm out");
    return EXIT_DONE;
}

int product_command_run(const struct product_command *command, const struct argp *argp, int argc, char **argv)
{
    struct product_options options = {.view.tables = command->tables};
    const struct task task = {.command = command, .options = &options};
    int code = parse_options(argp, argc, argv, &options);
    const bool saved = !code && options.from;
    if (!code && options.device)
        return product_device_run(command, &options);
    if (!code)
        code = settle(command, &options);
    if (!code && saved)
        code = product_print_saved(command, &options);
    default_tokens(command, &options);
    if (!code && options.peers)
        code = peers_find(command->name, &options.measuring.request.plugins, &options.found);
    if (!code && !saved)
        code = command_session_run(command->name, &options.measuring.request, measure, &task);
    plugins_found_release(&options.found);
    schedule_options_release(&options.sharing);
    return code;
}
