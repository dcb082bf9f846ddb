/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/check/operands/guarded_gemv.h"
#include "platforms/process/child.h"

/**
 * Whether a user's kernel computes what it says and keeps to its operands and registers: several numbers
 * of panels and columns, between guard pages at either end, random and worst weights and activations, slices of a panel
 * where it takes those, and its GEMM with several numbers of tokens. Shorter than the tests of our own kernels and of the same parts.
 */
/* of each call of gemv(), prepare() and run(), of each of pack(), of weight() for the weights of a panel, and of what lies between */
enum { KERNEL_CHECK_LIMIT_MS = 10000 };

enum kernel_verdict {
    KERNEL_UNFINISHED, /* it stopped where the report says */
    KERNEL_RIGHT,
    KERNEL_WRONG,  /* rows differ from the reference */
    KERNEL_FAULTY, /* the fault says how */
    KERNEL_LOSSY,  /* it says lossless */
    KERNEL_FORMAT, /* functions of its format disagree: format says how */
    KERNEL_NO_MEMORY,
};

/** Kept up to date while it runs, in memory that outlives the child. */
struct kernel_report {
    enum kernel_verdict verdict;
    size_t panels, k;   /* what runs now, */
    size_t tokens;      /* of a GEMM; 0: a GEMV */
    const char *where;  /* "prepare()", "gemv()", "a part of a panel", "gemm.run()", "pack()", */
    const char *values; /* "random weights", "weights at their ends" */
    uint64_t seed;      /* of what is drawn; 0: it is not said */
    enum call_fault fault;
    struct checked_call_report call;
    char touched[96]; /* "64 bytes past the end of its weights", "" if it is near no operand */
    size_t wrong, rows;
    char format[160]; /* of KERNEL_FORMAT */
    const char *
        activations; /* "all -127", "random": what runs now; of a GEMM that is wrong those of the first token that is */
    char integers[96];             /* that lossless is tried with: "integers -8 to 7" */
    size_t first_token, first_row; /* of KERNEL_WRONG and KERNEL_LOSSY: the first that is, */
    double got, wanted;            /* what it is, and what it must be */
    double error;                  /* of KERNEL_WRONG: the largest, relative to the largest result */
};

/** A wrong result, of this many rows that each token has in the call. */
enum kernel_verdict kernel_report_wrong(struct kernel_report *report, const struct reference_check *check,
                                        size_t rows_per_token);

/** The GEMM of a kernel that has one, part of kernel_check. @return KERNEL_UNFINISHED: nothing is wrong with it */
enum kernel_verdict kernel_check_gemm(const struct kernel *kernel, struct kernel_report *report);

/** Check in this process, with what is drawn from report->seed. */
void kernel_check(const struct kernel *kernel, struct kernel_report *report);

/**
 * Check in a child. Call before the process has threads.
 * @param seed  of random weights and activations, any; the same one draws the same
 * @return 0 right; -EILSEQ with the reason and the seed in why, for a human; other errno
 */
int kernel_check_apart(const struct kernel *kernel, uint64_t seed, char *why, size_t size);

/** The reason, for a human, that begins with the kernel's name; "" for KERNEL_RIGHT. Pure. */
void kernel_report_describe(const struct kernel_report *report, const struct child_result *child, const char *name,
                            char *why, size_t size);

/** How a kernel did with integers: what lossless claims. */
struct integers_check {
    size_t unlike;      /* rows that differ from the integer product, */
    size_t first_row;   /* the first of them, */
    double got, wanted; /* what it is, and what it must be */
    /* a weight that the format's pack() does not keep, looked for where rows differ: its row and column; NULL: it keeps all */
    const char *reader; /* "weight()" */
    uint32_t row, column;
    double given, kept;
};

/**
 * Add one random matrix of integers that the format has, with int8 activations of which the largest is 127. *check is zeroed
 * before the first.
 */
enum call_fault kernel_check_integers(const struct kernel *kernel, size_t k, uint64_t *random,
                                      struct integers_check *check);

/** Which integers these are: "integers -8 to 7", "integers -3, -1, 1, 3", "integers -1, 0 and 1". */
void kernel_integers_name(const struct format *format, char *text, size_t size);
