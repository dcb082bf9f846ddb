/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums in as many parts as fill registers: exact of integers in any order, and far below the rounding of floats. Loops over parts are
 * unrolled, or the parts would lie in memory. */
enum { CHUNK = 512, PARTS = 8 };

/* 16 MiB */
enum { READ_MOST = 1 << 21 };

/** Columns [first, first + count) of the activations, in parts: converted in vectors, since nothing else is there. */
static void read_activations(const struct kernel *kernel, const void *activations, size_t first, size_t count,
                             double *restrict values)
{
    const int8_t *restrict integers = (const int8_t *)activations + first;
    const float *restrict floats = (const float *)activations + first;
    const size_t whole = count / PARTS * PARTS;
    const bool takes_integers = kernel->takes == KERNEL_TAKES_INT8;
    for (size_t i = 0; takes_integers && i < whole; i += PARTS) {
        int32_t wide[PARTS];
        for (size_t part = 0; part < PARTS; part++)
            wide[part] = integers[i + part];
        for (size_t part = 0; part < PARTS; part++)
            values[i + part] = wide[part];
    }
    for (size_t i = 0; !takes_integers && i < whole; i += PARTS) {
        for (size_t part = 0; part < PARTS; part++)
            values[i + part] = (double)floats[i + part];
    }
    for (size_t i = whole; i < count; i++)
        values[i] = takes_integers ? integers[i] : (double)floats[i];
}

/** Columns [first, first + count) of a row. */
static void read_weights(const struct format *format, const uint8_t *panel, size_t k, uint32_t row, size_t first,
                         size_t count, double *values)
{
    if (format->get) {
        for (size_t i = 0; i < count; i++)
            values[i] = format->get(panel, row, (uint32_t)(first + i));
        return;
    }
    const size_t columns = format_columns(format, k);
    for (size_t i = 0; i < count; i++)
        values[i] = format->weight ? format->weight(panel, columns, row, (uint32_t)(first + i))
                                   : format_weight(format, panel, k, row, (uint32_t)(first + i));
}

static void add_products(const double *w, const double *a, size_t count, struct kernel_row *sum)
{
    double y[PARTS] = {0}, magnitude[PARTS] = {0};
    size_t whole = count / PARTS * PARTS;
    for (size_t i = 0; i < whole; i += PARTS) {
#pragma GCC unroll 8
        for (size_t part = 0; part < PARTS; part++) {
            double term = w[i + part] * a[i + part];
            y[part] += term;
            magnitude[part] += fabs(term);
        }
    }
    for (size_t i = whole; i < count; i++) {
        y[i - whole] += w[i] * a[i];
        magnitude[i - whole] += fabs(w[i] * a[i]);
    }
    for (size_t part = 0; part < PARTS; part++) {
        sum->y += y[part];
        sum->magnitude += magnitude[part];
    }
}

/** In parts as well: one comparison waits for that before it. */
static double largest_of(const double *values, size_t count, double most)
{
    double largest[PARTS] = {0};
    size_t whole = count / PARTS * PARTS;
    for (size_t i = 0; i < whole; i += PARTS) {
#pragma GCC unroll 8
        for (size_t part = 0; part < PARTS; part++)
            largest[part] = fabs(values[i + part]) > largest[part] ? fabs(values[i + part]) : largest[part];
    }
    for (size_t i = whole; i < count; i++)
        largest[i - whole] = fabs(values[i]) > largest[i - whole] ? fabs(values[i]) : largest[i - whole];
    for (size_t part = 0; part < PARTS; part++)
        most = largest[part] > most ? largest[part] : most;
    return most;
}

/** max|w| that the format can hold, so that a panel of zeros has a bound too; 0 of what are no integers. */
static double largest_integer(const struct format *format)
{
    return format_is_integer(format) ? fmax(fabs((double)format->weight_min), fabs((double)format->weight_max)) : 0;
}

/** The rows of a panel, read once or each time. */
struct panel {
    const uint8_t *bytes;
    const double *weights; /* [rows][k]; NULL: not read yet */
    size_t k, count;
};

/** Of real weights the larger of `most` and max|w| of the padding, which a kernel that makes weights coarser cannot tell from the others. */
static double largest_of_padding(const struct format *format, const struct panel *panel, double most)
{
    double read[CHUNK];
    const size_t columns = format_columns(format, panel->k);
    for (uint32_t row = 0; row < panel->count; row++) {
        for (size_t first = panel->k; first < columns; first += CHUNK) {
            size_t count = columns - first < CHUNK ? columns - first : CHUNK;
            read_weights(format, panel->bytes, columns, row, first, count, read);
            most = largest_of(read, count, most);
        }
    }
    return most;
}

/**
 * The definition of each row and the magnitude of its terms, which stays in `rounding`.
 * @return max|a| max|w| of what was read
 */
