/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/heat.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/gemv_map.h"
#include "reports/select/kernels/residuals.h"

/* Pixels. Narrower cells than the least have no room for a number. */
enum {
    LEFT = 252,
    RIGHT = 16,
    CELL_LEAST = 28,
    CELL_MOST = 64,
    ROW = 19,
    HEAD = 40,
    FOOT = 86,
    GAP = 34,
    TITLE = 216,
    WIDTH = 760
};

/* The share that has the lightest colour; a share of the whole roof has the darkest. */
#define LIGHTEST 0.3

static double darkness(double share)
{
    return (share - LIGHTEST) / (1 - LIGHTEST);
}

static void write_cell(const struct gemv_map_cell *cell, size_t row, size_t column, FILE *data)
{
    double dark = cell->valid ? darkness(cell->share) : -1;
    char text[16] = "?";
    if (isfinite(cell->share))
        snprintf(text, sizeof text, "%.0f", 100 * cell->share);
    gnuplot_write_row(data, view_text(cell->gemv, "name"), "%zu %zu %u %u \"%s\" %.6g %.5g %d \"%gx%g\" ", column + 1,
                      row + 1, heat_colour(dark), cell->valid ? heat_text_colour(dark) : 0x1a1a1a, text,
                      view_median(cell->gemv, "bytes_per_s") / 1e9, 100 * cell->share, cell->valid,
                      view_number(cell->gemv, "m"), view_number(cell->gemv, "k"));
}

/* One block: the cells of a team. @return how many of them are not valid */
static size_t write_cells(const struct view *view, const struct gemv_map *map, unsigned threads, FILE *data)
{
    size_t cells = 0, invalid = 0;
    fprintf(
        data,
        "# %u threads: column, row, colour, colour of the text, percent of the roof as text, GB/s, percent, 1 if valid, "
        "shape, kernel\n",
        threads);
    for (size_t r = 0; r < map->row_count; r++) {
        for (size_t c = 0; c < map->column_count; c++) {
            struct gemv_map_cell cell = gemv_map_cell(view, map, r, c, threads);
            if (!cell.gemv)
                continue;
            write_cell(&cell, r, c, data);
            cells++;
            invalid += !cell.valid;
        }
    }
    gnuplot_end_block(data, cells, 8, 2);
    return invalid;
}

static void write_rows(const struct gemv_map *map, FILE *settings)
{
    fprintf(settings, "rows = %zu\n", map->row_count);
    set_texts(settings, "row_title", map->row_count, r, "%s-bit, %s", map->rows[r].width->name,
              map->rows[r].origin == BEST_OF_OURS ? "ours" : "published");
}

/* A model is a text over its first column, one line higher where the one before it reaches that far. */
static void write_columns(const struct gemv_map *map, double cell, FILE *settings)
{
    struct {
        const char *title;
        size_t first;
        int level;
    } models[GEMV_MAP_COLUMNS];
    size_t count = 0;
    double taken[2] = {-1, -1};
    for (size_t c = 0; c < map->column_count; c++) {
        const double left = (double)c * cell;
        const char *title = *map->columns[c].model ? map->columns[c].model : "other";
        if (c && strcmp(map->columns[c].model, map->columns[c - 1].model) == 0)
            continue;
        const int above = left < taken[0];
        taken[above] = left + 7.2 * (double)strlen(title) + 10;
        models[count].title = title;
        models[count].first = c + 1;
        models[count++].level = above;
    }
    fprintf(settings, "columns = %zu\n", map->column_count);
    set_texts(settings, "column_title", map->column_count, c, "%g×%g", map->columns[c].m, map->columns[c].k);
    fprintf(settings, "models = %zu\n", count);
    set_texts(settings, "model_title", count, m, "%s", models[m].title);
    set_numbers(settings, "model_first", count, m, (double)models[m].first);
    set_numbers(settings, "model_level", count, m, models[m].level);
}

static double roof_of_run(const struct view *view, unsigned threads)
{
    return view_median(view_roof(view, "memory", threads), "bytes_per_s") / 1e9;
}

static void write_panels(const struct view *view, const struct gemv_map *map, FILE *settings, FILE *data)
{
    size_t invalid = 0;
    for (size_t t = 0; t < map->team_count; t++)
        invalid += write_cells(view, map, map->teams[t], data);
    fprintf(settings, "panels = %zu\ninvalid = %d\n", map->team_count, invalid > 0);
    struct settings_array titles = settings_texts(settings, "panel_title", map->team_count);
    for (size_t t = 0; t < map->team_count; t++) {
        double roof = roof_of_run(view, map->teams[t]);
        char said[48] = "";
        if (roof > 0)
            snprintf(said, sizeof said, ", roof %.1f GB/s", roof);
        array_text(&titles, "%u thread%s%s", map->teams[t], plural(map->teams[t]), said);
    }
}

/* What the colours mean, as shares of the roof in percent. */
static void write_legend(FILE *settings)
{
    enum { STEPS = 8 };
    fprintf(settings, "steps = %d\n", STEPS);
    set_colours(settings, "step_colour", STEPS, i, heat_colour(darkness(LIGHTEST + 0.1 * (double)i)));
    set_colours(settings, "step_text", STEPS, i, heat_text_colour(darkness(LIGHTEST + 0.1 * (double)i)));
    set_texts(settings, "step_title", STEPS, i, "%s%.0f", i ? "" : "≤", 100 * (LIGHTEST + 0.1 * (double)i));
}

