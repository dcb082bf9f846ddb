/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/gemm.h"

#include <math.h>
#include <stdint.h>

/** By how much computing must be longer than reading. */
static const double TELLS = 1.25;

bool gemm_point_tells(const struct gemm_point *point, double least)
{
    bool valid = point->tokens > 0 && point->cycles > 0;
    return valid && !(point->cycles < TELLS * point->memory_cycles) && point->cycles >= TELLS * least;
}

struct line {
    double dot, up;
};

/** The points that count, one of them left out or none (SIZE_MAX). */
struct chosen {
    const struct gemm_point *point;
    size_t count, without;
    double least; /* cycles */
};

static bool counts(const struct chosen *chosen, size_t i)
{
    return i != chosen->without && gemm_point_tells(&chosen->point[i], chosen->least);
}

static double loss(const struct chosen *chosen, struct line line)
{
    double sum = 0;
    for (size_t i = 0; i < chosen->count; i++) {
        const struct gemm_point *point = &chosen->point[i];
        if (counts(chosen, i))
            sum += fabs(line.up + line.dot * point->tokens - point->cycles) / point->cycles;
    }
    return sum;
}

static void consider(const struct chosen *chosen, struct line line, struct line *best, double *least)
{
    if (!(line.dot > 0) || !(line.up >= 0))
        return;
    double here = loss(chosen, line);
    if (here < *least) {
        *least = here;
        *best = line;
    }
}

/** The best line goes through two points, or through the origin and one. */
static struct line best_line(const struct chosen *chosen)
{
    struct line best = {NAN, NAN};
    double least = INFINITY;
    bool several = false;
    for (size_t i = 0; i < chosen->count; i++) {
        const struct gemm_point *a = &chosen->point[i];
        for (size_t j = 0; counts(chosen, i) && j < i; j++) {
            const struct gemm_point *b = &chosen->point[j];
            if (!counts(chosen, j) || !(a->tokens != b->tokens))
                continue;
            several = true;
            double dot = (a->cycles - b->cycles) / (a->tokens - b->tokens);
            consider(chosen, (struct line){dot, a->cycles - dot * a->tokens}, &best, &least);
        }
    }
    for (size_t i = 0; several && i < chosen->count; i++) {
        if (counts(chosen, i))
            consider(chosen, (struct line){chosen->point[i].cycles / chosen->point[i].tokens, 0}, &best, &least);
    }
    return best;
}

static void widen(struct interval *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

struct gemm_fit gemm_fit(const struct gemm_point *points, size_t count)
{
    const struct interval unknown = {NAN, NAN};
    struct chosen chosen = {points, count, SIZE_MAX, INFINITY};
    for (size_t i = 0; i < count; i++)
        chosen.least = points[i].cycles > 0 ? fmin(chosen.least, points[i].cycles) : chosen.least;
    struct line line = best_line(&chosen);
    struct gemm_fit fit = {.dot = line.dot, .up = line.up, .dot_range = unknown, .up_range = unknown};
    for (size_t i = 0; i < count; i++)
        fit.points += gemm_point_tells(&points[i], chosen.least);
    if (isnan(line.dot) || fit.points < 3)
        return fit;
    fit.dot_range = interval_point(line.dot);
    fit.up_range = interval_point(line.up);
    for (size_t i = 0; i < count; i++) {
        chosen.without = i;
        struct line other = gemm_point_tells(&points[i], chosen.least) ? best_line(&chosen) : line;
        if (isnan(other.dot)) { /* what is left says nothing */
            fit.dot_range = fit.up_range = unknown;
            return fit;
        }
        widen(&fit.dot_range, other.dot);
        widen(&fit.up_range, other.up);
    }
    return fit;
}

double gemm_computing(const struct gemm_fit *fit, double tokens)
{
    return tokens > 0 ? fit->up + fit->dot * tokens : NAN;
}

double gemm_cycles(const struct gemm_fit *fit, double tokens, double memory_cycles)
{
    double computing = gemm_computing(fit, tokens);
    if (isnan(computing) || !(memory_cycles >= 0))
        return NAN;
    return computing > memory_cycles ? computing : memory_cycles;
}

double gemm_knee(const struct gemm_fit *fit, double memory_cycles)
{
    return memory_cycles >= 0 && fit->dot > 0 ? (memory_cycles - fit->up) / fit->dot : NAN;
}

struct gemm_roofs gemm_roofs(const struct gemm_fit *fit, double tokens, double memory_cycles, double multiply_gamma)
{
    struct gemm_roofs roofs = {NAN, NAN, NAN};
    if (!(tokens > 0))
        return roofs;
    if (memory_cycles > 0)
        roofs.memory = GEMM_VECTOR_OPERATIONS * tokens / memory_cycles;
    if (fit->up >= 0)
        roofs.up_convert = fit->up > 0 ? GEMM_VECTOR_OPERATIONS * tokens / fit->up : INFINITY;
    if (multiply_gamma > 0)
        roofs.multiply = GEMM_VECTOR_OPERATIONS / multiply_gamma;
    return roofs;
}

const char *gemm_binds(const struct gemm_roofs *roofs)
{
    if (isnan(roofs->memory) || isnan(roofs->up_convert))
        return NULL;
    double multiply = isnan(roofs->multiply) ? INFINITY : roofs->multiply;
    if (roofs->memory <= roofs->up_convert && roofs->memory <= multiply)
        return "memory";
    return roofs->up_convert <= multiply ? "up-convert" : "multiply";
}
