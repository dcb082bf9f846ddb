/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/compare/compare_command.h"

enum { INDENT = 4 };

static const char *base_text(const json_t *record, char *text, size_t size)
{
    const json_t *seconds = json_object_get(record, "base_s");
    snprintf(text, size, "%s", verdict_seconds(json_is_number(seconds) ? json_number_value(seconds) : NAN).text);
    return text;
}

static const char *floor_text(const json_t *record, char *text, size_t size)
{
    const json_t *floor = json_object_get(record, "floor");
    const char *from = json_string_value(json_object_get(record, "floor_from"));
    snprintf(text, size, "%s%s", verdict_percent(json_is_number(floor) ? log1p(json_number_value(floor)) : NAN).text,
             from && strcmp(from, "blocks") == 0 ? "*" : "");
    return text;
}

static const char *blocks_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%3lld %3lld", (long long)json_integer_value(json_object_get(record, "base_blocks")),
             (long long)json_integer_value(json_object_get(record, "head_blocks")));
    return text;
}

static const char *reason_text(const json_t *record, char *text, size_t size)
{
    (void)text;
    (void)size;
    return json_string_value(json_object_get(record, "reason"));
}

static bool is_slower(const json_t *record)
{
    const char *verdict = json_string_value(json_object_get(record, "verdict"));
    return strcmp(verdict, compare_verdict_name(COMPARE_FAILED)) == 0;
}

static const struct table_column columns[] = {
    {"cell", "name", .left = true, .clips = 40},
    {"base", "base_s", .text = base_text, .rank = 1},
    {"slower", "effect", TABLE_CHANGE, .digits = 2},
    {"at least", "lower", TABLE_CHANGE, .digits = 2, .rank = 2},
    {"at most", "upper", TABLE_CHANGE, .digits = 2, .rank = 3},
    {"threshold", "threshold", TABLE_CHANGE, .digits = 2, .rank = 4},
    {"A/A 95%", "floor", .text = floor_text, .rank = 5,
     .explains = "how much BASE differs from itself at most, 95 times of 100; *: taken from the scatter of the "
                 "blocks, since this machine has no A/A comparison of the cell"},
    {"blocks", "base_blocks", .text = blocks_text, .rank = 6},
    {"verdict", "verdict", .left = true},
};

const struct table compare_table = {"comparison",
                                    "Cells, the largest loss first",
                                    columns,
                                    sizeof columns / sizeof *columns,
                                    .stands_out = is_slower,
                                    .note = reason_text};

/** Each line by itself. */
static void write_lines(FILE *stream, char *text, size_t width)
{
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) && (rest || *line);) {
        table_write_words(stream, line, 0, INDENT, width);
        fputc('\n', stream);
    }
}

static int write_table(const struct comparison *comparison, const struct table_style *style, FILE *stream)
{
    json_auto_t *rows = json_array();
    bool memory = rows;
    for (size_t i = 0; memory && i < comparison->count; i++)
        memory = json_array_append_new(rows, comparison_record(comparison, &comparison->outcome[i])) == 0;
    return memory ? table_write(stream, &compare_table, rows, style) : -ENOMEM;
}

int compare_write_text(const struct compare_report *report, const struct table_style *style, FILE *stream)
{
    const struct comparison *comparison = report->comparison;
    const struct resample_mean *mean = &comparison->mean;
    char text[4096];
    verdict_sum(report, text, sizeof text);
    write_lines(stream, text, style->width);
    fputc('\n', stream);
    snprintf(text, sizeof text, "%s -> %s", report->base, report->head);
    write_lines(stream, text, style->width);
    verdict_notes(report, text, sizeof text);
    write_lines(stream, text, style->width);
    fputc('\n', stream);
    if (write_table(comparison, style, stream))
        return -ENOMEM;
    fputc('\n', stream);
    if (!isnan(mean->effect)) {
        snprintf(text, sizeof text, "geometric mean of %zu cell%s: %s, 95%% interval %s to %s", comparison->count,
                 comparison->count == 1 ? "" : "s", verdict_percent(mean->effect).text,
                 verdict_percent(mean->ci95[0]).text, verdict_percent(mean->ci95[1]).text);
        write_lines(stream, text, style->width);
    }
    verdict_reasons(report, text, sizeof text);
    if (text[0]) {
        fputs("\nwhy slower, judged by gamma, clock and the roof beside it:\n", stream);
        write_lines(stream, text, style->width);
    }
    return fflush(stream) != 0 || ferror(stream) ? -EIO : 0;
}
