/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/model_command/decode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/decode_plan.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"
#include "harness/command.h"
#include "harness/plan/decode_job.h"
#include "results/record.h"

static const char command_name[] = "model";

int model_decode_open(const struct model_view *view, struct model_decode *decode)
{
    char why[512];
    const char *slash = strrchr(view->path, '/');
    if (given_model_open(&view->file, &view->facts, slash ? slash + 1 : view->path, &decode->given, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s: --decode: %s", view->path, why);
    decode->view = view;
    return EXIT_DONE;
}

void model_decode_close(struct model_decode *decode)
{
    given_model_close(&decode->given);
}

static int select_job(const struct model_decode *decode, const struct session *session, struct decode_job *job)
{
    const struct given_model *given = &decode->given;
    char why[SESSION_WHY];
    job->model = given->model;
    job->given = &given->given;
    job->context = decode->view->positions ? (size_t)decode->view->positions : 1;
    job->threads = session->threads;
    job->samples = decode->samples;
    job->kernels[0] = decode_kernel_of(session, given->format, false);
    job->head = decode_kernel_of(session, given->head_format, false);
    job->kernel_count = 1;
    job->kernels_named = true;
    if (!job->kernels[0] || !job->head)
        return complain(EXIT_USAGE, command_name, "--decode: no kernel of %s runs on this CPU",
                        job->kernels[0] ? given->head_format->name : given->format->name);
    if (decode_job_check(job, session, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "--decode: %s", why);
    return EXIT_DONE;
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

static void print_text(const struct model_decode *decode, const json_t *record)
{
    struct summary tokens;
    printf("\nMeasured with the file's own weights, copied to memory that each thread touched first: %s, head %s, %.0f "
           "threads, %.0f of %.0f layers\n",
           record_text(record, "name"), record_text(record, "head"), record_number(record, "threads"),
           record_number(record, "distinct_layers"), record_number(record, "layers"));
    printf("  ");
    if (print_unless_few(record, "tokens_per_s")) {
        print_median(record, "tokens_per_s", 1, 0, 2);
        printf(" tokens/s ±");
        print_half_interval(record, "tokens_per_s", 1, 0, 2);
        printf(" (95%%), n %zu,", record_quantity_read(record, "tokens_per_s", &tokens) ? 0 : tokens.n);
        print_median(record, "time_s", 1e3, 0, 3);
        printf(" ms; alpha, the share of the layers' products,");
        print_median(record, "alpha", 1, 0, 3);
        puts("");
        print_parts(record);
    } else {
        print_few_remedy(1);
    }
    if (decode->view->token.seconds > 0)
        printf("  predicted %.2f, at most %.2f tokens/s\n", 1 / decode->view->token.seconds,
               1 / decode->view->token.least_s);
}

static int print_all(const struct model_decode *decode, const struct session *session, const struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        json_t *record = decode_cell(&cells->cell[i]) ? summary_record(session, cells, &cells->cell[i]) : NULL;
        if (!record)
            continue;
        json_object_set_new(record, "weights", json_string("of the file"));
        if (decode->json)
            return print_record(command_name, record);
        print_text(decode, record);
        json_decref(record);
    }
    return EXIT_DONE;
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct model_decode *decode = given;
    char why[SESSION_WHY];
    struct decode_job *job = calloc(1, sizeof *job);
    if (!job)
        return complain(EXIT_USAGE, command_name, "no memory");
    int code = select_job(decode, session, job);
    if (code == EXIT_DONE && decode_job_add_roofs(job, session, cells))
        code = complain(EXIT_USAGE, command_name, "no memory");
    if (code == EXIT_DONE) {
        const struct execution execution = {.keep_going = false};
        int error = decode_job_measure(job, session, cells, &execution, why, sizeof why);
        code = error ? complain(error == -EILSEQ ? EXIT_CHECK_FAILED : EXIT_USAGE, command_name, "--decode: %s", why)
                     : print_all(decode, session, cells);
    }
    free(job);
    return code;
}

int model_decode_run(const struct model_decode *decode)
{
    const struct session_request request = {.team = {.threads = decode->threads}};
    return command_session_run(command_name, &request, measure, decode);
}
