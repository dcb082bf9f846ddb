/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/gemv.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/team/product.h"
#include "micro/quantization/column_order.h"

/** Weights beyond which only some panels are compared with the scalar reference: at least this many, and this many rows. */
enum { VERIFY_ALL_WEIGHTS = 1 << 20, VERIFY_PANELS = 6, VERIFY_ROWS = 96 };

/** Of gemv_multiply_stretch: some microseconds. */
enum { STRETCH_BYTES = 64 << 10 };

static void *allocate(size_t bytes)
{
    size_t rounded = (bytes + 63 + RESULT_GUARD_BYTES) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    if (memory)
        memset(memory, 0, rounded);
    return memory;
}

static size_t results_bytes(const struct gemv *gemv)
{
    return gemv->panels * gemv->group_rows * sizeof *gemv->y;
}

void *gemv_results(struct gemv *gemv, size_t *bytes)
{
    *bytes = results_bytes(gemv);
    return gemv->y;
}

bool gemv_overran(const struct gemv *gemv)
{
    return !gemv->borrows && !result_guard_is_whole((const uint8_t *)gemv->y + results_bytes(gemv));
}

size_t gemv_units_per_panel(const struct kernel *kernel, size_t k)
{
    return kernel_cuts(kernel) ? format_steps(kernel->format, k) : 1;
}

size_t gemv_unit_bytes(const struct kernel *kernel, size_t k)
{
    return kernel_cuts(kernel) ? kernel->format->step_bytes
                               : kernel_call_panels(kernel) * format_panel_bytes(kernel->format, k);
}

uint64_t gemv_working_bytes(const struct kernel *kernel, size_t m, size_t k, unsigned threads)
{
    const struct format *format = kernel->format;
    size_t groups = column_order_groups(format, k);
    return (groups ? 2 : 1) * format_columns(format, k) * kernel_activation_bytes(kernel) + groups * sizeof(uint16_t) +
           kernel_prepared_bytes(kernel, k) + kernel_groups(kernel, m) * kernel_group_rows(kernel) * sizeof(int32_t) +
           threads * sizeof(struct gemv_member);
}

static void free_tail(struct gemv *gemv)
{
    free(gemv->drawn);
    free(gemv->panel_pieces);
    free(gemv->piece_sums);
}

/** All but the vectors. */
static void lay_out(struct gemv *gemv, const struct kernel *kernel, size_t m, size_t k, unsigned threads)
{
    *gemv = (struct gemv){.kernel = kernel, .m = m, .k = k, .threads = threads};
    gemv->panels = kernel_groups(kernel, m);
    gemv->steps = format_steps(kernel->format, k);
    gemv->columns = format_columns(kernel->format, k);
    gemv->activation_bytes = kernel_activation_bytes(kernel);
    gemv->together = kernel_call_panels(kernel);
    gemv->group_rows = (uint32_t)kernel_group_rows(kernel);
    gemv->units_per_panel = gemv_units_per_panel(kernel, k);
    gemv->unit_bytes = gemv_unit_bytes(kernel, k);
    gemv->prefetch_bytes = kernel->prefetch_bytes;
    gemv->members = allocate(threads * sizeof *gemv->members);
}

/** The activations to the order of the panels, and to the kernel's operand. */
static int prepare_activations(struct gemv *gemv)
{
    const struct kernel *kernel = gemv->kernel;
    size_t columns = gemv->columns, groups = column_order_groups(kernel->format, gemv->k);
    if (!groups) {
        if (kernel->prepare)
            kernel->prepare(gemv->activations, columns, gemv->prepared);
        return 0;
    }
    gemv->source = allocate(columns * gemv->activation_bytes);
    gemv->order = allocate(groups * sizeof *gemv->order);
    if (!gemv->source || !gemv->order)
        return -ENOMEM;
    column_order_draw(kernel->format, gemv->k, gemv->order);
    memcpy(gemv->source, gemv->activations, columns * gemv->activation_bytes);
    column_order_copy(kernel, gemv->source, columns, gemv->order, gemv->activations); /* for the reference, too */
    column_order_prepare(kernel, gemv->source, columns, gemv->order, gemv->activations, gemv->prepared);
    return 0;
}

