/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/decode_command/prefill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/prefill.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/decode_command/table.h"
#include "harness/decode/decode_check.h"
#include "harness/exit_code.h"
#include "harness/plan/prefill_job.h"
#include "results/record.h"

void prefill_parse(const char *text, size_t tokens[DECODE_JOB_PREFILLS], size_t *count, struct argp_state *state)
{
    char copy[128], *at = copy, *save = NULL;
    if (strlen(text) >= sizeof copy || !*text || *text == ',' || text[strlen(text) - 1] == ',' || strstr(text, ",,"))
        argp_error(state, "--prefill takes numbers with commas between such as 16,512,2048, not '%s'", text);
    strcpy(copy, text);
    *count = 0;
    for (char *one; (one = strtok_r(at, ",", &save)); at = NULL) {
        size_t number = option_number(one, 1, PREFILL_TOKENS_MOST, "--prefill", state);
        for (size_t i = 0; i < *count; i++) {
            if (tokens[i] == number)
                argp_error(state, "--prefill=%s: %zu is given twice", text, number);
        }
        if (*count == DECODE_JOB_PREFILLS)
            argp_error(state, "--prefill takes at most %d numbers", DECODE_JOB_PREFILLS);
        tokens[(*count)++] = number;
    }
}

void prefill_print_estimate(const char *command, const struct decode_job *job, const struct session *session)
{
    enum { WORTH_SAYING_S = 60 };
    double seconds = prefill_job_estimate(job, session);
    if (seconds > WORTH_SAYING_S)
        complain(
            EXIT_DONE, command,
            "this takes some %.0f minutes; fewer kernels or tokens (--prefill) or a smaller model (--model) take less",
            ceil(seconds / 60));
}

static double real(const json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void print_header(const struct decode_job *job)
{
    decode_table_print_model(&job->model);
    printf("a prompt into an empty cache, %u thread%s, keys and values in bf16\n\n", job->threads,
           job->threads == 1 ? "" : "s");
    printf("%-34s %-24s %6s %5s %7s %9s %7s %4s %9s %9s %6s %6s %7s\n", "kernel", "head", "tokens", "bits", "GB",
           "token/s", "95% ±", "n", "time ms", "model ms", "resid", "alpha", "apart");
}

/** @return false for a row without a number */
static bool print_row(const json_t *record)
{
    struct summary tokens;
    printf("%-34s %-24s %6.0f %5.2f %7.3f", json_string_value(json_object_get(record, "name")),
           json_string_value(json_object_get(record, "head")), real(record, "tokens"), real(record, "bits"),
           1e-9 * (real(record, "layer_bytes") + real(record, "head_bytes")));
    if (!print_unless_few(record, "tokens_per_s"))
        return false;
    print_median(record, "tokens_per_s", 1, 9, 1);
    print_half_interval(record, "tokens_per_s", 1, 7, 1);
    printf(" %4zu", record_quantity_read(record, "tokens_per_s", &tokens) ? 0 : tokens.n);
    print_median(record, "time_s", 1e3, 9, 2);
    print_median(record, "predicted_s", 1e3, 9, 2);
    print_number(100 * real(record, "residual"), 5, 1, "%");
    print_median(record, "alpha", 1, 6, 3);
    printf(" %7.1e\n", real(record, "distance"));
    return true;
}

static void print_parts_header(void)
{
    printf("\n%-34s %6s %-7s", "ms of a pass, and share of it", "tokens", "");
    for (int part = 0; part < DECODE_PARTS; part++)
        printf(" %9s", decode_part_name((enum decode_part)part));
    putchar('\n');
}

static void print_parts(const json_t *record)
{
    const json_t *parts = json_object_get(record, "parts");
    for (int line = 0; line < 2; line++) {
        printf("%-34s %6.0f %-7s", line ? "" : json_string_value(json_object_get(record, "name")),
               real(record, "tokens"), line ? "share %" : "ms");
        for (size_t i = 0; i < json_array_size(parts); i++)
            print_median(json_array_get(parts, i), line ? "share" : "time_s", line ? 100 : 1e3, 9, line ? 1 : 3);
        putchar('\n');
    }
}

static void print_legend(const struct cells *cells)
{
    const struct cell *first = NULL;
    for (size_t i = 0; i < cells->count && !first; i++)
        first = prefill_cell(&cells->cell[i]) && cells->cell[i].samples.count ? &cells->cell[i] : NULL;
    if (!first)
        return;
    printf(
        "\ntoken/s: tokens of the prompt over the time of the pass; the output head is of its last token alone. A pass "
        "is timed step by step, in order\nand from memory, since no operating system lets seconds pass undisturbed: "
        "its time is the layers times the sum of the steps' medians, and\nthe head's; n is of the step with the fewest "
        "samples, weights were those of %zu layers. GB: packed weights that a pass reads, drawn at\nrandom, a megabyte "
        "of them copied over memory of its own for each matrix. alpha: share of the layers' GEMMs. model: GEMMs by "
        "gamma(N)\nand omega of 4096x4096 and by beta, attention of one head alone, operands, what lies between over "
        "beta, joins; none of it from a prompt.\napart: logits of a reduced model from those of a scalar pass in double, "
        "token by token, %g at most is right,\nand 2^-8 of kernels that round activations to bf16. No embedding, no sampling.\n",
        prefill_cell(first)->distinct, DECODE_CHECK_BOUND);
}

void prefill_print(const struct session *session, const struct cells *cells, const struct decode_job *job)
{
    static const struct decode_table table = {&cell_kind_prefill, print_header, print_row, print_parts_header,
                                              print_parts};
    decode_table_print(&table, session, cells, job);
    decode_table_print_joins(&table, session, cells);
    print_legend(cells);
}
