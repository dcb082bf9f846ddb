/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/partition.h"

/** With this many panels a member, an uneven deal of whole panels costs less than cutting one. */
enum { WHOLE_PANELS_FROM = 64 };

/** Where member begins. Cuts fall on multiples of 8 steps, and on a panel's edge when that is that near. */
static size_t boundary(size_t panels, size_t steps, unsigned member, unsigned threads)
{
    if (member == threads)
        return panels * steps;
    if (panels >= (size_t)WHOLE_PANELS_FROM * threads)
        return panels * member / threads * steps;
    size_t exact = panels * steps * member / threads;
    size_t in_panel = exact % steps, cut = in_panel / 8 * 8;
    return exact / steps * steps + (in_panel && cut + 8 >= steps ? steps : cut);
}

struct partition partition_of(size_t panels, size_t steps, unsigned member, unsigned threads)
{
    struct partition part = {
        .steps_per_panel = steps,
        .first = boundary(panels, steps, member, threads),
        .end = boundary(panels, steps, member + 1, threads),
    };
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