/* One row of the strip below. @return how far it reaches in percent, 0 where too few cells say anything */
static double write_spread(size_t place, const char *model, const struct residual_spread *spread, FILE *data)
{
    bool told = spread->count >= RESIDUAL_CELLS_LEAST;
    double median = told ? 100 * spread->median_size : 0, tenth = told ? 100 * spread->tenth_size : 0;
    fprintf(data, "%zu %.4g %.4g \"%s\" ", place, median, tenth, model);
    if (told)
        fprintf(data, "\"median %.1f%%, 90th percentile %.1f%%, n = %zu\"\n", median, tenth, spread->count);
    else
        fprintf(data, "\"not known: n = %zu, %d needed\"\n", spread->count, RESIDUAL_CELLS_LEAST);
    return tenth;
}

/* The last block: how far the model is off on cells it has not seen; both models on the same ones. A run without omega has
 * residuals of one model, one without any no strip. */
static size_t write_residuals(const struct view *view, FILE *settings, FILE *data)
{
    struct residual_query query = {.ours = true, .cold = true, .with_overlap = true};
    struct residual_spread overlap = residuals_of(view, &query, RESIDUAL_OVERLAP);
    query.with_overlap = overlap.count > 0;
    struct residual_spread max = residuals_of(view, &query, RESIDUAL_MAX);
    size_t rows = max.count ? overlap.count ? 2 : 1 : 0;
    fputs("# row, median and 90th percentile of the size of a residual in percent, model, text\n", data);
    double most = rows ? write_spread(1, "max", &max, data) : 0;
    if (rows == 2)
        most = fmax(most, write_spread(2, "with ω", &overlap, data));
    fprintf(settings, "residual_rows = %zu\nresidual_max = %.6g\n", rows, most);
    return rows;
}

/* Panels of few columns stand side by side, and have one list of rows. */
static bool side_by_side(const struct gemv_map *map)
{
    return map->team_count * map->column_count * CELL_LEAST + (map->team_count - 1) * GAP < WIDTH - LEFT - RIGHT;
}

static double cell_width(const struct gemv_map *map)
{
    double teams = side_by_side(map) ? (double)map->team_count : 1;
    double room = (WIDTH - LEFT - RIGHT - (teams - 1) * GAP) / (teams * (double)map->column_count);
    return fmin(fmax(room, CELL_LEAST), CELL_MOST);
}

static void write_sizes(const struct gemv_map *map, double cell, size_t residual_rows, FILE *settings)
{
    bool beside = side_by_side(map) && map->team_count > 1;
    size_t strip = residual_rows ? 62 + 22 * residual_rows : 0, panel = map->row_count * ROW + HEAD;
    size_t panels = beside ? panel : map->team_count * panel + (map->team_count - 1) * GAP;
    double width = fmax(WIDTH, LEFT + cell * (double)map->column_count + RIGHT);
    fprintf(settings,
            "cell_width = %g\nbeside = %d\nrow_height = %d\npanel_head = %d\npanel_gap = %d\nleft = %d\nfoot = %d\n",
            cell, beside, ROW, HEAD, beside ? (int)fmax(GAP, TITLE - cell * (double)map->column_count) : GAP, LEFT,
            FOOT);
    fprintf(settings, "width = %.0f\nheight = %zu\nnarrow_height = %zu\nstrip = %zu\n", width,
            82 + panels + FOOT + 44 + strip, 10 + panels + FOOT + 50 + strip, strip);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct gemv_map map;
    gemv_map_select(view, &map);
    if (!map.column_count || !map.row_count)
        return -ENODATA;
    double cell = cell_width(&map);
    write_rows(&map, settings);
    write_columns(&map, cell, settings);
    write_panels(view, &map, settings, data);
    write_legend(settings);
    fprintf(settings, "columns_left_out = %zu\n", map.columns_left_out);
    write_sizes(&map, cell, write_residuals(view, settings, data), settings);
    return 0;
}

const struct figure figure_gemv = {
    .name = "gemv",
    .title = "What share of the read roof cold GEMVs attain, weights from memory",
    .caption =
        "Each number is the bytes of packed weights that the best kernel of a width reads per second, in percent "
        "of the roof measured alongside that cell: at 100 a kernel costs nothing beyond reading its weights. Darker "
        "is closer to the roof. Each width has a row of our kernels, on any ISA, and one of published ones; the table "
        "of kernels has them all. Columns are weight matrices (rows × columns) under the first model that has them, models in the "
        "order of the papers. A hollow cell is not valid: it is above its roof by more than 3%, or its result is "
        "wrong. An empty cell was not measured. If both the smallest and the widest team measured some shapes, only "
        "those are shown. Below: by how much the measured time of cold cells of our kernels, with at least 2²⁰ "
        "weights and of all shapes of the run, differs from the predicted one; the bar ends at the median of the "
        "sizes, the line at their 90th percentile, n cells. All of them are held out: the cell that gave a kernel its "
        "ω is not among them. Max is the longer of reading and computing; with ω, the part that does not overlap is "
        "added. A run from before ω has max alone, from the roof beside each cell.",
    .units = "percent of the read roof of the team",
    .lacking = "cold GEMVs",
    .measured_by = "kneepoint gemv --cold",
    .rank = 20,
    .section = FIGURE_GEMV,
    .needs = NEEDS(VIEW_GEMV),
    .write = write,
};
