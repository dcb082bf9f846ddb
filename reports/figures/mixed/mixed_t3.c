/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/papers/mixed.h"
#include "reports/select/tokens/joules.h"
#include "roofline/cost.h"

/* What the paper's tokens have, and its baseline: its own kernels keep 0.2% outliers. */
static const enum mixed_kind kinds[] = {MIXED_F16, MIXED_Q4, MIXED_OUTLIERS};
enum { KINDS = sizeof kinds / sizeof *kinds, TEAMS = 2, ROWS = 11, STATED_KINDS = 3 };

/* A bound is the model's as soon as one shape of the layers is: the head in 16 bits is not measured. */
#define MEASURED_WHOLLY 0.999

/* The rows of Table 3 but for its base, PyTorch on the first GPUs of a model. */
static const struct {
    const char *claim, *title; /* of "speedup-<claim>", "runtime-cost-<claim>" and "total-cost-<claim>" */
    size_t model, kind;        /* kind: of stated_titles */
} rows[ROWS] = {
    {"llama2-7b-gptq", "7b GPTQ", 0, 0},   {"llama2-7b", "7b", 0, 1},
    {"llama2-7b-2080", "7b 2080", 0, 2},   {"llama2-13b-gptq", "13b GPTQ", 1, 0},
    {"llama2-13b", "13b", 1, 1},           {"llama2-70b-gptq", "70b GPTQ", 2, 0},
    {"llama2-70b", "70b", 2, 1},           {"llama3-8b", "8b", 3, 1},
    {"llama3-8b-2080", "8b 2080", 3, 2},   {"chatglm3-6b", "6b", 4, 1},
    {"chatglm3-6b-2080", "6b 2080", 4, 2},
};
static const char *const stated_titles[STATED_KINDS] = {"the paper, GPTQ", "the paper, its own",
                                                        "its own, on an RTX 2080"};

/* ---- this host ---- */

static struct bounded rate_of(const struct view *view, size_t model, size_t kind, unsigned team, double *measured)
{
    const struct token_bound bound = token_bound(view, mixed_models[model], &mixed_columns[kinds[kind]].kernel, team);
    *measured = bound.measured;
    if (!(bound.seconds > 0))
        return (struct bounded){NAN, NAN, NAN};
    return (struct bounded){1 / bound.seconds, 1 / bound.ci95[1], 1 / bound.ci95[0]};
}

/* One block: tokens/s and joules of a kind, over the models. @return how many have a number */
static size_t write_rates(const struct view *view, size_t kind, unsigned team, double *most, FILE *data)
{
    size_t count = 0;
    fprintf(
        data,
        "# %s, %u threads: place, tokens/s of measured GEMVs, partly modelled, low, high, share measured, J/token, model\n",
        mixed_columns[kinds[kind]].title, team);
    for (size_t m = 0; m < MIXED_MODELS; m++) {
        double measured;
        const struct bounded rate = rate_of(view, m, kind, team, &measured);
        const bool wholly = measured > MEASURED_WHOLLY;
        const double joules = joules_of_token(view, mixed_models[m], &mixed_columns[kinds[kind]].kernel, team);
        fprintf(data, "%.4f %.5g %.5g %.5g %.5g %.3f %.4g \"%s\"\n", mixed_place(m, kind, KINDS),
                wholly ? rate.value : (double)NAN, wholly ? (double)NAN : rate.value, rate.low, rate.high, measured,
                joules, mixed_models[m]);
        count += rate.value > 0;
        *most = fmax(*most, rate.high > 0 ? rate.high : rate.value);
    }
    fputs("\n\n", data);
    return count;
}

