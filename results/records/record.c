/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/records/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 17 significant digits bring every double of a sample back as it was; what is computed of samples has 8. */
enum {
    SAMPLES_FORMAT = JSON_COMPACT | JSON_REAL_PRECISION(17),
    COMPUTED_FORMAT = JSON_COMPACT | JSON_REAL_PRECISION(8)
};

static size_t line_format(const json_t *record)
{
    const char *type = json_string_value(json_object_get(record, "type"));
    bool sampled = type && (strcmp(type, "samples") == 0 || strcmp(type, "cell") == 0);
    return sampled ? SAMPLES_FORMAT : COMPUTED_FORMAT;
}

json_t *record_quantity(const struct summary *summary, const char *unit, const char *grade)
{
    if (summary->n == 0 && summary->rejected == 0)
        return json_null();
    if (summary->n < STATS_KEPT_LEAST)
        return json_pack("{s:n,s:n,s:n,s:n,s:I,s:I,s:s,s:s,s:o}", "median", "min", "mad", "ci95", "n",
                         (json_int_t)summary->n, "rejected", (json_int_t)summary->rejected, "unit", unit, "grade",
                         grade, "why", record_few_kept(summary->n));
    return json_pack("{s:f,s:f,s:f,s:[f,f],s:I,s:I,s:s,s:s}", "median", summary->median, "min", summary->min, "mad",
                     summary->mad, "ci95", summary->ci95[0], summary->ci95[1], "n", (json_int_t)summary->n, "rejected",
                     (json_int_t)summary->rejected, "unit", unit, "grade", grade);
}

json_t *record_text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

json_t *record_few_kept(size_t kept)
{
    return json_sprintf("%zu kept, %d needed", kept, STATS_KEPT_LEAST);
}

/* A quantity whose numbers were withheld, or have to be: of an older run. */
static int read_few(const json_t *quantity, struct summary *summary)
{
    json_int_t n, rejected;
    const char *unit, *grade;
    if (json_unpack((json_t *)quantity, "{s:I,s:I,s:s,s:s}", "n", &n, "rejected", &rejected, "unit", &unit, "grade",
                    &grade) != 0 ||
        n < 0 || n >= STATS_KEPT_LEAST || rejected < 0)
        return -EINVAL;
    *summary = (struct summary){.median = NAN,
                                .min = NAN,
                                .max = NAN,
                                .mad = NAN,
                                .ci95 = {NAN, NAN},
                                .n = (size_t)n,
                                .rejected = (size_t)rejected};
    return -ENODATA;
}

int record_quantity_read(const json_t *record, const char *field, struct summary *summary)
{
    const json_t *quantity = json_object_get(record, field);
    if (!quantity || json_is_null(quantity))
        return -ENOENT;
    if (json_is_null(json_object_get(quantity, "median")))
        return read_few(quantity, summary);

    struct summary read = {.max = NAN};
    json_int_t n, rejected;
    const char *unit, *grade;
    /* jansson takes the value as mutable but does not change it. */
    if (json_unpack((json_t *)quantity, "{s:F,s:F,s:F,s:[F,F!],s:I,s:I,s:s,s:s}", "median", &read.median, "min",
                    &read.min, "mad", &read.mad, "ci95", &read.ci95[0], &read.ci95[1], "n", &n, "rejected", &rejected,
                    "unit", &unit, "grade", &grade) != 0)
        return -EINVAL;
    if (n < 1 || rejected < 0 || read.mad < 0 || read.min > read.median || read.ci95[0] > read.ci95[1])
        return -EINVAL;
    if (n < STATS_KEPT_LEAST)
        return read_few(quantity, summary);
    read.n = (size_t)n;
    read.rejected = (size_t)rejected;
    *summary = read;
    return 0;
}

int record_set_halves(json_t *quantity, const struct best_of_half halves[HALVES])
{
    if (!json_is_object(quantity) || !halves_compete(halves))
        return 0;
    json_t *list = json_array();
    for (int h = 0; list && h < HALVES; h++)
        json_array_append_new(list, json_pack("{s:f,s:[f,f],s:I}", "median", halves[h].median, "ci95",
                                              halves[h].ci95[0], halves[h].ci95[1], "n", (json_int_t)halves[h].n));
    return json_object_set_new(quantity, "halves", list) ? -ENOMEM : 0;
}

bool record_halves_read(const json_t *record, const char *field, struct best_of_half halves[HALVES])
{
    const json_t *list = json_object_get(json_object_get(record, field), "halves");
    if (json_array_size(list) != HALVES)
        return false;
    for (size_t h = 0; h < HALVES; h++) {
        struct best_of_half half;
        json_int_t n;
        /* jansson takes the value as mutable but does not change it. */
        if (json_unpack(json_array_get(list, h), "{s:F,s:[F,F!],s:I}", "median", &half.median, "ci95", &half.ci95[0],
                        &half.ci95[1], "n", &n) != 0 ||
            n < STATS_KEPT_LEAST)
            return false;
        half.n = (size_t)n;
        halves[h] = half;
    }
    return halves_compete((const struct best_of_half *)halves);
}

bool record_is_valid(const json_t *value)
{
    return json_is_object(value) && json_is_string(json_object_get(value, "type"));
}

char *record_format_line(const json_t *record, size_t *length)
{
    if (!record_is_valid(record))
        return NULL;
    char *text = json_dumps(record, line_format(record));
    if (!text)
        return NULL;
    *length = strlen(text) + 1;
    char *line = realloc(text, *length + 1);
    if (!line) {
        free(text);
        return NULL;
    }
    memcpy(line + *length - 1, "\n", 2);
    return line;
}

/* Past stdio where there is a descriptor: its buffer would cut a long line in two. */
static int write_whole(FILE *stream, const char *bytes, size_t length)
{
    if (fflush(stream) != 0)
        return -errno;
    int descriptor = fileno(stream);
    if (descriptor < 0)
        return fwrite(bytes, 1, length, stream) == length && fflush(stream) == 0 ? 0 : -EIO;
    for (size_t done = 0; done < length;) {
        ssize_t written = write(descriptor, bytes + done, length - done);
        if (written < 0 && errno != EINTR)
            return -errno;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

int record_write_line(FILE *stream, const json_t *record)
{
    if (!record_is_valid(record))
        return -EINVAL;
    size_t length;
    char *line = record_format_line(record, &length);
    if (!line)
        return -ENOMEM;
    int error = write_whole(stream, line, length);
    free(line);
    return error;
}
