/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "results/tuned/tuning.h"

/**
 * Approximate matching [apt-llm, V-B]: a problem that was not tuned takes the settings of the nearest one that was. The paper does not
 * say what near is; here it is, among problems of one family (format, activations, error bound, team, cold or warm),
 *
 *     distance = |log2(M / M')| + |log2(K / K')| + |log2(N / N')|
 *
 * Pure.
 */
double tuning_distance(const struct tuning_problem *one, const struct tuning_problem *other);

/** Whether kernels of both can take each other's place: all but M, K and N is equal. */
bool tuning_is_of_family(const struct tuning_problem *one, const struct tuning_problem *other);

/** What is looked for. */
struct tuning_query {
    const struct tuning_problem *problem;
    const char *kernel; /* settings of this kernel; NULL: of the best of all */
    bool gemm;          /* with a kernel: of its GEMM */
    bool leave_out;     /* not of the problem itself, as if it had not been tuned */
};

/**
 * The nearest cell that has a time; of equally near ones that of the nearest N, which the tokens of a register block go by, then of the
 * least M, K, N and by the kernel's name. NULL: none
 */
const struct tuning_cell *tuning_match(const struct tuning_table *table, const struct tuning_query *query);

/** What matching loses, over problems that were left out one after the other. */
struct tuning_loss {
    size_t problems;       /* that have a time with their own settings and with those of the nearest other */
    double geometric_mean; /* of the best time over the time with the match; NaN without problems */
    double worst;
};
struct tuning_loss tuning_loss(const struct tuning_table *table);
