/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/series.h"
#include "reports/draw/settings.h"
#include "reports/select/residuals.h"

enum { SHAPES = 256, TEAMS = 12, FAMILIES = 32, MODELS = 32 };
enum { FULL = 100, PALE = 35 }; /* density of the fill in percent */

struct shape {
    double m, k;
    size_t model;
    bool smallest_team, widest_team; /* it was measured with them */
};

/* What the axes are made of. */
struct plan {
    struct shape shapes[SHAPES];
    size_t shape_count;
    const char *models[MODELS];
    size_t model_count;
    unsigned teams[TEAMS];
    size_t team_count;
    const json_t *families[FAMILIES]; /* any record of each */
    size_t family_count;
};

static size_t model_place(struct plan *plan, const char *model)
{
    size_t at = 0;
    while (at < plan->model_count && strcmp(plan->models[at], model) != 0)
        at++;
    if (at == MODELS)
        return MODELS - 1;
    if (at == plan->model_count)
        plan->models[plan->model_count++] = model;
    return at;
}

static struct shape *shape_of(struct plan *plan, const json_t *row)
{
    double m = view_number(row, "m"), k = view_number(row, "k");
    for (size_t i = 0; i < plan->shape_count; i++) {
        if (plan->shapes[i].m == m && plan->shapes[i].k == k)
            return &plan->shapes[i];
    }
    return NULL;
}

/* A shape that several models share is listed with the first of them. */
static void add_shape(struct plan *plan, const json_t *row)
{
    struct shape *shape = shape_of(plan, row);
    if (!shape) {
        double m = view_number(row, "m"), k = view_number(row, "k");
        const char *model = json_string_value(json_array_get(json_object_get(row, "models"), 0));
        if (plan->shape_count == SHAPES || !(m > 0 && k > 0))
            return;
        shape = &plan->shapes[plan->shape_count++];
        *shape = (struct shape){.m = m, .k = k, .model = model_place(plan, model ? model : "other shapes")};
    }
    unsigned team = (unsigned)view_number(row, "threads");
    shape->smallest_team |= team == plan->teams[0];
    shape->widest_team |= team == plan->teams[plan->team_count - 1];
}

static bool before(const struct shape *a, const struct shape *b)
{
    if (a->model != b->model)
        return a->model < b->model;
    return a->m * a->k < b->m * b->k;
}

/* Models in order of appearance, in each the smallest matrix first. Insertion keeps equal ones in place. */
static void sort_shapes(struct plan *plan)
{
    for (size_t i = 1; i < plan->shape_count; i++) {
        struct shape shape = plan->shapes[i];
        size_t at = i;
        for (; at && before(&shape, &plan->shapes[at - 1]); at--)
            plan->shapes[at] = plan->shapes[at - 1];
        plan->shapes[at] = shape;
    }
}

static bool family_before(const json_t *a, const json_t *b)
{
    double wider = view_format_bits(a) - view_format_bits(b);
    return !view_same_width(a, b) ? wider > 0 : view_is_paper(a) && !view_is_paper(b);
}

static void add_family(struct plan *plan, const json_t *row)
{
    size_t at = plan->family_count;
    for (size_t i = 0; i < plan->family_count; i++) {
        if (view_same_family(plan->families[i], row))
            return;
    }
    if (plan->family_count == FAMILIES)
        return;
    for (plan->family_count++; at && family_before(row, plan->families[at - 1]); at--)
        plan->families[at] = plan->families[at - 1];
    plan->families[at] = row;
}

static bool is_cell(const json_t *row)
{
    return view_is_cold(row) && view_median(row, "bytes_per_s") > 0 && view_bits(row) > 0;
}

/*
 * Of a characterization the shapes that the smallest and the widest team read: those of the many models that only the
 * widest one did would leave the other panels empty. If no shape has both, all there are.
 */
static void keep_shapes_of_every_team(struct plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->shape_count; i++) {
        if (plan->shapes[i].smallest_team && plan->shapes[i].widest_team)
            plan->shapes[kept++] = plan->shapes[i];
    }
    plan->shape_count = kept ? kept : plan->shape_count;
}

/* Names of models that no shape refers to are dropped. */
static void renumber_models(struct plan *plan)
{
    const char *models[MODELS];
    memcpy(models, plan->models, sizeof models);
    plan->model_count = 0;
    for (size_t i = 0; i < plan->shape_count; i++)
        plan->shapes[i].model = model_place(plan, models[plan->shapes[i].model]);
}

