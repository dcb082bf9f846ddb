/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/model/model_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/prefill/prefill.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/watched.h"
#include "harness/cmd/decode/decode_command.h"
#include "harness/command/command.h"
#include "harness/command/exit_code.h"
#include "harness/plan/given_job.h"
#include "harness/plan/prefill_job.h"
#include "results/records/record.h"

static const char command_name[] = "model";

int model_decode_open(const struct model_view *view, struct model_decode *decode)
{
    char why[512];
    const char *slash = strrchr(view->path, '/'), *name = slash ? slash + 1 : view->path;
    if (given_model_open(&view->file, &view->facts, name, &decode->given, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s: %s: %s", view->path, decode->decodes ? "--decode" : "--prefill",
                        why);
    if (view->type)
        decode->given.model = view->listed.model;
    decode->view = view;
    if (decode->prefills && given_model_multiplies(&decode->given, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s: --prefill: %s", view->path, why);
    return EXIT_DONE;
}

void model_decode_close(struct model_decode *decode)
{
    given_model_close(&decode->given);
}

/** The token, or the prompts. */
static int select_job(struct model_decode *decode, const struct session *session, bool prompts, struct decode_job *job)
{
    char why[SESSION_WHY];
    const struct decode_lengths positions = {1, {decode->view->positions ? (size_t)decode->view->positions : 1}};
    decode_job_set_contexts(job, &positions, 1);
    job->caches = 1u << decode->view->cache;
    job->threads = session->threads;
    job->samples = decode->samples;
    if (prompts) {
        memcpy(job->prefill, decode->prefill, sizeof job->prefill);
        job->prefills = decode->prefills;
    }
    int error = prompts ? given_job_prompts(job, &decode->given, session, why, sizeof why)
                        : given_job_token(job, &decode->given, session, why, sizeof why);
    return error ? complain(EXIT_USAGE, command_name, "%s: %s", prompts ? "--prefill" : "--decode", why) : EXIT_DONE;
}

static void print_parts(const json_t *record)
{
    const json_t *parts = json_object_get(record, "parts");
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        printf("  %-12s", record_text(part, "part"));
        print_median(part, "time_s", 1e3, 9, 3);
        print_median(part, "share", 100, 6, 1);
        puts("%");
    }
}

static void print_weights(const struct model_decode *decode, const json_t *record)
{
    const bool of_file = decode->given.given.packed;
    putchar('\n');
    table_write_emulated(stdout, record);
    const char *cache = record_text(record, "cache"); /* of a prompt bf16 */
    printf("Measured with %s, copied to memory that each thread touched first: %s, head %s, %.0f "
           "threads, %.0f of %.0f layers, keys and values in %s\n",
           of_file ? "the file's own weights" : "random weights", record_text(record, "name"),
           record_text(record, "head"), record_number(record, "threads"), record_number(record, "distinct_layers"),
           record_number(record, "layers"), cache ? cache : layer_cache_name(LAYER_CACHE_BF16));
}

/** What a pass took. @return false for one without a number */
static bool print_pass(const json_t *record)
{
    struct summary tokens;
    if (!print_unless_few(record, "tokens_per_s")) {
        print_few_remedy(1);
        return false;
    }
    print_median(record, "tokens_per_s", 1, 0, 2);
    printf(" tokens/s ±");
    print_half_interval(record, "tokens_per_s", 1, 0, 2);
    printf(" (95%%), n %zu,", record_quantity_read(record, "tokens_per_s", &tokens) ? 0 : tokens.n);
    print_median(record, "time_s", 1e3, 0, 3);
    printf(" ms; alpha, the share of the layers' products,");
    print_median(record, "alpha", 1, 0, 3);
    puts("");
    print_parts(record);
    return true;
}

static void print_token(const struct model_decode *decode, const json_t *record)
{
    print_weights(decode, record);
    decode_table_print_uses(record);
    printf("  ");
    print_pass(record);
    if (decode->view->token.seconds > 0)
        printf("  predicted %.2f tokens/s, %.2f if reading hides all arithmetic\n", 1 / decode->view->token.seconds,
               1 / decode->view->token.least_s);
}

static void print_prompt(const struct model_decode *decode, const json_t *record)
{
    double tokens = record_number(record, "tokens"), predicted_s = record_number(record, "predicted_s");
    print_weights(decode, record);
    decode_table_print_uses(record);
    printf("  a prompt of %.0f tokens:", tokens);
    if (print_pass(record) && predicted_s > 0)
        printf("  predicted from parts measured alongside: %.2f tokens/s\n", tokens / predicted_s);
}

/** @return EXIT_INCONCLUSIVE if no sample of any pass was kept */
static int print_all(const struct model_decode *decode, const struct session *session, const struct cells *cells)
{
    int code = EXIT_DONE;
    size_t all = 0, without = 0;
    for (size_t i = 0; code == EXIT_DONE && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        bool prompt = prefill_cell(cell);
        json_t *record = prompt || decode_cell(cell) ? summary_record(session, cells, cell) : NULL;
        if (!record)
            continue;
        all++;
        without += warn_no_samples(command_name, cell);
        json_object_set_new(record, "weights", json_string(decode->given.given.packed ? "of the file" : "random"));
        if (decode->json) {
            code = print_record(command_name, record);
            continue;
        }
        if (prompt)
            print_prompt(decode, record);
        else
            print_token(decode, record);
        json_decref(record);
    }
    return code == EXIT_DONE && all && without == all ? EXIT_INCONCLUSIVE : code;
}

static int measure_job(struct model_decode *decode, struct session *session, struct cells *cells, bool prompts,
                       struct watched *watched, struct decode_job *job)
{
    char part[SESSION_WHY + 32], why[SESSION_WHY];
    int code = select_job(decode, session, prompts, job);
    if (code != EXIT_DONE)
        return code;
    decode_print_estimate(command_name, job, session);
    const struct execution execution = watched_begin(watched);
    int error = prompts ? prefill_job_measure(job, session, cells, &execution, why, sizeof why)
                        : decode_job_measure(job, session, cells, &execution, why, sizeof why);
    snprintf(part, sizeof part, "%s: %s", prompts ? "--prefill" : "--decode", error ? why : "");
    return watched_end(watched, cells, error, part);
}

/** The token and the prompts into one plan, which share what they are held against. */
static int measure(const void *given, struct session *session, struct cells *cells)
{
    struct model_decode *decode = *(struct model_decode *const *)given;
    struct watched watched = {.command = command_name, .json = decode->json};
    session->tunes = SESSION_TUNES_CELLS;
    int code = watched_open(&watched, decode->run, session);
    if (code)
        return code;
    code = decode->predict(decode->context);
    if (code == EXIT_DONE && fflush(stdout))
        code = EXIT_USAGE;
    for (int prompts = 0; code == EXIT_DONE && !watched.interrupted && prompts < 2; prompts++) {
        if (prompts ? !decode->prefills : !decode->decodes)
            continue;
        struct decode_job *job = calloc(1, sizeof *job);
        code = job ? measure_job(decode, session, cells, prompts, &watched, job)
                   : complain(EXIT_USAGE, command_name, "no memory");
        free(job);
    }
    if (code == EXIT_DONE)
        code = print_all(decode, session, cells);
    return watched_close(&watched, session, cells, code);
}

int model_decode_run(struct model_decode *decode)
{
    const struct session_request request = {.team = {.threads = decode->threads}};
    return command_session_run(command_name, &request, measure, &decode);
}
