/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/decode/decode_command.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/cells/cell/summary.h"
#include "harness/cells/join/join.h"
#include "harness/cells/sync/sync.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"

static double real(const json_t *record, const char *field)
{
    const json_t *value = json_object_get(record, field);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *decode_table_bytes_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%.3f", 1e-9 * (real(record, "layer_bytes") + real(record, "head_bytes")));
    return text;
}

const char *decode_table_difference_text(const json_t *record, char *text, size_t size)
{
    double distance = real(record, "distance");
    snprintf(text, size, "%.1e", distance);
    return isfinite(distance) ? text : "-";
}

/* ---- the parts ---- */

static void set_text(json_t *row, const char *field, double value, int digits)
{
    char text[32];
    snprintf(text, sizeof text, "%.*f", digits, value);
    json_object_set_new(row, field, json_string(isfinite(value) ? text : "-"));
}

/** The time of every part in ms, or its share in percent, under the name of the part. */
static json_t *parts_row(const json_t *record, bool shares)
{
    json_t *row = json_pack("{s:O?, s:O?, s:s}", "name", json_object_get(record, "name"), "tokens",
                            json_object_get(record, "tokens"), "in", shares ? "share %" : "ms");
    const json_t *parts = json_object_get(record, "parts");
    double time_s = real(json_object_get(record, "time_s"), "median"), sync_s = real(record, "sync_s");
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i), *of = json_object_get(part, shares ? "share" : "time_s");
        double value = json_is_object(of) ? real(of, "median") : real(part, shares ? "share" : "time_s");
        set_text(row, json_string_value(json_object_get(part, "part")), (shares ? 100 : 1e3) * value, shares ? 1 : 3);
    }
    set_text(row, "sync", shares ? 100 * sync_s / time_s : 1e3 * sync_s, shares ? 1 : 3);
    return row;
}

/** What multiplies matrices is shown first. */
static int show_parts(const struct decode_table *table, const json_t *records, const struct table_view *view)
{
    struct table_column columns[DECODE_PARTS + 4] = {{.heading = "pass", .field = "name", .left = true}};
    size_t count = 1, i;
    json_t *rows = json_array(), *record;
    if (table->has_tokens)
        columns[count++] = (struct table_column){.heading = "tokens", .field = "tokens"};
    columns[count++] = (struct table_column){.heading = "in", .field = "in", .left = true};
    for (int part = 0; part < DECODE_PARTS; part++) {
        const char *name = decode_part_name((enum decode_part)part);
        columns[count++] = (struct table_column){
            .heading = name, .field = name, .rank = decode_part_is_gemv((enum decode_part)part) ? 1 : 2};
    }
    if (table->has_sync)
        columns[count++] = (struct table_column){.heading = "sync", .field = "sync", .rank = 3};
    json_array_foreach((json_t *)(uintptr_t)records, i, record)
    {
        json_array_append_new(rows, parts_row(record, false));
        json_array_append_new(rows, parts_row(record, true));
    }
    const struct table parts = {.type = "parts", .columns = columns, .count = count};
    const struct table_view unsorted = {.wide = view->wide};
    int code = table_show(table->command, &parts, rows, &unsorted);
    json_decref(rows);
    return code;
}

/* ---- both ---- */

int decode_table_print(const struct decode_table *table, const struct session *session, const struct cells *cells,
                       const struct decode_job *job, const struct table_view *view)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = cell->kind == table->kind ? summary_record(session, cells, cell) : NULL;
        if (record)
            json_array_append_new(rows, record);
    }
    table->header(job);
    int code = table_show(table->command, table->passes, rows, view);
    putchar('\n');
    if (!code)
        code = show_parts(table, rows, view);
    print_few_remedy(table_rows_lacking(table->passes, rows));
    json_decref(rows);
    return code;
}

/* ---- joins ---- */

/** Of the first cell of a kind that was measured. */
static long long joins_of(const struct decode_table *table, const struct session *session, const struct cells *cells,
                          unsigned *threads)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = cell->kind == table->kind ? summary_record(session, cells, cell) : NULL;
        if (!record)
            continue;
        long long joins = (long long)json_integer_value(json_object_get(record, "joins"));
        *threads = cell->threads;
        json_decref(record);
        return joins;
    }
    *threads = 0;
    return 0;
}

void decode_table_print_joins(const struct decode_table *table, const struct session *session,
                              const struct cells *cells)
{
    unsigned threads;
    long long joins = joins_of(table, session, cells, &threads);
    if (threads < 2)
        return;
    printf("\nsync: %lld joins of %u threads a pass; a join at the spinning barrier", joins, threads);
    print_number(1e6 * sync_time(cells, threads), 0, 3, " us");
    for (int way = 0; way < JOIN_WAYS; way++) {
        const char *why = join_why(cells, (enum join_way)way, threads);
        printf(", %s", way == JOIN_FUTEX ? "of futexes" : "of OpenMP");
        print_number(1e6 * join_time(cells, (enum join_way)way, threads), 0, 3, " us");
        if (why)
            printf(" (%s)", why);
    }
    putchar('\n');
}

void decode_table_print_model(const struct model *model)
{
    printf("%s%s%s: %zu layers, hidden %zu, ffn %zu, %zu heads, %zu key-value heads of %zu, vocabulary %zu, %s\n",
           console_bold(), model->name, console_plain(), model->layers, model->hidden, model->ffn, model->heads,
           model->kv_heads, model->head_size, model->vocabulary, layer_activation_name(model->activation));
}
