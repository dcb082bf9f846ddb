/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gemv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/** Weights beyond which only some panels are compared with the scalar reference. */
enum { VERIFY_ALL_WEIGHTS = 1 << 20, VERIFY_PANELS = 6 };

static void *allocate(size_t bytes)
{
    size_t rounded = (bytes + 127) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    if (memory)
        memset(memory, 0, rounded);
    return memory;
}

static void draw_activations(struct gemv *gemv, uint64_t seed)
{
    uint64_t state = seed | 1;
    gemv->activation_sum = 0;
    for (size_t i = 0; i < gemv->k; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        gemv->activations[i] = (int8_t)((int)(state >> 33) % 255 - 127);
        gemv->activation_sum += gemv->activations[i];
    }
}

uint64_t gemv_working_bytes(const struct kernel *kernel, size_t m, size_t k, unsigned threads)
{
    const struct format *format = kernel->format;
    return format_steps(format, k) * (format->k_per_step + kernel->prepared_bytes_per_step) +
           format_panels(format, m) * format->rows_per_panel * sizeof(int32_t) + threads * sizeof(struct gemv_member);
}

int gemv_prepare(struct gemv *gemv, const struct kernel *kernel, size_t m, size_t k, unsigned threads, uint64_t seed)
{
    const struct format *format = kernel->format;
    *gemv = (struct gemv){.kernel = kernel, .m = m, .k = k, .threads = threads};
    gemv->panels = format_panels(format, m);
    gemv->steps = format_steps(format, k);
    gemv->prefetch_bytes = kernel->prefetch_bytes;
    gemv->activations = allocate(gemv->steps * format->k_per_step);
    gemv->y = allocate(gemv->panels * format->rows_per_panel * sizeof *gemv->y);
    gemv->members = allocate(threads * sizeof *gemv->members);
    if (kernel->prepare)
        gemv->prepared = allocate(gemv->steps * kernel->prepared_bytes_per_step);
    if (!gemv->activations || !gemv->y || !gemv->members || (kernel->prepare && !gemv->prepared)) {
        gemv_release(gemv);
        return -ENOMEM;
    }
    draw_activations(gemv, seed);
    if (kernel->prepare)
        kernel->prepare(gemv->activations, gemv->steps, gemv->prepared);
    for (unsigned t = 0; t < threads; t++)
        gemv->members[t].part = partition_of(gemv->panels, gemv->steps, t, threads);
    return 0;
}

void gemv_release(struct gemv *gemv)
{
    free(gemv->activations);
    free(gemv->prepared);
    free(gemv->y);
    free(gemv->members);
    *gemv = (struct gemv){0};
}

size_t gemv_member_bytes(const struct gemv *gemv, unsigned member)
{
    const struct partition *part = &gemv->members[member].part;
    return (part->end - part->first) * gemv->kernel->format->step_bytes;
}

/** A piece of `panels` panels from a step on, without the correction. */
static struct gemv_piece piece_at(const struct gemv *gemv, const struct gemv_member *member, size_t line_step,
                                  size_t first_step, size_t panels, size_t steps, int32_t *out)
{
    const struct format *format = gemv->kernel->format;
    return (struct gemv_piece){
        .weights = member->weights + (line_step - member->part.first) * format->step_bytes,
        .panels = panels,
        .panel_bytes = gemv->steps * format->step_bytes,
        .steps = steps,
        .activations = gemv->activations + first_step * format->k_per_step,
        .prepared = gemv->prepared ? gemv->prepared + first_step * gemv->kernel->prepared_bytes_per_step : NULL,
        .out = out,
        .prefetch_bytes = gemv->prefetch_bytes,
    };
}

/** Modulo 2^32: a part of an offset-binary sum may leave int32 near max_k, the whole does not. */
static void add_rows(int32_t *sum, const int32_t *part, uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++)
        sum[i] = (int32_t)((uint32_t)sum[i] + (uint32_t)part[i]);
}