static void make_plan(const struct view *view, struct plan *plan)
{
    const struct view_rows *rows = &view->of[VIEW_GEMV];
    plan->team_count = view_teams(view, plan->teams, TEAMS);
    for (size_t i = 0; i < rows->count; i++) {
        if (is_cell(rows->rows[i]))
            add_shape(plan, rows->rows[i]);
    }
    keep_shapes_of_every_team(plan);
    renumber_models(plan);
    for (size_t i = 0; i < rows->count; i++) {
        if (is_cell(rows->rows[i]) && shape_of(plan, rows->rows[i]))
            add_family(plan, rows->rows[i]);
    }
    sort_shapes(plan);
}

/* The fastest kernel of a family on a shape and team: a valid cell if there is one, else one above the roof; NULL if
 * none was measured. */
static const json_t *fastest(const struct view *view, const json_t *family, const struct shape *shape, unsigned team)
{
    struct cell_query query = {.family = family, .m = shape->m, .k = shape->k, .threads = team, .cold = true};
    const json_t *best = cells_fastest(view, &query);
    for (size_t i = 0; !best && i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (is_cell(row) && cells_match(row, &query))
            best = row;
    }
    return best;
}

static double bar_width(const struct plan *plan)
{
    return 0.84 / (double)plan->family_count;
}

/* One block: the bars of one family in one panel. A bar that is not valid is hollow. @return the highest in GB/s */
static double write_bars(const struct view *view, const struct plan *plan, size_t family, unsigned team, FILE *data)
{
    double highest = 0;
    fprintf(data, "# %u threads: place, GB/s, roof of the cell in GB/s, GB/s if valid, if not, shape, kernel\n", team);
    size_t bars = 0;
    for (size_t s = 0; s < plan->shape_count; s++) {
        const json_t *row = fastest(view, plan->families[family], &plan->shapes[s], team);
        if (!row)
            continue;
        double rate = view_median(row, "bytes_per_s") / 1e9, roof = view_median(row, "roof_bytes_per_s") / 1e9;
        double place = (double)s + 0.08 + bar_width(plan) * ((double)family + 0.5);
        bool valid = !view_flag(row, "above_roof");
        fprintf(data, "%.4f %.6g %.6g %.6g %.6g \"%gx%g\" ", place, rate, roof > 0 ? roof : (double)NAN,
                valid ? rate : (double)NAN, valid ? (double)NAN : rate, plan->shapes[s].m, plan->shapes[s].k);
        gnuplot_write_field(data, view_text(row, "name"));
        fputc('\n', data);
        highest = fmax(highest, fmax(rate, roof > 0 ? roof : 0));
        bars++;
    }
    if (!bars)
        gnuplot_write_no_point(data, 5, 2);
    fputs("\n\n", data);
    return highest;
}

static bool any_invalid(const struct view *view)
{
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        if (is_cell(view->of[VIEW_GEMV].rows[i]) && view_flag(view->of[VIEW_GEMV].rows[i], "above_roof"))
            return true;
    }
    return false;
}

static bool any_cell_roof(const struct view *view)
{
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        if (view_median(view->of[VIEW_GEMV].rows[i], "roof_bytes_per_s") > 0)
            return true;
    }
    return false;
}

/* GB/s, 0 where it was not measured. */
static double roof_of_run(const struct view *view, unsigned team)
{
    double roof = view_median(view_roof(view, "memory", team), "bytes_per_s") / 1e9;
    return roof > 0 ? roof : 0;
}

static void write_panels(const struct view *view, const struct plan *plan, FILE *settings, FILE *data)
{
    size_t teams = plan->team_count;
    char text[64];
    fprintf(settings, "panels = %zu\n", teams);
    struct settings_array heights = settings_numbers(settings, "panel_max", teams);
    for (size_t t = 0; t < teams; t++) {
        double highest = roof_of_run(view, plan->teams[t]);
        for (size_t f = 0; f < plan->family_count; f++)
            highest = fmax(highest, write_bars(view, plan, f, plan->teams[t], data));
        array_number(&heights, 1.22 * highest);
    }
    struct settings_array roofs = settings_numbers(settings, "panel_roof", teams);
    for (size_t t = 0; t < teams; t++)
        array_number(&roofs, roof_of_run(view, plan->teams[t]));
    struct settings_array titles = settings_texts(settings, "panel_title", teams);
    for (size_t t = 0; t < teams; t++) {
        snprintf(text, sizeof text, "%u thread%s", plan->teams[t], plan->teams[t] == 1 ? "" : "s");
        array_text(&titles, text);
    }
    struct settings_array labels = settings_texts(settings, "panel_roof_label", teams);
    for (size_t t = 0; t < teams; t++) {
        snprintf(text, sizeof text, "roof of the run %.1f GB/s", roof_of_run(view, plan->teams[t]));
        array_text(&labels, text);
    }
}

