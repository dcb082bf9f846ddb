/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() of a kernel whose inner loop is assembly in walk_frame.h. The including .c defines
 *
 *   PLACES, SUMS, LANES   as in its .S; LANES = 32-bit lanes of a sum
 *   ROWS, STEP_BYTES, OPERAND_BYTES
 *   finish(raw, correction, out)   raw[SUMS][LANES] of one panel to out[ROWS]; finish(raw, out) of float sums
 *   WALK_SUM                       type of a lane of a sum: int32_t if not defined, or float
 *   WALK_STEPS(piece)              steps of the loop in a panel, if they are not the steps of the format
 *   WALK_REST(piece, panel)        adds what is behind those steps to the panel's rows; with WALK_STEPS
 *
 * The panels of a piece are dealt to PLACES runs of neighbours, each read from front to back, so a prefetch that runs
 * past the end of a panel has fetched the next one of the same run. Panels left over are cut along K.
 */
#include <stddef.h>
#include <stdint.h>

#include "micro/kernel.h"

#ifndef WALK_SUM
#define WALK_SUM                   int32_t
#define WALK_ADD(a, b)             add_wrapping(a, b)
#define WALK_FINISH(raw, piece, n) finish(raw, (piece)->correction, (piece)->out + (n)*ROWS)
#else
#define WALK_ADD(a, b)             ((a) + (b))
#define WALK_FINISH(raw, piece, n) finish(raw, (piece)->out_f32 + (n)*ROWS)
#endif

#ifndef WALK_STEPS
#define WALK_STEPS(piece)       (piece)->steps
#define WALK_REST(piece, panel) ((void)0)
#endif

extern const struct format SELF_FORMAT;

struct walk {
    const uint8_t *weights;
    size_t weights_stride;
    const uint8_t *operand;
    size_t operand_stride;
    size_t steps;
    size_t prefetch_bytes;
    WALK_SUM *raw;
};

#define WALK_JOIN_(a, b) a##b
#define WALK_JOIN(a, b)  WALK_JOIN_(a, b)
#define walk_rows        WALK_JOIN(SELF, _rows)
#define walk_columns     WALK_JOIN(SELF, _columns)
#define walk_one         WALK_JOIN(SELF, _one)
void walk_rows(const struct walk *walk);
void walk_columns(const struct walk *walk);
void walk_one(const struct walk *walk);

static void add_raw(WALK_SUM *sum, const WALK_SUM *other)
{
    for (int i = 0; i < SUMS * LANES; i++)
        sum[i] = WALK_ADD(sum[i], other[i]);
}

static const uint8_t *operand_of(const struct gemv_piece *piece)
{
    return piece->prepared ? piece->prepared : (const uint8_t *)piece->activations;
}

static void one_panel(const struct gemv_piece *piece, size_t panel)
{
    _Alignas(64) WALK_SUM raw[PLACES][SUMS * LANES];
    size_t steps = WALK_STEPS(piece), run = steps / PLACES;
    struct walk walk = {
        .weights = piece->weights + panel * piece->panel_bytes,
        .weights_stride = run * STEP_BYTES,
        .operand = operand_of(piece),
        .operand_stride = run * OPERAND_BYTES,
        .steps = run,
        .prefetch_bytes = piece->prefetch_bytes,
        .raw = raw[0],
    };
    walk_columns(&walk);
    for (int place = 1; place < PLACES; place++)
        add_raw(raw[0], raw[place]);
    if (steps > run * PLACES) {
        _Alignas(64) WALK_SUM rest[SUMS * LANES];
        walk.weights += run * PLACES * STEP_BYTES;
        walk.operand += run * PLACES * OPERAND_BYTES;
        walk.steps = steps - run * PLACES;
        walk.raw = rest;
        walk_one(&walk);
        add_raw(raw[0], rest);
    }
    WALK_FINISH(raw[0], piece, panel);
    WALK_REST(piece, panel);
}

/** Panels first to first + PLACES * each, each place a run of `each` neighbours. */
static void run_of_panels(const struct gemv_piece *piece, size_t first, size_t each)
{
    _Alignas(64) WALK_SUM raw[PLACES][SUMS * LANES];
    struct walk walk = {
        .weights = piece->weights + first * piece->panel_bytes,
        .weights_stride = each * piece->panel_bytes,
        .operand = operand_of(piece),
        .steps = WALK_STEPS(piece),
        .prefetch_bytes = piece->prefetch_bytes,
        .raw = raw[0],
    };
    for (size_t panel = first; panel < first + each; panel++) {
        walk_rows(&walk);
        walk.weights += piece->panel_bytes;
        for (size_t place = 0; place < PLACES; place++) {
            WALK_FINISH(raw[place], piece, place * each + panel);
            WALK_REST(piece, place * each + panel);
        }
    }
}

/** Panels a place of the next run: odd, since places a power of two apart share cache sets and memory banks. */
static size_t panels_a_place(size_t panels)
{
    size_t each = panels / PLACES;
    return each > 2 && each % 2 == 0 ? each - 1 : each;
}

static void gemv(const struct gemv_piece *piece)
{
    size_t panel = 0;
    for (size_t each; (each = panels_a_place(piece->panels - panel)) > 0; panel += PLACES * each)
        run_of_panels(piece, panel, each);
    for (; panel < piece->panels; panel++)
        one_panel(piece, panel);
}
