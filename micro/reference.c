/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/reference.h"

#include <math.h>

static double activation_of(const struct kernel *kernel, const void *activations, size_t column)
{
    return kernel->takes == KERNEL_TAKES_INT8 ? ((const int8_t *)activations)[column]
                                              : (double)((const float *)activations)[column];
}

static struct kernel_row define(const struct kernel *kernel, const uint8_t *panel, size_t k, uint32_t row,
                                const void *activations)
{
    struct kernel_row sum = {0};
    for (size_t column = 0; column < k; column++) {
        double term =
            format_weight(kernel->format, panel, k, row, (uint32_t)column) * activation_of(kernel, activations, column);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

/** max|w|; of integer weights what the format can hold, so that a panel of zeros has a bound too. */
static double largest_weight(const struct kernel *kernel, const uint8_t *panel, size_t k, size_t rows)
{
    const struct format *format = kernel->format;
    if (format_is_integer(format))
        return fmax(fabs((double)format->weight_min), fabs((double)format->weight_max));
    double most = 0;
    for (uint32_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < k; column++)
            most = fmax(most, fabs(format_weight(format, panel, k, row, (uint32_t)column)));
    }
    return most;
}

/** Distance from the definition that the operand's coarseness allows. */
static double coarseness(const struct kernel *kernel, const uint8_t *panel, size_t k, size_t rows,
                         const void *activations)
{
    double most = 0;
    for (size_t column = 0; kernel->error_bound > 0 && column < k; column++)
        most = fmax(most, fabs(activation_of(kernel, activations, column)));
    return most > 0 ? kernel->error_bound * most * (double)k * largest_weight(kernel, panel, k, rows) : 0;
}

void reference_rows(const struct kernel *kernel, const uint8_t *panel, size_t k, size_t count, const void *activations,
                    const void *prepared, struct reference_row *rows)
{
    double coarse = coarseness(kernel, panel, k, count, activations);
    double sums = kernel->float_sums ? kernel->float_sums : KERNEL_FLOAT_SUMS_LEAST;
    double relative = kernel->gives == KERNEL_GIVES_INT32 ? 0 : ((double)k / sums + 16) * 0x1p-24;
    for (uint32_t row = 0; row < count; row++) {
        struct kernel_row definition = define(kernel, panel, k, row, activations), own = definition;
        if (kernel->row)
            own = kernel->row(panel, format_columns(kernel->format, k), row, prepared);
        double rounding = relative * own.magnitude, bound = coarse + rounding;
        rows[row] = (struct reference_row){
            .definition = definition.y,
            .y = own.y,
            .rounding = kernel->row ? rounding : bound,
            .bound = bound,
        };
    }
}

void reference_compare(const struct kernel *kernel, const struct reference_row *rows, size_t count, const void *results,
                       struct reference_check *check)
{
    for (size_t row = 0; row < count; row++) {
        double got = kernel->gives == KERNEL_GIVES_INT32 ? ((const int32_t *)results)[row]
                                                         : (double)((const float *)results)[row];
        double error = fabs(got - rows[row].definition);
        /* negated, since what is not a number is within no bound */
        check->wrong += !(fabs(got - rows[row].y) <= rows[row].rounding) || !(error <= rows[row].bound);
        check->unequal += !(got == rows[row].definition);
        check->error_most = fmax(check->error_most, error);
        check->magnitude = fmax(check->magnitude, fabs(rows[row].definition));
    }
    check->rows += count;
}

double reference_error(const struct reference_check *check)
{
    return check->magnitude > 0 ? check->error_most / check->magnitude : check->error_most;
}

bool reference_is_exact(const struct reference_check *check)
{
    return check->unequal == 0;
}