int gemv_prepare(struct gemv *gemv, const struct kernel *kernel, size_t m, size_t k, unsigned threads, uint64_t seed)
{
    lay_out(gemv, kernel, m, k, threads);
    gemv->activations = allocate(gemv->columns * gemv->activation_bytes);
    gemv->y = allocate(results_bytes(gemv));
    if (kernel->prepare)
        gemv->prepared = allocate(kernel_prepared_bytes(kernel, k));
    if (!gemv->activations || !gemv->y || !gemv->members || (kernel->prepare && !gemv->prepared)) {
        gemv_release(gemv);
        return -ENOMEM;
    }
    result_guard_set((uint8_t *)gemv->y + results_bytes(gemv)); /* allocate() left room for it */
    uint64_t state = seed | 1;
    gemv->activation_sum = activations_draw(kernel, gemv->activations, k, &state);
    int error = prepare_activations(gemv);
    if (!error)
        error = gemv_set_schedule(gemv, &(const struct schedule){.kind = SCHEDULE_STATIC});
    if (error)
        gemv_release(gemv);
    return error;
}

static struct schedule_tail tail_of(const struct kernel *kernel, size_t m, size_t k, unsigned threads,
                                    const struct schedule *schedule)
{
    return schedule_tail(schedule, kernel_groups(kernel, m), gemv_units_per_panel(kernel, k),
                         schedule_units_least(gemv_unit_bytes(kernel, k)), threads);
}

struct gemv_stretches gemv_stretches_of(const struct kernel *kernel, size_t m, size_t k, unsigned member,
                                        unsigned threads, const struct schedule *schedule)
{
    struct schedule_tail tail = tail_of(kernel, m, k, threads, schedule);
    struct partition part = schedule_share(schedule, &tail, member, threads);
    struct schedule_pieces own = schedule_pieces_of(schedule, &tail, member, threads);
    size_t unit = gemv_unit_bytes(kernel, k), first = schedule_units_before(&tail, own.first);
    return (struct gemv_stretches){
        {part.first * unit, first * unit},
        {(part.end - part.first) * unit, (schedule_units_before(&tail, own.end) - first) * unit}};
}

size_t gemv_largest_share(const struct kernel *kernel, size_t m, size_t k, unsigned threads,
                          const struct schedule *schedule)
{
    size_t most = 0;
    for (unsigned t = 0; t < threads; t++) {
        struct gemv_stretches of = gemv_stretches_of(kernel, m, k, t, threads, schedule);
        most = of.bytes[0] + of.bytes[1] > most ? of.bytes[0] + of.bytes[1] : most;
    }
    return most;
}

int gemv_set_schedule(struct gemv *gemv, const struct schedule *schedule)
{
    struct schedule_tail tail = tail_of(gemv->kernel, gemv->m, gemv->k, gemv->threads, schedule);
    bool cut = tail.pieces_per_panel > 1;
    struct schedule_counter *drawn = tail.pieces ? allocate(gemv->threads * sizeof *drawn) : NULL;
    struct schedule_counter *panel_pieces = cut ? allocate(tail.panels * sizeof *panel_pieces) : NULL;
    int32_t *sums = cut ? allocate(tail.pieces * GEMV_ROWS_MAX * sizeof *sums) : NULL;
    if ((tail.pieces && !drawn) || (cut && (!panel_pieces || !sums))) {
        free(drawn);
        free(panel_pieces);
        free(sums);
        return -ENOMEM;
    }
    free_tail(gemv);
    gemv->tail = tail;
    gemv->drawn = drawn;
    gemv->panel_pieces = panel_pieces;
    gemv->piece_sums = sums;
    for (unsigned t = 0; t < gemv->threads; t++) {
        gemv->members[t].part = schedule_share(schedule, &tail, t, gemv->threads);
        gemv->members[t].own = schedule_pieces_of(schedule, &tail, t, gemv->threads);
    }
    return 0;
}

