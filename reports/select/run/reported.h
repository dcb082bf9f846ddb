/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_RUN_REPORTED_H
#define REPORTS_SELECT_RUN_REPORTED_H

#include "reports/select/run/view.h"

/**
 * The best of several rows of a run: chosen on one half of their samples, and the row that is returned has the numbers of
 * the other half (results/statistics/best_of.h). Rows whose halves are too small to compete
 * cannot be chosen; if one of them looks faster than what could be, the best is not known. A row without others is
 * returned as it is. Runs of before do not have halves: of those the row with the best median, with all of its luck.
 */

/**
 * The numbers of a gamma, gemv or gemm row as its second half has them: a new reference, NULL where its halves do not compete
 * or without memory.
 */
json_t *reported_row(const json_t *row, const char *field);

/** The row of least gamma (VIEW_GAMMA) or time_s (VIEW_GEMV, VIEW_GEMM) among those with these indices; NULL if there is
 * none, or if it is not known. */
const json_t *reported_best(const struct view *view, enum view_type type, const size_t *index, size_t count);

/** Whether two rows are one and the same record, one of them perhaps as reported. */
bool reported_same(const json_t *one, const json_t *other);

#endif
