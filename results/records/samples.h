/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * Samples in records. A visit of a cell is one record, whose columns hold a value for each of its samples:
 *
 *     {"type":"samples","name":"gamma/int8_vnni4.dot.avx2/a4","visit":1,"block":1,"tsc_hz":2000000000,
 *      "unroll":[1,2],"grade":"chain","rejected":{"interrupt":[0]},
 *      "ticks":[70412,110384,40210,80198],"core_khz":[2598106,2598107,2598106,2598104]}
 *
 * Time is what the time-stamp counter said, in its ticks, and tsc_hz is its rate: time_s = ticks / tsc_hz is the time
 * that was measured, to the last bit. The core clock is rounded to 1 kHz, two parts in ten million at 2.5 GHz, which is
 * a thousandth of what a chain of multiplications can resolve and less than one cycle in a sample of 5 million.
 *
 * What holds for few samples is a list of their positions, counted from 0: `rejected` by cause, `interrupted`, and
 * `grade` by grade where there are several. Absent `rejected` or `interrupted`: none was; "interrupted": null: this
 * machine cannot tell. The column `off_core` is there if a long sample was kept although a member was switched out: the
 * share of the sample's time that this member was on no core, null for all other samples. Of a cell whose samples follow a
 * read of the roof each, "roof" holds the same columns of those reads, its sample i taken just before sample i, and in
 * "stream" which stream read, or a list of one a sample.
 */

/** One sample. Texts belong to the record it was read from. */
struct recorded_sample {
    double time_s, core_hz;
    const char *grade;    /* of the core clock: "pmu", "chain", "wall" */
    const char *rejected; /* the cause; NULL: kept */
    bool interrupted;
    unsigned unroll; /* of a gamma: 1 or 2; else 0 */
    bool roof;       /* a read of the roof, before the sample that follows */
    unsigned stream; /* of such a read: which stream */
    json_t *counts;  /* object of numbers by name of what was counted, null where not in this sample; NULL for none */
    json_t *entered; /* object of counts of entries into the kernel by cause, null where not known; NULL without */
    bool switched;   /* kept although a member was switched out */
    double off_core; /* the share of its time that this member was on no core; 0 unless switched */
};

/** Those of one record, in the order they were taken. Zero before its first use. */
struct recorded_samples {
    const char *name; /* of the cell */
    unsigned visit;
    unsigned block;               /* number of the process; 0: recorded before the field existed */
    bool interrupts_undetectable; /* the machine cannot tell whether a sample was interrupted */
    struct recorded_sample *sample;
    size_t count, capacity;
};

/** Whether a record is of samples. */
bool samples_are_in(const json_t *record);

/**
 * Read the samples of a record in place of those that are there. A record that is not of samples has none.
 * @return 0, -ENOMEM
 */
int samples_read(const json_t *record, struct recorded_samples *samples);

/** Room for one sample more, zeroed, at the end. @return it, NULL without memory */
struct recorded_sample *samples_add(struct recorded_samples *samples);

/** Clear leaves no sample but keeps the room for them; release gives that back too. */
void samples_clear(struct recorded_samples *samples);
void samples_release(struct recorded_samples *samples);

/**
 * The record of samples that were taken in one visit; block 0 is left out.
 * @param samples  a read of the roof, if there are any, before each of the first samples
 * @param tsc_hz   rate of the time-stamp counter that timed them, > 0
 * @return new reference, NULL without memory
 */
json_t *samples_record(const struct recorded_samples *samples, double tsc_hz);

/**
 * What the schema cannot say of a record of samples: that columns of one visit are equally long, that positions lie
 * within, and that what every sample needs is there.
 * @return 0, or -EINVAL with the column and the reason in why
 */
int samples_check(const json_t *record, char *why, size_t size);
