/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>

#include "harness/plan/plan_schedules.h"

/** --schedule, --tail, --weights and --slow-member, for commands that run a team, as an argp child with this input. */
struct schedule_options {
    struct plan_schedules schedules;
    const char *weights; /* as given; NULL: measured */
    bool tail_given;
    struct described_platform platform; /* of weights by its name */
    bool has_platform;
};
extern const struct argp schedule_argp;

/**
 * Read the weights, and whether the options go together.
 * @return 0, or -EINVAL with one line in why; what was read is released by schedule_options_release
 */
int schedule_options_settle(struct schedule_options *options, char *why, size_t size);
void schedule_options_release(struct schedule_options *options);