/* Shapes are sorted by model: how many are of models before this one. */
static size_t shapes_before(const struct plan *plan, size_t model)
{
    size_t count = 0;
    while (count < plan->shape_count && plan->shapes[count].model < model)
        count++;
    return count;
}

static void write_shapes(const struct plan *plan, FILE *settings)
{
    fprintf(settings, "shapes = %zu\nmodels = %zu\n", plan->shape_count, plan->model_count);
    struct settings_array shapes = settings_texts(settings, "shape_title", plan->shape_count);
    for (size_t s = 0; s < plan->shape_count; s++) {
        char title[48];
        snprintf(title, sizeof title, "%g×%g", plan->shapes[s].m, plan->shapes[s].k);
        array_text(&shapes, title);
    }
    struct settings_array titles = settings_texts(settings, "model_title", plan->model_count);
    for (size_t m = 0; m < plan->model_count; m++)
        array_text(&titles, plan->models[m]);
    struct settings_array first = settings_numbers(settings, "model_first", plan->model_count);
    for (size_t m = 0; m < plan->model_count; m++)
        array_number(&first, (double)(shapes_before(plan, m) + 1));
    struct settings_array last = settings_numbers(settings, "model_last", plan->model_count);
    for (size_t m = 0; m < plan->model_count; m++)
        array_number(&last, (double)shapes_before(plan, m + 1));
}

static void write_families(const struct plan *plan, FILE *settings)
{
    struct series bars = {.prefix = "bar"};
    for (size_t f = 0; f < plan->family_count; f++) {
        char label[64];
        figure_family_label(plan->families[f], label, sizeof label);
        bool paper = view_is_paper(plan->families[f]);
        series_add(&bars, label, figure_colour(view_format_bits(plan->families[f])), 1, paper ? PALE : FULL);
    }
    series_write(&bars, settings);
    fprintf(settings, "bar_width = %.4f\n", bar_width(plan));
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

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct plan plan = {0};
    make_plan(view, &plan);
    if (!plan.shape_count || !plan.team_count)
        return -ENODATA;
    fprintf(settings, "cell_roofs = %d\ninvalid = %d\n", any_cell_roof(view), any_invalid(view));
    write_families(&plan, settings);
    write_shapes(&plan, settings);
    write_panels(view, &plan, settings, data);
    size_t rows = write_residuals(view, settings, data);
    size_t keys = plan.family_count + 3, strip = rows ? 72 + 22 * rows : 0; /* in pixels */
    fprintf(settings, "width = 1080\nheight = %zu\nnarrow_height = %zu\nstrip = %zu\n",
            250 + 22 * ((keys + 3) / 4) + 210 * plan.team_count + strip,
            166 + 22 * ((keys + 1) / 2) + 170 * plan.team_count + strip, strip);
    return 0;
}

static const enum view_type needs[] = {VIEW_GEMV};

const struct figure figure_gemv = {
    .name = "gemv",
    .title = "Attained bandwidth of cold GEMV, weights from memory",
    .caption =
        "Bytes of packed weights read per second. A kernel whose bar reaches the roof costs nothing beyond "
        "reading its weights. The dotted line is the roof of the run, the short dark mark on a bar the roof measured "
        "alongside that cell: the bandwidth of shared memory varies, so judge a bar by its mark. "
        "Pale bars are the papers' kernels, full ones ours; of several kernels the fastest is shown, whatever its "
        "ISA. A hollow bar lies above its roof by more than 3% and is not valid. Where a run has shapes that every "
        "team read, only those are shown. Below: by how much the measured time of cold cells of our kernels, with at least "
        "2²⁰ weights and of all shapes of the run, differs from the predicted one; the bar ends at the median of the "
        "sizes, the line at their 90th percentile, n cells. All are held out: the cell that ω of a kernel is taken from "
        "is not among them. Max is the longer of reading and computing; with ω it has what does not overlap of "
        "them; a run from before ω has max alone, from the roof beside each cell.",
    .units = "GB/s (1e9 bytes per second) of packed weights",
    .lacking = "cold product",
    .measured_by = "kneepoint gemv",
    .rank = 20,
    .section = FIGURE_GEMV,
    .needs = needs,
    .needs_count = 1,
    .write = write,
};
