/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/best.h"

/** Kernels of a width that are drawn: those that are the fastest somewhere, and the fastest with tiles. */
enum { LINES = 5, ROOFS = 4, MULTIPLY_ROOF = 2, OPERAND_ROOF = 3 };

static const char *const roofs[ROOFS] = {"memory_roof_ops_per_cycle", "up_convert_roof_ops_per_cycle",
                                         "multiply_roof_ops_per_cycle", "operand_roof_ops_per_cycle"};

struct panel {
    double bits;
    const char *names[LINES];
    size_t lines;
    const char *widest;                  /* fastest with the most tokens: the roofs are its */
    bool up_converts, multiplies, loads; /* these roofs are known */
    char changes[128];                   /* which is the fastest from how many tokens on */
    double least, most;                  /* of what is drawn, operations per cycle */
};

static void add_name(struct panel *panel, const json_t *gemm)
{
    const char *name = view_text(gemm, "name");
    for (size_t i = 0; i < panel->lines; i++) {
        if (strcmp(panel->names[i], name) == 0)
            return;
    }
    if (gemm && panel->lines < LINES)
        panel->names[panel->lines++] = name;
}

/** Which kernel is the fastest from how many tokens on, in words; what does not fit is dots. */
static void say_change(struct panel *panel, double tokens, const char *fastest)
{
    enum { FITS = 84 };
    char text[96];
    size_t length = strlen(panel->changes);
    int more = length ? snprintf(text, sizeof text, ", from N = %g %.48s", tokens, fastest)
                      : snprintf(text, sizeof text, "%.48s", fastest);
    if (length + (size_t)more <= FITS)
        strcat(panel->changes, text);
    else if (length + 3 < sizeof panel->changes && !strstr(panel->changes, " …"))
        strcat(panel->changes, " …");
}

static struct panel choose(const struct view *view, struct gemm_query query, const double *tokens, size_t count)
{
    struct panel panel = {.bits = query.format_bits, .least = INFINITY};
    const char *leader = "", *any = NULL; /* any: one that is drawn, though none is known to be the fastest */
    for (size_t i = 0; i < count; i++) {
        query.n = tokens[i];
        struct best best = best_gemm(view, &query); /* to choose takes more samples than to show */
        const char *name = best.known ? view_text(best.row, "name") : "not known";
        if (!best.row)
            continue;
        if (strcmp(leader, name) != 0)
            say_change(&panel, tokens[i], name);
        leader = name;
        add_name(&panel, best.row);
        if (!best.known) {
            any = view_text(best.row, "name");
            continue;
        }
        panel.widest = name;
        query.isa_begin = "amx";
        struct best amx = best_gemm(view, &query);
        add_name(&panel, amx.known ? amx.row : NULL);
        query.isa_begin = NULL;
    }
    if (!panel.widest)
        panel.widest = any;
    return panel;
}

static const json_t *cell_of(const struct view *view, const struct gemm_query *query, const char *name)
{
    for (size_t i = 0; i < view->of[VIEW_GEMM].count; i++) {
        const json_t *row = view->of[VIEW_GEMM].rows[i];
        if (gemm_cells_match(row, query) && strcmp(view_text(row, "name"), name) == 0)
            return row;
    }
    return NULL;
}

static void take_range(struct panel *panel, double value)
{
    if (value > 0) {
        panel->least = fmin(panel->least, value);
        panel->most = fmax(panel->most, value);
    }
}

/** One block: what each roof allows the kernel with this many tokens. */
static void write_roofs(const struct view *view, struct gemm_query query, const double *tokens, size_t count,
                        struct panel *panel, FILE *data)
{
    size_t points = 0;
    fprintf(data,
            "# %g bits: tokens, operations per cycle that memory, up-converting, multiplying and operands allow %s\n",
            panel->bits, panel->widest);
    for (size_t i = 0; i < count; i++) {
        query.n = tokens[i];
        const json_t *cell = cell_of(view, &query, panel->widest);
        if (!cell)
            continue;
        fprintf(data, "%g", tokens[i]);
        for (size_t r = 0; r < ROOFS; r++) {
            double roof = view_number(cell, roofs[r]);
            fprintf(data, " %.6g", roof);
            panel->up_converts |= r == 1 && isfinite(roof);
            panel->multiplies |= r == 2 && isfinite(roof);
            panel->loads |= r == OPERAND_ROOF && isfinite(roof);
            take_range(panel, r >= MULTIPLY_ROOF ? roof : NAN); /* the others leave the picture with many tokens */
        }
        fputc('\n', data);
        points++;
    }
    gnuplot_end_block(data, points, 1 + ROOFS, 0);
}