void gemv_emulate_speed(struct gemv *gemv, unsigned member, double speed)
{
    gemv->members[member].speed = speed < 1 ? speed : 0;
}

int gemv_prepare_shared(struct gemv *gemv, const struct kernel *kernel, size_t m, size_t k, unsigned threads,
                        const struct gemv_vectors *vectors)
{
    lay_out(gemv, kernel, m, k, threads);
    gemv->borrows = true;
    gemv->activations = vectors->activations;
    gemv->prepared = vectors->prepared;
    gemv->y = vectors->y;
    return gemv->members ? gemv_set_schedule(gemv, &(const struct schedule){.kind = SCHEDULE_STATIC}) : -ENOMEM;
}

void gemv_release(struct gemv *gemv)
{
    if (!gemv->borrows) {
        free(gemv->activations);
        free(gemv->prepared);
        free(gemv->y);
    }
    free(gemv->source);
    free(gemv->order);
    free(gemv->members);
    free_tail(gemv);
    *gemv = (struct gemv){0};
}

static size_t share_bytes(const struct gemv *gemv, unsigned member)
{
    const struct partition *part = &gemv->members[member].part;
    return (part->end - part->first) * gemv->unit_bytes;
}

size_t gemv_member_bytes(const struct gemv *gemv, unsigned member)
{
    const struct schedule_pieces *own = &gemv->members[member].own;
    return share_bytes(gemv, member) +
           (schedule_units_before(&gemv->tail, own->end) - schedule_units_before(&gemv->tail, own->first)) *
               gemv->unit_bytes;
}

/** Where a piece lies that is one of a member's. */
static const uint8_t *piece_weights(const struct gemv *gemv, unsigned owner, size_t piece)
{
    size_t first = gemv->members[owner].own.first;
    return gemv->members[owner].weights + share_bytes(gemv, owner) +
           (schedule_units_before(&gemv->tail, piece) - schedule_units_before(&gemv->tail, first)) * gemv->unit_bytes;
}

/** `panels` panels, or some units of one, from a unit of the line on, without the correction. */
static struct gemv_slice slice_at(const struct gemv *gemv, const uint8_t *weights, size_t line_unit, size_t panels,
                                  size_t units, int32_t *out)
{
    const struct kernel *kernel = gemv->kernel;
    size_t first_step = line_unit % gemv->units_per_panel;
    size_t steps = units == gemv->units_per_panel ? gemv->steps : units;
    size_t column = first_step * kernel->format->k_per_step;
    return (struct gemv_slice){
        .weights = weights,
        .panels = panels * gemv->together,
        .panel_bytes = gemv->units_per_panel * gemv->unit_bytes / gemv->together,
        .steps = steps,
        .k = steps * kernel->format->k_per_step,
        .activations = gemv->activations + column * gemv->activation_bytes,
        .prepared = gemv->prepared ? gemv->prepared + first_step * kernel->prepared_bytes_per_step : NULL,
        .out = out,
        .prefetch_bytes = gemv->prefetch_bytes,
    };
}

/** The same of a member's own stretch. */
static struct gemv_slice slice_of_share(const struct gemv *gemv, const struct gemv_member *member, size_t line_unit,
                                        size_t panels, size_t units, int32_t *out)
{
    const uint8_t *weights = member->weights + (line_unit - member->part.first) * gemv->unit_bytes;
    return slice_at(gemv, weights, line_unit, panels, units, out);
}

/** Multiply, and wait until that has taken 1 / speed of its time. */
static void multiply_at_speed(const struct kernel *kernel, const struct gemv_slice *slice, double speed)
{
    uint64_t begin = tsc_begin().ticks;
    kernel->gemv(slice);
    emulated_speed_wait(begin, speed);
}