/* One block: how many times as fast as f16. */
static void write_speedups(const struct view *view, size_t kind, unsigned team, double *most, FILE *data)
{
    fprintf(data, "# %s, %u threads: place, times as fast as f16, low, high, model\n", mixed_columns[kinds[kind]].title,
            team);
    for (size_t m = 0; m < MIXED_MODELS; m++) {
        double measured;
        const struct bounded rate = rate_of(view, m, kind, team, &measured),
                             base = rate_of(view, m, 0, team, &measured), ratio = ratio_of(&rate, &base);
        const double value = rate.value / base.value;
        fprintf(data, "%.4f %.4g %.4g %.4g \"%s\"\n", mixed_place(m, kind - 1, KINDS - 1), value, ratio.low, ratio.high,
                mixed_models[m]);
        *most = fmax(*most, ratio.high > value ? ratio.high : value);
    }
    fputs("\n\n", data);
}

/* ---- the paper ---- */

static const struct papers_claim *claim_of(const struct papers *papers, const char *what, size_t row)
{
    char id[64];
    snprintf(id, sizeof id, "%s-%s", what, rows[row].claim);
    return papers_claim_of(papers, MIXED_PAPER, id);
}

static double stated(const struct papers *papers, const char *what, size_t row)
{
    const struct papers_claim *claim = claim_of(papers, what, row);
    return claim ? claim->readings[0].stated.printed.nominal : (double)NAN;
}

/* One block: the paper's speed-ups of a kind, at their models. */
static void write_stated_speedups(const struct papers *papers, size_t kind, double *most, FILE *data)
{
    fprintf(data, "# %s: place, times as fast as PyTorch, row\n", stated_titles[kind]);
    for (size_t r = 0; r < ROWS; r++) {
        const double value = stated(papers, "speedup", r);
        fprintf(data, "%.4f %.4g \"%s\"\n", (double)rows[r].model + 0.3 + 0.2 * (double)kind,
                rows[r].kind == kind ? value : (double)NAN, rows[r].title);
        *most = fmax(*most, value);
    }
    fputs("\n\n", data);
}

/* One block: what Table 3 states of a cost, and what follows from its powers, prices and rates. */
static void write_costs(const struct papers *papers, const char *what, double *most, FILE *data)
{
    fprintf(data,
            "# %s: place, stated, recomputed of the energy, with the hardware by the hour, by the token, kind, row\n",
            what);
    for (size_t r = 0; r < ROWS; r++) {
        const struct papers_claim *claim = claim_of(papers, "total-cost", r);
        const struct cost_system base = {papers_claim_input(claim, "base_gpus"),
                                         papers_claim_input(claim, "base_power"),
                                         papers_claim_input(claim, "base_price"),
                                         papers_claim_input(claim, "base_rate")},
                                 system = {papers_claim_input(claim, "gpus"), papers_claim_input(claim, "power"),
                                           papers_claim_input(claim, "price"), papers_claim_input(claim, "rate")};
        const double electricity = papers_claim_input(claim, "electricity"), value = stated(papers, what, r);
        const bool total = strcmp(what, "total-cost") == 0;
        const double none = NAN, energy = total ? none : cost_runtime_reduction(&base, &system),
                     by_hour = total ? cost_total_reduction(&base, &system, electricity, COST_BY_HOUR) : none,
                     by_token = total ? cost_total_reduction(&base, &system, electricity, COST_BY_TOKEN) : none;
        fprintf(data, "%.1f %.4g %.4g %.4g %.4g %zu \"%s\"\n", (double)r + 0.5, value, energy, by_hour, by_token,
                rows[r].kind + 1, rows[r].title);
        *most = fmax(*most, fmax(value, by_token));
    }
    fputs("\n\n", data);
}

/* ---- settings ---- */

static void write_titles(FILE *settings)
{
    set_texts(settings, "model_title", MIXED_MODELS, m, mixed_models[m]);
    set_texts(settings, "kind_title", KINDS, i, mixed_columns[kinds[i]].title);
    set_colours(settings, "kind_colour", KINDS, i, mixed_columns[kinds[i]].colour);
    set_texts(settings, "stated_title", STATED_KINDS, i, stated_titles[i]);
    set_texts(settings, "row_title", ROWS, r, rows[r].title);
}

