/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Passes beside the results of an engine: ours, and one with the engine's kernels, each with the result's threads and context.
 */
#include "harness/cmd/model/beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/prefill/prefill.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/watched.h"
#include "harness/cmd/decode/decode_command.h"
#include "harness/command/exit_code.h"
#include "harness/plan/prefill_job.h"
#include "results/files/need.h"

static const char command_name[] = "model";

/** Passes of one kind of kernels with a number of threads: of tokens with several contexts, or of several prompts. */
struct task {
    struct given_model given;
    struct given_engine engine; /* without a plug-in: our kernels */
    struct decode_job job;
};

/** Tasks, which cells point into. */
struct tasks {
    struct task **at;
    size_t count;
};

static void release_tasks(struct tasks *tasks)
{
    for (size_t i = 0; i < tasks->count; i++) {
        given_model_close(&tasks->at[i]->given);
        free(tasks->at[i]);
    }
    free(tasks->at);
}

/* ---- which passes ---- */

/** What no pass of ours is like. @return whether there is one, with the reason in why if not */
static bool has_pass(const struct session *session, const struct beside_row *row, char *why, size_t size)
{
    const struct engine_result *of = row->of;
    if (!row->prompt && !engine_result_is_token(of))
        snprintf(why, size, "it is of a prompt and tokens together; run the engine with -p and -n apart");
    else if (row->prompt && of->depth)
        snprintf(why, size, "our prompts begin with an empty cache, and it had %zu positions", of->depth);
    else if (row->prompt && of->prompt > PREFILL_TOKENS_MOST)
        snprintf(why, size, "our prompts have %d tokens at most", PREFILL_TOKENS_MOST);
    else if (row->threads > session->threads)
        snprintf(why, size, "it has %u threads, and a team here %u, one a core", row->threads, session->threads);
    return !why[0];
}

/** The plug-in that was named, or of those that were found the one of the engine. */
static const struct plugin *find_plugin(const struct session *session, const struct beside *beside)
{
    const struct plugins *plugins = &session->plugins;
    for (unsigned i = 0; i < plugins->count; i++) {
        if (!plugins->plugin[i].found ||
            strcmp(plugins->plugin[i].description->name, beside->results.result[0].engine) == 0)
            return &plugins->plugin[i];
    }
    return NULL;
}

static void say_no_plugin(const struct beside *beside, char *why, size_t size)
{
    if (!beside->plugins.count)
        snprintf(why, size, "no plug-in with its kernels was given: --plugin=FILE or --peers");
    else if (!beside->results.result[0].engine[0])
        snprintf(why, size, "it does not say of which engine it is: name the plug-in with --plugin=FILE");
    else
        snprintf(why, size, "no plug-in that was found is %s; name another with --plugin=FILE",
                 beside->results.result[0].engine);
}

/* ---- measuring ---- */

static char *why_of(struct beside_row *row, bool engine)
{
    return engine ? row->kernels_why : row->pass_why;
}

static const struct decode_given **given_of(struct beside_row *row, bool engine)
{
    return engine ? &row->kernels : &row->pass;
}

/** Whether a row is measured in the task of another. */
static bool shares_task(struct beside_row *row, struct beside_row *with, bool engine)
{
    return row->threads == with->threads && row->prompt == with->prompt && row->cache == with->cache &&
           !*given_of(row, engine) && !why_of(row, engine)[0] && (!engine || row->of->repacked == with->of->repacked);
}

static bool is_in(const size_t *lengths, size_t count, size_t length)
{
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] == length)
            return true;
    }
    return false;
}

/** The rows of a task, as far as a job has room: marked as its. */
static void collect(struct beside *beside, struct beside_row *first, bool engine, struct task *task,
                    struct beside_row **of_task, size_t *count)
{
    size_t lengths[DECODE_JOB_LENGTHS], used = 0;
    struct decode_lengths contexts[DECODE_JOB_LENGTHS];
    *count = 0;
    for (size_t i = 0; i < beside->count; i++) {
        struct beside_row *row = &beside->rows[i];
        size_t length = row->prompt ? row->of->prompt : row->context;
        if (!shares_task(row, first, engine) || (!is_in(lengths, used, length) && used == DECODE_JOB_LENGTHS))
            continue;
        if (!is_in(lengths, used, length)) {
            contexts[used] = (struct decode_lengths){1, {length}};
            lengths[used++] = length;
        }
        of_task[(*count)++] = row;
    }
    if (first->prompt) {
        memcpy(task->job.prefill, lengths, used * sizeof *lengths);
        task->job.prefills = used;
    }
    decode_job_set_contexts(&task->job, contexts, first->prompt ? 0 : used);
    task->job.caches = 1u << first->cache;
    task->job.threads = first->threads;
}

