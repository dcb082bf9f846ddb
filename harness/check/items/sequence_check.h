/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/assemble/user_sequence.h"
#include "harness/check/call/checked_call.h"
#include "platforms/process/worker.h"

/**
 * Whether a sequence that a user brought computes what it says and keeps to its operands and registers: every number of
 * accumulators, U and 2U with one iteration and with several, both streams, between guard pages, with random and with
 * worst values. In a process of its own, so that whatever it does ends there; each call may take SEQUENCE_CHECK_LIMIT_MS.
 *
 * A loop that is right once and does not do the work of every iteration would have a gamma near 0.
 */
enum { SEQUENCE_CHECK_LIMIT_MS = 10000, SEQUENCE_CHECK_ITERATIONS = 7 };

enum sequence_code {
    SEQUENCE_CODE_RUN_U,
    SEQUENCE_CODE_RUN_2U,
    SEQUENCE_CODE_STREAM,
    SEQUENCE_CODE_STREAM_PREFETCH,
    SEQUENCE_CODES
};

enum sequence_verdict {
    SEQUENCE_UNFINISHED, /* it stopped where the report says */
    SEQUENCE_RIGHT,
    SEQUENCE_WRONG,  /* differs from its scalar result */
    SEQUENCE_FAULTY, /* the fault says how */
    SEQUENCE_NO_MEMORY,
};

/** Kept up to date while it runs, in memory that outlives the child. */
struct sequence_report {
    enum sequence_verdict verdict;
    uint64_t accumulators; /* what runs now, */
    enum sequence_code code;
    uint64_t iterations; /* of a loop */
    bool once;           /* a loop of several iterations that has the sums of one */
    const char *values;  /* "random values 3", "all weight bytes 0x80" */
    uint64_t seed;       /* of what is drawn; 0: it is not said */
    struct checked_call_report fault;
    ptrdiff_t offset; /* of the instruction in that code; meaningless if it is not within it */
    bool inside;      /* the instruction lies within the sequence's own code */
    uint8_t bytes[8]; /* of that instruction, if inside */
    char touched[96]; /* "64 bytes past the end of its weights", "" if it is near no operand */
    size_t wrong;
    struct sequence_difference first;
};

/** Check in this process, with what is drawn from report->seed. */
void check_sequence(const struct sequence *sequence, struct sequence_report *report);

/**
 * Load and check in a worker.
 * @param object  NULL: user->sequence is loaded already
 * @param seed    of random values, any; the same one draws the same
 * @param stop    ends it some time after it is set; NULL: never
 * @return 0 right; -EILSEQ wrong, -EINVAL not to be loaded, with the reason in why, for a human; -EINTR stopped; other errno
 */
int check_sequence_apart(const char *object, struct user_sequence *user, uint64_t seed, const volatile int *stop,
                         char *why, size_t size);

/** The same of a sequence that is there, under this name. */
int check_sequence_loaded(const struct sequence *sequence, const char *name, uint64_t seed, char *why, size_t size);

/** The reason, for a human; "" for SEQUENCE_RIGHT. Pure. */
void sequence_report_describe(const struct sequence_report *report, const struct worker_result *worker,
                              const char *path, char *why, size_t size);