static void multiply(const struct gemv *gemv, const struct gemv_member *member, const struct gemv_slice *slice)
{
    const struct kernel *kernel = gemv->kernel;
    if (!(member->speed > 0)) {
        kernel->gemv(slice);
        if (gemv->releases_vectors)
            release_vectors();
        return;
    }
    size_t at_once = (EMULATED_BYTES / (gemv->together * slice->panel_bytes) + 1) * gemv->together;
    for (size_t done = 0; done < slice->panels; done += at_once) {
        struct gemv_slice some = *slice;
        some.weights += done * slice->panel_bytes;
        some.out += done * kernel->format->rows_per_panel;
        some.panels = slice->panels - done < at_once ? slice->panels - done : at_once;
        multiply_at_speed(kernel, &some, member->speed);
    }
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
        while (atomic_load_explicit(&other->head_done, memory_order_acquire) != generation)
            team_relax();
        add_rows(y, other->carry, rows);
    }
}

static int32_t correction_of(const struct gemv *gemv)
{
    return -gemv->kernel->format->activation_offset * gemv->activation_sum;
}

/** A member's own stretch. */
static void run_share(struct gemv *gemv, unsigned index, unsigned generation)
{
    uint32_t rows = gemv->group_rows;
    struct gemv_member *member = &gemv->members[index];
    const struct partition *part = &member->part;

    /* the head first: another member waits for it */
    if (part->head_steps) {
        struct gemv_slice slice = slice_of_share(gemv, member, part->first, 1, part->head_steps, member->carry);
        multiply(gemv, member, &slice);
        atomic_store_explicit(&member->head_done, generation, memory_order_release);
    }
    if (part->whole_panels) {
        struct gemv_slice slice =
            slice_of_share(gemv, member, part->whole_panel * gemv->units_per_panel, part->whole_panels,
                           gemv->units_per_panel, gemv->y + part->whole_panel * rows);
        slice.correction = correction_of(gemv);
        multiply(gemv, member, &slice);
    }
    if (part->tail_steps) {
        int32_t *y = gemv->y + part->tail_panel * rows;
        struct gemv_slice slice =
            slice_of_share(gemv, member, part->tail_panel * gemv->units_per_panel, 1, part->tail_steps, y);
        slice.correction = correction_of(gemv);
        multiply(gemv, member, &slice);
        collect(gemv, index, part->tail_panel, rows, y, generation);
    }
}

size_t gemv_multiply_stretch(struct gemv *gemv, unsigned index, const uint8_t *weights, size_t at)
{
    const struct gemv_member *member = &gemv->members[index];
    size_t left = member->part.whole_panels - at, unit = (member->part.whole_panel + at) * gemv->units_per_panel;
    size_t at_once = STRETCH_BYTES / (gemv->units_per_panel * gemv->unit_bytes) + 1;
    size_t panels = left < at_once ? left : at_once;
    if (!panels) {
        team_relax();
        return 0;
    }
    struct gemv_slice slice =
        slice_at(gemv, weights + (unit - member->part.first) * gemv->unit_bytes, unit, panels, gemv->units_per_panel,
                 gemv->y + (member->part.whole_panel + at) * gemv->group_rows);
    slice.correction = correction_of(gemv);
    multiply(gemv, member, &slice);
    return panels < left ? at + panels : 0;
}

/** Who finishes the last pieces of a cut panel adds all of them. */
static void add_pieces(struct gemv *gemv, size_t panel)
{
    uint32_t rows = gemv->kernel->format->rows_per_panel;
    const struct schedule_tail *tail = &gemv->tail;
    int32_t *y = gemv->y + panel * rows;
    for (uint32_t i = 0; i < rows; i++)
        y[i] = correction_of(gemv);
    for (size_t p = 0; p < tail->pieces_per_panel; p++)
        add_rows(y, gemv->piece_sums + ((panel - tail->first_panel) * tail->pieces_per_panel + p) * GEMV_ROWS_MAX,
                 rows);
}

/** Whole panels of the tail, or a part of one, from a piece of the owner's on. */
static void run_stretch(struct gemv *gemv, const struct gemv_member *member, unsigned owner, size_t index,
                        const struct schedule_piece *stretch, int32_t *part)
{
    int32_t *out = part ? part : gemv->y + stretch->panel * gemv->group_rows;
    struct gemv_slice slice =
        slice_at(gemv, piece_weights(gemv, owner, index), stretch->panel * gemv->units_per_panel + stretch->first_unit,
                 stretch->panels, stretch->units, out);
    slice.correction = part ? 0 : correction_of(gemv);
    multiply(gemv, member, &slice);
}

