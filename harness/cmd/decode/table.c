/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/decode/decode_command.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/summary.h"
#include "harness/cells/join/join.h"
#include "harness/cells/sync/sync.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/fastest.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/decode/ranking.h"
#include "harness/command/exit_code.h"
#include "reports/select/run/peers.h"
#include "results/records/record.h"
#include "roofline/limit.h"

static const char *bytes_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%.3f",
             1e-9 * (record_number_or_nan(record, "layer_bytes") + record_number_or_nan(record, "head_bytes")));
    return text;
}

static const char *difference_text(const json_t *record, char *text, size_t size)
{
    double distance = record_number_or_nan(record, "distance");
    snprintf(text, size, "%.1e", distance);
    return isfinite(distance) ? text : "-";
}

static const char *limit_text(const json_t *record, char *text, size_t size)
{
    const char *limit = decode_limit(record);
    snprintf(text, size, "%s", limit ? limit : "-");
    return text;
}

static const char of_tokens[] = "decode", of_prompts[] = "prefill";

const struct table_column decode_columns[DECODE_COLUMNS] = {
    {"kernel", "name", .left = true},
    {"head", "head", .rank = 9, .left = true, .clips = 12, .explains = "kernel of the output head"},
    {"tokens", "tokens", .only = of_prompts},
    {"context", "context", .text = decode_context_text, .rank = 3, .only = of_tokens,
     .explains = "positions that the token attends to; with +, those that users have in turn"},
    {"cache", "cache", .rank = 2, .left = true, .optional = true, .only = of_tokens,
     .explains = "what keys and values of earlier positions are kept in"},
    {"users", "users", .optional = true, .only = of_tokens,
     .explains = "tokens decoded at once, by GEMMs, each over keys and values of its own"},
    {"bits", "bits", TABLE_NUMBER, .digits = 2, .rank = 7},
    {"GB", "layer_bytes", .text = bytes_text, .rank = 8,
     .explains = "packed weights that a pass reads, layers and head"},
    {"token/s", "tokens_per_s", TABLE_NUMBER, .digits = 2, .rank = 1},
    {"/user", "tokens_per_s_of_user", TABLE_NUMBER, .digits = 2, .rank = 6, .optional = true, .only = of_tokens,
     .explains = "token/s of each user"},
    {"+-", "tokens_per_s", TABLE_HALF, .digits = 2, .rank = 3, .explains = "half the 95% interval of token/s"},
    {"n", "tokens_per_s", TABLE_KEPT, .rank = 11, .explains = "samples kept"},
    {"time ms", "time_s", TABLE_NUMBER, .scale = 1e3, .digits = 2, .rank = 4},
    {"model ms", "predicted_s", TABLE_NUMBER, .scale = 1e3, .digits = 2, .rank = 6, .only = of_tokens,
     .explains =
         "GEMVs by gamma, omega and the read roof beside the passes, of several users GEMMs by gamma(N) and omega, attention by "
         "its own omega, operands, norms, rope and gate alone, joins; none of it from a pass"},
    {"model ms", "predicted_s", TABLE_NUMBER, .scale = 1e3, .digits = 2, .rank = 6, .only = of_prompts,
     .explains =
         "GEMMs by gamma(N) and omega of 4096x4096 and by beta, attention of one head alone, operands, what is between "
         "them over beta, joins; none of it from a prompt"},
    {"resid", "residual", TABLE_CHANGE, .rank = 5, .explains = "what the time is over the model's"},
    {"model limit", "predicted_parts_s", .text = limit_text, .rank = 2, .left = true, .limit = true, .only = of_tokens,
     .explains =
         "the largest of reading at the roof, barriers and computing in the model; neither where the pass attains less "
         "than 0.7 of what the model allows"},
    {"model limit", "predicted_terms_s", .text = limit_text, .rank = 2, .left = true, .limit = true, .only = of_prompts,
     .explains =
         "the largest of reading over beta, barriers and computing in the model; neither where the pass attains less "
         "than 0.7 of what the model allows"},
    {"alpha", "alpha", TABLE_NUMBER, .digits = 3, .rank = 10,
     .explains = "share of the layers' products with matrices"},
    {"max diff", "distance", .text = difference_text, .rank = 12,
     .explains = "logits of a reduced model from those of a scalar pass in double"},
};

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
    char context[DECODE_CONTEXT_TEXT];
    decode_context_text(record, context, sizeof context);
    json_t *row =
        json_pack("{s:O?, s:O?, s:s, s:O?, s:O?, s:s}", "name", json_object_get(record, "name"), "tokens",
                  json_object_get(record, "tokens"), "context", context, "cache", json_object_get(record, "cache"),
                  "users", json_object_get(record, "users"), "in", shares ? "share %" : "ms");
    const json_t *parts = json_object_get(record, "parts");
    double time_s = record_number_or_nan(json_object_get(record, "time_s"), "median"),
           sync_s = record_number_or_nan(record, "sync_s");
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i), *of = json_object_get(part, shares ? "share" : "time_s");
        double value = json_is_object(of) ? record_number_or_nan(of, "median")
                                          : record_number_or_nan(part, shares ? "share" : "time_s");
        set_text(row, json_string_value(json_object_get(part, "part")), (shares ? 100 : 1e3) * value, shares ? 1 : 3);
    }
    set_text(row, "sync", shares ? 100 * sync_s / time_s : 1e3 * sync_s, shares ? 1 : 3);
    return row;
}

