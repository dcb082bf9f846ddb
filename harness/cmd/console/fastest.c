/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/fastest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/records/record.h"
#include "roofline/limit.h"

static const char *limited_by(const char *limit, char *text, size_t size)
{
    static const char *const phrases[][2] = {{"up-convert", "up-converting"},
                                             {"multiply", "multiplying"},
                                             {"operands", "loading operands"},
                                             {"start", "the start of a call"}};
    const char *phrase = limit;
    if (!limit)
        return "";
    if (strcmp(limit, limit_neither) == 0)
        return ", limited by something that the model does not have";
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        phrase = strcmp(limit, phrases[i][0]) == 0 ? phrases[i][1] : phrase;
    snprintf(text, size, ", limited by %s", phrase);
    return text;
}

const char *fastest_text(const struct fastest_row *fastest, const struct fastest_row *next, char *text, size_t size)
{
    char limits[2][96], than[48] = "as fast within the noise";
    text[0] = 0;
    if (!fastest->name)
        return text;
    size_t used = (size_t)snprintf(text, size, "%shere: %s, %s%s", next->name ? "fastest " : "", fastest->name,
                                   fastest->attained, limited_by(fastest->limit, limits[0], sizeof limits[0]));
    if (!next->name || used >= size)
        return text;
    if (next->time_s.ci95[0] > fastest->time_s.ci95[1])
        snprintf(than, sizeof than, "%.2f times as long", next->time_s.median / fastest->time_s.median);
    snprintf(text + used, size - used, "; next: %s, %s%s", next->name, than,
             limited_by(next->limit, limits[1], sizeof limits[1]));
    return text;
}

const char *fastest_advice_text(const char *kernel, size_t rows, char *text, size_t size)
{
    text[0] = 0;
    if (rows)
        snprintf(
            text, size,
            "neither: %zu row%s less than %.0f%% of what the model allows, so neither memory nor computing explains "
            "the time. `kneepoint terms %s` measures what else takes time, `kneepoint tune %s` tries other prefetch "
            "distances, and `kneepoint doctor` says whether memory is on huge pages.",
            rows, rows == 1 ? " attains" : "s attain", 100 * LIMIT_EXPLAINED, kernel, kernel);
    return text;
}

struct summary fastest_quantity(const json_t *record, const char *field)
{
    struct summary summary;
    if (record_quantity_read(record, field, &summary))
        summary = (struct summary){.median = (double)NAN, .ci95 = {(double)NAN, (double)NAN}};
    return summary;
}

void fastest_insert(json_t *rows, json_t *record, int (*compare)(const json_t *one, const json_t *other))
{
    size_t at = json_array_size(rows);
    while (at && compare(record, json_array_get(rows, at - 1)) < 0)
        at--;
    json_array_insert_new(rows, at, record);
}

int fastest_compare_times(const json_t *one, const json_t *other)
{
    double left = fastest_quantity(one, "time_s").median, right = fastest_quantity(other, "time_s").median;
    if (isnan(left) || isnan(right))
        return isnan(left) - isnan(right);
    return (left > right) - (left < right);
}
