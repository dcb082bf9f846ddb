/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/gemm.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/** How many times N* a number of tokens should be to tell what computing takes, and must be where few are. */
static const double MARGIN = 4, MARGIN_LEAST = 2;
enum { TELLING_LEAST = 3, STEPS = 16 };

/** Half of its middle: how wide a range may be for that to be stated. */
static const double STATED_WIDTH = 0.5;

static const char few_points[] = "fewer than three numbers of tokens show the time of computing";
static const char not_apart[] =
    "it cannot be separated from reading that does not overlap; its range shows what it may be";

static bool is_valid(const struct gemm_point *point)
{
    return point->tokens > 0 && point->cycles > 0;
}

struct line {
    double dot, up;
};

/** The points that count, one of them left out or none (SIZE_MAX). */
struct chosen {
    const struct gemm_point *point;
    size_t count, without;
    double least; /* cycles of any point: no less than reading takes where that is not known */
    double dot, margin;
};

static double reading(const struct chosen *chosen, const struct gemm_point *point)
{
    return point->memory_cycles >= 0 ? point->memory_cycles : chosen->least;
}

static bool tells(const struct chosen *chosen, size_t i)
{
    const struct gemm_point *point = &chosen->point[i];
    return is_valid(point) && point->tokens * chosen->dot >= chosen->margin * reading(chosen, point);
}

