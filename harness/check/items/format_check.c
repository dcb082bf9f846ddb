/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/items/format_check.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/check/call/checked_call.h"
#include "micro/isa/random.h"
#include "results/text/refuse.h"

enum { COLUMNS = 512, COLUMNS_LONG = 16384 };

/** A K that the format holds without padding, near this one. */
static size_t whole_k(const struct format *format, size_t k)
{
    size_t granule = format->k_multiple ? format->k_multiple : format->k_per_step;
    size_t most = format->max_k / granule * granule, near = (k + granule - 1) / granule * granule;
    near = near < format->k_least ? (format->k_least + granule - 1) / granule * granule : near;
    return near < most ? near : most;
}

double format_taken_bits(const struct format *format)
{
    return format_bits_per_weight(format, format->rows_per_panel, whole_k(format, COLUMNS_LONG));
}

struct checking {
    const struct format *format;
    size_t k;
    float *given; /* [rows_per_panel][k] */
    uint8_t *panel;
    double *weights; /* of a row, by row_weights() */
    const char **runs;
    char *why;
    size_t size;
};

static float draw(const struct format *format, uint64_t *random)
{
    if (format_is_integer(format) && format->values)
        return (float)format->values[random_bits(random) % format->value_count];
    if (format_is_integer(format))
        return (float)(format->weight_min +
                       (int32_t)(random_bits(random) % (uint64_t)(format->weight_max - format->weight_min + 1)));
    return (float)(int32_t)(random_bits(random) >> 40) * 0x1p-23f - 1;
}

static void fill_panel(const struct checking *checking, uint64_t *random)
{
    const struct format *format = checking->format;
    format_fill(format, checking->panel, format_is_uniform(format) ? format_steps(format, checking->k) : 1, checking->k,
                random);
}

static bool has_value(const struct format *format, double weight)
{
    uint32_t i = 0;
    while (i < format->value_count && format->values[i] != weight)
        i++;
    return i < format->value_count;
}

/** Whether the random panels that are measured have only the values that an integer format states. */
static int check_filled(const struct checking *checking, uint64_t *random)
{
    const struct format *format = checking->format;
    if (!format_is_integer(format) || !format->values || (!format->get && !format->weight))
        return 0;
    fill_panel(checking, random);
    for (uint32_t i = 0; i < format->rows_per_panel * checking->k; i++) {
        uint32_t row = i / (uint32_t)checking->k, column = i % (uint32_t)checking->k;
        double weight = format_weight(format, checking->panel, checking->k, row, column);
        if (!has_value(format, weight))
            return refuse(-EILSEQ, checking->why, checking->size,
                          "%s has %g at row %u, column %u, which is not one of its values",
                          format->fill ? "a panel of fill()" : "a panel of random bits, because it has no fill(),",
                          weight, row, column);
    }
    return 0;
}

/** What is to be packed. Integers with places of their own are read from a random panel: not all of a range need be there. */
static void give(const struct checking *checking, uint64_t *random)
{
    const struct format *format = checking->format;
    if (format->get)
        fill_panel(checking, random);
    for (size_t i = 0; i < format->rows_per_panel * checking->k; i++)
        checking->given[i] =
            format->get ? (float)format->get(checking->panel, (uint32_t)(i / checking->k), (uint32_t)(i % checking->k))
                        : draw(format, random);
}

const char *format_reader_name(const struct format *format)
{
    return format->get ? "get()" : format->weight ? "weight()" : "row_weights()";
}

const char *format_packer_name(const struct format *format)
{
    return format->put ? "put()" : "pack()";
}

/** Whether row_weights() says of a row what the others do. */
static int check_row_weights(const struct checking *checking, uint32_t row)
{
    const struct format *format = checking->format;
    if (!format->row_weights || (!format->weight && !format->get))
        return 0;
    for (uint32_t column = 0; column < checking->k; column++) {
        double one = format_weight(format, checking->panel, checking->k, row, column);
        if (memcmp(&one, &checking->weights[column], sizeof one) != 0)
            return refuse(-EILSEQ, checking->why, checking->size,
                          "row_weights() gives %g at row %u, column %u, and %s gives %g", checking->weights[column],
                          row, column, format_reader_name(format), one);
    }
    return 0;
}

/** Whether a row came back: integers as they are, others near. The place that is named is the one that is furthest off. */
static int check_row(const struct checking *checking, uint32_t row)
{
    const struct format *format = checking->format;
    const float *given = checking->given + row * checking->k;
    double lost = 0, energy = 0, most = -1, got_there = 0;
    uint32_t at = 0;
    for (uint32_t column = 0; column < checking->k; column++) {
        double want = (double)given[column];
        double got = format->row_weights ? checking->weights[column]
                                         : format_weight(format, checking->panel, checking->k, row, column);
        double off = fabs(got - want);
        lost += off * off;
        energy += want * want;
        if (!(off <= most)) /* what is not a number is furthest */
            most = off, at = column, got_there = got;
    }
    bool right = format_is_integer(format) ? lost == 0 : lost < FORMAT_LOST * energy;
    return right
               ? 0
               : refuse(-EILSEQ, checking->why, checking->size, "%s stores %g at row %u, column %u, and %s gives %g",
                        format_packer_name(format), (double)given[at], row, at, format_reader_name(format), got_there);
}

/** The next that runs, with a time limit of its own. */
static void begin(const struct checking *checking, const char *name)
{
    if (checking->runs)
        *checking->runs = name;
    checked_call_beat();
}

static int check_panel(struct checking *checking, uint64_t *random)
{
    const struct format *format = checking->format;
    int error = 0;
    give(checking, random);
    begin(checking, format_packer_name(format));
    if (format_pack(format, checking->given, format->rows_per_panel, checking->k, checking->panel))
        return -ENOMEM;
    for (uint32_t row = 0; !error && row < format->rows_per_panel; row++) {
        begin(checking, format->row_weights ? "row_weights()" : format_reader_name(format));
        if (format->row_weights)
            format->row_weights(checking->panel, checking->k, row, checking->weights);
        error = check_row_weights(checking, row);
        if (!error)
            error = check_row(checking, row);
    }
    return error;
}

int format_check(const struct format *format, uint64_t *random, const char **runs, char *why, size_t size)
{
    size_t k = whole_k(format, COLUMNS);
    struct checking checking = {.format = format,
                                .k = k,
                                .given = malloc(format->rows_per_panel * k * sizeof(float)),
                                .panel = aligned_alloc(64, (format_panel_bytes(format, k) + 127) / 64 * 64),
                                .weights = malloc(k * sizeof(double)),
                                .runs = runs,
                                .why = why,
                                .size = size};
    int error = checking.given && checking.panel && checking.weights ? 0 : -ENOMEM;
    if (!error && format->fill)
        begin(&checking, "fill()");
    if (!error)
        error = check_filled(&checking, random);
    if (!error && (format->pack || format->put))
        error = check_panel(&checking, random);
    free(checking.given);
    free(checking.panel);
    free(checking.weights);
    return error;
}
