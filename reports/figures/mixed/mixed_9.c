/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/papers/mixed.h"

enum { TEAMS = 2, PLACES = 64 };

/* Shapes of the models' layers side by side, a gap between models. */
struct place {
    double at, m, k;
    size_t model;
};

static size_t find_places(const struct view *view, const unsigned *teams, size_t count, struct place places[PLACES])
{
    struct shape *shapes = malloc(SHAPES_MAX * sizeof *shapes);
    const size_t all = shapes ? shapes_all(shapes, SHAPES_MAX) : 0;
    size_t found = 0;
    double at = 0;
    for (size_t m = 0; m < MIXED_MODELS; m++) {
        for (size_t i = 0; i < all && found < PLACES; i++) {
            bool measured = false;
            if (strcmp(shapes[i].model, mixed_models[m]) != 0 || shape_is_head(&shapes[i]))
                continue;
            for (size_t c = 0; c < MIXED_KINDS * count; c++)
                measured |= mixed_gemv(view, &mixed_columns[c / count].kernel, (double)shapes[i].m, (double)shapes[i].k,
                                       teams[c % count]) != NULL;
            if (!measured)
                continue;
            at += found && places[found - 1].model != m ? 1.8 : 1;
            places[found++] = (struct place){at, (double)shapes[i].m, (double)shapes[i].k, m};
        }
    }
    free(shapes);
    return found;
}

/* One block: the bars of a format with a team. @return the highest */
static double write_bars(const struct view *view, enum mixed_kind kind, const struct place *places, size_t count,
                         unsigned threads, size_t *bars, FILE *data)
{
    double most = 0;
    size_t written = 0;
    fprintf(data, "# %s, %u threads: place, times as fast as f16, low, high, us, GB/s, shape, kernel\n",
            mixed_columns[kind].title, threads);
    for (size_t i = 0; i < count; i++) {
        const json_t *cell = mixed_gemv(view, &mixed_columns[kind].kernel, places[i].m, places[i].k, threads);
        const struct bounded ratio =
            best_ratio(cell, mixed_gemv(view, &mixed_columns[MIXED_F16].kernel, places[i].m, places[i].k, threads));
        char shape[64];
        if (!(ratio.value > 0))
            continue;
        snprintf(shape, sizeof shape, "%s %g×%g", mixed_models[places[i].model], places[i].m, places[i].k);
        fprintf(data, "%.4f %.4g %.4g %.4g %.4g %.4g ", places[i].at + ((double)kind - 2) * 0.27, ratio.value,
                ratio.low, ratio.high, 1e6 * view_median(cell, "time_s"), view_median(cell, "bytes_per_s") / 1e9);
        gnuplot_write_field(data, shape);
        fputc(' ', data);
        gnuplot_write_field(data, view_text(cell, "name"));
        fputc('\n', data);
        most = fmax(most, ratio.high > ratio.value ? ratio.high : ratio.value);
        written++;
    }
    if (!written)
        gnuplot_write_no_point(data, 6, 2);
    fputs("\n\n", data);
    *bars += written;
    return most;
}

static void write_places(const struct place *places, size_t count, FILE *settings)
{
    char text[48];
    fprintf(settings, "places = %zu\nplaces_end = %.4f\n", count, places[count - 1].at + 0.7);
    struct settings_array titles = settings_texts(settings, "place_title", count);
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%g×%g", places[i].m, places[i].k);
        array_text(&titles, text);
    }
    set_numbers(settings, "place_at", count, i, places[i].at);
    size_t models = 0;
    for (size_t i = 0; i < count; i++)
        models += i == 0 || places[i].model != places[i - 1].model;
    fprintf(settings, "models = %zu\n", models);
    struct settings_array names = settings_texts(settings, "model_title", models);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || places[i].model != places[i - 1].model)
            array_text(&names, mixed_models[places[i].model]);
    }
    struct settings_array from = settings_numbers(settings, "model_at", models);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || places[i].model != places[i - 1].model)
            array_number(&from, places[i].at - 0.5);
    }
}

static void write_settings(const unsigned *teams, size_t count, double most, FILE *settings)
{
    char title[64];
    fprintf(settings, "width = 1080\nheight = %zu\nnarrow_height = %zu\npanels = %zu\nkinds = %d\nratio_max = %.4g\n",
            210 + 230 * count, 230 + 230 * count, count, MIXED_KINDS - 1, most);
    struct settings_array titles = settings_texts(settings, "panel_title", count);
    for (size_t t = 0; t < count; t++) {
        snprintf(title, sizeof title, "this host, %u thread%s", teams[t], teams[t] == 1 ? "" : "s");
        array_text(&titles, title);
    }
    struct settings_array names = settings_texts(settings, "kind_title", MIXED_KINDS - 1);
    for (size_t i = 1; i < MIXED_KINDS; i++)
        array_text(&names, mixed_columns[i].title);
    struct settings_array colours = settings_numbers(settings, "kind_colour", MIXED_KINDS - 1);
    for (size_t i = 1; i < MIXED_KINDS; i++)
        array_colour(&colours, mixed_columns[i].colour);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    unsigned teams[TEAMS];
    struct place places[PLACES];
    const size_t count = mixed_teams(view, teams), found = find_places(view, teams, count, places);
    size_t bars = 0;
    double most = 0;
    for (size_t t = 0; t < count; t++) {
        for (size_t i = 1; i < MIXED_KINDS; i++)
            most = fmax(most, write_bars(view, (enum mixed_kind)i, places, found, teams[t], &bars, data));
    }
    if (!bars)
        return -ENODATA;
    write_settings(teams, count, most, settings);
    write_places(places, found, settings);
    return 0;
}

const struct figure figure_mixed_9 = {
    .name = "mixed_9",
    .title = "GEMV over the matrices of five models, against 16-bit floats [mixed-2-4-16, Fig. 9]",
    .caption =
        "How many times as fast as our fastest f16 kernel the matrices of the models' layers are multiplied with one "
        "activation, weights from memory, with 95% intervals. Formats are Q4_0, 2- and 4-bit groups (mixed24), and "
        "the latter with 0.2% outliers. The paper compares with GPTQ's kernels, whose bits and groups its text does "
        "not say here; no format here has groups of 128 (4.16 bits with a scale and a zero), and the nearest is Q4_0, "
        "whose groups are of 32 and take 4.5 bits, in the fastest order that was measured. All bars are of this host. "
        "The paper's figure has bars of three GPUs, of which its text repeats no number. A shape without a bar was "
        "not measured, or too few of its samples were kept.",
    .units = "times as fast as f16, no unit",
    .rank = 92,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs of mixed24.lanes, mixed24_o02 or q4_0 and, on the same shapes, f16",
    .measured_by =
        "kneepoint gemv --cold --best --model=llama2-7b f16 q4_0_m16 mixed24.lanes mixed24_o02.outliers_fused --results=results",
    .write = write,
};