static int choose_kernels(struct task *task, const struct session *session, char *why, size_t size)
{
    if (task->engine.plugin)
        return given_job_engine(&task->job, &task->given, &task->engine, session, why, size);
    return task->job.prefills ? given_job_prompts(&task->job, &task->given, session, why, size)
                              : given_job_token(&task->job, &task->given, session, why, size);
}

/** Open the model and choose kernels. What cannot be measured is no error: its rows say why. */
static int prepare(const struct beside *beside, struct task *task, const struct session *session, char *why,
                   size_t size)
{
    const struct model_view *view = beside->view;
    const char *slash = strrchr(view->path, '/'), *name = slash ? slash + 1 : view->path;
    task->job.samples = beside->samples;
    int error = given_model_open(&view->file, &view->facts, name, &task->given, why, size);
    if (!error && view->type)
        task->given.model = view->listed.model;
    return error ? error : choose_kernels(task, session, why, size);
}

static int measure_task(struct task *task, struct session *session, struct cells *cells, struct watched *watched)
{
    char why[SESSION_WHY], part[SESSION_WHY + 32];
    const bool prompts = task->job.prefills > 0;
    decode_print_estimate(command_name, &task->job, session);
    const struct execution execution = watched_begin(watched);
    int error = prompts ? prefill_job_measure(&task->job, session, cells, &execution, why, sizeof why)
                        : decode_job_measure(&task->job, session, cells, &execution, why, sizeof why);
    snprintf(part, sizeof part, "--beside: %s", error ? why : "");
    return watched_end(watched, cells, error, part);
}

static int add_task(struct tasks *tasks, struct task **task)
{
    struct task **grown = realloc(tasks->at, (tasks->count + 1) * sizeof(struct task *));
    tasks->at = grown ? grown : tasks->at;
    *task = grown ? calloc(1, sizeof(struct task)) : NULL;
    if (!*task)
        return complain(EXIT_USAGE, command_name, "no memory");
    tasks->at[tasks->count++] = *task;
    return EXIT_DONE;
}

/** A row, and all others that are measured with it. */
static int measure_row(struct beside *beside, struct beside_row *first, bool engine, struct tasks *tasks,
                       struct session *session, struct cells *cells, struct watched *watched)
{
    char why[SESSION_WHY] = "";
    struct task *task = NULL;
    struct beside_row **of_task = need(beside->count, sizeof *of_task);
    size_t count = 0;
    int code = of_task ? add_task(tasks, &task) : complain(EXIT_USAGE, command_name, "no memory");
    if (code == EXIT_DONE) {
        if (engine)
            task->engine = (struct given_engine){beside->plugin, first->of->repacked};
        collect(beside, first, engine, task, of_task, &count);
        int error = prepare(beside, task, session, why, sizeof why);
        for (size_t i = 0; i < count; i++) {
            *given_of(of_task[i], engine) = error ? NULL : task->job.given;
            of_task[i]->random = engine && !error && !task->job.given->packed;
            if (error)
                snprintf(why_of(of_task[i], engine), SESSION_WHY, "%s", why);
        }
        code = error ? EXIT_DONE : measure_task(task, session, cells, watched);
    }
    free(of_task);
    return code;
}

static int measure_all(struct beside *beside, struct tasks *tasks, struct session *session, struct cells *cells,
                       struct watched *watched)
{
    int code = EXIT_DONE;
    for (int engine = 0; engine < 2; engine++) {
        for (size_t i = 0; code == EXIT_DONE && !watched->interrupted && i < beside->count; i++) {
            struct beside_row *row = &beside->rows[i];
            if (!*given_of(row, engine) && !why_of(row, engine)[0])
                code = measure_row(beside, row, engine, tasks, session, cells, watched);
        }
    }
    return code;
}

/* ---- printing ---- */

