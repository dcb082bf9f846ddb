/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a GEMV and a GEMM print: a GEMV is a product with one token.
 */
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/product/product_cell.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/fastest.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/sharing.h"
#include "harness/cmd/product/product_command.h"
#include "harness/cmd/product/ranking.h"
#include "harness/command/exit_code.h"
#include "reports/select/run/peers.h"
#include "results/records/record.h"
#include "roofline/limit.h"

/* ---- columns ---- */

const char *product_shape_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%lldx%lld", (long long)json_integer_value(json_object_get(record, "m")),
             (long long)json_integer_value(json_object_get(record, "k")));
    return text;
}

/** Where the weights come from: "cold", or the cache of a warm cell. */
static const char *from_text(const json_t *record, char *text, size_t size)
{
    const char *protocol = json_string_value(json_object_get(record, "protocol")),
               *level = json_string_value(json_object_get(record, "level"));
    bool names_it = !level || strcmp(protocol, "cold") == 0 || strcmp(level, "memory") == 0;
    snprintf(text, size, "%s", names_it ? protocol : level);
    return text;
}

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

static const char *limit_text(const json_t *record, char *text, size_t size)
{
    const char *limit = product_limit(record);
    snprintf(text, size, "%s", limit ? limit : "-");
    return text;
}

const char *product_error_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%.1e", json_number_value(json_object_get(record, "error")));
    return json_is_true(json_object_get(record, "exact")) ? "exact" : text;
}

/** Beside a read of as many bytes: what it attains of the roof, and how much of that the product does. */
static const char *read_text(const json_t *record, char *text, size_t size)
{
    struct summary fraction;
    double read = json_number_value(json_object_get(record, "read_roof_fraction"));
    text[0] = '\0';
    if (read > 0 && record_quantity_read(record, "roof_fraction", &fraction) == 0)
        snprintf(text, size, "  %.3f of a read of its bytes, which attains %.3f of the roof", fraction.median / read,
                 read);
    return text;
}

const char *product_note_text(const json_t *record, char *text, size_t size)
{
    char sharing[512], read[96];
    snprintf(text, size, "%s%s%s%s%s", read_text(record, read, sizeof read),
             json_is_true(json_object_get(record, "one_layer")) ? "  one layer" : "",
             json_is_true(json_object_get(record, "above_roof")) ? "  above the roof: not valid" : "",
             json_is_true(json_object_get(record, "far_below")) ? "  far below its prediction" : "",
             sharing_text(record, "", sharing, sizeof sharing));
    return text + strspn(text, " ");
}

static const char of_gemv[] = "gemv", of_gemm[] = "gemm";

