/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/measure/sampler.h"
#include "harness/measure/session.h"
#include "platforms/memory/memory.h"
#include "platforms/system/host.h"

/**
 * The instrument checked on this machine: each line is a claim on which numbers of this tool rest, and what came out
 * when it was put to the test just now.
 */
enum selftest_verdict {
    SELFTEST_PASS,
    SELFTEST_FAIL,
    SELFTEST_UNAVAILABLE, /* cannot be tested here; the detail says why */
};

enum { SELFTEST_DETAIL = 512 };

struct selftest_line {
    const char *name;  /* "chains_agree" */
    const char *claim; /* what passes: "both clock chains agree within 1%" */
    enum selftest_verdict verdict;
    double value; /* the number that the verdict rests on, or NaN */
    const char *unit;
    char detail[SELFTEST_DETAIL]; /* the numbers in words, or the reason */
};

/** One check: a constant table entry. */
struct selftest_check {
    const char *name, *claim;
    bool timed; /* rests on how long the core takes, which an emulator says nothing of */
    void (*run)(struct session *session, struct selftest_line *line);
};

/** All checks, in order, of all parts; the last has a NULL name. */
extern const struct selftest_check selftest_clock_checks[];    /* clocks, affinity, cost */
extern const struct selftest_check selftest_silence_checks[];  /* interrupts, faults, memory */
extern const struct selftest_check selftest_counters_checks[]; /* hardware counters */
extern const struct selftest_check selftest_worker_checks[];   /* the same in another process */

/** Run one check on the session's team of one. */
void selftest_run(const struct selftest_check *check, struct session *session, struct selftest_line *line);

/* ---------------------------------------------------------------- verdicts, pure */

/** Pass or fail, with the number. A NaN fails. */
void selftest_judge(struct selftest_line *line, bool pass, double value, const char *unit, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** Neither pass nor fail: the check cannot be made here, for this reason. */
void selftest_unavailable(struct selftest_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Whether a lies within tolerance of b, relative to b; false for NaN or b == 0. */
bool selftest_close(double a, double b, double tolerance);

/** Whether a block lies on huge pages, reserved or transparent; not tested if the system has neither. */
void selftest_judge_pages(const struct host_facts *host, const struct memory_block *block, struct selftest_line *line);

const char *selftest_verdict_name(enum selftest_verdict verdict); /* "pass", "fail", "unavailable" */

/** EXIT_CHECK_FAILED if a line failed, else EXIT_DONE. */
int selftest_exit_code(const struct selftest_line *lines, size_t count);

/** Record of type "selftest". New reference. */
json_t *selftest_record(const struct selftest_line *line);
