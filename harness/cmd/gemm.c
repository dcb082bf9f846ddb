/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/schedule_options.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/product/product_command.h"
#include "harness/command.h"
#include "results/records/record.h"

static const char command_name[] = "gemm";

/* ---- options ---- */

enum { OPTION_TOKENS = 0x300 };

static const struct argp_option option_table[] = {
    {"tokens", OPTION_TOKENS, "N,N,...", 0,
     "Numbers of activation vectors that are multiplied at once (default: 1,2,4,8,16,32,64,128,512,1024)", 0},
    {0}};

struct options {
    struct product_options product;
    struct schedule_options sharing;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->product;
        state->child_inputs[1] = &options->sharing;
        return 0;
    case OPTION_TOKENS: product_parse_tokens(argument, &options->product, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- printing ---- */

/** Where the weights come from: "cold", or the cache of a warm cell. */
static const char *from_of(const json_t *record)
{
    const char *protocol = json_string_value(json_object_get(record, "protocol")),
               *level = json_string_value(json_object_get(record, "level"));
    return strcmp(protocol, "cold") == 0 || strcmp(level, "memory") == 0 ? protocol : level;
}

static const char *from_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%s", from_of(record));
    return text;
}

static const struct table_column columns[] = {
    {.heading = "kernel", .field = "name", .left = true},
    {.heading = "shape", .field = "m", .text = product_shape_text},
    {.heading = "thr", .field = "threads"},
    {.heading = "from", .field = "level", .text = from_text, .left = true},
    {.heading = "tokens", .field = "n"},
    {.heading = "time us", .field = "time_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 1},
    {.heading = "op/c", .field = "ops_per_cycle", .value = TABLE_NUMBER, .digits = 1, .rank = 3},
    {.heading = "mult", .field = "multiply_fraction", .value = TABLE_NUMBER, .digits = 2, .rank = 4},
    {.heading = "Gop/s", .field = "ops_per_s", .value = TABLE_NUMBER, .scale = 1e-9, .digits = 1, .rank = 5},
    {.heading = "model us", .field = "predicted_overlap_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 6},
    {.heading = "resid", .field = "residual_overlap", .value = TABLE_CHANGE, .rank = 7},
    {.heading = "binds", .field = "binds", .rank = 2, .left = true, .limit = true},
    {.heading = "error", .field = "error", .text = product_error_text, .rank = 8, .left = true},
};

static const struct table gemm_table = {.type = "gemm",
                                        .title = "GEMM",
                                        .columns = columns,
                                        .count = sizeof columns / sizeof *columns,
                                        .needs = "time_s",
                                        .note = product_note_text};

static bool is_withheld(const struct session *session, const struct cell *cell)
{
    return cell->kernel && plugins_fault(&session->plugins, cell->kernel->name);
}

/** One cell's record, printed or added to the rows. @return exit code */
static int print_cell(const struct session *session, const struct cells *cells, const struct cell *cell, bool json,
                      json_t *rows)
{
    json_t *record = summary_record(session, cells, cell);
    if (record && json)
        return print_record(command_name, record) ? EXIT_USAGE : EXIT_DONE;
    if (record && gemm_cell(cell))
        json_array_append(rows, record);
    json_decref(record);
    return EXIT_DONE;
}

static bool comes_before(const struct cell *one, const struct cell *other)
{
    const struct product_cell *a = gemm_cell(one), *b = gemm_cell(other);
    int by_name = strcmp(one->kernel->name, other->kernel->name);
    const size_t left[] = {a->m, a->k, one->threads, !one->cold, a->tokens, a->schedule != NULL},
                 right[] = {b->m, b->k, other->threads, !other->cold, b->tokens, b->schedule != NULL};
    for (size_t i = 0; !by_name && i < sizeof left / sizeof *left; i++) {
        if (left[i] != right[i])
            return left[i] < right[i];
    }
    return by_name < 0;
}

/** The GEMM cells that have samples, in the order in which a reader follows a sweep; caller frees. NULL: no memory */
static const struct cell **in_order(const struct session *session, const struct cells *cells, size_t *count)
{
    const struct cell **list = calloc(cells->count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!gemm_cell(cell) || !cell->samples.count || is_withheld(session, cell))
            continue;
        size_t at = (*count)++;
        for (; at && comes_before(cell, list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = cell;
    }
    return list;
}

/** gamma, prepare and sync cells, for programs. */
static int print_beside(const struct session *session, const struct cells *cells)
{
    int code = EXIT_DONE;
    for (size_t i = 0; !code && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!beta_cell(cell) && !gemm_cell(cell) && !is_withheld(session, cell))
            code = print_cell(session, cells, cell, true, NULL);
    }
    return code;
}

static void print_legend(void)
{
    console_print_text(
        "\nfrom: cold, from memory, or the cache level that warm weights come from. op/c: operations (2 a weight and token) "
        "per core\ncycle per core. mult: op/c over those of the multiplications alone. model: reading and computing, less "
        "what overlaps; resid:\nof numbers of tokens that the terms are not fitted to. binds: what the terms say at that number "
        "of tokens. error: largest distance\nfrom the definition over the largest result. --json has more: tokens/s, "
        "preparation of activations (not in the time), scratch.\n");
}

/* ---- the model of each sweep ---- */

static double end_of(const json_t *record, const char *field, size_t end)
{
    const json_t *value = json_array_get(json_object_get(record, field), end);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/** One end of a range, with so many digits. */
static const char *end_text(const json_t *record, const char *field, size_t end, int digits, char *text, size_t size)
{
    double value = end_of(record, field, end);
    snprintf(text, size, "%.*f", digits, value);
    return isfinite(value) ? text : "-";
}

static const char *dot_from_text(const json_t *record, char *text, size_t size)
{
    return end_text(record, "gamma_dot_range", 0, 3, text, size);
}

static const char *dot_to_text(const json_t *record, char *text, size_t size)
{
    return end_text(record, "gamma_dot_range", 1, 3, text, size);
}

static const char *up_from_text(const json_t *record, char *text, size_t size)
{
    return end_text(record, "gamma_up_range", 0, 2, text, size);
}

static const char *up_to_text(const json_t *record, char *text, size_t size)
{
    return end_text(record, "gamma_up_range", 1, 2, text, size);
}

/** Numbers of tokens; what is below the first token says no more than that. */
static const char *tokens_text(double tokens, char *text, size_t size)
{
    snprintf(text, size, "%.1f", tokens);
    return tokens < 1 ? "<1" : isfinite(tokens) ? text : "-";
}

static const char *knee_text(const json_t *record, char *text, size_t size)
{
    const json_t *knee = json_object_get(record, "n_star");
    return tokens_text(json_is_number(knee) ? json_number_value(knee) : (double)NAN, text, size);
}

static const char *knee_from_text(const json_t *record, char *text, size_t size)
{
    return tokens_text(end_of(record, "n_star_range", 0), text, size);
}

static const char *knee_to_text(const json_t *record, char *text, size_t size)
{
    return tokens_text(end_of(record, "n_star_range", 1), text, size);
}

/** Largest |residual| of what was held out, in percent. */
static const char *held_out_text(const json_t *record, char *text, size_t size)
{
    const json_t *residuals = json_object_get(record, "residuals");
    double most = 0;
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(residuals); i++) {
        const json_t *one = json_array_get(residuals, i), *with = json_object_get(one, "residual_overlap"),
                     *value = json_is_number(with) ? with : json_object_get(one, "residual");
        if (!json_is_number(value))
            continue;
        most = fmax(most, fabs(json_number_value(value)));
        count++;
    }
    snprintf(text, size, "%.1f%%", 100 * most);
    return count ? text : "-";
}

static const char *not_known_text(const json_t *record, char *text, size_t size)
{
    const json_t *why = json_object_get(record, "gamma_dot_reason");
    snprintf(text, size, "%s%s", json_is_string(why) ? "not known: " : "",
             json_is_string(why) ? json_string_value(why) : "");
    return text;
}

static const struct table_column model_columns[] = {
    {.heading = "kernel", .field = "name", .left = true},
    {.heading = "shape", .field = "m", .text = product_shape_text},
    {.heading = "thr", .field = "threads"},
    {.heading = "gamma_dot", .field = "gamma_dot", .value = TABLE_NUMBER, .digits = 3, .rank = 1},
    {.heading = "dot from", .field = "gamma_dot_range", .text = dot_from_text, .rank = 5},
    {.heading = "dot to", .field = "gamma_dot_range", .text = dot_to_text, .rank = 5},
    {.heading = "mult", .field = "multiply_gamma", .value = TABLE_NUMBER, .digits = 3, .rank = 6},
    {.heading = "gamma_up", .field = "gamma_up", .value = TABLE_NUMBER, .digits = 2, .rank = 3},
    {.heading = "up from", .field = "gamma_up_range", .text = up_from_text, .rank = 8},
    {.heading = "up to", .field = "gamma_up_range", .text = up_to_text, .rank = 8},
    {.heading = "alone", .field = "unpack_gamma", .value = TABLE_NUMBER, .digits = 3, .rank = 9},
    {.heading = "N*", .field = "n_star", .text = knee_text, .rank = 2},
    {.heading = "N* from", .field = "n_star_range", .text = knee_from_text, .rank = 7},
    {.heading = "N* to", .field = "n_star_range", .text = knee_to_text, .rank = 7},
    {.heading = "worst", .field = "residuals", .text = held_out_text, .rank = 4},
};

static const struct table model_table = {.type = "gemm_model",
                                         .title = "Models of sweeps",
                                         .columns = model_columns,
                                         .count = sizeof model_columns / sizeof *model_columns,
                                         .note = not_known_text};

static const struct table *const tables[] = {&gemm_table, &model_table, &product_peers_table, &product_repacking_table,
                                             NULL};

static int show_models(const json_t *rows, const struct table_view *view)
{
    console_print_text(
        "\nCycles of a core per output vector of 32 weights: gamma_dot per token, beside it mult, of the multiplications "
        "alone; gamma_up once,\nbeside it alone, as unpacking to scratch takes by itself. N*: tokens above which computing "
        "binds, <1: always. From and to: when any one\npoint is left out, and with what of reading may not overlap; a "
        "dash: it cannot be told. worst: largest residual of what was held out.\n");
    return table_show(command_name, &model_table, rows, view);
}

static int print_models(const struct session *session, const struct cells *cells, bool json,
                        const struct table_view *view)
{
    json_t *rows = json_array();
    int code = EXIT_DONE;
    for (size_t i = 0; !code && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = gemm_cell(cell) && !is_withheld(session, cell) ? derived_record(session, cells, cell) : NULL;
        if (record && json)
            code = print_record(command_name, record) ? EXIT_USAGE : EXIT_DONE;
        else if (record)
            json_array_append_new(rows, record);
    }
    if (!code && !json)
        code = show_models(rows, view);
    json_decref(rows);
    return code;
}

static int print_all(const struct session *session, const struct cells *cells, bool json, const struct table_view *view)
{
    size_t count;
    json_t *rows = json_array();
    const struct cell **list = in_order(session, cells, &count);
    int code = list && rows ? EXIT_DONE : complain(EXIT_USAGE, command_name, "no memory");
    if (json && !code)
        code = print_beside(session, cells);
    for (size_t i = 0; !code && i < count; i++)
        code = print_cell(session, cells, list[i], json, rows);
    free(list);
    if (!json && !code)
        code = table_show(command_name, &gemm_table, rows, view);
    if (!json && !code) {
        print_few_remedy(table_rows_lacking(&gemm_table, rows));
        product_print_renderings(session, cells);
        print_legend();
    }
    json_decref(rows);
    if (!code)
        code = print_models(session, cells, json, view);
    if (!json && !code)
        code = product_print_repacking(command_name, session, cells, view);
    return code;
}

/* ---- the command ---- */

static bool has(const struct kernel *kernel)
{
    return kernel->gemm.run != NULL;
}

static int run(int argc, char **argv)
{
    static const size_t usual[] = {1, 2, 4, 8, 16, 32, 64, 128, 512, 1024};
    static const struct product_command command = {
        .name = command_name, .product = "GEMM", .brief = true, .has = has, .print = print_all};
    static const struct argp_child children[] = {{&product_argp, 0, NULL, 0}, {&schedule_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[KERNEL...]",
        .doc =
            "Run GEMM kernels, a packed matrix times N activation vectors at once, over numbers of tokens, shapes and "
            "teams, checked against the scalar reference first, then timed. What an output vector takes is split into "
            "what each token costs (gamma_dot) and what all share (gamma_up), and held against the roofs of memory, "
            "up-converting and multiplying. KERNEL is a kernel's name, the beginning of some, such as int2_vnni4, or a "
            "shell pattern, such as '*.avx2'; without one, every GEMM kernel that runs here.",
        .children = children,
    };
    struct options options = {.product.view.tables = tables};
    char why[SESSION_WHY];
    int code = parse_options(&argp, argc, argv, &options);
    if (!options.product.token_count) {
        memcpy(options.product.tokens, usual, sizeof usual);
        options.product.token_count = sizeof usual / sizeof *usual;
    }
    if (!code && schedule_options_settle(&options.sharing, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    options.product.schedules = options.sharing.schedules;
    if (!code)
        code = product_command_run(&command, &options.product);
    schedule_options_release(&options.sharing);
    return code;
}

const struct command command_gemm = {
    .name = command_name,
    .summary = "low-bit GEMM kernels over numbers of tokens, cold and warm, against three roofs",
    .run = run,
    .tables = tables,
};
