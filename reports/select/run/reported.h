/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/select/run/view.h"
#include "results/statistics/stats.h"

/**
 * The best of several rows of a run: chosen on one half of their samples, and the row that is returned has the numbers of
 * the other half (results/statistics/best_of.h). A row has the same numbers whatever it was chosen among. Rows whose halves are
 * too small to compete are not chosen: the best of the others is, and the one that was passed over is named. Of products it is chosen
 * all the same where its 95% interval lies below that of the best of the others, which would be a slower kernel's number.
 */

/**
 * The numbers of a gamma, gemv or gemm row as its second half has them: a new reference, NULL without memory, or where its halves
 * do not compete: those of the quantity, and those of its share of the roof if that was measured.
 */
json_t *reported_row(const json_t *row, const char *field);

struct best {
    const json_t *row; /* NULL: there is none with a number */
    /* Else this is the one of least median over all of its samples, luck included: none of them can compete, or what can is slower by
     * more than both intervals. It is known where all others are. Runs of before do not have halves: of those the plain minimum is all
     * that can be known. */
    bool known;
    const json_t
        *passed; /* looks faster than the row, but its halves cannot compete; of several the fastest; NULL: none */
};

/** The row of least gamma (VIEW_GAMMA) or time_s (all others) among those with these indices; of equal ones the first. */
struct best reported_best(const struct view *view, enum view_type type, const size_t *index, size_t count);

/**
 * What a row is chosen by, the less the better, with its 95% interval: the median of its first half; in a run without halves that of all
 * samples, without an interval. Of a GEMV that waits for memory, and of one that was measured while memory gave a tenth more than the
 * run's roof, it is the time that its bytes take at that roof, at the share of the roof that it attains. NaN: it cannot compete.
 */
struct bounded reported_choice(const struct view *view, enum view_type type, size_t index);

/** The share of the roof that a GEMV is chosen by where that is asked for, the more the better, likewise. */
struct bounded reported_share(const struct view *view, size_t index);

/** Whether two rows are one and the same record, one of them perhaps as reported. */
bool reported_same(const json_t *one, const json_t *other);

/**
 * The best row of each (bits per weight, the paper's or ours) among gamma records, widest weights first, the paper's
 * before ours: the lowest gamma of a candidate, whatever the ISA. @return how many were written.
 */
size_t reported_best_gammas(const struct view *view, const json_t **rows, size_t capacity);
