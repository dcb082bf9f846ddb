/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/operands/guarded_weights.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/check/call/checked_call.h"

/* 16 MiB of them: at the largest K, where weights are read for one or two products, memory for them would cost more than it saves */
enum { DECODED_MOST = 1 << 21 };
/* 128 MiB, of one format, in tests alone */
enum { KEPT_MOST = 1 << 24 };

size_t guarded_lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

bool guarded_is_all(const uint8_t *from, const uint8_t *end, uint8_t canary)
{
    return from >= end || (*from == canary && memcmp(from, from + 1, (size_t)(end - from) - 1) == 0);
}

int32_t guarded_within_wraps(const struct kernel *kernel, size_t column, int32_t integer)
{
    if (kernel->takes == KERNEL_TAKES_INT8)
        return (int32_t)((double)integer * kernel->wraps_beyond);
    return column % (size_t)ceil(1 / kernel->wraps_beyond) ? 0 : integer;
}

void guarded_extremes(const struct format *format, float ends[2])
{
    ends[0] = format_is_integer(format) ? (float)format->weight_min : -1;
    ends[1] = format_is_integer(format) ? (float)format->weight_max : 1;
    if (format->values) {
        ends[0] = (float)format->values[0];
        ends[1] = (float)format->values[format->value_count - 1];
    }
}

void guarded_fill_random(const struct format *format, size_t panels, size_t k, uint8_t *packed, uint64_t *state)
{
    format_fill(format, packed, panels * (format_is_uniform(format) ? format_steps(format, k) : 1), k, state);
}

/** At the largest K it is 100 MB and more, written and read once: with small pages most of that is faults. For free(). */
static void *touched_once(size_t bytes)
{
    enum { LARGE_BYTES = 4 << 20 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *memory = malloc(bytes);
    if (memory && bytes > LARGE_BYTES)
        madvise(memory + (page - (uintptr_t)memory % page), bytes - page, MADV_HUGEPAGE);
    return memory;
}

/** One panel (of a uniform format one step), the same weight in all columns. */
static int pack_constant(const struct format *format, size_t columns, size_t panel, float low, float high,
                         uint8_t *packed)
{
    uint32_t rows = format->rows_per_panel;
    float *w = touched_once(rows * columns * sizeof *w);
    if (!w)
        return -ENOMEM;
    for (size_t row = 0; row < rows; row++) {
        float value = guarded_row_is_low(format, panel * rows + row) ? low : high;
        for (size_t column = 0; column < columns; column++)
            w[row * columns + column] = value;
    }
    checked_call_beat();
    int error = format_pack(format, w, rows, columns, packed);
    checked_call_beat();
    free(w);
    return error;
}

int guarded_fill_constant(const struct format *format, size_t panels, size_t k, float low, float high, uint8_t *packed)
{
    bool uniform = format_is_uniform(format);
    size_t panel_bytes = format_panel_bytes(format, k), unit = uniform ? format->step_bytes : panel_bytes;
    size_t columns = uniform ? format->k_per_step : format_columns(format, k);
    int error = 0;
    for (size_t panel = 0; !error && panel < panels; panel++) {
        uint8_t *at = packed + panel * panel_bytes;
        if (panel < 2)
            error = pack_constant(format, columns, panel, low, high, at);
        for (size_t step = unit; panel < 2 && step < panel_bytes; step += unit)
            memcpy(at + step, at, unit);
        if (panel >= 2)
            memcpy(at, packed + panel % 2 * panel_bytes, panel_bytes);
    }
    return error;
}

/** How many panels before this one lies one with the same bytes, 1 or 2; 0: neither is the same. */
static size_t repeats(const struct format *format, size_t k, const uint8_t *packed, size_t panel)
{
    const size_t bytes = format_panel_bytes(format, k);
    const uint8_t *at = packed + panel * bytes;
    for (size_t before = 1; before <= 2 && before <= panel; before++) {
        if (memcmp(at, at - before * bytes, bytes) == 0)
            return before;
    }
    return 0;
}

void guarded_kept_release(struct guarded_kept *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        free(kept->each[i].packed);
        free(kept->each[i].weights);
    }
    *kept = (struct guarded_kept){0};
}

static double *find_kept(const struct guarded_kept *kept, const struct format *format, size_t panels, size_t k,
                         const uint8_t *packed)
{
    const size_t bytes = panels * format_panel_bytes(format, k);
    for (size_t i = 0; kept->format == format && i < kept->count; i++) {
        const struct guarded_kept_weights *each = &kept->each[i];
        if (each->panels == panels && each->k == k && memcmp(each->packed, packed, bytes) == 0)
            return each->weights;
    }
    return NULL;
}

