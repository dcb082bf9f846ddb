/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/decode_command/prefill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/decode.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/decode_command/table.h"
#include "harness/decode/decode_check.h"
#include "harness/decode/prefill_pass.h"
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

static double real(const json_t *record, const char *field)
{
    return json_number_value(json_object_get(record, field));
}

static void print_header(const struct decode_job *job)
{
    decode_table_print_model(&job->model);
    printf("a prompt into an empty cache, %u thread%s, keys and values in bf16\n\n", job->threads,
           job->threads == 1 ? "" : "s");
    printf("%-34s %-24s %6s %5s %7s %10s %8s %4s %10s %6s %7s\n", "kernel", "head", "tokens", "bits", "GB", "token/s",
           "95% ±", "n", "time ms", "alpha", "apart");
}

/** @return false for a row without a number */
static bool print_row(const json_t *record)
{
    struct summary tokens;
    printf("%-34s %-24s %6lld %5.2f %7.3f", json_string_value(json_object_get(record, "name")),
           json_string_value(json_object_get(record, "head")),
           (long long)json_integer_value(json_object_get(record, "tokens")), real(record, "bits"),
           1e-9 * (real(record, "layer_bytes") + real(record, "head_bytes")));
    if (!print_unless_few(record, "tokens_per_s"))
        return false;
    print_median(record, "tokens_per_s", 1, 10, 1);
    print_half_interval(record, "tokens_per_s", 1, 8, 1);
    printf(" %4zu", record_quantity_read(record, "tokens_per_s", &tokens) ? 0 : tokens.n);
    print_median(record, "time_s", 1e3, 10, 2);
    print_median(record, "alpha", 1, 6, 3);
    printf(" %7.1e", real(record, "distance"));
    if (real(record, "distinct_layers") < real(record, "layers"))
        printf("  weights of %.0f of %.0f layers, in turns", real(record, "distinct_layers"), real(record, "layers"));
    putchar('\n');
    return true;
}

static void print_parts_header(void)
{
    printf("\n%-34s %6s %-7s", "ms of a pass, and share of it", "tokens", "");
    for (int part = 0; part < DECODE_PARTS; part++)
        printf(" %10s", decode_part_name((enum decode_part)part));
    putchar('\n');
}

static void print_parts(const json_t *record)
{
    const json_t *parts = json_object_get(record, "parts");
    for (int line = 0; line < 2; line++) {
        printf("%-34s %6lld %-7s", line ? "" : json_string_value(json_object_get(record, "name")),
               (long long)json_integer_value(json_object_get(record, "tokens")), line ? "share %" : "ms");
        for (size_t i = 0; i < json_array_size(parts); i++)
            print_median(json_array_get(parts, i), line ? "share" : "time_s", line ? 100 : 1e3, 10, line ? 1 : 3);
        putchar('\n');
    }
}

static void print_legend(const struct cells *cells)
{
    const struct decode_cell *own = NULL;
    for (size_t i = 0; i < cells->count && !own; i++)
        own = cells->cell[i].samples.count ? decode_cell(&cells->cell[i]) : NULL;
    if (!own)
        return;
    printf(
        "\ntoken/s: tokens of the prompt over the time of the pass; the output head is of its last token alone. GB: packed "
        "weights that a pass reads;\ndrawn at random, a megabyte of them copied over memory of its own for each matrix. "
        "alpha: share of the layers' GEMMs. apart: logits of a\nreduced model from those of a scalar pass in double, "
        "token by token, %g at most is right. Attention is the code of one token for each\ntoken, over the positions up to "
        "its own: no tile of tokens shares keys and values, as tuned prefill does. Every part ends at a\nbarrier: %zu "
        "readings of the clock of %.0f ns and %zu meetings of the team a pass. No embedding, no sampling, no prediction.\n",
        DECODE_CHECK_BOUND, own->stamps, 1e9 * own->stamp_s, own->joins);
}

void prefill_print(const struct session *session, const struct cells *cells, const struct decode_job *job)
{
    static const struct decode_table table = {print_header, print_row, print_parts_header, print_parts};
    decode_table_print(&table, session, cells, job);
    print_legend(cells);
}
