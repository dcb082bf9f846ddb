/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/reference.h"

#include <math.h>
#include <string.h>

static double activation_of(const struct kernel *kernel, const void *activations, size_t column)
{
    return kernel->takes == KERNEL_TAKES_INT8 ? ((const int8_t *)activations)[column]
                                              : (double)((const float *)activations)[column];
}

/** The rows of a panel, read once or each time. */
struct panel {
    const struct format *format;
    const uint8_t *bytes;
    const double *weights; /* [rows][k]; NULL: not read yet */
    size_t k;
};

static double weight_of(const struct panel *panel, uint32_t row, size_t column)
{
    return panel->weights ? panel->weights[row * panel->k + column]
                          : format_weight(panel->format, panel->bytes, panel->k, row, (uint32_t)column);
}

static struct kernel_row define(const struct kernel *kernel, const struct panel *panel, uint32_t row,
                                const void *activations)
{
    struct kernel_row sum = {0};
    for (size_t column = 0; column < panel->k; column++) {
        double term = weight_of(panel, row, column) * activation_of(kernel, activations, column);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

/** max|w|; of integer weights what the format can hold, so that a panel of zeros has a bound too. */
static double largest_weight(const struct panel *panel, size_t rows)
{
    const struct format *format = panel->format;
    if (format_is_integer(format))
        return fmax(fabs((double)format->weight_min), fabs((double)format->weight_max));
    double most = 0;
    for (uint32_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < panel->k; column++)
            most = fmax(most, fabs(weight_of(panel, row, column)));
    }
    return most;
}

/** Distance from the definition that the operand's coarseness allows. */
static double coarseness(const struct kernel *kernel, const struct panel *panel, size_t rows, const void *activations)
{
    double most = 0;
    for (size_t column = 0; kernel->error_bound > 0 && column < panel->k; column++)
        most = fmax(most, fabs(activation_of(kernel, activations, column)));
    return most > 0 ? kernel->error_bound * most * (double)panel->k * largest_weight(panel, rows) : 0;
}

void reference_weights(const struct format *format, const uint8_t *panel, size_t k, size_t count, double *weights)
{
    for (uint32_t row = 0; row < count; row++) {
        for (size_t column = 0; column < k; column++)
            weights[row * k + column] = format_weight(format, panel, k, row, (uint32_t)column);
    }
}

void reference_rows(const struct kernel *kernel, const uint8_t *panel, size_t k, size_t count, const void *activations,
                    const void *prepared, struct reference_row *rows)
{
    reference_rows_of_weights(kernel, panel, NULL, k, count, activations, prepared, rows);
}

void reference_rows_of_weights(const struct kernel *kernel, const uint8_t *bytes, const double *weights, size_t k,
                               size_t count, const void *activations, const void *prepared, struct reference_row *rows)
{
    const struct panel panel = {kernel->format, bytes, weights, k};
    double coarse = coarseness(kernel, &panel, count, activations);
    double sums = kernel->float_sums ? kernel->float_sums : KERNEL_FLOAT_SUMS_LEAST;
    double relative = kernel->gives == KERNEL_GIVES_INT32 ? 0 : ((double)k / sums + 16) * 0x1p-24;
    for (uint32_t row = 0; row < count; row++) {
        struct kernel_row definition = define(kernel, &panel, row, activations), own = definition;
        if (kernel->row)
            own = kernel->row(bytes, format_columns(kernel->format, k), row, prepared);
        double rounding = relative * own.magnitude, bound = coarse + rounding;
        rows[row] = (struct reference_row){
            .definition = definition.y,
            .y = own.y,
            .rounding = kernel->row ? rounding : bound,
            .bound = bound,
        };
    }
}

static void compare_row(const struct reference_row *row, double got, struct reference_check *check)
{
    double error = fabs(got - row->definition);
    /* negated, since what is not a number is within no bound */
    check->wrong += !(fabs(got - row->y) <= row->rounding) || !(error <= row->bound);
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
