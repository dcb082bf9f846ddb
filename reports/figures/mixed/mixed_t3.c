/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/papers/mixed.h"
#include "reports/select/tokens/decoded.h"
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
    {"llama2-7b-gptq", "7b|GPTQ", 0, 0},   {"llama2-7b", "7b", 0, 1},
    {"llama2-7b-2080", "7b|2080", 0, 2},   {"llama2-13b-gptq", "13b|GPTQ", 1, 0},
    {"llama2-13b", "13b", 1, 1},           {"llama2-70b-gptq", "70b|GPTQ", 2, 0},
    {"llama2-70b", "70b", 2, 1},           {"llama3-8b", "8b", 3, 1},
    {"llama3-8b-2080", "8b|2080", 3, 2},   {"chatglm3-6b", "6b", 4, 1},
    {"chatglm3-6b-2080", "6b|2080", 4, 2},
};
static const struct {
    const char *title, *cost;
    int mark;
    unsigned colour;
} stated_kinds[STATED_KINDS] = {{"the paper, GPTQ", "cost: GPTQ", 4, 0xe69f00},
                                {"the paper, its own", "cost: its own", 13, 0x0072b2},
                                {"its own, on an RTX 2080", "cost: its own, RTX 2080", 12, 0x56b4e9}};

/* ---- this host ---- */

static struct bounded rate_of(const struct view *view, size_t model, size_t kind, unsigned team, double *measured)
{
    const struct token_bound bound = token_bound(view, mixed_models[model], &mixed_columns[kinds[kind]].kernel, team);
    *measured = bound.measured;
    if (!(bound.seconds > 0))
        return (struct bounded){NAN, NAN, NAN};
    return (struct bounded){1 / bound.seconds, 1 / bound.ci95[1], 1 / bound.ci95[0]};
}

/* ---- the paper ---- */

static const struct papers_claim *claim_of(const struct bar_panels *bars, const char *what, size_t row)
{
    char id[64];
    snprintf(id, sizeof id, "%s-%s", what, rows[row].claim);
    return papers_claim_of(&bars->papers, MIXED_PAPER, id);
}

static double stated(const struct bar_panels *bars, const char *what, size_t row)
{
    const struct papers_claim *claim = claim_of(bars, what, row);
    return claim ? claim->readings[0].stated.printed.nominal : (double)NAN;
}

/* ---- panels ---- */

/* "J/token decoded of llama2-7b; f16: 12.1; …", of the first model with numbers, or why there are none. */
static void say_joules(const struct view *view, unsigned team, char *text, size_t size)
{
    *text = 0;
    for (size_t m = 0; m < MIXED_MODELS && !*text; m++) {
        size_t used = 0;
        for (size_t i = 0; i < KINDS; i++) {
            const struct mixed_column *column = &mixed_columns[kinds[i]];
            const double joules = joules_of_token(view, mixed_models[m], &column->kernel, team);
            if (joules > 0 && !used)
                used = (size_t)snprintf(text, size, "J/token decoded of %s", mixed_models[m]);
            if (joules > 0 && used < size)
                used += (size_t)snprintf(text + used, size - used, "; %s: %.3g", column->title, joules);
        }
    }
    if (!*text)
        snprintf(text, size, "J/token: none, %s",
                 joules_missing(view, mixed_models[0], &mixed_columns[MIXED_OUTLIERS].kernel, team));
}

static void add_rates(struct bar_panels *bars, unsigned team)
{
    char joules[96];
    bool partly = false;
    bars_panel(bars, "tokens/s", "this host, %u thread%s: tokens/s that the GEMVs allow", team, plural(team));
    say_joules(bars->view, team, joules, sizeof joules);
    bars_heading(bars, "%s", joules);
    for (size_t m = 0; m < MIXED_MODELS; m++) {
        bars_group(bars, "%s", mixed_models[m]);
        for (size_t i = 0; i < KINDS; i++) {
            const struct mixed_column *column = &mixed_columns[kinds[i]];
            double measured;
            const struct bounded rate = rate_of(bars->view, m, i, team, &measured);
            struct bar bar = {rate.value, rate.low, rate.high, column->colour, .opacity = 1};
            bars_key(bars, column->title, column->colour, 1);
            if (rate.value > 0 && measured <= MEASURED_WHOLLY)
                bar.opacity = 0.15;
            partly |= bar.opacity < 1;
            bars_add(bars, &bar, "%s, %s: at most %.4g tokens/s, %.0f%% of the bytes measured", column->title,
                     mixed_models[m], rate.value, 100 * measured);
        }
    }
    if (partly)
        bars_key(bars, "partly modelled", 0x1a1a1a, 0.15);
}

