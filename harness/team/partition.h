/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * How a GEMV is dealt to a team: the packed matrix is one line of panels * steps steps, and each member gets a
 * contiguous stretch of it, equal or by its weight. A panel may be cut between members; the first of them owns its rows and adds the partial
 * sums of the others when they are done. Pure arithmetic.
 */
struct partition {
    size_t steps_per_panel;
    size_t first, end; /* steps of the line, end exclusive; first == end for a member without work */
    /* the stretch in three parts, any of them empty */
    size_t head_panel, head_first_step, head_steps; /* end of a panel (or a middle of it) that another member began */
    size_t whole_panel, whole_panels;               /* panels that are this member's alone */
    size_t tail_panel, tail_steps;                  /* begin of a panel that the next member continues */
};

/**
 * Stretch of one member.
 * @param panels, steps_per_panel  of the packed matrix, > 0
 * @param member, threads          member < threads
 */
struct partition partition_of(size_t panels, size_t steps_per_panel, unsigned member, unsigned threads);

/**
 * The same by weights: a member gets weight / (sum of the weights) of the line, cut at multiples of 8 steps, and between
 * panels where even the lightest member has many of them.
 * @param weights  [threads], finite and > 0; NULL: equal, as partition_of
 * @param panels   0: no member has work
 */
struct partition partition_weighted(size_t panels, size_t steps_per_panel, const double *weights, unsigned member,
                                    unsigned threads);
