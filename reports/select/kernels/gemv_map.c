/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/kernels/gemv_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/select/kernels/models.h"
#include "results/files/need.h"

enum { MOST = 512, TEAMS = 64 };

/* All columns, before those that have no room are left out. */
struct wide_map {
    struct gemv_map_column columns[MOST];
    size_t column_count;
};

static bool is_cell(const json_t *gemv)
{
    return view_is_cold(gemv) && view_median(gemv, "bytes_per_s") > 0 && width_of(gemv) && view_number(gemv, "m") > 0 &&
           view_number(gemv, "k") > 0;
}

/* The first of the models that have the shape. */
static const char *model_of(const json_t *gemv)
{
    const json_t *models = json_object_get(gemv, "models");
    const char *first = "";
    for (size_t i = 0; i < json_array_size(models); i++) {
        const char *model = json_string_value(json_array_get(models, i));
        if (model && models_before(model, first))
            first = model;
    }
    return first;
}

static void add_column(struct wide_map *map, const json_t *gemv, unsigned smallest, unsigned widest)
{
    double m = view_number(gemv, "m"), k = view_number(gemv, "k"), threads = view_number(gemv, "threads");
    size_t at = 0;
    while (at < map->column_count && (map->columns[at].m != m || map->columns[at].k != k))
        at++;
    if (at == MOST)
        return;
    struct gemv_map_column *column = &map->columns[at];
    if (at == map->column_count) {
        map->column_count++;
        *column = (struct gemv_map_column){.m = m, .k = k, .model = ""};
    }
    if (models_before(model_of(gemv), column->model))
        column->model = model_of(gemv);
    column->smallest |= threads == smallest;
    column->widest |= threads == widest;
}

static bool is_of_column(const struct gemv_map_column *column, const json_t *gemv)
{
    return view_number(gemv, "m") == column->m && view_number(gemv, "k") == column->k;
}

static bool is_of_row(const struct gemv_map_row *row, const json_t *gemv)
{
    const struct best_query query = {.width = row->width, .origin = row->origin};
    return best_is_asked(&query, gemv);
}

static void add_row(struct gemv_map *map, const json_t *gemv)
{
    size_t at = 0;
    while (at < map->row_count && !is_of_row(&map->rows[at], gemv))
        at++;
    if (at == map->row_count && at < GEMV_MAP_ROWS)
        map->rows[map->row_count++] =
            (struct gemv_map_row){width_of(gemv), *view_origin(gemv) ? BEST_OF_PUBLISHED : BEST_OF_OURS};
}

static void keep_columns_of_both_teams(struct wide_map *map)
{
    size_t kept = 0;
    for (size_t i = 0; i < map->column_count; i++) {
        if (map->columns[i].smallest && map->columns[i].widest)
            map->columns[kept++] = map->columns[i];
    }
    map->column_count = kept ? kept : map->column_count;
}

/* Rows of the columns that stay, and how many cells each column has. */
static void count_cells(const struct view *view, struct wide_map *wide, struct gemv_map *map)
{
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *gemv = view->of[VIEW_GEMV].rows[i];
        for (size_t c = 0; is_cell(gemv) && c < wide->column_count; c++) {
            if (is_of_column(&wide->columns[c], gemv)) {
                wide->columns[c].cells++;
                add_row(map, gemv);
            }
        }
    }
}

static int by_cells_of_column(const void *a, const void *b)
{
    const struct gemv_map_column *left = a, *right = b;
    return (left->cells < right->cells) - (left->cells > right->cells);
}

static int by_width(const void *a, const void *b)
{
    const struct gemv_map_row *left = a, *right = b;
    double wider = left->width->least - right->width->least;
    return wider != 0 ? wider > 0 ? -1 : 1 : (int)left->origin - (int)right->origin;
}

static int by_model_and_size(const void *a, const void *b)
{
    const struct gemv_map_column *left = a, *right = b;
    if (strcmp(left->model, right->model) != 0)
        return models_before(left->model, right->model) ? -1 : 1;
    double larger = left->m * left->k - right->m * right->k;
    return larger != 0 ? larger > 0 ? 1 : -1 : (left->m > right->m) - (left->m < right->m);
}

static void put_in_order(struct wide_map *wide, struct gemv_map *map)
{
    qsort(wide->columns, wide->column_count, sizeof *wide->columns, by_cells_of_column);
    map->column_count = wide->column_count < GEMV_MAP_COLUMNS ? wide->column_count : GEMV_MAP_COLUMNS;
    map->columns_left_out = wide->column_count - map->column_count;
    memcpy(map->columns, wide->columns, map->column_count * sizeof *map->columns);
    qsort(map->rows, map->row_count, sizeof *map->rows, by_width);
    qsort(map->columns, map->column_count, sizeof *map->columns, by_model_and_size);
}

void gemv_map_select(const struct view *view, struct gemv_map *map)
{
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS);
    struct wide_map *wide = count ? need(1, sizeof *wide) : NULL;
    *map = (struct gemv_map){.team_count = count < 2 ? count : 2};
    if (!wide)
        return;
    map->teams[0] = teams[0];
    map->teams[map->team_count - 1] = teams[count - 1];
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        if (is_cell(view->of[VIEW_GEMV].rows[i]))
            add_column(wide, view->of[VIEW_GEMV].rows[i], teams[0], teams[count - 1]);
    }
    keep_columns_of_both_teams(wide);
    count_cells(view, wide, map);
    put_in_order(wide, map);
    free(wide);
}

/* A cell above the roof or of a wrong result, where no other kernel has a valid one. */
static const json_t *not_valid(const struct view *view, const struct best_query *query)
{
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *gemv = view->of[VIEW_GEMV].rows[i];
        if (is_cell(gemv) && best_is_asked(query, gemv) && view_number(gemv, "m") == query->m &&
            view_number(gemv, "k") == query->k && view_number(gemv, "threads") == query->threads)
            return gemv;
    }
    return NULL;
}

struct gemv_map_cell gemv_map_cell(const struct view *view, const struct gemv_map *map, size_t row, size_t column,
                                   unsigned threads)
{
    const struct best_query query = {.width = map->rows[row].width,
                                     .origin = map->rows[row].origin,
                                     .m = map->columns[column].m,
                                     .k = map->columns[column].k,
                                     .threads = threads};
    struct gemv_map_cell cell = {.gemv = best_of_width(view, &query).row, .valid = true, .share = NAN};
    if (!cell.gemv) {
        cell.gemv = not_valid(view, &query);
        cell.valid = false;
    }
    if (cell.gemv)
        cell.share = view_median(cell.gemv, "roof_fraction");
    return cell;
}
