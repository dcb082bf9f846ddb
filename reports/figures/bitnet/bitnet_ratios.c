/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/select/papers/bitnet.h"

/* A block: the ratio by model size. @return whether anything was measured here */
static bool write_ratio(const struct view *view, const struct papers *papers, const struct bitnet_ratio *ratio,
                        unsigned team, double *most, FILE *data)
{
    const struct bitnet_column *over = &bitnet_columns[ratio->over], *under = &bitnet_columns[ratio->under];
    bool any = false;
    double i7_ratios[BITNET_SIZES], m2_ratios[BITNET_SIZES];
    bitnet_stated_ratio(papers, 0, ratio, i7_ratios);
    bitnet_stated_ratio(papers, 1, ratio, m2_ratios);
    fputs(
        "# size, here with the paper's kernels, here with our fastest, i7-13700H, M2 Ultra, label, and the 95% intervals of both here\n",
        data);
    for (size_t s = 0; s < BITNET_SIZES; s++) {
        struct bounded here = bitnet_measured(view, bitnet_models[s], &over->paper, &under->paper, team);
        struct bounded ours = bitnet_measured(view, bitnet_models[s], &over->ours, &under->ours, team);
        double i7 = i7_ratios[s], m2 = m2_ratios[s];
        any = any || isfinite(here.value) || isfinite(ours.value);
        *most = fmax(*most, fmax(fmax(fmax(here.value, ours.value), fmax(here.high, ours.high)), fmax(i7, m2)));
        fprintf(data, "%zu %.4g %.4g %.4g %.4g \"%s\" %.4g %.4g %.4g %.4g\n", s + 1, here.value, ours.value, i7, m2,
                bitnet_sizes[s], here.low, here.high, ours.low, ours.high);
    }
    fputs("\n\n", data);
    return any;
}

/* What the paper's text claims at most; NaN without such a claim. */
static double claimed(const struct papers *papers, const char *id)
{
    const struct papers_claim *claim = id ? papers_claim_of(papers, BITNET_PAPER, id) : NULL;
    return claim ? claim->readings[0].stated.printed.nominal : NAN;
}

static void write_settings(const struct papers *papers, const double *most, unsigned team, FILE *settings)
{
    char text[64];
    fprintf(settings, "width = 1080\nheight = 440\nnarrow_height = 820\nthreads = %u\npanels = %d\nsizes = %d\n", team,
            BITNET_RATIOS, BITNET_SIZES);
    set_texts(settings, "panel_title", BITNET_RATIOS, r, "%s over %s", bitnet_columns[bitnet_ratios[r].over].title,
              bitnet_columns[bitnet_ratios[r].under].title);
    set_numbers(settings, "panel_max", BITNET_RATIOS, r, 1.12 * most[r]);
    for (size_t m = 0; m < BITNET_MACHINES; m++) {
        snprintf(text, sizeof text, "claim_%s", bitnet_machines[m]);
        set_numbers(settings, text, BITNET_RATIOS, r, claimed(papers, bitnet_ratios[r].claims[m]));
    }
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    double most[BITNET_RATIOS] = {0};
    const unsigned team = view_widest_team(view);
    bool any = false;
    struct papers papers;
    char why[256];
    int error = papers_open(BITNET_PAPER, &papers, why, sizeof why);
    for (size_t r = 0; !error && team && r < BITNET_RATIOS; r++)
        any = write_ratio(view, &papers, &bitnet_ratios[r], team, &most[r], data) || any;
    if (any)
        write_settings(&papers, most, team, settings);
    papers_free(&papers);
    return error ? error : any ? 0 : -ENODATA;
}

const struct figure figure_bitnet_ratios = {
    .name = "bitnet_ratios",
    .title = "The headline ratios of bitnet.cpp, measured here and as the paper states them",
    .caption =
        "How many times more tokens per second one format gives than another, by model size. Filled points: what the "
        "cold GEMVs allow here with the paper's renderings; open diamonds: with the fastest kernels of ours in the "
        "same formats (Float16 has ours only); bars are 95% intervals. Triangles are the ratios of the paper's Table "
        "7, end to end on its machines; dotted lines are what its text claims at most. A ratio here counts only GEMVs "
        "and the preparation of their operands, with the output head in Float16, which reduces it for small models. "
        "If memory binds both formats, it tends to the ratio of their bits per weight.",
    .units = "ratio of tokens per second, no unit",
    .rank = 74,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs of two of bitnet.cpp's formats on all shapes of one of its models",
    .measured_by = BITNET_COMMAND("bitnet-3.8b"),
    .paper = BITNET_PAPER,
    .write = write,
};
