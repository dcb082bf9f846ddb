/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "reports/select/kernels/best.h"

/**
 * Cold GEMVs as a table: a row is a width of weights, of ours or of published kernels; a column a shape, under the first model that
 * has it; one such table for the smallest team and one for the widest.
 *
 * Models stand in the order of the papers (models_before), in each the smallest matrix first; rows from wide weights to narrow,
 * ours before the published. Where shapes were read by both teams only those are columns: of a characterization the models of most
 * papers are read by the widest one alone. Of more than there is room for the columns with most cells stay.
 */
enum { GEMV_MAP_ROWS = 2 * WIDTHS_MAX, GEMV_MAP_COLUMNS = 26, GEMV_MAP_TEAMS = 2 };

struct gemv_map_row {
    const struct width *width;
    enum best_origin origin; /* BEST_OF_OURS or BEST_OF_PUBLISHED */
};

struct gemv_map_column {
    double m, k;
    const char *model; /* "" where none has the shape */
    bool smallest, widest;
    size_t cells;
};

struct gemv_map {
    struct gemv_map_row rows[GEMV_MAP_ROWS];
    size_t row_count;
    struct gemv_map_column columns[GEMV_MAP_COLUMNS];
    size_t column_count, columns_left_out;
    unsigned teams[GEMV_MAP_TEAMS]; /* ascending */
    size_t team_count;
};

void gemv_map_select(const struct view *view, struct gemv_map *map);

/** What a cell shows. */
struct gemv_map_cell {
    const json_t *gemv; /* of the best kernel; NULL: none was measured */
    double share;       /* of the roof measured alongside; NaN without one */
    bool valid;         /* not above its roof, and with a right result */
};
struct gemv_map_cell gemv_map_cell(const struct view *view, const struct gemv_map *map, size_t row, size_t column,
                                   unsigned threads);
