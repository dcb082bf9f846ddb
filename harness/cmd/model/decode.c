/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/model/model_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/decode/decode_plan.h"
#include "harness/cells/prefill/prefill.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/watched.h"
#include "harness/cmd/decode/decode_command.h"
#include "harness/command/command.h"
#include "harness/command/exit_code.h"
#include "harness/plan/prefill_job.h"
#include "results/records/record.h"

static const char command_name[] = "model";

int model_decode_open(const struct model_view *view, struct model_decode *decode)
{
    char why[512];
    const char *slash = strrchr(view->path, '/');
    if (given_model_open(&view->file, &view->facts, slash ? slash + 1 : view->path, &decode->given, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s: %s: %s", view->path, decode->decodes ? "--decode" : "--prefill",
                        why);
    decode->view = view;
    if (decode->prefills && !given_model_format(&decode->given, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s: --prefill: %s", view->path, why);
    decode->alike = (struct decode_given){.packed = decode->given.packed, .scale = decode->given.scale};
    return EXIT_DONE;
}

void model_decode_close(struct model_decode *decode)
{
    given_model_close(&decode->given);
}

static const struct kernel *choose(const void *context, const struct format *format)
{
    return decode_kernel_of(context, format, false);
}

/** Of the layers' kernels the one that takes most bytes, by which the pass is named. */
static const struct kernel *main_kernel(const struct given_model *given, const struct decode_work *work)
{
    struct decode_use uses[DECODE_USES_MOST];
    size_t count = decode_uses(work, uses);
    const struct decode_use *most = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!(uses[i].head && uses[i].matrices == 1) && (!most || uses[i].bytes > most->bytes))
            most = &uses[i];
    }
    return most ? most->kernel : given->kernel[0];
}

/** Every matrix has its own kernel, or is read. */
static int select_token(struct model_decode *decode, const struct session *session, struct decode_job *job)
{
    struct given_model *given = &decode->given;
    char why[SESSION_WHY];
    if (given_model_choose(given, choose, session))
        return complain(EXIT_USAGE, command_name, "no memory");
    job->given = &given->given;
    job->head = given->kernel[given->model.layers * DECODE_ROLES];
    const struct decode_work work = {.model = job->model, .given = job->given, .head = job->head};
    job->kernels[0] = main_kernel(given, &work);
    if (decode_job_check(job, session, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "--decode: %s", why);
    return EXIT_DONE;
}

/** Layers of one type, and a GEMM of it. */
static int select_prompts(const struct model_decode *decode, const struct session *session, struct decode_job *job)
{
    const struct given_model *given = &decode->given;
    char why[SESSION_WHY];
    const struct format *format = given_model_format(given, why, sizeof why);
    const struct format *head = given->format[given->model.layers * DECODE_ROLES];
    job->given = &decode->alike;
    job->kernels[0] = decode_kernel_of(session, format, true);
    job->head = decode_kernel_of(session, head, true);
    memcpy(job->prefill, decode->prefill, sizeof job->prefill);
    job->prefills = decode->prefills;
    if (!job->kernels[0] || !job->head)
        return complain(EXIT_USAGE, command_name, "--prefill: no GEMM kernel of %s runs on this CPU",
                        job->kernels[0] ? head->name : format->name);
    if (prefill_job_check(job, session, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "--prefill: %s", why);
    return EXIT_DONE;
}

/** The token, or the prompts. */
static int select_job(struct model_decode *decode, const struct session *session, bool prompts, struct decode_job *job)
{
    job->model = decode->given.model;
    job->context = decode->view->positions ? (size_t)decode->view->positions : 1;
    job->threads = session->threads;
    job->samples = decode->samples;
    job->kernel_count = 1;
    job->kernels_named = true;
    return prompts ? select_prompts(decode, session, job) : select_token(decode, session, job);
}

/** What takes the matrices, or that they are only read; of one kernel for all layers the heading has it. */
static void print_uses(const json_t *record)
{
    const json_t *uses = json_object_get(record, "matrices");
    bool all = true;
    for (size_t i = 0; i < json_array_size(uses); i++)
        all = all && json_is_true(json_object_get(json_array_get(uses, i), "supported"));
    for (size_t i = 0; i < json_array_size(uses) && (!all || json_array_size(uses) > 2); i++) {
        const json_t *use = json_array_get(uses, i);
        const char *kernel = json_string_value(json_object_get(use, "kernel"));
        printf("  %-8s %5.0f matrices%s, %.3f GB: %s\n", record_text(use, "format"), record_number(use, "matrices"),
               json_is_true(json_object_get(use, "head")) ? " with the head" : "", 1e-9 * record_number(use, "bytes"),
               kernel ? kernel : record_text(use, "kernel_reason"));
    }
    if (!all)
        puts("  so this is the limit of reading alone; kernels for those types can only be slower");
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
    putchar('\n');
    table_write_emulated(stdout, record);
    printf("Measured with the file's own weights, copied to memory that each thread touched first: %s, head %s, %.0f "
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
    print_uses(record);
    printf("  ");
    print_pass(record);
    if (decode->view->token.seconds > 0)
        printf("  predicted %.2f tokens/s, %.2f if reading hides all arithmetic\n", 1 / decode->view->token.seconds,
               1 / decode->view->token.least_s);
}

static void print_prompt(const json_t *record)
{
    double tokens = record_number(record, "tokens"), predicted_s = record_number(record, "predicted_s");
    print_weights(record);
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
    return code == EXIT_DONE && all && without == all ? EXIT_INCONCLUSIVE : code;
}

static int measure_job(struct model_decode *decode, struct session *session, struct cells *cells, bool prompts,
                       struct watched *watched, struct decode_job *job)
{
    char part[SESSION_WHY + 32], why[SESSION_WHY];
    int code = select_job(decode, session, prompts, job);
    if (code != EXIT_DONE)
        return code;
    if (prompts)
        prefill_print_estimate(command_name, job, session);
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
    static const struct run_request none = {0};
    struct watched watched = {.command = command_name, .json = decode->json};
    int code = watched_open(&watched, &none, session);
    if (code)
        return code;
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
