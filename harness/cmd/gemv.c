/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/schedule_options.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/product/product_command.h"
#include "harness/command.h"
#include "results/records/record.h"

static const char command_name[] = "gemv";

/** Without a gamma: what reading takes at least. */
static const char *max_text(const json_t *record, char *text, size_t size)
{
    struct summary summary;
    const char *field = json_object_get(record, "predicted_read_s") ? "predicted_read_s" : "predicted_s";
    const json_t *value = json_object_get(record, field);
    double seconds = json_number_value(value);
    if (json_is_object(value) && !record_quantity_read(record, field, &summary))
        seconds = summary.median;
    snprintf(text, size, "%.2f", 1e6 * seconds);
    return seconds > 0 ? text : "-";
}

static const char *binds_text(const json_t *record, char *text, size_t size)
{
    const char *binds = json_string_value(json_object_get(record, "binds"));
    snprintf(text, size, "%s", binds ? binds : json_object_get(record, "predicted_read_s") ? "no gamma" : "-");
    return text;
}

static const struct table_column columns[] = {
    {.heading = "kernel", .field = "name", .left = true},
    {.heading = "shape", .field = "m", .text = product_shape_text},
    {.heading = "bits", .field = "bits", .value = TABLE_NUMBER, .digits = 2, .rank = 4},
    {.heading = "thr", .field = "threads"},
    {.heading = "proto", .field = "protocol", .left = true},
    {.heading = "level", .field = "level", .rank = 9, .left = true},
    {.heading = "time us", .field = "time_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 1},
    {.heading = "GB/s", .field = "bytes_per_s", .value = TABLE_NUMBER, .scale = 1e-9, .digits = 2, .rank = 5},
    {.heading = "roof", .field = "roof_fraction", .value = TABLE_NUMBER, .digits = 3, .rank = 2},
    {.heading = "op/c", .field = "ops_per_cycle", .value = TABLE_NUMBER, .digits = 1, .rank = 6},
    {.heading = "gamma", .field = "gamma", .value = TABLE_NUMBER, .digits = 2, .rank = 7},
    {.heading = "omega", .field = "omega", .value = TABLE_NUMBER, .digits = 2, .rank = 10},
    {.heading = "max us", .field = "predicted_s", .text = max_text, .rank = 12},
    {.heading = "max resid", .field = "residual", .value = TABLE_CHANGE, .rank = 13},
    {.heading = "model us", .field = "predicted_overlap_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 8},
    {.heading = "resid", .field = "residual_overlap", .value = TABLE_CHANGE, .rank = 8},
    {.heading = "binds", .field = "binds", .text = binds_text, .rank = 3, .left = true, .limit = true},
    {.heading = "prep", .field = "prepare_share", .value = TABLE_SHARE, .rank = 11},
    {.heading = "deq", .field = "dequantize_share", .value = TABLE_SHARE, .rank = 11},
    {.heading = "error", .field = "error", .text = product_error_text, .rank = 14, .left = true},
};

static const struct table gemv_table = {.type = "gemv",
                                        .title = "GEMV",
                                        .columns = columns,
                                        .count = sizeof columns / sizeof *columns,
                                        .needs = "time_s",
                                        .note = product_note_text};

static int print_gemv_cells(const struct session *session, const struct cells *cells, bool json,
                            const struct table_view *view)
{
    json_t *rows = json_array();
    int code = EXIT_DONE;
    for (size_t i = 0; !code && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (beta_cell(cell) || (cell->kernel && plugins_fault(&session->plugins, cell->kernel->name)))
            continue;
        if (gemv_cell(cell) && gemv_cell(cell)->beside)
            continue;
        json_t *record = summary_record(session, cells, cell);
        if (record && json)
            code = print_record(command_name, json_incref(record)) ? EXIT_USAGE : EXIT_DONE;
        else if (record && gemv_cell(cell))
            json_array_append(rows, record);
        json_decref(record);
    }
    if (!json && !code)
        code = table_show(command_name, &gemv_table, rows, view);
    print_few_remedy(table_rows_lacking(&gemv_table, rows));
    json_decref(rows);
    return code;
}

static void print_legend(void)
{
    console_print_text(
        "\nbits: of a packed weight, scales and padding included. roof: attained over the read roof measured just "
        "before each sample.\nop/c: operations (2 per weight) per core cycle per core. gamma: of the kernel's "
        "sequence. omega: how much of the shorter of\nreading and computing overlaps the longer. max: max(bytes / "
        "beta, gamma x vectors / clock); model: the same with omega,\nbytes at what one core reads alone and at what "
        "the team does; both and the start of a call, from beta of the run, not from\nthe roof beside the cell. max "
        "resid, resid: what the time is over each, of cells other than the one that omega is taken from. no gamma: "
        "there max is what reading takes, and no\nmore. prep: from f32 activations to the kernel's operand on one "
        "core, as a share of the GEMV's time and no part of it. deq: likewise, of its int32 results to f32 with a "
        "scale a row. error:\nlargest distance from the format's definition over the largest result.\n");
}

static const char *omega_note_text(const json_t *record, char *text, size_t size)
{
    struct summary omega;
    const char *why = json_string_value(json_object_get(record, "omega_reason"));
    if (record_quantity_read(record, "omega", &omega))
        snprintf(text, size, "not known: %s", why ? why : "too few samples were kept");
    else
        snprintf(text, size, "%s",
                 omega.median < 0   ? "both together take longer than one after the other; something else slows it "
                                      "down"
                 : omega.median > 1 ? "both together take less than either; gamma or beta does not describe it"
                                    : "");
    return text;
}

static const struct table_column omega_columns[] = {
    {.heading = "kernel", .field = "name", .left = true},
    {.heading = "omega", .field = "omega", .value = TABLE_NUMBER, .digits = 3},
    {.heading = "from", .field = "omega", .value = TABLE_LOW, .digits = 3, .rank = 1},
    {.heading = "to", .field = "omega", .value = TABLE_HIGH, .digits = 3, .rank = 1},
    {.heading = "n", .field = "omega", .value = TABLE_KEPT, .rank = 2},
    {.heading = "grade", .field = "omega", .value = TABLE_GRADE, .rank = 3, .left = true},
};

static const struct table omega_table = {.type = "omega",
                                         .title = "omega",
                                         .columns = omega_columns,
                                         .count = sizeof omega_columns / sizeof *omega_columns,
                                         .note = omega_note_text};

static const struct table *const tables[] = {&gemv_table, &omega_table, &product_peers_table, &product_repacking_table,
                                             NULL};

/** omega of each kernel, measured on one shape with one thread whatever was asked for. */
static int print_omegas(const struct session *session, const struct cells *cells, bool json,
                        const struct table_view *view)
{
    const struct table_view unsorted = {.wide = view->wide};
    json_t *rows = json_array();
    int code = EXIT_DONE;
    if (!json)
        printf("\nomega, from %dx%d cold with one thread:\n", GEMV_CALIBRATION_SIDE, GEMV_CALIBRATION_SIDE);
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = gemv_cell(cell) && !plugins_fault(&session->plugins, cell->kernel->name)
                             ? derived_record(session, cells, cell)
                             : NULL;
        if (record)
            json_array_append_new(rows, record);
    }
    code = table_print_records(command_name, &omega_table, rows, json, &unsorted);
    json_decref(rows);
    return code;
}

static int print_all(const struct session *session, const struct cells *cells, bool json, const struct table_view *view)
{
    int code = print_gemv_cells(session, cells, json, view);
    if (!code)
        code = print_omegas(session, cells, json, view);
    if (!code && !json)
        code = product_print_repacking(command_name, session, cells, view);
    if (!json) {
        product_print_renderings(session, cells);
        print_legend();
    }
    return code;
}

struct options {
    struct product_options product;
    struct schedule_options sharing;
};

enum { OPTION_READS = 0x200 };

static const struct argp_option option_table[] = {
    {"reads", OPTION_READS, NULL, 0,
     "With each cold GEMV, also time a plain read of as many bytes by the roof's stream", 0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    (void)argument;
    if (key == OPTION_READS) {
        options->product.reads = true;
        return 0;
    }
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = &options->product;
    state->child_inputs[1] = &options->sharing;
    return 0;
}

static bool has(const struct kernel *kernel)
{
    return kernel->gemv != NULL;
}

static int run(int argc, char **argv)
{
    static const struct product_command command = {
        .name = command_name, .product = "GEMV", .has = has, .print = print_all};
    static const struct argp_child children[] = {{&product_argp, 0, NULL, 0}, {&schedule_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .args_doc = "[KERNEL...]",
        .parser = parse,
        .doc =
            "Run GEMV kernels (y = W a, N = 1) over shapes and teams, checked against the scalar reference first, then "
            "timed, and hold them against the model. KERNEL is a kernel's name, the "
            "beginning of some, such as int2_planes or int1, or a shell pattern, such as '*.avx2'; without one, every kernel that runs here.",
        .children = children,
    };
    struct options options = {.product.view.tables = tables};
    char why[SESSION_WHY];
    int code = parse_options(&argp, argc, argv, &options);
    if (!code && schedule_options_settle(&options.sharing, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    if (!code && options.product.reads && options.product.warm && !options.product.cold)
        code = complain(EXIT_USAGE, command_name, "--reads needs cold GEMVs; add --cold, or leave --warm out");
    options.product.schedules = options.sharing.schedules;
    if (!code)
        code = product_command_run(&command, &options.product);
    schedule_options_release(&options.sharing);
    return code;
}

const struct command command_gemv = {
    .name = command_name,
    .summary = "low-bit GEMV kernels over shapes and teams, cold and warm, against the model",
    .run = run,
    .tables = tables,
};
