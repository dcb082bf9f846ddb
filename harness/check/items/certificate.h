/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "micro/kernel.h"

/**
 * The exactness certificate of a kernel: what it gives for the operands that are known to break kernels, row by row
 * against the definition sum_k w a. Random data hides what these show: a 16-bit sum that saturates needs many products
 * of one sign in a row, a sum that overflows needs the largest K, a tail that is not masked needs a K that is no
 * multiple of anything. Of a GEMM every token of several numbers of them is compared so.
 */
enum certificate_pattern {
    CERTIFICATE_ENDS,       /* weights at both ends of their range, activations all -127, all 127, in turns */
    CERTIFICATE_SATURATING, /* the same weights, activations -127 and 127 in runs of 2, 4, … 64 */
    CERTIFICATE_LARGEST_K,  /* ends at the largest K of the format; of float results at CERTIFICATE_FLOAT_K */
    CERTIFICATE_TAILS,      /* random, K one more, one less and equal to 1 … 4 steps; what the format accepts of it */
    CERTIFICATE_RANDOM,     /* random weights and activations in [-127, 127] */
    CERTIFICATE_LEAST,      /* weights at the ends, activations all -128: outside of what quantizers give */
    CERTIFICATE_PATTERNS
};
const char *certificate_pattern_name(enum certificate_pattern pattern); /* "ends", "saturating", … */

/** More than the K of any model's matrix; a float sum of more terms says nothing new. */
enum { CERTIFICATE_FLOAT_K = 1 << 16, CERTIFICATE_LIMIT_MS = 60000 };

enum certificate_verdict {
    CERTIFICATE_NONE,   /* the kernel does not take such operands, or the check did not come so far */
    CERTIFICATE_EXACT,  /* every row equals the definition, bit for bit */
    CERTIFICATE_WITHIN, /* within what the kernel states (micro/reference.h) */
    CERTIFICATE_WRONG,  /* some row is further away */
    CERTIFICATE_FAULT,  /* it crashed, or wrote where it must not */
};
const char *certificate_verdict_name(enum certificate_verdict verdict); /* "exact", "within bound", … */

struct certificate_line {
    enum certificate_verdict verdict;
    size_t rows, unequal, wrong; /* compared; not the definition; further away than stated */
    size_t k_most;               /* the largest K of it */
    double of_bound;             /* largest distance from the definition over what the kernel states; 0 where exact */
};

/** Which product of a kernel it is of. */
enum certificate_product { CERTIFICATE_GEMV, CERTIFICATE_GEMM, CERTIFICATE_PRODUCTS };
const char *certificate_product_name(enum certificate_product product); /* "gemv", "gemm" */

/** Whether the kernel has it. */
bool certificate_has(const struct kernel *kernel, enum certificate_product product);

struct certificate {
    struct certificate_line line[CERTIFICATE_PATTERNS];
    enum certificate_verdict verdict; /* the worst of all but CERTIFICATE_LEAST, which no kernel has to take */
    char why[160];                    /* of a check that did not end: what became of it */
};

/** Of a product that the kernel has, in this process. @return 0 or -ENOMEM */
int certificate_make(const struct kernel *kernel, enum certificate_product product, struct certificate *certificate);

/** One pattern of a GEMM, for certificate_make. @return 0 or -ENOMEM */
int certificate_of_gemm(const struct kernel *kernel, enum certificate_pattern pattern, struct certificate_line *line);

/**
 * In a child, so that a crash or a hang ends there. Call before the process has threads.
 * @return 0, -ENOMEM, or the errno of a process that could not be started or report
 */
int certificate_make_apart(const struct kernel *kernel, enum certificate_product product,
                           struct certificate *certificate);
