/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() of a kernel whose inner loop is assembly in microkernel_frame.h. The C half of its .S, or a .c that includes it for its facts, defines
 *
 *   finish(raw, correction, out)   raw[SUMS][LANES] of one panel to out[ROWS]; finish(raw, out) of float sums
 *   MICROKERNEL_STEPS(slice)       steps of the loop in a panel, if they are not the steps of the format: before the include
 *   add_rest(slice, panel)         adds what follows those steps to the panel's rows; with MICROKERNEL_STEPS
 *
 * The panels of a slice are dealt to INTERLEAVE runs of neighbours, each read from front to back, so a prefetch that
 * runs past the end of a panel has fetched the next one of the same run. Those left over lie after the last run, which continues
 * alone: whatever begins elsewhere begins with lines that were not prefetched. Where there are fewer panels than runs, each is cut along K.
 *
 * What the steps would have asked for before the first of them is asked for at once where runs begin. On Zen 5 cold matrices of 64 to 600 KB
 * take up to 15% less for both, large ones what they did.
 */
#include <stddef.h>
#include <stdint.h>

#include "micro/kernel.h"

#define LANES (VECTOR_BYTES / 4)

#ifdef SUMS_ARE_FLOATS
#define MICROKERNEL_SUM                   float
#define MICROKERNEL_ADD(a, b)             ((a) + (b))
#define MICROKERNEL_FINISH(raw, slice, n) finish(raw, (slice)->out_f32 + (n)*ROWS)
static void finish(const float *raw, float *out);
#else
#define MICROKERNEL_SUM                   int32_t
#define MICROKERNEL_ADD(a, b)             add_wrapping(a, b)
#define MICROKERNEL_FINISH(raw, slice, n) finish(raw, (slice)->correction, (slice)->out + (n)*ROWS)
static void finish(const int32_t *raw, int32_t correction, int32_t *out);
#endif

#ifdef MICROKERNEL_STEPS
static void add_rest(const struct gemv_slice *slice, size_t panel);
#else
#define MICROKERNEL_STEPS(slice) (slice)->steps
static inline void add_rest(const struct gemv_slice *slice, size_t panel)
{
    (void)slice, (void)panel;
}
#endif

extern const struct format SELF_FORMAT;

/** What the assembly of a microkernel reads, by these offsets, and where it leaves its sums. */
struct microkernel_operands {
    const uint8_t *weights;
    size_t weights_stride;
    const uint8_t *operand;
    size_t operand_stride;
    size_t steps;
    size_t prefetch_bytes;
    MICROKERNEL_SUM *raw;
};

#define MICROKERNEL_JOIN_(a, b) a##b
#define MICROKERNEL_JOIN(a, b)  MICROKERNEL_JOIN_(a, b)
#define microkernel_rows        MICROKERNEL_JOIN(SELF, _rows)
#define microkernel_columns     MICROKERNEL_JOIN(SELF, _columns)
#define microkernel_one         MICROKERNEL_JOIN(SELF, _one)
void microkernel_rows(const struct microkernel_operands *operands);
void microkernel_columns(const struct microkernel_operands *operands);
void microkernel_one(const struct microkernel_operands *operands);

/** Of lines that a step asks for the farthest, in prefetch distances. */
#ifndef STEP_REACH
#define STEP_REACH 1
#endif

static void add_raw(MICROKERNEL_SUM *sum, const MICROKERNEL_SUM *other)
{
    for (int i = 0; i < SUMS * LANES; i++)
        sum[i] = MICROKERNEL_ADD(sum[i], other[i]);
}

static const uint8_t *operand_of(const struct gemv_slice *slice)
{
    return slice->prepared ? slice->prepared : (const uint8_t *)slice->activations;
}

static void one_panel(const struct gemv_slice *slice, size_t panel)
{
    _Alignas(64) MICROKERNEL_SUM raw[INTERLEAVE][SUMS * LANES];
    size_t steps = MICROKERNEL_STEPS(slice), run = steps / INTERLEAVE;
    struct microkernel_operands operands = {
        .weights = slice->weights + panel * slice->panel_bytes,
        .weights_stride = run * STEP_BYTES,
        .operand = operand_of(slice),
        .operand_stride = run * OPERAND_BYTES,
        .steps = run,
        .prefetch_bytes = slice->prefetch_bytes,
        .raw = raw[0],
    };
    microkernel_columns(&operands);
    for (int way = 1; way < INTERLEAVE; way++)
        add_raw(raw[0], raw[way]);
    if (steps > run * INTERLEAVE) {
        _Alignas(64) MICROKERNEL_SUM rest[SUMS * LANES];
        operands.weights += run * INTERLEAVE * STEP_BYTES;
        operands.operand += run * INTERLEAVE * OPERAND_BYTES;
        operands.steps = steps - run * INTERLEAVE;
        operands.raw = rest;
        microkernel_one(&operands);
        add_raw(raw[0], rest);
    }
    MICROKERNEL_FINISH(raw[0], slice, panel);
    add_rest(slice, panel);
}