/** Add what the following members have of the panel that this one began. */
static void collect(struct gemv *gemv, unsigned member, size_t panel, uint32_t rows, int32_t *y, unsigned generation)
{
    for (unsigned next = member + 1; next < gemv->threads; next++) {
        struct gemv_member *other = &gemv->members[next];
        if (other->part.first == other->part.end)
            continue;
        if (!other->part.head_steps || other->part.head_panel != panel)
            break;
        while (atomic_load_explicit(&other->head_done, memory_order_acquire) != generation) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
        add_rows(y, other->carry, rows);
    }
}

void gemv_run_member(struct gemv *gemv, unsigned index, unsigned generation)
{
    const struct kernel *kernel = gemv->kernel;
    uint32_t rows = kernel->format->rows_per_panel;
    struct gemv_member *member = &gemv->members[index];
    const struct partition *part = &member->part;
    int32_t correction = -kernel->format->activation_offset * gemv->activation_sum;

    /* the head first: another member waits for it */
    if (part->head_steps) {
        struct gemv_piece piece =
            piece_at(gemv, member, part->first, part->head_first_step, 1, part->head_steps, member->carry);
        kernel->gemv(&piece);
        atomic_store_explicit(&member->head_done, generation, memory_order_release);
    }
    if (part->whole_panels) {
        struct gemv_piece piece = piece_at(gemv, member, part->whole_panel * gemv->steps, 0, part->whole_panels,
                                           gemv->steps, gemv->y + part->whole_panel * rows);
        piece.correction = correction;
        kernel->gemv(&piece);
    }
    if (part->tail_steps) {
        int32_t *y = gemv->y + part->tail_panel * rows;
        struct gemv_piece piece = piece_at(gemv, member, part->tail_panel * gemv->steps, 0, 1, part->tail_steps, y);
        piece.correction = correction;
        kernel->gemv(&piece);
        collect(gemv, index, part->tail_panel, rows, y, generation);
    }
}

/** Copy one panel together from the members that hold parts of it. */
static void gather_panel(const struct gemv *gemv, size_t panel, uint8_t *bytes)
{
    size_t step_bytes = gemv->kernel->format->step_bytes;
    size_t first = panel * gemv->steps, end = first + gemv->steps;
    for (unsigned t = 0; t < gemv->threads; t++) {
        const struct partition *part = &gemv->members[t].part;
        size_t from = part->first > first ? part->first : first;
        size_t to = part->end < end ? part->end : end;
        if (from < to)
            memcpy(bytes + (from - first) * step_bytes, gemv->members[t].weights + (from - part->first) * step_bytes,
                   (to - from) * step_bytes);
    }
}

static long verify_panel(const struct gemv *gemv, size_t panel, uint8_t *bytes, int32_t *expected)
{
    uint32_t rows = gemv->kernel->format->rows_per_panel;
    size_t first = panel * rows, count = first + rows <= gemv->m ? rows : gemv->m - first;
    gather_panel(gemv, panel, bytes);
    format_reference(gemv->kernel->format, bytes, gemv->k, 0, count, gemv->activations, expected);
    long wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += gemv->y[first + i] != expected[i];
    return wrong;
}

long gemv_verify(const struct gemv *gemv, uint64_t seed)
{
    uint8_t *bytes = malloc(gemv->steps * gemv->kernel->format->step_bytes);
    int32_t *expected = malloc(gemv->kernel->format->rows_per_panel * sizeof *expected);
    long wrong = bytes && expected ? 0 : -ENOMEM;
    if (!wrong && gemv->m * gemv->k <= VERIFY_ALL_WEIGHTS) {
        for (size_t panel = 0; panel < gemv->panels; panel++)
            wrong += verify_panel(gemv, panel, bytes, expected);
    } else if (!wrong) {
        wrong += verify_panel(gemv, 0, bytes, expected);
        wrong += verify_panel(gemv, gemv->panels - 1, bytes, expected);
        for (unsigned t = 0; t < gemv->threads && t < 16; t++) {
            if (gemv->members[t].part.head_steps)
                wrong += verify_panel(gemv, gemv->members[t].part.head_panel, bytes, expected);
        }
        for (int i = 0; i < VERIFY_PANELS; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            wrong += verify_panel(gemv, (size_t)(seed >> 33) % gemv->panels, bytes, expected);
        }
    }
    free(bytes);
    free(expected);
    return wrong;
}
