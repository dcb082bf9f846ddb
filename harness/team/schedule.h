/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/team/partition.h"

/**
 * How a packed matrix is shared by a team whose members need not be equally fast. Pure arithmetic, but for the tickets.
 *
 *     static    equal shares
 *     weighted  shares in proportion to weights, such as each member's bytes per second (e_bw x clock)
 *     dynamic   the first panels as weighted; the last ones, the tail, in small pieces that members draw from atomic
 *               counters as they finish
 *
 * A piece is some whole panels, or a part of one along K where the kernel adds partial sums. The pieces are dealt by the
 * weights, too: each member has a counter of its own, and draws from those of others when that has run out, every time
 * a part of what is left. So its reads go on where its share ended, in its own memory, in long stretches at first; only
 * the last pieces are read one by one, or from another's, where a counter for all would hand every piece to the member that comes.
 */
enum schedule_kind { SCHEDULE_STATIC, SCHEDULE_WEIGHTED, SCHEDULE_DYNAMIC, SCHEDULE_KINDS };

const char *schedule_name(enum schedule_kind kind); /* "static", "weighted", "dynamic"; "?" if out of range */

/** @return 0, or -ENOENT for a name that is none of them */
int schedule_find(const char *name, enum schedule_kind *kind);

/** Of the matrix, the share that a dynamic schedule leaves to the counters unless another is given. */
#define SCHEDULE_TAIL_SHARE 0.25

struct schedule {
    enum schedule_kind kind;
    const double *weights; /* [threads], finite and > 0, of weighted and dynamic; NULL: equal */
    double tail_share;     /* in (0, 1], of dynamic */
    bool shares_tokens;    /* of static, for a GEMM: members share the tokens, and each has all panels */
};

/** The tail of a matrix, in pieces of one size; the last of a panel, or of all, may be smaller. */
struct schedule_tail {
    size_t units_per_panel;
    size_t first_panel, panels; /* no panels: no tail */
    size_t panels_per_piece;    /* 1 where panels are cut */
    size_t pieces_per_panel;    /* 1 where they are not */
    size_t units_per_piece;     /* of a whole piece */
    size_t pieces;
};

/** How many of a matrix's panels are a tail of that share: whole ones, and one at least. */
size_t schedule_tail_panels(double share, size_t panels);

/** Units that a piece of a tail has at least: 4 KB of them and more, since reading a piece has to begin anew. */
static inline size_t schedule_units_least(size_t unit_bytes)
{
    return (4 << 10) / unit_bytes + 1;
}

/**
 * The tail of a schedule. A piece is a fiftieth of an equal share, so that what one member does while the others have
 * nothing left is little, but no less than least_units.
 * @param panels, units_per_panel  of the matrix, > 0
 * @param least_units              > 0
 */
struct schedule_tail schedule_tail(const struct schedule *schedule, size_t panels, size_t units_per_panel,
                                   size_t least_units, unsigned threads);

/** What is not tail, of one member. */
struct partition schedule_share(const struct schedule *schedule, const struct schedule_tail *tail, unsigned member,
                                unsigned threads);

/** Piece `index` < pieces of a tail: whole panels, or units of one. */
struct schedule_piece {
    size_t panel, panels;
    size_t first_unit, units; /* within its panel, of one that is cut; else 0 and the units of a panel */
};
struct schedule_piece schedule_piece(const struct schedule_tail *tail, size_t index);

/** The pieces of a member: [first, end), which are a stretch of the matrix and lie in its memory after its share. */
struct schedule_pieces {
    size_t first, end;
};
struct schedule_pieces schedule_pieces_of(const struct schedule *schedule, const struct schedule_tail *tail,
                                          unsigned member, unsigned threads);

/** Units of the matrix before piece `index` <= pieces of the tail. */
size_t schedule_units_before(const struct schedule_tail *tail, size_t index);

/**
 * A counter that begins anew with every generation, by itself: the generation is its upper half. Alone on its cache
 * line, which all members write.
 */
struct schedule_counter {
    _Alignas(64) atomic_uint_fast64_t value;
};

/**
 * Count this many more in this generation; what others wrote before they counted is seen.
 * @return how many were counted before, from 0
 */
uint32_t schedule_count(struct schedule_counter *counter, unsigned generation, uint32_t more);

/** Pieces of one draw: what a slow member may be left with when the others are done. */
enum { SCHEDULE_DRAWN_MOST = 3 };

/**
 * Draw from the pieces of a member: a third of what is left, from one to SCHEDULE_DRAWN_MOST, next to each other.
 * @return none where none is left
 */
struct schedule_pieces schedule_draw(struct schedule_counter *counter, unsigned generation,
                                     struct schedule_pieces of_member);
