/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_COMPARE_LIVE_LAYOUT_H
#define HARNESS_COMPARE_LIVE_LAYOUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/bias/bias.h"

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

#endif