/** The record of the pass that was measured with these matrices; NULL: there is none. why receives what its cell says. */
static json_t *record_of(const struct session *session, const struct cells *cells, const struct beside_row *row,
                         const struct decode_given *given, char *why)
{
    for (size_t i = 0; given && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const struct decode_cell *token = decode_cell(cell);
        const struct prefill_cell *prompt = prefill_cell(cell);
        const struct decode_work *work = token ? &token->work : prompt ? &prompt->work : NULL;
        if (work && work->given == given && row->prompt == (prompt != NULL) &&
            (row->prompt ? work->tokens == row->of->prompt
                         : work->context.of[0] == row->context && work->cache == row->cache)) {
            if (cell->why[0])
                snprintf(why, SESSION_WHY, "%s", cell->why);
            return summary_record(session, cells, cell);
        }
    }
    return NULL;
}

/** Of a prompt that of a token with as many threads, of a token its own: the roof was read beside it. */
static json_t *token_record_of(const struct beside *beside, const struct session *session, const struct cells *cells,
                               const struct beside_row *row)
{
    char ignored[SESSION_WHY] = "";
    for (size_t i = 0; i < beside->count; i++) {
        const struct beside_row *other = row->prompt ? &beside->rows[i] : row;
        json_t *record = other->prompt || other->threads != row->threads
                             ? NULL
                             : record_of(session, cells, other, other->pass, ignored);
        if (record)
            return record;
    }
    return NULL;
}

static int print_passes(const struct beside *beside, const struct session *session, const struct cells *cells)
{
    int code = EXIT_DONE;
    for (size_t i = 0; beside->json && code == EXIT_DONE && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = decode_cell(cell) || prefill_cell(cell) ? summary_record(session, cells, cell) : NULL;
        if (record)
            code = print_record(command_name, record);
    }
    return code;
}

static int print_all(struct beside *beside, struct watched *watched, const struct session *session,
                     const struct cells *cells)
{
    char why[SESSION_WHY];
    json_auto_t *records = json_array();
    int code = records ? print_passes(beside, session, cells) : complain(EXIT_USAGE, command_name, "no memory");
    for (size_t i = 0; code == EXIT_DONE && i < beside->count; i++) {
        struct beside_row *row = &beside->rows[i];
        json_t *pass = record_of(session, cells, row, row->pass, row->pass_why),
               *token = token_record_of(beside, session, cells, row),
               *kernels = record_of(session, cells, row, row->kernels, row->kernels_why),
               *record = beside_record(beside, row, pass, token, kernels);
        json_decref(pass);
        json_decref(token);
        json_decref(kernels);
        if (!record || json_array_append(records, record))
            code = complain(EXIT_USAGE, command_name, "no memory");
        else if (run_writer_record(&watched->writer, json_incref(record), why, sizeof why))
            code = complain(EXIT_USAGE, command_name, "%s", why);
        else if (beside->json)
            code = print_record(command_name, json_incref(record));
        json_decref(record);
    }
    if (code == EXIT_DONE && !beside->json)
        code = beside_print(records, beside->table);
    return code;
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    struct beside *beside = *(struct beside *const *)given;
    struct watched watched = {.command = command_name, .json = beside->json};
    struct tasks tasks = {NULL, 0};
    session->tunes = SESSION_TUNES_CELLS;
    int code = watched_open(&watched, beside->run, session);
    if (code)
        return code;
    beside->plugin = find_plugin(session, beside);
    for (size_t i = 0; i < beside->count; i++) {
        struct beside_row *row = &beside->rows[i];
        if (!beside->path && !row->threads) {
            row->threads = session->threads;
            beside_name(row);
        }
        if (!has_pass(session, row, row->pass_why, sizeof row->pass_why))
            snprintf(row->kernels_why, sizeof row->kernels_why, "%s", row->pass_why);
        else if (!beside->plugin)
            say_no_plugin(beside, row->kernels_why, sizeof row->kernels_why);
    }
    code = measure_all(beside, &tasks, session, cells, &watched);
    if (code == EXIT_DONE)
        code = print_all(beside, &watched, session, cells);
    code = watched_close(&watched, session, cells, code);
    /* the cells' records were the last to look at them */
    for (size_t i = 0; i < beside->count; i++)
        beside->rows[i].pass = beside->rows[i].kernels = NULL;
    cells_release(cells);
    release_tasks(&tasks);
    return code;
}

int beside_run(struct beside *beside)
{
    const struct session_request request = {.plugins = beside->plugins};
    return command_session_run(command_name, &request, measure, &beside);
}