static bool counts(const struct chosen *chosen, size_t i)
{
    return i != chosen->without && tells(chosen, i);
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

static size_t telling(const struct chosen *chosen)
{
    size_t points = 0;
    for (size_t i = 0; i < chosen->count; i++)
        points += tells(chosen, i);
    return points;
}

/** N* takes gamma_dot, and gamma_dot the points beyond N*: from the most that it can be on. */
static struct line line_beyond(struct chosen *chosen, double margin)
{
    struct line line = {NAN, NAN};
    chosen->margin = margin;
    chosen->dot = INFINITY;
    for (size_t i = 0; i < chosen->count; i++) {
        if (is_valid(&chosen->point[i]))
            chosen->dot = fmin(chosen->dot, chosen->point[i].cycles / chosen->point[i].tokens);
    }
    for (int step = 0; step < STEPS; step++) {
        line = best_line(chosen);
        if (isnan(line.dot) || !(line.dot < chosen->dot))
            break;
        chosen->dot = line.dot;
    }
    return line;
}

/** gamma_up of a line: its intercept, less none or all of the time of reading. */
static void set_up(struct gemm_fit *fit, const struct chosen *chosen, struct interval intercept, double middle)
{
    double most = 0;
    for (size_t i = 0; i < chosen->count; i++)
        most = tells(chosen, i) ? fmax(most, reading(chosen, &chosen->point[i])) : most;
    fit->up = NAN;
    fit->up_least = fmax(0, middle - most);
    if (isnan(intercept.low)) {
        fit->up_why = few_points;
        return;
    }
    fit->up_range = (struct interval){fmax(0, intercept.low - most), intercept.high};
    double width = fit->up_range.high - fit->up_range.low, centre = (fit->up_range.high + fit->up_range.low) / 2;
    bool told = width <= STATED_WIDTH * centre;
    fit->up_why = told ? NULL : not_apart;
    if (told)
        fit->up = fit->up_least = centre;
}

struct gemm_fit gemm_fit(const struct gemm_point *points, size_t count)
{
    const struct interval unknown = {NAN, NAN};
    struct chosen chosen = {points, count, SIZE_MAX, INFINITY, NAN, NAN};
    for (size_t i = 0; i < count; i++)
        chosen.least = points[i].cycles > 0 ? fmin(chosen.least, points[i].cycles) : chosen.least;
    struct line line = line_beyond(&chosen, MARGIN);
    if (isnan(line.dot) || telling(&chosen) < TELLING_LEAST)
        line = line_beyond(&chosen, MARGIN_LEAST);
    struct gemm_fit fit = {
        .dot = line.dot, .up = NAN, .up_least = NAN, .dot_range = unknown, .up_range = unknown, .up_why = few_points};
    if (isnan(line.dot))
        return fit;
    fit.points = telling(&chosen);
    struct interval dots = interval_point(line.dot), intercepts = interval_point(line.up);
    bool ranged = fit.points >= TELLING_LEAST;
    for (size_t i = 0; ranged && i < count; i++) {
        chosen.without = i;
        struct line other = tells(&chosen, i) ? best_line(&chosen) : line;
        ranged = !isnan(other.dot); /* else what is left says nothing */
        widen(&dots, other.dot);
        widen(&intercepts, other.up);
    }
    fit.dot_range = ranged ? dots : unknown;
    set_up(&fit, &chosen, ranged ? intercepts : unknown, line.up);
    return fit;
}

struct gemm_fit gemm_fit_with_up(const struct gemm_fit *fit, double up)
{
    struct gemm_fit known = *fit;
    if (up >= 0) {
        known.up = up;
        known.up_range = interval_point(up);
        known.up_why = NULL;
    }
    return known;
}

double gemm_computing(const struct gemm_fit *fit, double tokens)
{
    return tokens > 0 ? fit->up_least + fit->dot * tokens : NAN;
}

/** gamma_up, or what it may be; NaN ends: not known. */
static struct interval up_of(const struct gemm_fit *fit)
{
    return isnan(fit->up) ? fit->up_range : interval_point(fit->up);
}

struct interval gemm_knee_range(const struct gemm_fit *fit, double memory_cycles)
{
    struct interval up = up_of(fit);
    if (!(memory_cycles >= 0) || !(fit->dot > 0) || isnan(up.low))
        return (struct interval){NAN, NAN};
    return (struct interval){(memory_cycles - up.high) / fit->dot, (memory_cycles - up.low) / fit->dot};
}

double gemm_knee(const struct gemm_fit *fit, double memory_cycles)
{
    struct interval range = gemm_knee_range(fit, memory_cycles);
    double centre = (range.low + range.high) / 2;
    return range.high < 1 || range.high - range.low <= STATED_WIDTH * centre ? centre : NAN;
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

/** Of this many tokens, at most a tile's. */
static double product_cycles(double full, double alone, double tokens)
{
    return fmax(full * tokens / GEMM_TILE_ROWS, alone);
}

double gemm_operand_roof(const struct gemm_operands *operands, double tokens)
{
    enum { BLOCK = 2 * GEMM_TILE_ROWS };
    double whole = floor(tokens / BLOCK), left = tokens - whole * BLOCK;
    double cycles = whole * 2 * (operands->near + operands->far);
    if (left > 0)
        cycles += 2 * product_cycles(operands->near, operands->near_alone, fmin(left, GEMM_TILE_ROWS));
    if (left > GEMM_TILE_ROWS)
        cycles += 2 * product_cycles(operands->far, operands->far_alone, left - GEMM_TILE_ROWS);
    double operations = 2 * operands->operations * tokens / GEMM_TILE_ROWS; /* of two tiles of weights */
    return tokens > 0 && cycles > 0 ? operations / cycles : NAN;
}

double gemm_operand_cycles(double operand_roof, double tokens, double memory_cycles, double unpack)
{
    double computing = unpack + GEMM_VECTOR_OPERATIONS * tokens / operand_roof;
    return isnan(computing) || isnan(memory_cycles) ? (double)NAN : fmax(memory_cycles, computing);
}

const char *gemm_binds(const struct gemm_fit *fit, double tokens, double memory_cycles)
{
    struct interval up = up_of(fit);
    double multiplying = fit->dot * tokens;
    if (!(tokens > 0) || !(memory_cycles >= 0) || !(fit->dot > 0) || isnan(up.low))
        return NULL;
    if (memory_cycles >= up.high + multiplying)
        return "memory";
    if (memory_cycles > up.low + multiplying)
        return NULL;
    return up.high <= multiplying ? "multiply" : up.low > multiplying ? "up-convert" : NULL;
}

const char *gemm_binds_tiles(const char *binds, double operand_roof, double multiply_roof)
{
    return binds && strcmp(binds, "multiply") == 0 && operand_roof < multiply_roof ? "operands" : binds;
}
