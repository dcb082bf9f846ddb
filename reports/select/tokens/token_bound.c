/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/tokens/token_bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/cells.h"
#include "results/files/need.h"
#include "results/statistics/stats.h"
#include "roofline/ebw.h"

/* The output head's. */
static const struct token_kernel head_kernel = {"f16", NULL};

bool token_kernel_is(const struct token_kernel *kernel, const json_t *row)
{
    const char *format = view_text(row, "format");
    size_t length = strlen(kernel->format);
    if (kernel->sequence)
        return strcmp(format, kernel->format) == 0 && strcmp(view_text(row, "sequence"), kernel->sequence) == 0;
    return strncmp(format, kernel->format, length) == 0 && (format[length] == 0 || format[length] == '_') &&
           strcmp(view_text(row, "origin"), "kneepoint") == 0;
}

static bool is_of(const void *kernel, const json_t *row)
{
    return token_kernel_is(kernel, row);
}

static const json_t *cell_of(const struct view *view, const struct token_kernel *kernel, const struct shape *shape,
                             unsigned threads)
{
    const struct gemm_query query = {.m = (double)shape->m, .k = (double)shape->k, .threads = threads, .cold = true};
    return best_among(view, VIEW_GEMV, is_of, kernel, &query).row;
}

const json_t *token_any_cell(const struct view *view, const struct token_kernel *kernel)
{
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        if (token_kernel_is(kernel, view->of[VIEW_GEMV].rows[i]))
            return view->of[VIEW_GEMV].rows[i];
    }
    return NULL;
}

/* The least of what the cells were predicted by, not the best kernel: a bound is what none of them can be faster than. */
const json_t *token_gamma(const struct view *view, const struct token_kernel *kernel)
{
    const json_t *best = NULL;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        const json_t *gamma = token_kernel_is(kernel, row) ? cells_gamma(view, row) : NULL;
        bool counted = strcmp(view_text(json_object_get(gamma, "gamma"), "grade"), "wall") != 0; /* by a clock */
        if (gamma && counted && (!best || view_median(gamma, "gamma") < view_median(best, "gamma")))
            best = gamma;
    }
    for (size_t i = 0; !best && i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (token_kernel_is(kernel, row) && view_flag(row, "best"))
            best = row;
    }
    return best;
}

static double barrier_s(const struct view *view, unsigned threads)
{
    for (size_t i = 0; i < view->of[VIEW_SYNC].count; i++) {
        double time_s = view_median(view->of[VIEW_SYNC].rows[i], "time_s");
        if (view_number(view->of[VIEW_SYNC].rows[i], "threads") == threads && time_s > 0)
            return time_s;
    }
    return 0;
}

/* Packed bytes of a shape in the format of a row, its padding left out. */
static double nominal_bytes(const json_t *row, const struct shape *shape)
{
    return (double)(shape->m * shape->k) * view_format_bits(row) / 8;
}

/* A kernel that no gamma was measured of reads at the roof: floats need no up-convert. */
static double modelled_s(const struct view *view, const struct token_kernel *kernel, const struct shape *shape,
                         unsigned threads)
{
    const json_t *gamma = token_gamma(view, kernel), *any = token_any_cell(view, kernel);
    double bits = view_format_bits(any ? any : gamma);
    if ((!any && !gamma) || (!gamma && bits < 16))
        return NAN;
    const struct roofline_kind kind = {.cores = threads,
                                       .hz = view_busy_clock_hz(view, threads),
                                       .beta =
                                           view_median(view_roof(view, "memory", threads), "bytes_per_cycle_per_core"),
                                       .gamma = gamma ? view_median(gamma, "gamma") : 1e-9};
    return roofline_gemv_seconds(&kind, 1, roofline_vector_bytes(bits), nominal_bytes(any ? any : gamma, shape),
                                 barrier_s(view, threads));
}

void token_add_interval(const json_t *cell, double count, double squares[2])
{
    const json_t *ci95 = json_object_get(json_object_get(cell, "time_s"), "ci95");
    for (size_t end = 0; end < 2; end++) {
        const json_t *value = json_array_get(ci95, end);
        double distance = count * (json_number_value(value) - view_median(cell, "time_s"));
        squares[end] += json_is_number(value) ? distance * distance : NAN;
    }
}

/* Of one operand; 0 if it was not measured. That of another K takes as long a column. */
static double prepare_s(const json_t *cell, const json_t *any, const struct shape *shape)
{
    double seconds = cell ? view_number(cell, "prepare_s")
                          : view_number(any, "prepare_s") * (double)shape->k / view_number(any, "k");
    return seconds > 0 ? seconds : 0;
}

static void add_shape(const struct view *view, const struct token_kernel *kernel, const struct shape *shape,
                      unsigned threads, struct token_bound *bound)
{
    if (shape_is_head(shape))
        kernel = &head_kernel;
    const json_t *cell = cell_of(view, kernel, shape, threads);
    const json_t *any = cell ? cell : token_any_cell(view, kernel);
    double seconds = shape->count * (cell ? view_median(cell, "time_s") : modelled_s(view, kernel, shape, threads));
    double bytes = cell ? view_number(cell, "packed_bytes") : NAN;
    bytes = shape->count * (bytes > 0 ? bytes : nominal_bytes(any ? any : token_gamma(view, kernel), shape));
    double preparing = shape_operands(shape) * prepare_s(cell, any, shape);
    bound->seconds += seconds + preparing;
    bound->prepare_s += preparing;
    bound->bytes += bytes;
    bound->measured += cell ? bytes : 0;
    if (cell)
        token_add_interval(cell, shape->count, bound->ci95);
    bound->one_layer += cell && view_flag(cell, "one_layer");
}

struct token_bound token_bound(const struct view *view, const char *model, const struct token_kernel *kernel,
                               unsigned threads)
{
    struct token_bound bound = {0};
    struct shape shapes[SHAPES_MAX];
    size_t count = shapes_of(model, shapes, SHAPES_MAX);
    for (size_t i = 0; i < count; i++)
        add_shape(view, kernel, &shapes[i], threads, &bound);
    if (!(bound.seconds > 0))
        bound.seconds = NAN;
    bound.ci95[0] = bound.seconds - sqrt(bound.ci95[0]);
    bound.ci95[1] = bound.seconds + sqrt(bound.ci95[1]);
    bound.measured /= bound.bytes;
    return bound;
}

static bool is_of_model(const json_t *row, const struct shape *shapes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (view_number(row, "m") == (double)shapes[i].m && view_number(row, "k") == (double)shapes[i].k)
            return true;
    }
    return false;
}

double token_roof(const struct view *view, const char *model, unsigned threads)
{
    const struct view_rows *gemvs = &view->of[VIEW_GEMV];
    struct shape shapes[SHAPES_MAX];
    const size_t shape_count = shapes_of(model, shapes, SHAPES_MAX);
    double *roofs = need(gemvs->count + 1, sizeof *roofs);
    size_t count = 0;
    for (size_t i = 0; roofs && i < gemvs->count; i++) {
        const double roof = view_median(gemvs->rows[i], "roof_bytes_per_s");
        if (roof > 0 && view_is_cold(gemvs->rows[i]) && view_number(gemvs->rows[i], "threads") == threads &&
            is_of_model(gemvs->rows[i], shapes, shape_count))
            roofs[count++] = roof;
    }
    const double beside = count ? stats_median(roofs, count) : (double)NAN;
    free(roofs);
    return beside > 0 ? beside : view_median(view_roof(view, "memory", threads), "bytes_per_s");
}
