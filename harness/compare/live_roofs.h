/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/bias/bias.h"
#include "harness/cells/cell/cell.h"
#include "results/gate/compare.h"

/**
 * What the machine itself does just before and after each pair of blocks: a read stream from L1, in core cycles, for
 * cells that the core alone decides, and one from memory, in seconds, for the others. A pair between whose ends a roof
 * moved met two machines, and is discarded; what its blocks said plays no part in that.
 *
 * Memory is not equally fast everywhere: a virtual machine's may lie on two nodes of its host. So a reading goes once
 * round the whole pool, and each place is held against itself.
 */
enum { LIVE_ROOF_SAMPLES = 45, LIVE_ROOF_SAMPLES_MOST = 512 };

struct live_roofs {
    struct cells cells;
    size_t cell[COMPARE_CLASSES]; /* of the plan: the stream that is the roof of a class */
    bool measured[COMPARE_CLASSES];
};

/** Costs at one moment, in cycles or seconds; NaN where a sample was rejected. Memory: place by place. */
struct live_roof_reading {
    double cost[COMPARE_CLASSES][LIVE_ROOF_SAMPLES_MOST];
    size_t count[COMPARE_CLASSES];
};

/**
 * Find the stream of each class by trying all of them.
 * @param teams  widest team of the class's cells; 0: the class has none
 * @return 0 or negative errno with one line in why
 */
int live_roofs_find(struct session *session, const unsigned teams[COMPARE_CLASSES], const volatile int *stop,
                    struct live_roofs *roofs, char *why, size_t size);

/** The team is dissolved afterwards, so that a child process may use every CPU. @return 0 or negative errno */
int live_roofs_read(struct session *session, struct live_roofs *roofs, struct live_roof_reading *reading);

void live_roofs_release(struct live_roofs *roofs);

/** Median cost of a reading, in core cycles or seconds; NaN where no sample was kept. Pure. */
double live_roof_level(const struct live_roof_reading *reading, enum compare_class class);

/**
 * Whether a roof moved between two readings by more than the threshold of its class, or cannot be told. Pure.
 */
bool live_roof_moved(const struct live_roofs *roofs, const struct live_roof_reading *before,
                     const struct live_roof_reading *after, enum compare_class class, bool shared);

/**
 * What a change of layout alone does on this machine now, before the first pair of a live comparison: bias cells
 * (harness/cells/bias/bias.h) of the subjects that stand for what is compared. Neither BASE nor HEAD plays a part in it.
 */

/**
 * Which subject stands for a cell that is compared: gamma for gamma, warm for what else the core decides, cold for what
 * memory does. Pure.
 */
enum bias_subject live_layout_subject(const char *cell_name, enum compare_class class);

/**
 * Measure the subjects that are wanted, some seconds, and append the records; where samples are too few their record says so. A
 * subject without one of its factors would say too small an effect, so one that cannot be measured ends it. The team is
 * dissolved afterwards.
 * @return 0 or negative errno with one line in why
 */
int live_layout_measure(struct session *session, const bool wanted[BIAS_SUBJECTS], const volatile int *stop,
                        json_t *records, char *why, size_t size);