static double define(const struct kernel *kernel, const struct panel *panel, const void *activations,
                     struct reference_row *rows)
{
    double a[CHUNK], read[CHUNK], largest_a = 0, largest_w = largest_integer(kernel->format);
    bool floats = !format_is_integer(kernel->format);
    for (uint32_t row = 0; row < panel->count; row++)
        rows[row] = (struct reference_row){0};
    for (size_t first = 0; first < panel->k; first += CHUNK) {
        size_t count = panel->k - first < CHUNK ? panel->k - first : CHUNK;
        read_activations(kernel, activations, first, count, a);
        largest_a = largest_of(a, count, largest_a);
        for (uint32_t row = 0; row < panel->count; row++) {
            const double *w = panel->weights ? panel->weights + row * panel->k + first : read;
            if (!panel->weights)
                read_weights(kernel->format, panel->bytes, panel->k, row, first, count, read);
            struct kernel_row sum = {.y = rows[row].definition, .magnitude = rows[row].rounding};
            add_products(w, a, count, &sum);
            rows[row].definition = sum.y;
            rows[row].rounding = sum.magnitude;
            if (floats && kernel->error_bound > 0)
                largest_w = largest_of(w, count, largest_w);
        }
    }
    if (floats && kernel->error_bound > 0)
        largest_w = largest_of_padding(kernel->format, panel, largest_w);
    return largest_a * largest_w;
}

void reference_weights(const struct format *format, const uint8_t *panel, size_t k, size_t count, double *weights)
{
    size_t columns = format_columns(format, k);
    double *whole = format->row_weights ? malloc(columns * sizeof *whole) : NULL;
    for (uint32_t row = 0; row < count; row++) {
        if (!whole) {
            read_weights(format, panel, k, row, 0, k, weights + row * k);
            continue;
        }
        format->row_weights(panel, columns, row, whole);
        memcpy(weights + row * k, whole, k * sizeof *whole);
    }
    free(whole);
}

void reference_rows(const struct kernel *kernel, const uint8_t *panel, size_t k, size_t count, const void *activations,
                    const void *prepared, struct reference_row *rows)
{
    /* a row that is dequantized in one call is so once, and not for each stretch of it; others are not read again for row() */
    const bool reads_again = kernel->row && count * k <= READ_MOST;
    double *weights = kernel->format->row_weights || reads_again ? malloc(count * k * sizeof *weights) : NULL;
    if (weights)
        reference_weights(kernel->format, panel, k, count, weights);
    reference_rows_of_weights(kernel, panel, weights, k, count, activations, prepared, rows);
    free(weights);
}

void reference_rows_of_weights(const struct kernel *kernel, const uint8_t *bytes, const double *weights, size_t k,
                               size_t count, const void *activations, const void *prepared, struct reference_row *rows)
{
    const struct panel panel = {bytes, weights, k, count};
    /* distance from the definition that the operand's coarseness allows */
    double largest = define(kernel, &panel, activations, rows);
    double coarse = kernel->error_bound > 0 ? kernel->error_bound * largest * (double)k : 0;
    double sums = kernel->float_sums ? kernel->float_sums : KERNEL_FLOAT_SUMS_LEAST;
    double relative = kernel->gives == KERNEL_GIVES_INT32 ? 0 : ((double)k / sums + 16) * 0x1p-24;
    if (weights)
        reference_weights_are_read(&(struct reference_weights_read){kernel->format, bytes, k, count, weights});
    for (uint32_t row = 0; row < count; row++) {
        struct kernel_row own = {.y = rows[row].definition, .magnitude = rows[row].rounding};
        if (kernel->row)
            own = kernel->row(bytes, format_columns(kernel->format, k), row, prepared);
        double rounding = relative * own.magnitude, bound = coarse + rounding;
        rows[row].y = own.y;
        rows[row].rounding = kernel->row ? rounding : bound;
        rows[row].bound = bound;
    }
    reference_weights_are_read(&(struct reference_weights_read){0});
}

static void compare_row(const struct reference_row *row, double got, struct reference_check *check)
{
    double error = fabs(got - row->definition);
    /* negated, since what is not a number is within no bound */
    bool unrounded = !(fabs(got - row->y) <= row->rounding), wrong = unrounded || !(error <= row->bound);
    if (wrong && !check->wrong) {
        check->first_wrong = check->rows;
        check->got = got;
        check->wanted = unrounded ? row->y : row->definition;
    }
    check->wrong += wrong;
    check->unequal += !(got == row->definition);
    check->error_most = fmax(check->error_most, error);
    check->magnitude = fmax(check->magnitude, fabs(row->definition));
    check->rows++;
}

void reference_compare(const struct kernel *kernel, const struct reference_row *rows, size_t count, const void *results,
                       struct reference_check *check)
{
    for (size_t row = 0; row < count; row++)
        compare_row(&rows[row],
                    kernel->gives == KERNEL_GIVES_INT32 ? ((const int32_t *)results)[row]
                                                        : (double)((const float *)results)[row],
                    check);
}

/** An integer result of a GEMM in units of its scale: the definition itself where it is right, bit for bit. */
static double in_units(float result, float scale, double definition)
{
    const float right = scale * (float)(int32_t)definition;
    if (memcmp(&right, &result, sizeof right) == 0)
        return definition;
    double units = (double)result / (double)scale;
    return units == definition ? nextafter(units, INFINITY) : units;
}

void reference_compare_token(const struct kernel *kernel, const struct reference_row *rows, size_t count,
                             const float *results, float scale, struct reference_check *check)
{
    bool scaled = kernel->gives == KERNEL_GIVES_INT32;
    for (size_t row = 0; row < count; row++)
        compare_row(&rows[row], scaled ? in_units(results[row], scale, rows[row].definition) : (double)results[row],
                    check);
}

double reference_error(const struct reference_check *check)
{
    return check->magnitude > 0 ? check->error_most / check->magnitude : check->error_most;
}

bool reference_is_exact(const struct reference_check *check)
{
    return check->unequal == 0;
}
