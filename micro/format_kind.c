/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See format_kind.h.
 */
#include "micro/format_kind.h"

#include <math.h>
#include <stdlib.h>

enum {
    RUN = 16 /* columns that share a scale in every format that has some */,
    COLUMNS = 256,
    FLOAT_BITS = 16,
    SEED = 1
};

/** The largest number that all differences are multiples of: exact, since weights are short numbers times a scale. */
static double unit_of(const double *weights)
{
    double unit = 0;
    for (size_t i = 1; i < RUN; i++) {
        double rest = fabs(weights[i] - weights[0]);
        while (rest > 0) {
            double next = fmod(unit, rest);
            unit = rest;
            rest = next;
        }
    }
    return unit;
}

/** Whether the weights of a run lie on as many evenly spaced levels as their bits have. */
static bool are_even(const double *weights, double levels)
{
    const double unit = unit_of(weights);
    double least = weights[0], most = weights[0];
    for (size_t i = 1; i < RUN; i++) {
        least = fmin(least, weights[i]);
        most = fmax(most, weights[i]);
    }
    return !(unit > 0) || (most - least) / unit < levels;
}

/** Of several runs: a format may have a few weights of another kind, such as outliers. */
static bool are_mostly_even(const struct format *format, const uint8_t *panel, size_t k)
{
    /* whole bits of a code; what is left of them are scales */
    const double levels = format->bits < 2 ? 3 : exp2(floor(format->bits));
    size_t even = 0, runs = 0;
    for (size_t first = 0; first + RUN <= k; first += RUN) {
        double weights[RUN];
        for (size_t i = 0; i < RUN; i++)
            weights[i] = format_weight(format, panel, k, 0, (uint32_t)(first + i));
        even += are_even(weights, levels);
        runs++;
    }
    return 2 * even > runs;
}

enum format_kind format_kind(const struct format *format)
{
    if (format_is_integer(format))
        return FORMAT_INTEGERS;
    if (format->bits >= FLOAT_BITS)
        return FORMAT_FLOATS;
    const size_t multiple = format->k_multiple ? format->k_multiple : format->k_per_step,
                 least = format->k_least > COLUMNS ? format->k_least : COLUMNS,
                 k = (least + multiple - 1) / multiple * multiple;
    uint8_t *panel = aligned_alloc(64, (format_panel_bytes(format, k) + 63) / 64 * 64);
    uint64_t random = SEED;
    bool even = true;
    if (panel) {
        format_fill(format, panel, format_is_uniform(format) ? format_steps(format, k) : 1, k, &random);
        even = are_mostly_even(format, panel, k);
    }
    free(panel);
    return even ? FORMAT_SCALED_INTEGERS : FORMAT_CODEBOOK;
}

const char *format_kind_name(enum format_kind kind)
{
    static const char *const names[FORMAT_KINDS] = {"integers", "scaled integers", "codebook", "floats"};
    return names[kind];
}