/** Pieces of one panel, not all: their sum in place of that of the first of them, and nothing in place of the others. */
static void run_part(struct gemv *gemv, const struct gemv_member *member, unsigned owner, struct schedule_pieces pieces,
                     unsigned generation)
{
    const struct schedule_tail *tail = &gemv->tail;
    struct schedule_piece stretch = schedule_piece(tail, pieces.first);
    int32_t *sums = gemv->piece_sums + pieces.first * GEMV_ROWS_MAX;
    uint32_t count = (uint32_t)(pieces.end - pieces.first);
    stretch.units = schedule_units_before(tail, pieces.end) - schedule_units_before(tail, pieces.first);
    run_stretch(gemv, member, owner, pieces.first, &stretch, sums);
    for (uint32_t i = 1; i < count; i++)
        memset(sums + (size_t)i * GEMV_ROWS_MAX, 0, gemv->kernel->format->rows_per_panel * sizeof *sums);
    struct schedule_counter *done = &gemv->panel_pieces[stretch.panel - tail->first_panel];
    if (schedule_count(done, generation, count) + count == tail->pieces_per_panel)
        add_pieces(gemv, stretch.panel);
}

/** Pieces next to each other: whole panels with one call, what is cut off before and after them by itself. */
static void run_pieces(struct gemv *gemv, const struct gemv_member *member, unsigned owner,
                       struct schedule_pieces pieces, unsigned generation)
{
    const struct schedule_tail *tail = &gemv->tail;
    size_t per_panel = tail->pieces_per_panel;
    while (pieces.first < pieces.end) {
        size_t in_panel = pieces.first % per_panel, count = pieces.end - pieces.first;
        if (in_panel == 0 && count >= per_panel) {
            size_t whole = count / per_panel * per_panel;
            struct schedule_piece stretch = schedule_piece(tail, pieces.first);
            stretch.units = gemv->units_per_panel;
            stretch.panels =
                (schedule_units_before(tail, pieces.first + whole) - schedule_units_before(tail, pieces.first)) /
                gemv->units_per_panel;
            run_stretch(gemv, member, owner, pieces.first, &stretch, NULL);
            pieces.first += whole;
            continue;
        }
        size_t left = per_panel - in_panel, part = count < left ? count : left;
        run_part(gemv, member, owner, (struct schedule_pieces){pieces.first, pieces.first + part}, generation);
        pieces.first += part;
    }
}

void gemv_run_member(struct gemv *gemv, unsigned index, unsigned generation)
{
    struct gemv_member *member = &gemv->members[index];
    run_share(gemv, index, generation);
    if (!gemv->tail.pieces)
        return;
    if (gemv->as_dealt) {
        run_pieces(gemv, member, index, member->own, generation);
        return;
    }
    /* its own pieces, then what others have left of theirs */
    for (unsigned i = 0; i < gemv->threads; i++) {
        unsigned owner = (index + i) % gemv->threads;
        for (;;) {
            struct schedule_pieces drawn = schedule_draw(&gemv->drawn[owner], generation, gemv->members[owner].own);
            if (drawn.first == drawn.end)
                break;
            run_pieces(gemv, member, owner, drawn, generation);
            member->pieces += drawn.end - drawn.first;
        }
    }
}

static unsigned owner_of(const struct gemv *gemv, size_t piece)
{
    unsigned owner = 0;
    while (piece >= gemv->members[owner].own.end)
        owner++;
    return owner;
}

