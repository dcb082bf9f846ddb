/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/summary.h"
#include "results/records/run.h"
#include "results/records/samples.h"

/**
 * What a run keeps: a line with the samples of each visit of a cell as soon as it is over, and the summaries at the
 * end. A run that was cut off is continued from those lines.
 */

/** Where records go, and the number that the samples of this process carry. */
struct recorder {
    int (*append)(void *context, const json_t *record); /* 0 or negative errno */
    void *context;
    unsigned block; /* from 1; a resumed run has as many as it was resumed times, and one more */
    double tsc_hz;  /* of the instruments that time the samples */
};

/** Records go into a run. */
struct recorder recorder_of_run(struct run *run, unsigned block, double tsc_hz);

/** Records go to a stream, a line each. */
struct recorder recorder_of_stream(FILE *stream, unsigned block, double tsc_hz);

/** Number for the next process of a run: one more than any that its samples carry. */
unsigned recorder_next_block(const struct run_records *records);

/**
 * Append the cell's description (at its first visit) and the samples from `first` on, which one visit took. @return 0
 * or negative errno
 */
int recorder_samples(const struct recorder *recorder, const struct cell *cell, size_t first, size_t roof_first);

/** Append the summary of every cell that has samples. @return 0 or negative errno */
int recorder_summaries(const struct recorder *recorder, const struct session *session, struct cells *cells);

/** Bytes of what recorder_summaries would append for a cell, as its samples are; 0: nothing. */
size_t recorder_summary_bytes(const struct session *session, const struct cells *cells, const struct cell *cell);

/**
 * Give the cells the samples that an earlier part of the run recorded. Records of other cells, and half a pair at the
 * place where a run was killed, are left out.
 * @return samples restored; -ENOMEM, or -EINVAL: a cell's record has what no visit would have chosen here; with one
 * line in why
 */
long recorder_restore(const struct run_records *records, struct cells *cells, char *why, size_t size);

/** Count of rejected samples by cause over all cells, roof samples included. */
void recorder_rejected(const struct cells *cells, size_t rejected[SAMPLE_CAUSES], size_t *samples);

/**
 * Set in the closing record how many samples the operating system entered and what was done with them: "entered": {
 * "samples", "rejected", "kept"}, roof samples included. Only a sample longer than SAMPLER_INTERRUPT_LIMIT_S is kept.
 */
void recorder_entered(const struct cells *cells, json_t *record);

/** Between the samples of a cell and those of a record (results/records/samples.h). */

/**
 * The record of one visit: the samples of a cell from `first` on, each after its read of the roof where it has one.
 * @param tsc_hz  of the instruments that timed them
 * @return new reference, NULL without memory
 */
json_t *sample_line(const struct cell *cell, size_t first, size_t roof_first, unsigned block, double tsc_hz);

/** A sample as it was measured. */
struct sample sample_restored(const struct recorded_sample *recorded);