/** The largest share of a part in any pass, 0 where it is not known. */
static double largest_share(const json_t *records, size_t part)
{
    double most = 0;
    const json_t *record;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)records, i, record)
    {
        const json_t *of = json_object_get(json_array_get(json_object_get(record, "parts"), part), "share");
        most = fmax(most, json_is_object(of) ? record_number_or_nan(of, "median") : json_number_value(of));
    }
    return most;
}

/** How soon a part is left out where room is short: what takes most of a pass is shown first. */
static unsigned rank_of(const json_t *records, size_t part)
{
    unsigned rank = 1;
    for (size_t other = 0; other < DECODE_PARTS; other++)
        rank += largest_share(records, other) > largest_share(records, part);
    return rank;
}

static int show_parts(const struct decode_table *table, const json_t *records, const struct table_view *view)
{
    struct table_column columns[DECODE_PARTS + 7] = {{"pass", "name", .left = true, .clips = 20}};
    size_t count = 1, i;
    json_t *rows = json_array(), *record;
    if (table->has_tokens)
        columns[count++] = (struct table_column){"tokens", .field = "tokens"};
    else
        columns[count++] = (struct table_column){"context", "context", .rank = 3};
    columns[count++] = (struct table_column){"cache", "cache", .rank = 3, .left = true, .optional = true};
    columns[count++] = (struct table_column){"users", "users", .optional = true};
    columns[count++] = (struct table_column){"in", "in", .left = true};
    for (int part = 0; part < DECODE_PARTS; part++) {
        const char *name = decode_part_name((enum decode_part)part);
        columns[count++] = (struct table_column){name, name, .rank = rank_of(records, (size_t)part)};
    }
    if (table->has_sync)
        columns[count++] = (struct table_column){"sync", "sync", .rank = DECODE_PARTS};
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

/* ---- the types of a file ---- */

void decode_table_print_uses(const json_t *record)
{
    const json_t *uses = json_object_get(record, "matrices");
    bool all = true;
    size_t of_layers = 0;
    for (size_t i = 0; i < json_array_size(uses); i++) {
        const json_t *use = json_array_get(uses, i);
        all = all && json_is_true(json_object_get(use, "supported"));
        of_layers += !json_is_true(json_object_get(use, "head")) || record_number_or_nan(use, "matrices") > 1;
    }
    for (size_t i = 0; i < json_array_size(uses) && (!all || of_layers > 1); i++) {
        const json_t *use = json_array_get(uses, i);
        const char *kernel = json_string_value(json_object_get(use, "kernel"));
        printf("  %-8s %5.0f %s%s, %.3f GB: %s\n", record_text(use, "format"), record_number_or_nan(use, "matrices"),
               record_number_or_nan(use, "matrices") > 1 ? "matrices" : "matrix",
               json_is_true(json_object_get(use, "head")) ? " with the head" : "",
               1e-9 * record_number_or_nan(use, "bytes"), kernel ? kernel : record_text(use, "kernel_reason"));
    }
    if (!all)
        puts("  so this is the limit of reading alone; kernels for those types can only be slower");
}

/* ---- both ---- */

static void print_advice(const struct decode_table *table, const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *limit = decode_limit(row);
        if (!limit || strcmp(limit, limit_neither) != 0)
            continue;
        console_print_prose(
            table->has_tokens || json_object_get(row, "users")
                ? "\nneither: the pass takes much longer than the model allows. The parts above show where its time goes; "
                  "`kneepoint gemm` shows how far the kernel alone gets."
                : "\nneither: the pass takes much longer than the model allows. The parts above show where its time "
                  "goes, and `kneepoint gemv` shows how far the kernel alone gets.");
        return;
    }
}

