/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/select/bitnet.h"
#include "results/ratio.h"

enum { TEAMS = 64, RATIOS = 3 };

static const struct ratio {
    enum bitnet_system over, under;
    const char *claims[BITNET_MACHINES]; /* of roofline/papers: "up to" on each of the paper's machines; NULL: none */
} ratios[RATIOS] = {
    {BITNET_I2_S, BITNET_F16, {"i2s-over-f16", NULL}},
    {BITNET_TL2_0, BITNET_TQ1_0, {"tl2-over-tq1-i7", "tl2-over-tq1-m2"}},
    {BITNET_TL2_0, BITNET_TMAC, {"tl2-over-tmac-i7", "tl2-over-tmac-m2"}},
};

static struct bounded bounded_of(const struct token_bound *bound)
{
    return (struct bounded){bound->seconds, bound->ci95[0], bound->ci95[1]};
}

/* What the GEMVs of the layers allow, over and under; NaN unless every shape of both was measured. */
static struct bounded measured(const struct view *view, const char *model, const struct token_kernel *over,
                               const struct token_kernel *under, unsigned team)
{
    struct token_bound fast = token_bound(view, model, over, team), slow = token_bound(view, model, under, team);
    struct bounded fast_s = bounded_of(&fast), slow_s = bounded_of(&slow), none = {NAN, NAN, NAN};
    if (!(fast.measured > 0.999 && slow.measured > 0.999))
        return none;
    struct bounded ratio = ratio_of(&slow_s, &fast_s);
    if (!isfinite(ratio.value)) /* a time without an interval */
        ratio = (struct bounded){slow.seconds / fast.seconds, NAN, NAN};
    return ratio;
}

static double stated(const struct papers *papers, size_t machine, const struct ratio *ratio, size_t size)
{
    double over[BITNET_SIZES], under[BITNET_SIZES];
    bitnet_stated(papers, machine, ratio->over, over);
    bitnet_stated(papers, machine, ratio->under, under);
    return over[size] / under[size];
}

/* A block: the ratio by model size. @return whether anything was measured here */
static bool write_ratio(const struct view *view, const struct papers *papers, const struct ratio *ratio, unsigned team,
                        double *most, FILE *data)
{
    const struct bitnet_column *over = &bitnet_columns[ratio->over], *under = &bitnet_columns[ratio->under];
    bool any = false;
    fputs(
        "# size, here with the paper's kernels, here with our fastest, i7-13700H, M2 Ultra, label, and the 95% intervals of both here\n",
        data);
    for (size_t s = 0; s < BITNET_SIZES; s++) {
        struct bounded here = measured(view, bitnet_models[s], &over->paper, &under->paper, team);
        struct bounded ours = measured(view, bitnet_models[s], &over->ours, &under->ours, team);
        double i7 = stated(papers, 0, ratio, s), m2 = stated(papers, 1, ratio, s);
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
            RATIOS, BITNET_SIZES);
    struct settings_array titles = settings_texts(settings, "panel_title", RATIOS);
    for (size_t r = 0; r < RATIOS; r++) {
        snprintf(text, sizeof text, "%s over %s", bitnet_columns[ratios[r].over].title,
                 bitnet_columns[ratios[r].under].title);
        array_text(&titles, text);
    }
    struct settings_array heights = settings_numbers(settings, "panel_max", RATIOS);
    for (size_t r = 0; r < RATIOS; r++)
        array_number(&heights, 1.12 * most[r]);
    for (size_t m = 0; m < BITNET_MACHINES; m++) {
        snprintf(text, sizeof text, "claim_%s", bitnet_machines[m]);
        struct settings_array claims = settings_numbers(settings, text, RATIOS);
        for (size_t r = 0; r < RATIOS; r++)
            array_number(&claims, claimed(papers, ratios[r].claims[m]));
    }
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    unsigned teams[TEAMS];
    double most[RATIOS] = {0};
    size_t count = view_teams(view, teams, TEAMS);
    unsigned team = count ? teams[count - 1] : 0;
    bool any = false;
    struct papers papers;
    char why[256];
    int error = papers_open(BITNET_PAPER, &papers, why, sizeof why);
    for (size_t r = 0; !error && team && r < RATIOS; r++)
        any = write_ratio(view, &papers, &ratios[r], team, &most[r], data) || any;
    if (any)
        write_settings(&papers, most, team, settings);
    papers_free(&papers);
    return error ? error : any ? 0 : -ENODATA;
}

static const enum view_type needs[] = {VIEW_GEMV};

const struct figure figure_bitnet_ratios = {
    .name = "bitnet_ratios",
    .title = "The headline ratios of bitnet.cpp, measured here and as the paper states them",
    .caption =
        "How many times more tokens per second one format gives than another, by model size. Filled points: what the "
        "cold GEMVs allow here with the paper's renderings; open diamonds: with the fastest kernels of ours in the "
        "same formats (Float16 has ours only); bars are 95% intervals. Triangles are the ratios of the paper's Table 7, end to end on its "
        "machines; dotted lines are what its text claims at most. A ratio here is of GEMVs alone and with the output "
        "head in Float16, which narrows it for small models; on a machine whose memory binds both formats it tends to "
        "the ratio of their bits per weight.",
    .units = "ratio of tokens per second, no unit",
    .rank = 74,
    .needs = needs,
    .needs_count = 1,
    .lacking = "cold GEMVs of two of bitnet.cpp's formats on all shapes of one of its models",
    .measured_by = BITNET_COMMAND("bitnet-3.8b"),
    .write = write,
};
