/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"
#include "platforms/process/worker.h"

/**
 * A visit to a cell that runs code of others: in a worker (platforms/process/worker.h), which is this process as it is now, but for
 * its team. It measures on the same CPUs, with the same clocks and on the same pages of the pool, and what it found out is then as if this
 * process had: samples, the cell, what it learnt of the machine, how far it read the pool. Whatever that code does to its process ends
 * with the visit.
 */

/** A call, or those of one sample, may take so long; so may whatever lies between two samples. */
enum { VISIT_APART_LIMIT_MS = 10000 };

/** Whether a visit to it can be carried out like that: its kind says so, and LIKWID's marker, which ends with its process, is not used. */
bool visit_apart_can(const struct session *session, const struct cell *cell);

/**
 * As cell_visit.
 * @param stop  ends it some time after it is set; NULL: never
 * @return as cell_visit; -EILSEQ also where the process ended or was ended, with one line in the cell's why that names it; -EINTR stopped
 */
int visit_apart(struct session *session, struct cell *cell, unsigned count, const volatile int *stop);

/**
 * For a visit that has to be carried out by this process: once in a worker before it, by a copy of all that this process is, state of the
 * code and draws of operands included, of which nothing is kept. What misbehaves there would here.
 * @return as visit_apart
 */
int visit_rehearse(struct session *session, struct cell *cell, unsigned count, const volatile int *stop);

/**
 * What became of a worker that measured a cell, as the error of the visit.
 * @param name  of what it ran, with which the line begins
 * @return 0 returned; -EINTR stopped; -EILSEQ, or what kept the worker from being started, with one line in the cell's why
 */
int visit_apart_end(const struct worker_result *result, const char *name, unsigned limit_ms, struct cell *cell);
