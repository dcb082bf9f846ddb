/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "roofline/interval.h"

/**
 * Formulas of the papers as text, so that what is printed is what is computed: evaluated over named intervals.
 *
 *     + - * / ^ ( ) numbers (exact) names
 *     min(…) max(…)       of a list, or element by element of several values
 *     sum(l) mean(l)      of a list
 *     ceil floor log2 sqrt
 *     vector_bytes(bits)  packed bytes of 32 weights
 *     amdahl(alpha, x)    1 / (1 - alpha + alpha/x)       [envelope, Eq. (4)], roofline/ebw.h
 *
 * A value is a number or a list of numbers, such as a column of a table; operators work element by element, a number
 * with each element. Pure; no allocation.
 */
enum { EXPRESSION_MOST = 32, EXPRESSION_NAME_SIZE = 32 };

struct expression_value {
    struct interval of[EXPRESSION_MOST];
    size_t count; /* 1: a number */
};

struct expression_name {
    char name[EXPRESSION_NAME_SIZE];
    struct expression_value value;
};

/**
 * @return 0; -EINVAL for a formula that is malformed, uses an unknown name or mixes lists of different lengths; -EDOM
 *         where it has no value (a division by what may be 0). why then says what and where.
 */
int expression_evaluate(const char *text, const struct expression_name *names, size_t count,
                        struct expression_value *result, char *why, size_t size);

/** How many times a formula uses a name. */
size_t expression_uses(const char *text, const char *name);