/* Here over f16, and the paper's over PyTorch: GPTQ's beside our Q4_0, its own beside ours with outliers. */
static void add_speedups(struct bar_panels *bars, unsigned team)
{
    bars_panel(bars, "times as fast", "times as fast as 16-bit floats");
    for (size_t m = 0; m < MIXED_MODELS; m++) {
        bars_group(bars, "%s", mixed_models[m]);
        for (size_t i = 1; i < KINDS; i++) {
            const struct mixed_column *column = &mixed_columns[kinds[i]];
            double measured;
            const struct bounded rate = rate_of(bars->view, m, i, team, &measured),
                                 base = rate_of(bars->view, m, 0, team, &measured), ratio = ratio_of(&rate, &base);
            const struct bar bar = {rate.value / base.value, ratio.low, ratio.high, column->colour, .opacity = 1};
            bars_add(bars, &bar, "%s, %s: %.3g times as fast as f16", column->title, mixed_models[m], bar.value);
            for (size_t r = 0; r < ROWS; r++) {
                if (rows[r].model == m && (rows[r].kind > 0) == (i > 1))
                    bars_mark(bars, stated(bars, "speedup", r), stated_kinds[rows[r].kind].mark, 0x1a1a1a,
                              stated_kinds[rows[r].kind].title, "%s: %.3g times as fast as PyTorch", rows[r].claim,
                              stated(bars, "speedup", r));
            }
        }
    }
    bars_level(bars, 1, 1, NULL);
}

/* What Table 3 states of a cost, and what follows from its powers, prices and rates. */
static void add_costs(struct bar_panels *bars, const char *what, const char *title)
{
    const bool total = strcmp(what, "total-cost") == 0;
    bars_panel(bars, "times less", "%s", title);
    for (size_t r = 0; r < ROWS; r++) {
        const struct papers_claim *claim = claim_of(bars, "total-cost", r);
        const struct cost_system base = {papers_claim_input(claim, "base_gpus"),
                                         papers_claim_input(claim, "base_power"),
                                         papers_claim_input(claim, "base_price"),
                                         papers_claim_input(claim, "base_rate")},
                                 system = {papers_claim_input(claim, "gpus"), papers_claim_input(claim, "power"),
                                           papers_claim_input(claim, "price"), papers_claim_input(claim, "rate")};
        const double electricity = papers_claim_input(claim, "electricity"),
                     by_hour = total ? cost_total_reduction(&base, &system, electricity, COST_BY_HOUR)
                                     : cost_runtime_reduction(&base, &system),
                     by_token = total ? cost_total_reduction(&base, &system, electricity, COST_BY_TOKEN) : (double)NAN;
        const struct bar bar = {.value = stated(bars, what, r),
                                .colour = stated_kinds[rows[r].kind].colour,
                                .key = stated_kinds[rows[r].kind].cost};
        bars_group(bars, "%s", rows[r].title);
        bars_add(bars, &bar, "%s: %.3g times less, as stated", rows[r].claim, bar.value);
        bars_mark(bars, by_hour, 9, 0x1a1a1a, "recomputed, by the hour", "%s: %.4g times less, recomputed",
                  rows[r].claim, by_hour);
        bars_mark(bars, by_token, 6, 0x1a1a1a, "recomputed, by the token", "%s: %.4g times less, by the token",
                  rows[r].claim, by_token);
    }
    bars_level(bars, 1, 1, NULL);
}

static void add(struct bar_panels *bars)
{
    unsigned teams[TEAMS];
    const unsigned team = mixed_teams(bars->view, teams) ? teams[0] : 0;
    if (team)
        add_rates(bars, team);
    if (!bars->bars) /* of this host there is nothing to stand beside the paper's */
        return;
    add_speedups(bars, team);
    bars->gap = 0.3;
    add_costs(bars, "runtime-cost", "the paper: cost of energy, times less");
    add_costs(bars, "total-cost", "the paper: whole cost, times less");
}

const struct figure figure_mixed_t3 = {
    .name = "mixed_t3",
    .title = "Tokens, speed-up and cost of five models [mixed-2-4-16, Table 3]",
    .caption =
        "Top left, measured here with the team of the panel's title: the tokens per second that the weight matrices of a model allow: "
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
    .rank = 94,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs of f16, q4_0 or mixed24_o02 on the shapes of llama2-7b or another model of the paper's",
    .measured_by = "kneepoint gemv --cold --best --model=llama2-7b f16 q4_0_m16 mixed24_o02.outliers_fused",
    .paper = MIXED_PAPER,
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 2, .plot_height = 260},
};
