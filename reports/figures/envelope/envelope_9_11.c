/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "micro/shape.h"
#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/models.h"

enum { WIDTHS = 3, GPUS = 2, TOKENS = 1024 };

static const double widths[WIDTHS] = {8, 2, 1};
static const char *const gpus[GPUS] = {"LNL GPU, 2-bit", "B580, 2-bit"};

/** Operations per second of the team that multiplying alone allows the cell: of its instruction set, with its operands in registers. */
static double peak_of(const json_t *gemm)
{
    double team_hz = view_median(gemm, "ops_per_s") / view_median(gemm, "ops_per_cycle"); /* of one core times cores */
    return view_number(gemm, "multiply_roof_ops_per_cycle") * team_hz;
}

/** The highest that any instruction set reached, of 8 bits and less: floats multiply something else. */
static double peak(const struct view *view, const struct gemm_query *query)
{
    double most = NAN;
    for (size_t i = 0; i < view->of[VIEW_GEMM].count; i++) {
        const json_t *row = view->of[VIEW_GEMM].rows[i];
        if (gemm_cells_match(row, query) && view_format_bits(row) <= 8)
            most = fmax(most, peak_of(row));
    }
    return most;
}

/** Of the peak, with the largest shape that was measured with the width. */
struct share {
    double share, weights;
};

/** A bar of a width on a shape, or that the fastest kernel is not known. */
static void add_width(struct bar_panels *bars, const struct gemm_query *query, const struct shape *shape, double peak,
                      struct share *share)
{
    const struct best best = best_gemm(bars->view, query);
    const json_t *fastest = best.known ? best.row : NULL;
    const double attained = view_median(fastest, "ops_per_s");
    char key[24], unknown[48];
    snprintf(key, sizeof key, "%g-bit", query->format_bits);
    if (best.row && !best.known) {
        snprintf(unknown, sizeof unknown, "%s: not known", key);
        bars_note(bars, unknown);
        return;
    }
    const struct bar bar = {.value = attained / 1e12, .colour = figure_colour(query->format_bits), .key = key};
    bars_add(bars, &bar, "%s, %zu×%zu: %s %.3g Top/s, %.0f%% of the peak", shape->model, shape->m, shape->k,
             fastest ? view_text(fastest, "name") : "", bar.value, 100 * attained / peak);
    if (attained > 0 && query->m * query->k >= share->weights)
        *share = (struct share){attained / peak, query->m * query->k};
}

static void add_share(struct bar_panels *bars, double share, unsigned colour, const char *title)
{
    struct bar bar = {100 * share, .colour = colour};
    snprintf(bar.text, sizeof bar.text, "%.0f", bar.value);
    if (!(share > 0))
        return;
    bars_group(bars, "%s", title);
    bars_add(bars, &bar, "%s: %.0f%%", title, bar.value);
}

/** Shares of a peak, here with the largest shape and in the paper. */
static void add_shares(struct bar_panels *bars, const struct share shares[WIDTHS])
{
    bars_panel(bars, "percent of the peak", "largest shape");
    for (size_t w = 0; w < WIDTHS; w++) {
        char title[32];
        snprintf(title, sizeof title, "here, %g-bit", widths[w]);
        add_share(bars, shares[w].share, figure_colour(widths[w]), title);
    }
    for (size_t g = 0; g < GPUS; g++)
        add_share(bars, bars_stated(bars, "gemm_int2_gpu", g) / bars_stated(bars, "gemm_int8_gpu", g), 0x999999,
                  gpus[g]);
}

/** The shapes of the paper's models that a GEMM was measured on. */
static size_t measured_shapes(const struct view *view, const struct gemm_query *query, struct shape shapes[SHAPES_MAX])
{
    size_t total = models_timed_by("envelope, Fig. 5-8", shapes), count = 0;
    for (size_t i = 0; i < total; i++) {
        struct gemm_query of = *query;
        double tokens[GEMM_CELLS_TOKENS];
        of.m = (double)shapes[i].m;
        of.k = (double)shapes[i].k;
        if (gemm_cells_tokens(view, &of, tokens))
            shapes[count++] = shapes[i];
    }
    return count;
}

static void add(struct bar_panels *bars)
{
    const struct view *view = bars->view;
    struct gemm_query query = gemm_cells_reference(view);
    struct shape shapes[SHAPES_MAX];
    struct share shares[WIDTHS] = {{0}};
    query.m = query.k = 0;
    query.n = TOKENS;
    const size_t count = measured_shapes(view, &query, shapes);
    const double limit = peak(view, &query);
    bars->team = query.threads;
    bars_panel(bars, "Top/s", "%s", "");
    for (size_t s = 0; s < count; s++) {
        bars_group(bars, "%zu×%zu", shapes[s].m, shapes[s].k);
        query.m = (double)shapes[s].m;
        query.k = (double)shapes[s].k;
        for (size_t w = 0; w < WIDTHS; w++) {
            query.format_bits = widths[w];
            add_width(bars, &query, &shapes[s], limit, &shares[w]);
        }
    }
    bars_level(bars, limit / 1e12, 3, "measured peak");
    if (bars->bars)
        add_shares(bars, shares);
}

const struct figure figure_envelope_9_11 = {
    .name = "envelope_9_11",
    .title = "GEMM of 1,024 tokens by weight shape, against the measured peak [envelope, Fig. 9 and 11]",
    .caption =
        "Left, operations per second (a multiply and an add count two) of the fastest valid kernel of each width, its "
        "largest team, on the shapes of the paper's models. The dotted line is the peak that was measured here: the "
        "highest rate of multiplying 8-bit integers with operands in registers, of the instruction sets that these "
        "kernels use. Not known: too few samples of several kernels were kept to choose the fastest. Right, the share "
        "of the peak with the largest shape of each width. The paper's kernels run on GPUs: the 2-bit GEMM on the one "
        "of Lunar Lake attained 47 TFLOPS where the library's 8-bit one attained 53, and on a B580 175 TFLOPS of "
        "about 200 that its 8-bit units can do.",
    .units = "Top/s (1e12 operations per second); percent",
    .lacking = "GEMMs of 1,024 tokens on the shapes of falcon3-1b, llama3-8b or mobilellm-1.5b",
    .measured_by = "kneepoint gemm --tokens=1024 --model=llama3-8b",
    .rank = 63,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMM),
    .paper = "envelope",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 2, .plot_height = 290, .turned = true, .gap = 0.6},
};