/** @return whether they are kept, and so no longer the caller's */
static bool keep(struct guarded_kept *kept, const struct format *format, size_t panels, size_t k, const uint8_t *packed,
                 double *weights)
{
    const size_t bytes = panels * format_panel_bytes(format, k), count = panels * format->rows_per_panel * k;
    if (kept->format != format)
        guarded_kept_release(kept);
    uint8_t *copy = kept->count < GUARDED_KEPT && kept->weights_kept + count <= KEPT_MOST ? malloc(bytes) : NULL;
    if (!copy)
        return false;
    memcpy(copy, packed, bytes);
    kept->format = format;
    kept->weights_kept += count;
    kept->each[kept->count++] = (struct guarded_kept_weights){panels, k, copy, weights};
    return true;
}

/** Read weights into memory that is nobody's yet. */
static void decode(struct guarded_decoded *decoded, const struct format *format, size_t panels, size_t k,
                   const uint8_t *packed)
{
    const size_t panel_bytes = format_panel_bytes(format, k), weights = format->rows_per_panel * k;
    if (!decoded->weights && panels * weights <= DECODED_MOST)
        decoded->weights = malloc(panels * weights * sizeof *decoded->weights);
    for (size_t panel = 0; decoded->weights && panel < panels; panel++) {
        checked_call_beat();
        if (!repeats(format, k, packed, panel))
            reference_weights(format, packed + panel * panel_bytes, k, format->rows_per_panel,
                              decoded->weights + panel * weights);
    }
    checked_call_beat();
}

static void decode_or_find(struct guarded_decoded *decoded, const struct format *format, size_t panels, size_t k,
                           const uint8_t *packed)
{
    double *found = decoded->kept ? find_kept(decoded->kept, format, panels, k, packed) : NULL;
    if (decoded->is_kept || found) {
        if (!decoded->is_kept)
            free(decoded->weights);
        decoded->weights = found;
    }
    decoded->is_kept = found;
    if (!found) {
        decode(decoded, format, panels, k, packed);
        decoded->is_kept =
            decoded->kept && decoded->weights && keep(decoded->kept, format, panels, k, packed, decoded->weights);
    }
    decoded->is_current = true;
}

void guarded_expect_panels(struct guarded_decoded *decoded, const struct kernel *kernel, size_t panels, size_t k,
                           const uint8_t *packed, const void *activations, const void *prepared,
                           struct reference_row *expected)
{
    const struct format *format = kernel->format;
    const size_t panel_bytes = format_panel_bytes(format, k), rows = format->rows_per_panel;
    if (!decoded->is_current)
        decode_or_find(decoded, format, panels, k, packed);
    for (size_t panel = 0; panel < panels; panel++, expected += rows) {
        const uint8_t *bytes = packed + panel * panel_bytes;
        const size_t before = repeats(format, k, packed, panel);
        if (before)
            memcpy(expected, expected - before * rows, rows * sizeof *expected);
        else if (decoded->weights)
            reference_rows_of_weights(kernel, bytes, decoded->weights + panel * rows * k, k, rows, activations,
                                      prepared, expected);
        else
            reference_rows(kernel, bytes, k, rows, activations, prepared, expected);
        checked_call_beat();
    }
}

void guarded_decoded_release(struct guarded_decoded *decoded)
{
    if (!decoded->is_kept)
        free(decoded->weights);
    *decoded = (struct guarded_decoded){0};
}

enum { NEAR_BYTES = 1 << 16 };

void guarded_place(const struct guarded_operand *operands, size_t count, const void *address, char *text, size_t size)
{
    const uint8_t *touched = address;
    ptrdiff_t least = NEAR_BYTES;
    text[0] = '\0';
    for (size_t i = 0; touched && i < count; i++) {
        const uint8_t *first = operands[i].buffer->bytes, *end = first + operands[i].buffer->length;
        ptrdiff_t past = touched - end, before = first - touched;
        if (past < 0 && before <= 0) {
            snprintf(text, size, "within its %s, which are only read", operands[i].name);
            return;
        }
        if (past >= 0 && past < least)
            snprintf(text, size, "%td bytes past the end of its %s", least = past, operands[i].name);
        if (before > 0 && before < least)
            snprintf(text, size, "%td bytes in front of its %s", least = before, operands[i].name);
    }
}
