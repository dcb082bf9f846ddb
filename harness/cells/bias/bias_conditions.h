/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/bias/bias.h"
#include "harness/measure/moved_code.h"
#include "harness/team/gemv.h"
#include "micro/code_offsets.h"

/** The conditions under which a cell of the bias budget is timed, one a level. */

/** Bytes by which levels differ: odd multiples of a line or of 16, so that they meet every set and every alias. */
enum { BIAS_STACK_STEP = 272, BIAS_BUFFER_STEP = 320, BIAS_ADDRESS_STEP = 320 };

struct bias_condition {
    struct moved_code moved;
    size_t stack, buffer; /* bytes lower, bytes further on */

    /* of a sequence */
    sequence_run *run;
    struct sequence_operands operands;

    /* of a GEMV */
    struct kernel kernel; /* whose code may be the moved one */
    struct gemv gemv;
    struct memory_block block; /* weights of its own; none: those of the first level, or of the pool */
    size_t next;               /* of a block larger than the matrix: where the next cold read begins */
};

struct bias_conditions {
    struct session *session;
    const struct cell *cell;
    const struct bias_cell *own;
    size_t matrix_bytes, granule;
    struct bias_condition level[BIAS_LEVELS_MOST];
};

/** Make all of a cell, and check that each computes what it must. @return 0, -ENOMEM, -EACCES, -EILSEQ; with cell->why */
int bias_conditions_make(struct session *session, struct cell *cell, struct bias_conditions *conditions);
void bias_conditions_release(struct bias_conditions *conditions);

/** The sequence's loop at every place in a line; NULL: it has none. */
const struct code_offsets *bias_code_offsets(const struct sequence *sequence);

/** Before a sample: the weights that a level reads next. */
void bias_condition_place(struct bias_conditions *conditions, unsigned level);

/** The work, `repeats` times; a sequence runs this many iterations. */
void bias_condition_run(struct bias_conditions *conditions, unsigned level);
