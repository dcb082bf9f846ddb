/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "reports/select/run/view.h"
#include "results/blocks/blocks.h"

/** The smallest loss that a comparison with a run as BASE counts, by the rule of the gate (results/gate/compare.h). */
struct least_loss {
    double loss[COMPARE_CLASSES]; /* ratio of times less 1 */
    enum least_loss_by {
        LEAST_LOSS_THRESHOLD, /* that of a quiet host, or of a shared one */
        LEAST_LOSS_LAYOUT,    /* what a change of layout alone does, with its factor */
        LEAST_LOSS_NOISE      /* what the median cell shows from one process to the next, with its factor */
    } by[COMPARE_CLASSES];    /* the largest of the three */
    struct blocks_sharing sharing;
    size_t
        processes; /* of the run, if most of its cells have enough of them to fail; 0: its own noise is not in the loss */
};

/** @return 0; -ENODATA for a run without a sample, -ENOMEM */
int least_loss_of(const struct view *view, struct least_loss *least);
