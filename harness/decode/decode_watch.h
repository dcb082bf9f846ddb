/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/team/team.h"

/** What passes are timed by: their parts, and the meetings of the team that end them. */
enum decode_part {
    DECODE_PART_NORM,
    DECODE_PART_QUANTIZE,
    DECODE_PART_OPERAND,
    DECODE_PART_QKV,
    DECODE_PART_ROPE,
    DECODE_PART_ATTENTION,
    DECODE_PART_O,
    DECODE_PART_GATE_UP,
    DECODE_PART_GATE,
    DECODE_PART_DOWN,
    DECODE_PART_HEAD,
    DECODE_PARTS
};
const char *decode_part_name(enum decode_part part);
/** Whether a part is GEMVs of the layers, or GEMMs where tokens are many. */
bool decode_part_is_gemv(enum decode_part part);

/** Ticks of the time-stamp counter in each part of a pass, as the first member saw them. */
struct decode_ticks {
    uint64_t of[DECODE_PARTS];
};

struct decode_watch {
    struct team *team;
    size_t joins, stamps; /* of the pass so far */
    struct decode_ticks ticks;
    uint64_t last;
};

/** By the first member, before a pass. */
void decode_watch_begin(struct decode_watch *watch);
/** The team meets; all members call it. */
void decode_watch_join(struct decode_watch *watch, unsigned member);
/** A part ends here, for the first member; nothing for the others. */
void decode_watch_stamp(struct decode_watch *watch, unsigned member, enum decode_part part);

/** Seconds of one reading of the clock, the least of many. */
double decode_stamp_s(double tsc_hz);

/** The part of `count` things that is a member's: [share(count, member), share(count, member + 1)). */
size_t decode_share(size_t count, unsigned member, unsigned threads);
