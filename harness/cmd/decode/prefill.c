/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/decode/decode_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/prefill/prefill.h"
#include "harness/cmd/console/options.h"
#include "harness/decode/decode_check.h"
#include "harness/plan/prefill_job.h"

static bool is_list(const char *text, const char *separators)
{
    bool number = false; /* before it */
    for (; *text; text++) {
        const bool separates = strchr(separators, *text);
        if (separates && !number)
            return false;
        number = !separates;
    }
    return number;
}

void lengths_parse(const char *option, const char *text, size_t most, size_t lengths[DECODE_JOB_LENGTHS], size_t *count,
                   struct argp_state *state)
{
    char copy[128], *at = copy, *save = NULL;
    if (strlen(text) >= sizeof copy || !is_list(text, ","))
        argp_error(state, "%s takes numbers separated by commas, such as 16,512,2048, not '%s'", option, text);
    strcpy(copy, text);
    *count = 0;
    for (char *one; (one = strtok_r(at, ",", &save)); at = NULL) {
        size_t number = option_number(one, 1, most, option, state);
        for (size_t i = 0; i < *count; i++) {
            if (lengths[i] == number)
                argp_error(state, "%s=%s: %zu is given twice", option, text, number);
        }
        if (*count == DECODE_JOB_LENGTHS)
            argp_error(state, "%s takes at most %d numbers", option, DECODE_JOB_LENGTHS);
        lengths[(*count)++] = number;
    }
}

/** "128+512" */
static struct decode_lengths one_context(char *text, struct argp_state *state)
{
    struct decode_lengths one = {.count = 0};
    char *save = NULL;
    for (char *number; (number = strtok_r(text, "+", &save)); text = NULL) {
        if (one.count == DECODE_LENGTHS_MOST)
            argp_error(state, "--context takes at most %d numbers with + between them", DECODE_LENGTHS_MOST);
        one.of[one.count++] = option_number(number, 1, 1 << 20, "--context", state);
    }
    return one;
}

void contexts_parse(const char *text, struct decode_lengths contexts[DECODE_JOB_LENGTHS], size_t *count,
                    struct argp_state *state)
{
    char copy[512], *at = copy, *save = NULL;
    if (strlen(text) >= sizeof copy || !is_list(text, ",+"))
        argp_error(
            state,
            "--context takes numbers separated by commas, such as 16,512,2048, or by + for users who differ, not '%s'",
            text);
    strcpy(copy, text);
    *count = 0;
    for (char *one; (one = strtok_r(at, ",", &save)); at = NULL) {
        const struct decode_lengths context = one_context(one, state);
        char said[DECODE_LENGTHS_TEXT];
        for (size_t i = 0; i < *count; i++) {
            if (memcmp(&contexts[i], &context, sizeof context) == 0)
                argp_error(state, "--context=%s: %s is given twice", text,
                           decode_lengths_text(&context, 0, said, sizeof said));
        }
        if (*count == DECODE_JOB_LENGTHS)
            argp_error(state, "--context takes at most %d numbers", DECODE_JOB_LENGTHS);
        contexts[(*count)++] = context;
    }
}

void caches_parse(const char *text, unsigned *caches, struct argp_state *state)
{
    static const char takes[] =
        "--cache takes bf16, q8_0, q4_0 or several of them with commas between them, such as bf16,q8_0, not '%s'";
    char copy[64], *at = copy, *save = NULL;
    if ((size_t)snprintf(copy, sizeof copy, "%s", text) >= sizeof copy || !is_list(text, ","))
        argp_error(state, takes, text);
    *caches = 0;
    for (char *one; (one = strtok_r(at, ",", &save)); at = NULL) {
        enum layer_cache cache;
        if (!layer_cache_named(one, &cache))
            argp_error(state, takes, text);
        if (*caches >> cache & 1)
            argp_error(state, "--cache=%s: %s is given twice", text, one);
        *caches |= 1u << cache;
    }
}

static void print_header(const struct decode_job *job)
{
    decode_table_print_model(&job->model);
    printf("a prompt into an empty cache, %u thread%s, keys and values in bf16\n\n", job->threads,
           job->threads == 1 ? "" : "s");
}

const struct table prefill_table = {"prefill", "Prompts", decode_columns, DECODE_COLUMNS, .needs = "tokens_per_s"};

static void print_legend(const struct cells *cells)
{
    const struct cell *first = NULL;
    for (size_t i = 0; i < cells->count && !first; i++)
        first = prefill_cell(&cells->cell[i]) && cells->cell[i].samples.count ? &cells->cell[i] : NULL;
    if (!first)
        return;
    char text[2048];
    snprintf(
        text, sizeof text,
        "\nOnly the last token goes through the output head. A pass is timed step by step, in order and from memory, because "
        "something always interrupts a sample of seconds: its time is the number of layers times the sum of the steps' medians, "
        "plus the head. n: samples of the step that has the fewest. The weights were those of %zu layers: one random megabyte is "
        "copied to separate memory for each matrix. A difference of at most %g is right, for kernels that round activations to "
        "bf16 2^-8. Sampling and embedding are not included.",
        prefill_cell(first)->distinct, DECODE_CHECK_BOUND);
    console_print_prose(text);
}

int prefill_print(const char *command, const struct session *session, const struct cells *cells,
                  const struct decode_job *job, const struct table_view *view)
{
    const struct decode_table table = {.command = command,
                                       .kind = &cell_kind_prefill,
                                       .header = print_header,
                                       .passes = &prefill_table,
                                       .has_tokens = true};
    int code = decode_table_print(&table, session, cells, job, view);
    decode_table_print_joins(&table, session, cells);
    print_legend(cells);
    return code;
}