/* "J/token decoded of llama2-7b; f16: 12.1; …", of the first model with numbers, or why there are none. */
static void write_joules(const struct view *view, unsigned team, FILE *settings)
{
    char text[256] = "";
    for (size_t m = 0; m < MIXED_MODELS && !*text; m++) {
        size_t used = 0;
        for (size_t i = 0; i < KINDS; i++) {
            const struct mixed_column *column = &mixed_columns[kinds[i]];
            const double joules = joules_of_token(view, mixed_models[m], &column->kernel, team);
            if (joules > 0 && !used)
                used = (size_t)snprintf(text, sizeof text, "J/token decoded of %s", mixed_models[m]);
            if (joules > 0 && used < sizeof text)
                used += (size_t)snprintf(text + used, sizeof text - used, "; %s: %.3g", column->title, joules);
        }
    }
    if (!*text)
        snprintf(text, sizeof text, "J/token: none, %s",
                 joules_missing(view, mixed_models[0], &mixed_columns[MIXED_OUTLIERS].kernel, team));
    fputs("joules = ", settings);
    gnuplot_write_string(settings, text);
    fputc('\n', settings);
}

/* ---- all of it ---- */

static int write_paper(double *most_speedup, double *most_cost, FILE *data)
{
    struct papers papers;
    char why[256];
    int error = papers_open(MIXED_PAPER, &papers, why, sizeof why);
    for (size_t i = 0; !error && i < STATED_KINDS; i++)
        write_stated_speedups(&papers, i, most_speedup, data);
    if (!error) {
        write_costs(&papers, "runtime-cost", most_cost, data);
        write_costs(&papers, "total-cost", most_cost, data);
    }
    papers_free(&papers);
    return error;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    unsigned teams[TEAMS];
    double most_rate = 0, most_speedup = 0, most_cost = 0;
    size_t bars = 0;
    const unsigned team = mixed_teams(view, teams) ? teams[0] : 0;
    for (size_t i = 0; team && i < KINDS; i++)
        bars += write_rates(view, i, team, &most_rate, data);
    if (!bars)
        return -ENODATA;
    for (size_t i = 1; i < KINDS; i++)
        write_speedups(view, i, team, &most_speedup, data);
    int error = write_paper(&most_speedup, &most_cost, data);
    fprintf(
        settings,
        "width = 1080\nheight = 900\nnarrow_height = 1250\nkinds = %d\nmodels = %d\nstated_kinds = %d\nrows = %d\nteam = %u\n"
        "rate_max = %.5g\nspeedup_max = %.4g\ncost_max = %.4g\n",
        KINDS, MIXED_MODELS, STATED_KINDS, ROWS, team, most_rate, most_speedup, most_cost);
    write_titles(settings);
    write_joules(view, team, settings);
    return error;
}

const struct figure figure_mixed_t3 = {
    .name = "mixed_t3",
    .title = "Tokens, speed-up and cost of five models [mixed-2-4-16, Table 3]",
    .caption =
        "Top left, measured here with all threads: the tokens per second that the weight matrices of a model allow: "
        "one over the sum of count x time of their cold GEMVs and the preparation of activations, with the output "
        "head in 16 bits as in the paper and nothing else counted. In an empty bar some matrices were not measured, "
        "and the model stands in for them. Top right, how many times as fast as f16 that is, with 95% intervals, and "
        "as marks what the paper measured end to end on its GPUs over PyTorch (RTX 3090, A100 for 70b; RTX 2080 as "
        "named). Nothing below is of this host: bars are the cost reductions that Table 3 states, and marks are what "
        "its powers, prices and tokens per second give by equation (11) (roofline/cost.h). On the left is the energy "
        "alone, on the right the hardware is included. There, a triangle counts the same hours of ownership for both "
        "systems, which reproduces Table 3; a circle counts each for as long as its tokens take. One over the ratio "
        "of joules is what energy would save here; without joules, the line above says why.",
    .units = "tokens per second; times as fast, times less cost, no unit; J",
    .rank = 93,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs of f16, q4_0 or mixed24_o02 on the shapes of llama2-7b or another model of the paper's",
    .measured_by =
        "kneepoint gemv --cold --best --model=llama2-7b f16 q4_0_m16 mixed24_o02.outliers_fused --results=results",
    .write = write,
};
