/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/system/noise.h"

#include <stddef.h>

struct noise noise_scan(uint64_t duration_ns)
{
    struct noise noise;
    struct host_disturbance before, after;
    noise.during_known = host_disturbance_read("", &before) == 0;
    noise.gaps = gap_scan_run(duration_ns, NULL, NULL);
    noise.during_known &= host_disturbance_read("", &after) == 0;
    noise.during = (struct host_disturbance){
        .steal_ticks = after.steal_ticks - before.steal_ticks,
        .interrupts = after.interrupts - before.interrupts,
        .context_switches = after.context_switches - before.context_switches,
    };
    return noise;
}

static json_t *known_count(bool known, uint64_t count)
{
    return known ? json_integer((json_int_t)count) : json_null();
}

json_t *noise_record(const struct noise *noise)
{
    json_t *gaps = json_array();
    for (unsigned i = 0; i < GAP_CLASSES; i++)
        json_array_append_new(gaps, json_pack("{s:f, s:I}", "from_s", 1e-9 * (double)gap_scan_bound_ns(i), "count",
                                              (json_int_t)noise->gaps.gaps[i]));
    return json_pack("{s:s, s:s, s:f, s:f, s:f, s:o, s:o, s:o, s:o}", "type", "noise", "name", "spin", "duration_s",
                     1e-9 * (double)noise->gaps.duration_ns, "lost_s", 1e-9 * (double)noise->gaps.lost_ns,
                     "longest_gap_s", 1e-9 * (double)noise->gaps.longest_ns, "gaps", gaps, "interrupts",
                     known_count(noise->during_known, noise->during.interrupts), "context_switches",
                     known_count(noise->during_known, noise->during.context_switches), "steal_ticks",
                     known_count(noise->during_known, noise->during.steal_ticks));
}