int decode_table_print(const struct decode_table *table, const struct session *session, const struct cells *cells,
                       const struct decode_job *job, const struct table_view *view)
{
    json_auto_t *rows = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = cell->kind == table->kind ? summary_record(session, cells, cell) : NULL;
        if (record && !job->caches) /* nobody asked, and all are alike */
            json_object_del(record, "cache");
        if (record)
            fastest_insert(rows, record, decode_compare_by_time);
    }
    peers_rename(rows);
    char verdict[512];
    console_print_prose(decode_verdict_text(rows, verdict, sizeof verdict));
    fputs(*verdict ? "\n" : "", stdout);
    table->header(job);
    int code = table_show(table->command, table->passes, rows, view);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        fputs(json_object_get(json_array_get(rows, i), "matrices") ? "\n" : "", stdout);
        decode_table_print_uses(json_array_get(rows, i));
    }
    putchar('\n');
    if (!code)
        code = show_parts(table, rows, view);
    print_advice(table, rows);
    print_few_remedy(table_rows_lacking(table->passes, rows));
    return code;
}

/* ---- beforehand ---- */

void decode_print_estimate(const char *command, const struct decode_job *job, const struct session *session)
{
    enum { WORTH_SAYING_S = 60 };
    const struct decode_job_estimate estimate = decode_job_estimate(job, session);
    const double seconds = estimate.constants_s + estimate.passes_s;
    if (seconds > WORTH_SAYING_S)
        complain(EXIT_DONE, command,
                 "this takes about %.0f minutes; fewer kernels or %s or a smaller model (--model) take less",
                 ceil(seconds / 60),
                 job->prefills     ? "tokens (--prefill)"
                 : job->user_count ? "users (--users)"
                                   : "positions (--context)");
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

static const char *microseconds_text(double time_s, char *text, size_t size)
{
    snprintf(text, size, "%.3f us", 1e6 * time_s);
    return isfinite(time_s) ? text : "-";
}

void decode_table_print_joins(const struct decode_table *table, const struct session *session,
                              const struct cells *cells)
{
    unsigned threads;
    long long joins = joins_of(table, session, cells, &threads);
    if (threads < 2)
        return;
    char text[1024], number[32];
    int used = snprintf(text, sizeof text, "\nsync: %lld joins of %u threads a pass; a join at the spinning barrier %s",
                        joins, threads, microseconds_text(sync_time(cells, threads), number, sizeof number));
    for (int way = 0; way < JOIN_WAYS; way++) {
        const char *why = join_why(cells, (enum join_way)way, threads);
        used += snprintf(text + used, sizeof text - (size_t)used, ", of %s %s%s%s%s",
                         way == JOIN_FUTEX ? "futexes" : "OpenMP",
                         microseconds_text(join_time(cells, (enum join_way)way, threads), number, sizeof number),
                         why ? " (" : "", why ? why : "", why ? ")" : "");
    }
    console_print_prose(text);
}

void decode_table_print_model(const struct model *model)
{
    char text[256];
    snprintf(text, sizeof text,
             "%zu layers, hidden %zu, ffn %zu, %zu heads, %zu key-value heads of %zu, vocabulary %zu, %s",
             model->layers, model->hidden, model->ffn, model->heads, model->kv_heads, model->head_size,
             model->vocabulary, layer_activation_name(model->activation));
    printf("%s%s%s: ", console_bold(), model->name, console_plain());
    console_print_hanging(strlen(model->name) + 2, text);
}