/** One block: a kernel over the tokens; one above its roof is not valid. */
static void write_line(const struct view *view, struct gemm_query query, const double *tokens, size_t count,
                       size_t line, struct panel *panel, FILE *data)
{
    size_t points = 0;
    for (size_t i = 0; i < count && line < panel->lines; i++) {
        query.n = tokens[i];
        const json_t *cell = cell_of(view, &query, panel->names[line]);
        double attained = view_median(cell, "ops_per_cycle");
        if (!(attained > 0) || view_flag(cell, "above_roof"))
            continue;
        if (!points++)
            fputs("# tokens, operations per cycle, Gop/s, 1 if its cycles are counted, what binds, kernel\n", data);
        fprintf(data, "%g %.6g %.6g %d ", tokens[i], attained, view_median(cell, "ops_per_s") / 1e9,
                gemm_cells_is_counted(cell));
        gnuplot_write_field(data, *view_text(cell, "binds") ? view_text(cell, "binds") : "not known");
        gnuplot_write_row(data, panel->names[line], " ");
        take_range(panel, attained);
    }
    gnuplot_end_block(data, points, 4, 2);
}

/** How far below the lowest point a picture goes, so that the longest legend is below all lines, which stand in the rest of the height up to `above` of it. */
static double room_below(const struct panel *panels, size_t count, double above)
{
    static const double ROW = 15, AROUND = 10, HEIGHT = 246; /* pixels, of a panel */
    double legend = 0;
    for (size_t p = 0; p < count; p++) {
        const struct panel *panel = &panels[p];
        const int known = panel->up_converts + panel->multiplies + panel->loads;
        legend = fmax(legend, (ROW * (double)(1 + (size_t)known + panel->lines) + AROUND) / HEIGHT);
    }
    return pow(above, legend / (1 - legend));
}

static void write_panels(const struct panel *panels, size_t count, FILE *settings)
{
    set_texts(settings, "panel_title", count, p, "%g-bit weights", panels[p].bits);
    set_texts(settings, "panel_changes", count, p, "%s", panels[p].changes);
    set_colours(settings, "panel_colour", count, p, figure_colour(panels[p].bits));
    set_numbers(settings, "panel_up_converts", count, p, panels[p].up_converts);
    set_numbers(settings, "panel_multiplies", count, p, panels[p].multiplies);
    set_numbers(settings, "panel_loads", count, p, panels[p].loads);
    struct settings_array names = settings_texts(settings, "line_title", count * LINES);
    for (size_t p = 0; p < count; p++) {
        for (size_t l = 0; l < LINES; l++)
            array_text(&names, "%s", l < panels[p].lines ? panels[p].names[l] : "");
    }
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct gemm_query query = gemm_cells_reference(view);
    double tokens[GEMM_CELLS_TOKENS], widths[GEMM_CELLS_WIDTHS], least = INFINITY, most = 0;
    struct panel panels[GEMM_CELLS_WIDTHS];
    size_t count = gemm_cells_tokens(view, &query, tokens), of = gemm_cells_widths(view, &query, widths), drawn = 0;
    for (size_t w = 0; w < of; w++) {
        query.format_bits = widths[w];
        struct panel *panel = &panels[drawn];
        *panel = choose(view, query, tokens, count);
        if (!panel->lines)
            continue;
        write_roofs(view, query, tokens, count, panel, data);
        for (size_t l = 0; l < LINES; l++)
            write_line(view, query, tokens, count, l, panel, data);
        least = fmin(least, panel->least);
        most = fmax(most, panel->most);
        drawn += panel->most > 0;
    }
    if (!drawn || count < 2)
        return -ENODATA;
    const double top = 1.6 * most, room = room_below(panels, drawn, top / least);
    size_t rows = (drawn + 1) / 2;
    fprintf(settings, "heading = heading.', %gx%g, %u thread%s, %s'\n", query.m, query.k, query.threads,
            query.threads == 1 ? "" : "s", query.cold ? "cold" : "warm");
    fprintf(settings, "panels = %zu\nrows = %zu\nlines = %d\nwidth = 1080\nheight = %zu\nnarrow_height = %zu\n", drawn,
            rows, LINES, 150 + 330 * rows, 110 + 160 * drawn);
    fprintf(settings, "x_min = %g\nx_max = %g\ny_min = %.6g\ny_max = %.6g\n", tokens[0], tokens[count - 1],
            least / room, top);
    write_panels(panels, drawn, settings);
    return 0;
}

const struct figure figure_gemm_knee = {
    .name = "gemm_knee",
    .title = "From one token to many: what limits a GEMM",
    .caption =
        "Operations per cycle of one core, the mean of the team (a multiply and an add count two), over the number of "
        "tokens N that share one pass over the weights. With few tokens, reading the weights takes the time, and the "
        "line climbs along the roof of memory: twice the tokens for the same bytes. With many tokens it ends below "
        "what multiplying alone allows; in between, unpacking the weights may be the lowest roof, and on AMX tiles loading "
        "operands, one of each product from L1 and one from L2. The roofs are those of the kernel that is fastest with "
        "the most tokens; one that is not known is left out. A point with a white "
        "centre has too few samples with a clock of their own, so its cycles use the clock of the run. For each width "
        "the kernels that are fastest with some number of tokens are shown, and the fastest on AMX tiles if there are "
        "any. If too few samples were kept to choose the fastest, one of the candidates is drawn.",
    .units = "tokens; operations per cycle of one core",
    .lacking = "GEMMs with more than one number of tokens",
    .measured_by = "kneepoint gemm",
    .rank = 25,
    .section = FIGURE_GEMM,
    .needs = NEEDS(VIEW_GEMM),
    .write = write,
};