/** Copy one panel of the tail together. */
static void gather_pieces(const struct gemv *gemv, size_t panel, uint8_t *bytes)
{
    const struct schedule_tail *tail = &gemv->tail;
    size_t panel_bytes = gemv->units_per_panel * gemv->unit_bytes, in_tail = panel - tail->first_panel;
    if (tail->pieces_per_panel == 1) {
        size_t index = in_tail / tail->panels_per_piece;
        const uint8_t *weights = piece_weights(gemv, owner_of(gemv, index), index);
        memcpy(bytes, weights + in_tail % tail->panels_per_piece * panel_bytes, panel_bytes);
        return;
    }
    for (size_t p = 0; p < tail->pieces_per_panel; p++) {
        size_t index = in_tail * tail->pieces_per_panel + p;
        const struct schedule_piece piece = schedule_piece(tail, index);
        memcpy(bytes + piece.first_unit * gemv->unit_bytes, piece_weights(gemv, owner_of(gemv, index), index),
               piece.units * gemv->unit_bytes);
    }
}

/** Copy one panel together from the members that hold parts of it. */
static void gather_panel(const struct gemv *gemv, size_t panel, uint8_t *bytes)
{
    if (panel >= gemv->tail.first_panel) {
        gather_pieces(gemv, panel, bytes);
        return;
    }
    size_t first = panel * gemv->units_per_panel, end = first + gemv->units_per_panel;
    for (unsigned t = 0; t < gemv->threads; t++) {
        const struct partition *part = &gemv->members[t].part;
        size_t from = part->first > first ? part->first : first;
        size_t to = part->end < end ? part->end : end;
        if (from < to)
            memcpy(bytes + (from - first) * gemv->unit_bytes,
                   gemv->members[t].weights + (from - part->first) * gemv->unit_bytes, (to - from) * gemv->unit_bytes);
    }
}

/** Room for one panel and what its rows must be. */
struct verification {
    uint8_t *bytes;
    struct reference_row *rows;
    struct reference_check *check;
};

static void verify_panel(const struct gemv *gemv, size_t panel, struct verification *at)
{
    uint32_t rows = gemv->kernel->format->rows_per_panel;
    size_t panel_bytes = gemv->units_per_panel * gemv->unit_bytes / gemv->together;
    gather_panel(gemv, panel, at->bytes);
    for (size_t i = 0; i < gemv->together; i++) {
        size_t first = panel * gemv->group_rows + i * rows;
        size_t count = first + rows <= gemv->m ? rows : gemv->m - first;
        reference_rows(gemv->kernel, at->bytes + i * panel_bytes, gemv->k, count, gemv->activations, gemv->prepared,
                       at->rows);
        reference_compare(gemv->kernel, at->rows, count, gemv->y + first, at->check);
    }
}

/** First, last, cut and some random panels. */
static void verify_some(const struct gemv *gemv, uint64_t seed, struct verification *at)
{
    size_t random = VERIFY_ROWS / gemv->group_rows;
    verify_panel(gemv, 0, at);
    verify_panel(gemv, gemv->panels - 1, at);
    for (unsigned t = 0; t < gemv->threads && t < 16; t++) {
        if (gemv->members[t].part.head_steps)
            verify_panel(gemv, gemv->members[t].part.head_panel, at);
    }
    if (gemv->tail.panels)
        verify_panel(gemv, gemv->tail.first_panel, at);
    for (size_t i = 0; i < (random > VERIFY_PANELS ? random : VERIFY_PANELS); i++) {
        verify_panel(gemv, activations_random(&seed) % gemv->panels, at);
    }
}

int gemv_verify(const struct gemv *gemv, uint64_t seed, struct reference_check *check)
{
    *check = (struct reference_check){0};
    struct verification at = {
        .bytes = malloc(gemv->units_per_panel * gemv->unit_bytes),
        .rows = malloc(gemv->kernel->format->rows_per_panel * sizeof *at.rows),
        .check = check,
    };
    int error = at.bytes && at.rows ? 0 : -ENOMEM;
    bool all = gemv->m * gemv->k <= VERIFY_ALL_WEIGHTS;
    if (!error && !all)
        verify_some(gemv, seed, &at);
    for (size_t panel = 0; !error && all && panel < gemv->panels; panel++)
        verify_panel(gemv, panel, &at);
    free(at.bytes);
    free(at.rows);
    return error;
}
