/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/model_command/decode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/decode_plan.h"
#include "harness/cells/prefill.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/decode_command/prefill.h"
#include "harness/command.h"
#include "harness/plan/prefill_job.h"
#include "results/record.h"

static const char command_name[] = "model";

int model_decode_open(const struct model_view *view, struct model_decode *decode)
{
    char why[512];
    const char *slash = strrchr(view->path, '/');
    if (given_model_open(&view->file, &view->facts, slash ? slash + 1 : view->path, &decode->given, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s: %s: %s", view->path, decode->decodes ? "--decode" : "--prefill",
                        why);
    decode->view = view;
    return EXIT_DONE;
}

void model_decode_close(struct model_decode *decode)
{
    given_model_close(&decode->given);
}

/** The token, or the prompts. */
static int select_job(const struct model_decode *decode, const struct session *session, bool prompts,
                      struct decode_job *job)
{
    const struct given_model *given = &decode->given;
    const char *option = prompts ? "--prefill" : "--decode";
    char why[SESSION_WHY];
    job->model = given->model;
    job->given = &given->given;
    job->context = decode->view->positions ? (size_t)decode->view->positions : 1;
    job->threads = session->threads;
    job->samples = decode->samples;
    job->kernels[0] = decode_kernel_of(session, given->format, prompts);
    job->head = decode_kernel_of(session, given->head_format, prompts);
    job->kernel_count = 1;
    job->kernels_named = true;
    if (prompts) {
        memcpy(job->prefill, decode->prefill, sizeof job->prefill);
        job->prefills = decode->prefills;
    }
    if (!job->kernels[0] || !job->head)
        return complain(EXIT_USAGE, command_name, "%s: no %skernel of %s runs on this CPU", option,
                        prompts ? "GEMM " : "", job->kernels[0] ? given->head_format->name : given->format->name);
    int error =
        prompts ? prefill_job_check(job, session, why, sizeof why) : decode_job_check(job, session, why, sizeof why);
    return error ? complain(EXIT_USAGE, command_name, "%s: %s", option, why) : EXIT_DONE;
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

static void print_weights(const json_t *record)
{
    printf("\nMeasured with the file's own weights, copied to memory that each thread touched first: %s, head %s, %.0f "
           "threads, %.0f of %.0f layers\n",
           record_text(record, "name"), record_text(record, "head"), record_number(record, "threads"),
           record_number(record, "distinct_layers"), record_number(record, "layers"));
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
    print_weights(record);
    printf("  ");
    print_pass(record);
    if (decode->view->token.seconds > 0)
        printf("  predicted %.2f, at most %.2f tokens/s\n", 1 / decode->view->token.seconds,
               1 / decode->view->token.least_s);
}

static void print_prompt(const json_t *record)
{
    double tokens = record_number(record, "tokens"), predicted_s = record_number(record, "predicted_s");
    print_weights(record);
    printf("  a prompt of %.0f tokens:", tokens);
    if (print_pass(record) && predicted_s > 0)
        printf("  predicted from parts that were measured beside it %.2f tokens/s\n", tokens / predicted_s);
}

static int print_all(const struct model_decode *decode, const struct session *session, const struct cells *cells)
{
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        bool prompt = prefill_cell(cell);
        json_t *record = prompt || decode_cell(cell) ? summary_record(session, cells, cell) : NULL;
        if (!record)
            continue;
        json_object_set_new(record, "weights", json_string("of the file"));
        if (decode->json) {
            code = print_record(command_name, record);
            continue;
        }
        if (prompt)
            print_prompt(record);
        else
            print_token(decode, record);
        json_decref(record);
    }
    return code;
}

static int measure_job(const struct model_decode *decode, struct session *session, struct cells *cells, bool prompts,
                       struct decode_job *job)
{
    static const struct execution execution = {.keep_going = false};
    char why[SESSION_WHY];
    int code = select_job(decode, session, prompts, job);
    if (code != EXIT_DONE)
        return code;
    if (prompts ? prefill_job_add_roofs(job, session, cells) : decode_job_add_roofs(job, session, cells))
        return complain(EXIT_USAGE, command_name, "no memory");
    if (prompts)
        prefill_print_estimate(command_name, job, session);
    int error = prompts ? prefill_job_measure(job, session, cells, &execution, why, sizeof why)
                        : decode_job_measure(job, session, cells, &execution, why, sizeof why);
    return error ? complain(error == -EILSEQ ? EXIT_CHECK_FAILED : EXIT_USAGE, command_name, "%s: %s",
                            prompts ? "--prefill" : "--decode", why)
                 : EXIT_DONE;
}

/** The token and the prompts into one plan, which share what they are held against. */
static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct model_decode *decode = given;
    int code = EXIT_DONE;
    for (int prompts = 0; code == EXIT_DONE && prompts < 2; prompts++) {
        if (prompts ? !decode->prefills : !decode->decodes)
            continue;
        struct decode_job *job = calloc(1, sizeof *job);
        code =
            job ? measure_job(decode, session, cells, prompts, job) : complain(EXIT_USAGE, command_name, "no memory");
        free(job);
    }
    return code == EXIT_DONE ? print_all(decode, session, cells) : code;
}

int model_decode_run(const struct model_decode *decode)
{
    const struct session_request request = {.team = {.threads = decode->threads}};
    return command_session_run(command_name, &request, measure, decode);
}
