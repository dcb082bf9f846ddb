/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/device_rows.h"
#include "reports/select/papers/mixed.h"
#include "results/files/need.h"

enum { TEAMS = 2, PLACES = 64 };

/* Shapes of the models' layers that were measured with any team. */
struct place {
    double m, k;
    size_t model;
};

static bool is_placed(const struct place *places, size_t count, const struct shape *shape)
{
    for (size_t i = 0; i < count; i++) {
        if (places[i].m == (double)shape->m && places[i].k == (double)shape->k)
            return true;
    }
    return false;
}

/* Each shape once, under the first model that has it. */
static size_t find_places(const struct view *view, const unsigned *teams, size_t count, struct place places[PLACES])
{
    struct shape *shapes = need(SHAPES_MAX, sizeof *shapes);
    const size_t all = shapes ? shapes_all(shapes, SHAPES_MAX) : 0;
    size_t found = 0;
    for (size_t m = 0; m < MIXED_MODELS; m++) {
        for (size_t i = 0; i < all && found < PLACES; i++) {
            bool measured = false;
            if (strcmp(shapes[i].model, mixed_models[m]) != 0 || shape_is_head(&shapes[i]) ||
                is_placed(places, found, &shapes[i]))
                continue;
            for (size_t c = 0; c < MIXED_KINDS * count; c++)
                measured |= mixed_gemv(view, &mixed_columns[c / count].kernel, (double)shapes[i].m, (double)shapes[i].k,
                                       teams[c % count]) != NULL;
            if (measured)
                places[found++] = (struct place){(double)shapes[i].m, (double)shapes[i].k, m};
        }
    }
    free(shapes);
    return found;
}

/* The bars of a shape: each format beside f16. */
static void add_shape(struct bar_panels *bars, const struct place *place, unsigned threads)
{
    const struct view *view = bars->view;
    bars_group(bars, "%g×%g", place->m, place->k);
    for (size_t kind = MIXED_F16 + 1; kind < MIXED_KINDS; kind++) {
        const struct mixed_column *column = &mixed_columns[kind];
        const json_t *cell = mixed_gemv(view, &column->kernel, place->m, place->k, threads);
        const struct bounded ratio =
            best_ratio(cell, mixed_gemv(view, &mixed_columns[MIXED_F16].kernel, place->m, place->k, threads));
        const struct bar bar = {ratio.value, ratio.low, ratio.high, column->colour, .key = column->title};
        bars_add(bars, &bar, "%s, %s %g×%g: %.3g times as fast as f16, %.4g us, %.3g GB/s, %s", column->title,
                 mixed_models[place->model], place->m, place->k, ratio.value, 1e6 * view_median(cell, "time_s"),
                 view_median(cell, "bytes_per_s") / 1e9, cell ? view_text(cell, "name") : "");
    }
}

/* A bar of a device's kernel beside its f16, an interval from both. */
static void add_device_bar(struct bar_panels *bars, const struct device_shown *device, const struct shape *shape,
                           const char *kernel, const struct mixed_column *column)
{
    const double m = (double)shape->m, k = (double)shape->k;
    const json_t *row = device_row(bars->view, device, kernel, m, k, 0);
    const struct bounded ratio = best_ratio(row, device_row(bars->view, device, "f16.rows", m, k, 0));
    const struct bar bar = {ratio.value, ratio.low, ratio.high, column->colour, .key = column->title};
    bars_add(bars, &bar, "%s, %s %g×%g: %.3g times as fast as f16, %.4g us, %s", column->title, shape->model, m, k,
             ratio.value, 1e6 * view_median(row, "time_s"), kernel);
}

/* Shapes of the paper's models that were measured on a device. */
static void add_device(struct bar_panels *bars, const struct device_shown *device)
{
    struct shape *shapes = need(SHAPES_MAX, sizeof *shapes);
    const size_t all = shapes ? shapes_all(shapes, SHAPES_MAX) : 0;
    struct place places[PLACES];
    size_t count = 0;
    bars_panel(bars, "times as fast as f16", "%s", device->title);
    for (size_t m = 0; m < MIXED_MODELS; m++) {
        for (size_t i = 0; i < all && count < PLACES; i++) {
            const struct shape *shape = &shapes[i];
            if (strcmp(shape->model, mixed_models[m]) != 0 || is_placed(places, count, shape) ||
                !device_row(bars->view, device, "f16.rows", (double)shape->m, (double)shape->k, 0))
                continue;
            if (!count || places[count - 1].model != m)
                bars_heading(bars, "%s", mixed_models[m]);
            places[count++] = (struct place){(double)shape->m, (double)shape->k, m};
            bars_group(bars, "%zu×%zu", shape->m, shape->k);
            add_device_bar(bars, device, shape, "q4_0.rows", &mixed_columns[MIXED_Q4]);
            add_device_bar(bars, device, shape, "mixed24.overlapped", &mixed_columns[MIXED_DENSE]);
        }
    }
    free(shapes);
}

static void add(struct bar_panels *bars)
{
    struct device_shown devices[DEVICES_SHOWN];
    const size_t shown = devices_shown(bars->view, devices);
    unsigned teams[TEAMS];
    struct place places[PLACES];
    const size_t count = mixed_teams(bars->view, teams), found = find_places(bars->view, teams, count, places);
    for (size_t t = 0; t < count; t++) {
        bars_panel(bars, "times as fast as f16", "this host, %u thread%s", teams[t], plural(teams[t]));
        for (size_t i = 0; i < found; i++) {
            if (i == 0 || places[i].model != places[i - 1].model)
                bars_heading(bars, "%s", mixed_models[places[i].model]);
            add_shape(bars, &places[i], teams[t]);
        }
    }
    for (size_t i = 0; i < shown; i++)
        add_device(bars, &devices[i]);
}

const struct figure figure_mixed_9 = {
    .name = "mixed_9",
    .title = "GEMV over the matrices of five models, against 16-bit floats [mixed-2-4-16, Fig. 9]",
    .caption =
        "How many times as fast as our fastest f16 kernel the matrices of the models' layers are multiplied with one "
        "activation, weights from memory, with 95% intervals. Formats are Q4_0, 2- and 4-bit groups (mixed24), and "
        "the latter with 0.2% outliers. The paper compares with GPTQ's kernels, whose bits and groups its text does "
        "not say here; no format here has groups of 128 (4.16 bits with a scale and a zero), and the nearest is Q4_0, "
        "whose groups are of 32 and take 4.5 bits, in the fastest order that was measured. Bars are of this host, and of an "
        "OpenCL device of the run under its name; \"a CPU\" is no GPU. "
        "The paper's figure has bars of three GPUs, of which its text repeats no number. A shape of "
        "several models stands under the first of them. A shape without a bar was not measured, or too few of its "
        "samples were kept.",
    .units = "times as fast as f16, no unit",
    .rank = 92,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs of mixed24.lanes, mixed24_o02 or q4_0 and, on the same shapes, f16",
    .measured_by =
        "kneepoint gemv --cold --best --model=llama2-7b f16 q4_0_m16 mixed24.lanes mixed24_o02.outliers_fused",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add,
                                   .columns = 1,
                                   .plot_height = 190,
                                   .from_one = true,
                                   .one_axis = true,
                                   .turned = true,
                                   .shared = true},
};
