/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_KERNELS_FASTEST_H
#define REPORTS_SELECT_KERNELS_FASTEST_H

#include <stdbool.h>

#include "reports/select/kernels/gemm_cells.h"
#include "results/statistics/ratio.h"

/**
 * The fastest valid gemv or gemm row of those that are asked for: chosen on one half of the samples and with the numbers of the
 * other; where too few were kept for that, the one of least median. NULL if none has a time.
 * @param is  whether a row is of what `of` says
 */
const json_t *fastest_valid(const struct view *view, enum view_type type, bool (*is)(const void *of, const json_t *row),
                            const void *of, const struct gemm_query *query);

/** A quantity of a row with its 95% interval, NaN where it has none. */
struct bounded fastest_bounded(const json_t *row, const char *field);

/** How many times as fast as `than` a row is: their times, with the interval where both have one; NaN without times. */
struct bounded fastest_ratio(const json_t *row, const json_t *than);

#endif