/**
 * Ask for bytes [from, to) of this many runs, `stride` apart, in the order in which steps come to them. Always inlined, since gcc
 * drops calls of a function that does nothing else.
 */
static inline __attribute__((always_inline)) void ask_for(const uint8_t *weights, size_t stride, size_t runs,
                                                          size_t from, size_t to)
{
    for (size_t line = from; line < to; line += 64) {
        for (size_t run = 0; run < runs; run++)
            __builtin_prefetch(weights + run * stride + line, 0, 3);
    }
}

/** Panels first to first + INTERLEAVE * each, each way a run of `each` neighbours. */
static void run_of_panels(const struct gemv_slice *slice, size_t first, size_t each)
{
    _Alignas(64) MICROKERNEL_SUM raw[INTERLEAVE][SUMS * LANES];
    size_t stride = each * slice->panel_bytes, ahead = STEP_REACH * slice->prefetch_bytes;
    struct microkernel_operands operands = {
        .weights = slice->weights + first * slice->panel_bytes,
        .weights_stride = stride,
        .operand = operand_of(slice),
        .steps = MICROKERNEL_STEPS(slice),
        .prefetch_bytes = slice->prefetch_bytes,
        .raw = raw[0],
    };
    ask_for(operands.weights, stride, INTERLEAVE, 0, ahead < stride ? ahead : stride);
    for (size_t panel = first; panel < first + each; panel++) {
        microkernel_rows(&operands);
        operands.weights += slice->panel_bytes;
        for (size_t way = 0; way < INTERLEAVE; way++) {
            MICROKERNEL_FINISH(raw[way], slice, way * each + panel);
            add_rest(slice, way * each + panel);
        }
    }
}

/** The panels from `panel` on, after the last run, with as many bytes ahead in one run as there were in all. */
static void rest_of_panels(const struct gemv_slice *slice, size_t panel)
{
    _Alignas(64) MICROKERNEL_SUM raw[SUMS * LANES];
    size_t ahead = STEP_REACH * slice->prefetch_bytes, left = (slice->panels - panel) * slice->panel_bytes;
    struct microkernel_operands operands = {
        .weights = slice->weights + panel * slice->panel_bytes,
        .operand = operand_of(slice),
        .steps = MICROKERNEL_STEPS(slice),
        .prefetch_bytes = INTERLEAVE * slice->prefetch_bytes,
        .raw = raw,
    };
    ask_for(operands.weights, 0, 1, ahead, INTERLEAVE * ahead < left ? INTERLEAVE * ahead : left);
    for (; panel < slice->panels; panel++) {
        microkernel_one(&operands);
        operands.weights += slice->panel_bytes;
        MICROKERNEL_FINISH(raw, slice, panel);
        add_rest(slice, panel);
    }
}

/**
 * Panels of each run, the next INTERLEAVE ones: odd where runs would lie whole or half pages apart, which share cache sets and
 * memory banks.
 */
static size_t panels_of_each_run(const struct gemv_slice *slice, size_t panels)
{
    size_t each = panels / INTERLEAVE;
    return each > 2 && each % 2 == 0 && each * slice->panel_bytes % 2048 == 0 ? each - 1 : each;
}

/** One run reads so much alone in less time than several take to begin, found on Zen 5. */
enum { ALONE_BYTES = 128 << 10 };

static void gemv(const struct gemv_slice *slice)
{
    size_t panel = 0, left = slice->panels;
    if (left < INTERLEAVE) {
        for (; panel < slice->panels; panel++)
            one_panel(slice, panel);
        return;
    }
    do {
        size_t each = panels_of_each_run(slice, left);
        run_of_panels(slice, panel, each);
        panel += INTERLEAVE * each;
        left = slice->panels - panel;
    } while (left >= INTERLEAVE && left * slice->panel_bytes > ALONE_BYTES);
    rest_of_panels(slice, panel);
}
