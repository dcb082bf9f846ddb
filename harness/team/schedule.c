/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/schedule.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/** Pieces in an equal share of the whole matrix. */
enum { PIECES_PER_SHARE = 50 };

/** Pieces of a cut panel begin where shares may: on multiples of this many units. */
enum { CUT_UNITS = 8 };

/** Of the pieces that a member has left, what is drawn at a time. */
enum { DRAWN_PART = 3 };

static const char *const names[SCHEDULE_KINDS] = {"static", "weighted", "dynamic"};

const char *schedule_name(enum schedule_kind kind)
{
    return kind < SCHEDULE_KINDS ? names[kind] : "?";
}

int schedule_find(const char *name, enum schedule_kind *kind)
{
    for (int i = 0; i < SCHEDULE_KINDS; i++) {
        if (strcmp(name, names[i]) == 0) {
            *kind = (enum schedule_kind)i;
            return 0;
        }
    }
    return -ENOENT;
}

size_t schedule_tail_panels(double share, size_t panels)
{
    size_t tail = (size_t)llround(share * (double)panels);
    return tail < 1 ? 1 : tail > panels ? panels : tail;
}

struct schedule_tail schedule_tail(const struct schedule *schedule, size_t panels, size_t units_per_panel,
                                   size_t least_units, unsigned threads)
{
    struct schedule_tail tail = {
        .units_per_panel = units_per_panel,
        .first_panel = panels,
        .panels_per_piece = 1,
        .pieces_per_panel = 1,
        .units_per_piece = units_per_panel,
    };
    if (schedule->kind != SCHEDULE_DYNAMIC || threads < 2)
        return tail;
    tail.panels = schedule_tail_panels(schedule->tail_share, panels);
    tail.first_panel = panels - tail.panels;
    size_t units = panels * units_per_panel / (PIECES_PER_SHARE * (size_t)threads);
    units = units < least_units ? least_units : units;
    size_t cut = (units + CUT_UNITS - 1) / CUT_UNITS * CUT_UNITS;
    if (units >= units_per_panel) {
        tail.panels_per_piece = units / units_per_panel;
        tail.units_per_piece = tail.panels_per_piece * units_per_panel;
        tail.pieces = (tail.panels + tail.panels_per_piece - 1) / tail.panels_per_piece;
    } else {
        tail.units_per_piece = cut < units_per_panel ? cut : units_per_panel;
        tail.pieces_per_panel = (units_per_panel + tail.units_per_piece - 1) / tail.units_per_piece;
        tail.pieces = tail.panels * tail.pieces_per_panel;
    }
    return tail;
}

struct partition schedule_share(const struct schedule *schedule, const struct schedule_tail *tail, unsigned member,
                                unsigned threads)
{
    const double *weights = schedule->kind == SCHEDULE_STATIC ? NULL : schedule->weights;
    return partition_weighted(tail->first_panel, tail->units_per_panel, weights, member, threads);
}

struct schedule_piece schedule_piece(const struct schedule_tail *tail, size_t index)
{
    struct schedule_piece piece = {.panels = 1, .units = tail->units_per_panel};
    if (tail->pieces_per_panel > 1) {
        piece.panel = tail->first_panel + index / tail->pieces_per_panel;
        piece.first_unit = index % tail->pieces_per_panel * tail->units_per_piece;
        size_t left = tail->units_per_panel - piece.first_unit;
        piece.units = left < tail->units_per_piece ? left : tail->units_per_piece;
        return piece;
    }
    size_t before = index * tail->panels_per_piece, left = tail->panels - before;
    piece.panel = tail->first_panel + before;
    piece.panels = left < tail->panels_per_piece ? left : tail->panels_per_piece;
    return piece;
}

static size_t first_piece(const struct schedule *schedule, size_t pieces, unsigned member, unsigned threads)
{
    if (!schedule->weights || member == threads)
        return pieces * member / threads;
    double before = 0, sum = 0;
    for (unsigned t = 0; t < threads; t++) {
        before += t < member ? schedule->weights[t] : 0;
        sum += schedule->weights[t];
    }
    return (size_t)((double)pieces * (before / sum));
}

struct schedule_pieces schedule_pieces_of(const struct schedule *schedule, const struct schedule_tail *tail,
                                          unsigned member, unsigned threads)
{
    return (struct schedule_pieces){first_piece(schedule, tail->pieces, member, threads),
                                    first_piece(schedule, tail->pieces, member + 1, threads)};
}

size_t schedule_units_before(const struct schedule_tail *tail, size_t index)
{
    if (index == tail->pieces)
        return (tail->first_panel + tail->panels) * tail->units_per_panel;
    const struct schedule_piece piece = schedule_piece(tail, index);
    return piece.panel * tail->units_per_panel + piece.first_unit;
}

/** How many were counted in this generation. */
static uint32_t counted(uint64_t value, unsigned generation)
{
    return value >> 32 == generation ? (uint32_t)value : 0;
}

static bool replace(struct schedule_counter *counter, uint64_t *now, unsigned generation, uint32_t count)
{
    return atomic_compare_exchange_weak_explicit(&counter->value, now, (uint64_t)generation << 32 | count,
                                                 memory_order_acq_rel, memory_order_relaxed);
}

uint32_t schedule_count(struct schedule_counter *counter, unsigned generation, uint32_t more)
{
    uint64_t now = atomic_load_explicit(&counter->value, memory_order_relaxed);
    while (!replace(counter, &now, generation, counted(now, generation) + more))
        ;
    return counted(now, generation);
}

struct schedule_pieces schedule_draw(struct schedule_counter *counter, unsigned generation,
                                     struct schedule_pieces of_member)
{
    uint64_t now = atomic_load_explicit(&counter->value, memory_order_relaxed);
    for (;;) {
        uint32_t before = counted(now, generation);
        size_t first = of_member.first + before, left = of_member.end - first;
        size_t part = left / DRAWN_PART;
        size_t drawn = part < 1 ? 1 : part > SCHEDULE_DRAWN_MOST ? SCHEDULE_DRAWN_MOST : part;
        if (!left)
            return (struct schedule_pieces){first, first};
        if (replace(counter, &now, generation, before + (uint32_t)drawn))
            return (struct schedule_pieces){first, first + drawn};
    }
}