const struct table_column product_columns[PRODUCT_COLUMNS] = {
    {.heading = "kernel", .field = "name", .left = true},
    {.heading = "shape", .field = "m", .text = product_shape_text},
    {.heading = "thr", .field = "threads"},
    {.heading = "from",
     .field = "level",
     .text = from_text,
     .left = true,
     .explains = "cold, from memory, or the cache that warm weights come from"},
    {.heading = "tokens", .field = "n", .only = of_gemm},
    {.heading = "time us", .field = "time_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 1},
    {.heading = "GB/s",
     .field = "bytes_per_s",
     .value = TABLE_NUMBER,
     .scale = 1e-9,
     .digits = 1,
     .rank = 2,
     .only = of_gemv},
    {.heading = "roof",
     .field = "roof_fraction",
     .value = TABLE_NUMBER,
     .digits = 2,
     .rank = 3,
     .only = of_gemv,
     .explains = "attained over the read roof measured just before each sample"},
    {.heading = "Gop/s",
     .field = "ops_per_s",
     .value = TABLE_NUMBER,
     .scale = 1e-9,
     .digits = 1,
     .rank = 6,
     .only = of_gemm},
    {.heading = "mult",
     .field = "multiply_fraction",
     .value = TABLE_NUMBER,
     .digits = 2,
     .rank = 3,
     .only = of_gemm,
     .explains = "op/c over those of the multiplications alone"},
    {.heading = "oper",
     .field = "operand_fraction",
     .value = TABLE_NUMBER,
     .digits = 2,
     .rank = 7,
     .optional = true,
     .only = of_gemm,
     .explains = "op/c over what loading tiles of both operands allows, one from L1 and one from L2; - without tiles"},
    {.heading = "model limit",
     .field = "binds",
     .text = limit_text,
     .rank = 4,
     .left = true,
     .limit = true,
     .explains = "the larger term of the model; neither where the kernel attains less than 0.7 of what the model "
                 "allows; no gamma where only reading is known"},
    {.heading = "op/c",
     .field = "ops_per_cycle",
     .value = TABLE_NUMBER,
     .digits = 1,
     .rank = 5,
     .explains = "operations (2 a weight and token) per core cycle per core"},
    {.heading = "bits",
     .field = "bits",
     .value = TABLE_NUMBER,
     .digits = 2,
     .rank = 7,
     .explains = "of a packed weight, scales and padding included"},
    {.heading = "gamma",
     .field = "gamma",
     .value = TABLE_NUMBER,
     .digits = 2,
     .rank = 9,
     .only = of_gemv,
     .explains = "core cycles per 32 weights of the kernel's sequence"},
    {.heading = "omega",
     .field = "omega",
     .value = TABLE_NUMBER,
     .digits = 2,
     .rank = 10,
     .explains = "how much of the shorter of reading and computing overlaps the longer"},
    {.heading = "max us",
     .field = "predicted_s",
     .text = max_text,
     .rank = 12,
     .explains = "the longer of reading and computing; without a gamma what reading takes"},
    {.heading = "max resid",
     .field = "residual",
     .value = TABLE_CHANGE,
     .rank = 13,
     .explains = "what the time is over max us, of cells that the model is not taken from"},
    {.heading = "model us",
     .field = "predicted_overlap_s",
     .value = TABLE_NUMBER,
     .scale = 1e6,
     .digits = 2,
     .rank = 8,
     .explains =
         "reading and computing less what overlaps, from the beta of the run, not from the roof beside the cell"},
    {.heading = "resid",
     .field = "residual_overlap",
     .value = TABLE_CHANGE,
     .rank = 8,
     .explains = "what the time is over model us, of cells that the model is not taken from"},
    {.heading = "oper resid",
     .field = "residual_operands",
     .value = TABLE_CHANGE,
     .rank = 13,
     .optional = true,
     .only = of_gemm,
     .explains =
         "how much longer the time is than reading, or than unpacking plus loading operands if that is longer, each "
         "measured apart; - without tiles"},
    {.heading = "prep",
     .field = "prepare_share",
     .value = TABLE_SHARE,
     .rank = 11,
     .explains = "time to pack the activations on one core, as a share of the time, which excludes it"},
    {.heading = "deq",
     .field = "dequantize_share",
     .value = TABLE_SHARE,
     .rank = 11,
     .only = of_gemv,
     .explains = "likewise, of int32 results to f32 with a scale a row"},
    {.heading = "error",
     .field = "error",
     .text = product_error_text,
     .rank = 14,
     .left = true,
     .explains = "largest distance from the format's definition over the largest result"},
};

/* ---- printing ---- */

static bool is_shown(const struct session *session, const struct cell *cell)
{
    return !beta_cell(cell) && !(cell->kernel && plugins_fault(&session->plugins, cell->kernel->name)) &&
           !(product_cell(cell) && product_cell(cell)->beside);
}

/** Whether its line comes in the order of numbers of tokens, after all others. */
static bool is_sorted(const struct product_command *command, const struct cell *cell)
{
    return product_cell(cell) && command->sweeps;
}

int product_line(const void *command, const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct product_command *of = command;
    json_t *record = is_shown(session, cell) && !is_sorted(of, cell) ? summary_record(session, cells, cell) : NULL;
    return record ? print_record(of->name, record) : EXIT_DONE;
}

/** The records of cells that have the command's table, into rows; with json those alone that have no line of their own. */
static void take_cells(const struct product_command *command, const struct session *session, const struct cells *cells,
                       bool json, json_t *rows)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        bool taken = product_cell(cell) && is_shown(session, cell) && (!json || is_sorted(command, cell));
        json_t *record = taken ? summary_record(session, cells, cell) : NULL;
        if (record)
            fastest_insert(rows, record, json ? product_compare_by_sweep : product_compare_by_time);
    }
}

static void print_advice(const json_t *rows)
{
    const char *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *limit = product_limit(row);
        if (!limit || strcmp(limit, limit_neither) != 0)
            continue;
        first = first ? first : json_string_value(json_object_get(row, "name"));
        count++;
    }
    char text[512];
    fastest_advice_text(first, count, text, sizeof text);
    if (*text) {
        putchar('\n');
        console_print_prose(text);
    }
}

int product_show_rows(const struct product_command *command, json_t *rows, bool json, const struct table_view *view)
{
    char verdict[768];
    if (json)
        return table_print_records(command->name, command->table, rows, true, view);
    peers_rename(rows);
    console_print_prose(product_verdict_text(rows, verdict, sizeof verdict));
    fputs(*verdict ? "\n" : "", stdout);
    int code = table_show(command->name, command->table, rows, view);
    print_few_remedy(table_rows_lacking(command->table, rows));
    print_advice(rows);
    return code;
}

int product_show_derived(const struct product_command *command, const json_t *rows, bool json,
                         const struct table_view *view)
{
    if (!json && json_array_size(rows))
        printf("\n%s\n", command->derived_title);
    return json_array_size(rows) ? table_print_records(command->name, command->derived, rows, json, view) : EXIT_DONE;
}

/** What follows from several cells: omega of each kernel, or the model of each sweep. */
static int print_derived(const struct product_command *command, const struct session *session,
                         const struct cells *cells, bool json, const struct table_view *view)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        bool withheld = cell->kernel && plugins_fault(&session->plugins, cell->kernel->name);
        json_t *record = product_cell(cell) && !withheld ? derived_record(session, cells, cell) : NULL;
        const struct plugin *plugin = record && !json ? plugins_of_kernel(&session->plugins, cell->kernel) : NULL;
        if (plugin)
            json_object_set_new(record, "plugin", json_string(plugin->description->name));
        if (record)
            json_array_append_new(rows, record);
    }
    if (!json)
        peers_rename(rows);
    int code = product_show_derived(command, rows, json, view);
    json_decref(rows);
    return code;
}

int product_print(const struct product_command *command, const struct session *session, const struct cells *cells,
                  bool json, const struct table_view *view)
{
    json_t *rows = json_array();
    take_cells(command, session, cells, json, rows);
    int code = product_show_rows(command, rows, json, view);
    json_decref(rows);
    return code ? code : print_derived(command, session, cells, json, view);
}
