/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/decode_watch.h"

#include "platforms/clock/clock.h"

const char *decode_part_name(enum decode_part part)
{
    static const char *const names[DECODE_PARTS] = {"norm", "quantize", "operand", "q,k,v", "rope", "attention",
                                                    "o",    "gate,up",  "gate",    "down",  "head"};
    return part < DECODE_PARTS ? names[part] : "unknown";
}

bool decode_part_is_gemv(enum decode_part part)
{
    return part == DECODE_PART_QKV || part == DECODE_PART_O || part == DECODE_PART_GATE_UP || part == DECODE_PART_DOWN;
}

void decode_watch_begin(struct decode_watch *watch)
{
    /* not the team: the others may be at their first barrier already */
    watch->joins = watch->stamps = 0;
    watch->ticks = (struct decode_ticks){{0}};
    watch->last = tsc_begin().ticks;
}

void decode_watch_join(struct decode_watch *watch, unsigned member)
{
    team_barrier(watch->team);
    if (member == 0)
        watch->joins++;
}

void decode_watch_stamp(struct decode_watch *watch, unsigned member, enum decode_part part)
{
    if (member)
        return;
    uint64_t now = tsc_begin().ticks;
    watch->ticks.of[part] += now - watch->last;
    watch->last = now;
    watch->stamps++;
}

double decode_stamp_s(double tsc_hz)
{
    enum { BATCHES = 20, BATCH = 100 };
    uint64_t least = UINT64_MAX;
    for (int batch = 0; batch < BATCHES; batch++) {
        uint64_t begin = tsc_begin().ticks, end = begin;
        for (int i = 0; i < BATCH; i++)
            end = tsc_begin().ticks;
        least = end - begin < least ? end - begin : least;
    }
    return (double)least / BATCH / tsc_hz;
}

size_t decode_share(size_t count, unsigned member, unsigned threads)
{
    return count * member / threads;
}
