/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/partition.h"

/** With this many panels a member, an uneven deal of whole panels costs less than cutting one. */
enum { WHOLE_PANELS_FROM = 64 };

/** A cut within a panel falls on a multiple of 8 steps, and on the panel's edge when that is that near. */
static size_t cut_at(size_t exact, size_t steps)
{
    size_t in_panel = exact % steps, cut = in_panel / 8 * 8;
    return exact / steps * steps + (in_panel && cut + 8 >= steps ? steps : cut);
}

/** Where member begins. */
static size_t boundary(size_t panels, size_t steps, unsigned member, unsigned threads)
{
    if (member == threads)
        return panels * steps;
    if (panels >= (size_t)WHOLE_PANELS_FROM * threads)
        return panels * member / threads * steps;
    return cut_at(panels * steps * member / threads, steps);
}

static size_t weighted_boundary(size_t panels, size_t steps, const double *weights, unsigned member, unsigned threads)
{
    if (member == threads)
        return panels * steps;
    double before = 0, sum = 0, least = weights[0];
    for (unsigned t = 0; t < threads; t++) {
        before += t < member ? weights[t] : 0;
        sum += weights[t];
        least = weights[t] < least ? weights[t] : least;
    }
    double share = before / sum;
    if ((double)panels * least / sum >= WHOLE_PANELS_FROM)
        return (size_t)((double)panels * share) * steps;
    return cut_at((size_t)((double)(panels * steps) * share), steps);
}

/** The three parts of a stretch. */
static struct partition stretch(size_t steps, size_t first, size_t end)
{
    struct partition part = {.steps_per_panel = steps, .first = first, .end = end};
    size_t at = part.first;
    if (at == part.end)
        return part;
    if (at % steps) {
        size_t panel_end = (at / steps + 1) * steps;
        size_t head_end = part.end < panel_end ? part.end : panel_end;
        part.head_panel = at / steps;
        part.head_first_step = at % steps;
        part.head_steps = head_end - at;
        at = head_end;
    }
    part.whole_panel = at / steps;
    part.whole_panels = (part.end - at) / steps;
    at += part.whole_panels * steps;
    part.tail_panel = at / steps;
    part.tail_steps = part.end - at;
    return part;
}

struct partition partition_of(size_t panels, size_t steps, unsigned member, unsigned threads)
{
    return stretch(steps, boundary(panels, steps, member, threads), boundary(panels, steps, member + 1, threads));
}

struct partition partition_weighted(size_t panels, size_t steps, const double *weights, unsigned member,
                                    unsigned threads)
{
    if (!weights)
        return partition_of(panels, steps, member, threads);
    return stretch(steps, weighted_boundary(panels, steps, weights, member, threads),
                   weighted_boundary(panels, steps, weights, member + 1, threads));
}
