/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_RECORD_MACHINE_RECORDS_H
#define HARNESS_RECORD_MACHINE_RECORDS_H

#include <jansson.h>

#include "harness/measure/session.h"

/** What a run says of the machine from looking at it while measuring: clocks, and where the cold pool lies. */

/**
 * Record of type "clock" of the core that the calling thread is bound to: what the chains say, the latency that it rests
 * on and, where the chains disagree, why, with the latency at which they would not. New reference.
 */
json_t *clock_record(const struct topology_core *core, double tsc_hz);

/**
 * One record of type "clock" for the first CPU of each kind of core in the team, taken on that CPU.
 * @param append  takes the record (NULL: no memory) and its reference
 * @return 0, or what append returned first that was not 0
 */
int clock_records(struct session *session, int (*append)(void *context, json_t *record), void *context);

/** Record of type "memory" for a member's block of the cold pool. New reference. */
json_t *memory_record(const struct session *session, unsigned member);

#endif
