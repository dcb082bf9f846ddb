/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/gate/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"
#include "results/statistics/holm.h"
#include "results/statistics/rank_sum.h"
#include "results/statistics/signed_rank.h"

const char *compare_class_name(enum compare_class class)
{
    return class == COMPARE_CORE ? "core" : "memory";
}

double compare_threshold(enum compare_class class, bool shared)
{
    static const double threshold[COMPARE_CLASSES][2] = {
        [COMPARE_CORE] = {0.01, 0.03}, [COMPARE_MEMORY] = {0.02, 0.08}};
    return threshold[class][shared];
}

struct compare_rule compare_rule_default(void)
{
    return (struct compare_rule){.alpha = 0.05, .floor_factor = 1.5, .least_change_s = 10e-9, .seed = 1};
}

const char *compare_verdict_name(enum compare_verdict verdict)
{
    static const char *const name[] = {"pass", "inconclusive", "suspected", "fail"};
    return name[verdict];
}

const char *compare_reason_text(enum compare_reason reason)
{
    static const char *const text[] = {
        [COMPARE_NO_REASON] = "",
        [COMPARE_NO_BLOCKS] = "one side has no kept sample",
        [COMPARE_FEW_BLOCKS] = "too few blocks for a bound",
        [COMPARE_ROOF_MOVED] = "the roof beside it moved",
        [COMPARE_GIVEN_UP] = "too noisy to tell, given up",
        [COMPARE_UNCERTAIN] = "too noisy to tell",
        [COMPARE_SMALL] = "slower, perhaps by more than the threshold",
        [COMPARE_WITHIN_NOISE] = "slower, but within 1.5 times the A/A noise",
        [COMPARE_LAYOUT] = "slower, but no more than the same code at other addresses",
        [COMPARE_SHORT] = "slower, but by 10 ns or less",
        [COMPARE_UNCONFIRMED] = "slower, not confirmed yet",
        [COMPARE_NOT_CONFIRMED] = "slower, but a fresh comparison did not agree",
        [COMPARE_SAME_BASE] = "slower in two runs of HEAD, but against the same BASE",
        [COMPARE_LOSS] = "slower, confirmed",
    };
    return text[reason];
}

/* ---- one cell ---- */

/** Logarithms of a cell: of the ratios in head where paired, else of both sides. */
struct logarithms {
    double *base, *head;
    size_t base_count, head_count;
    bool paired;
};

static void release(struct logarithms *logarithms)
{
    free(logarithms->base);
    free(logarithms->head);
}

static int take(const struct compare_cell *cell, struct logarithms *logarithms)
{
    *logarithms = (struct logarithms){
        .base = need(cell->base_count + 1, sizeof(double)),
        .head = need(cell->head_count + 1, sizeof(double)),
        .base_count = cell->base_count,
        .head_count = cell->head_count,
        .paired = cell->paired,
    };
    int error = logarithms->base && logarithms->head ? 0 : -ENOMEM;
    if (cell->paired && cell->base_count != cell->head_count)
        error = -EINVAL;
    for (size_t i = 0; !error && i < cell->base_count; i++) {
        error = cell->base[i] > 0 && isfinite(cell->base[i]) ? 0 : -EINVAL;
        logarithms->base[i] = log(cell->base[i]);
    }
    for (size_t i = 0; !error && i < cell->head_count; i++) {
        error = cell->head[i] > 0 && isfinite(cell->head[i]) ? 0 : -EINVAL;
        logarithms->head[i] = log(cell->head[i]) - (cell->paired ? logarithms->base[i] : 0);
    }
    if (error)
        release(logarithms);
    return error;
}

static double estimate(const struct logarithms *l)
{
    return l->paired ? signed_rank_estimate(l->head, l->head_count)
                     : rank_sum_estimate(l->base, l->base_count, l->head, l->head_count);
}

static double p_slower(const struct logarithms *l)
{
    return l->paired ? signed_rank_p_above(l->head, l->head_count)
                     : rank_sum_p_above(l->base, l->base_count, l->head, l->head_count);
}

static double lower(const struct logarithms *l, double alpha)
{
    return l->paired ? signed_rank_lower(l->head, l->head_count, alpha)
                     : rank_sum_lower(l->base, l->base_count, l->head, l->head_count, alpha);
}

static double upper(const struct logarithms *l, double alpha)
{
    return l->paired ? signed_rank_upper(l->head, l->head_count, alpha)
                     : rank_sum_upper(l->base, l->base_count, l->head, l->head_count, alpha);
}

static double simulated_floor(const struct logarithms *l, uint64_t seed)
{
    return l->paired ? resample_paired_floor(l->head, l->head_count, seed)
                     : resample_unpaired_floor(l->base, l->base_count, l->head, l->head_count, seed);
}

static bool has_values(const struct compare_cell *cell)
{
    return cell->base_count && cell->head_count;
}

/** Of a cell whose lower bound is above zero and whose upper bound is not below the threshold. */
static enum compare_reason weigh_loss(const struct compare_rule *rule, const struct logarithms *l,
                                      struct compare_outcome *outcome)
{
    if (outcome->effect <= outcome->threshold)
        return COMPARE_SMALL;
    if (isnan(outcome->floor)) {
        outcome->floor = simulated_floor(l, rule->seed);
        outcome->floor_simulated = true;
    }
    if (!(outcome->effect > rule->floor_factor * outcome->floor)) /* nor is an unknown floor passed */
        return COMPARE_WITHIN_NOISE;
    if (outcome->effect <= rule->floor_factor * outcome->layout)
        return COMPARE_LAYOUT;
    return outcome->change_s > rule->least_change_s ? COMPARE_UNCONFIRMED : COMPARE_SHORT;
}

static void judge(const struct compare_rule *rule, const struct compare_cell *cell, const struct logarithms *l,
                  double level, struct compare_outcome *outcome)
{
    outcome->lower = lower(l, level);
    outcome->upper = upper(l, rule->alpha);
    outcome->verdict = COMPARE_INCONCLUSIVE;
    bool passes = outcome->upper < outcome->threshold;
    /* a faster memory hides a loss, a slower one looks like one; the other way round it makes no difference */
    if (passes ? cell->roof_effect < -outcome->threshold : cell->roof_effect > outcome->threshold) {
        outcome->reason = COMPARE_ROOF_MOVED;
    } else if (passes) {
        outcome->verdict = COMPARE_PASSED;
        outcome->reason = COMPARE_NO_REASON;
    } else if (outcome->lower > 0) {
        outcome->reason = weigh_loss(rule, l, outcome);
        if (outcome->reason == COMPARE_UNCONFIRMED)
            outcome->verdict = COMPARE_SUSPECTED;
    } else {
        outcome->reason = isinf(outcome->lower) || isinf(outcome->upper) ? COMPARE_FEW_BLOCKS : COMPARE_UNCERTAIN;
    }
}

static void describe(const struct compare_rule *rule, const struct compare_cell *cell, struct compare_outcome *outcome)
{
    *outcome = (struct compare_outcome){
        .name = cell->name,
        .class = cell->class,
        .base_blocks = cell->base_count,
        .head_blocks = cell->head_count,
        .base_s = cell->base_s,
        .effect = NAN,
        .lower = -INFINITY,
        .upper = INFINITY,
        .p = NAN,
        .adjusted_p = NAN,
        .threshold = log1p(compare_threshold(cell->class, rule->shared[cell->class])),
        .floor = cell->floor,
        .layout = cell->layout,
        .roof_slope = cell->roof_slope,
        .change_s = NAN,
        .verdict = COMPARE_INCONCLUSIVE,
        .reason = COMPARE_NO_BLOCKS,
    };
}

/* ---- all cells ---- */

static int measure_effects(const struct compare_rule *rule, const struct compare_cell *cells, size_t count,
                           struct logarithms *logarithms, struct compare_outcome *outcomes)
{
    for (size_t c = 0; c < count; c++) {
        describe(rule, &cells[c], &outcomes[c]);
        if (!has_values(&cells[c]))
            continue;
        int error = take(&cells[c], &logarithms[c]);
        if (error) {
            logarithms[c] = (struct logarithms){0};
            return error;
        }
        outcomes[c].effect = estimate(&logarithms[c]);
        outcomes[c].p = p_slower(&logarithms[c]);
        outcomes[c].change_s = expm1(outcomes[c].effect) * cells[c].base_s;
    }
    return 0;
}

/** Holm over all cells, those without values and those that are decided included: their p is 1. */
static int adjust(const struct compare_rule *rule, const struct compare_cell *cells, size_t count,
                  struct compare_outcome *outcomes, double *level)
{
    double *p = need(2 * count + 1, sizeof *p), *adjusted = p + count;
    if (!p)
        return -ENOMEM;
    for (size_t c = 0; c < count; c++)
        p[c] = cells[c].decided ? NAN : outcomes[c].p;
    int error = holm_levels(p, count, rule->alpha, level);
    if (!error)
        error = holm_adjust(p, count, adjusted);
    for (size_t c = 0; !error && c < count; c++)
        outcomes[c].adjusted_p = adjusted[c];
    free(p);
    return error;
}

int compare_cells(const struct compare_rule *rule, const struct compare_cell *cells, size_t count,
                  struct compare_outcome *outcomes)
{
    struct logarithms *logarithms = need(count + 1, sizeof *logarithms);
    double *level = need(count + 1, sizeof *level);
    int error = logarithms && level ? measure_effects(rule, cells, count, logarithms, outcomes) : -ENOMEM;
    if (!error)
        error = adjust(rule, cells, count, outcomes, level);
    for (size_t c = 0; !error && c < count; c++) {
        if (has_values(&cells[c]))
            judge(rule, &cells[c], &logarithms[c], level[c], &outcomes[c]);
    }
    for (size_t c = 0; logarithms && c < count; c++)
        release(&logarithms[c]);
    free(logarithms);
    free(level);
    return error;
}

static const struct compare_outcome *named(const struct compare_outcome *outcomes, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(outcomes[i].name, name) == 0)
            return &outcomes[i];
    }
    return NULL;
}

void compare_confirm(struct compare_outcome *outcomes, size_t count, enum compare_confirming confirming,
                     const struct compare_outcome *fresh, size_t fresh_count)
{
    for (size_t i = 0; i < count; i++) {
        if (outcomes[i].verdict != COMPARE_SUSPECTED)
            continue;
        const struct compare_outcome *again = named(fresh, fresh_count, outcomes[i].name);
        bool agrees = again && (again->verdict == COMPARE_SUSPECTED || again->verdict == COMPARE_FAILED);
        bool same_base = agrees && confirming == COMPARE_BASE_AGAIN;
        outcomes[i].verdict = same_base ? COMPARE_SUSPECTED : agrees ? COMPARE_FAILED : COMPARE_INCONCLUSIVE;
        outcomes[i].reason = same_base ? COMPARE_SAME_BASE : agrees ? COMPARE_LOSS : COMPARE_NOT_CONFIRMED;
    }
}

void compare_count(const struct compare_outcome *outcomes, size_t count, size_t of[COMPARE_VERDICTS])
{
    memset(of, 0, COMPARE_VERDICTS * sizeof *of);
    for (size_t i = 0; i < count; i++)
        of[outcomes[i].verdict]++;
}

enum compare_verdict compare_overall(const struct compare_outcome *outcomes, size_t count)
{
    size_t of[COMPARE_VERDICTS];
    compare_count(outcomes, count, of);
    if (of[COMPARE_FAILED])
        return COMPARE_FAILED;
    return count && of[COMPARE_PASSED] == count ? COMPARE_PASSED : COMPARE_INCONCLUSIVE;
}

static int larger_effect_first(const void *left, const void *right)
{
    const struct compare_outcome *a = left, *b = right;
    if (isnan(a->effect) != isnan(b->effect))
        return isnan(a->effect) - isnan(b->effect);
    if (a->effect != b->effect && !isnan(a->effect))
        return a->effect > b->effect ? -1 : 1;
    return strcmp(a->name, b->name);
}

void compare_sort(struct compare_outcome *outcomes, size_t count)
{
    qsort(outcomes, count, sizeof *outcomes, larger_effect_first);
}

size_t compare_least_blocks(double alpha, size_t cells, bool paired)
{
    double level = alpha / (double)(cells ? cells : 1);
    size_t blocks = 2;
    while (blocks < 100 &&
           (paired ? signed_rank_critical(blocks, level) : rank_sum_critical(blocks, blocks, level)) < 0)
        blocks++;
    return blocks;
}

size_t compare_most_cells(double alpha, size_t base_blocks, size_t head_blocks, bool paired)
{
    if (!base_blocks || !head_blocks)
        return 0;
    double least_p =
        paired ? signed_rank_probability(base_blocks, 0) : rank_sum_probability(base_blocks, head_blocks, 0);
    double cells = floor(alpha / least_p * (1 + 1e-12));
    return cells < 1e15 ? (size_t)cells : (size_t)1e15;
}

/* ---- the geometric mean ---- */

static size_t blocks_of(const struct compare_cell *cells, size_t count)
{
    size_t blocks = 0;
    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < cells[c].base_count; i++)
            blocks = cells[c].base_block[i] + 1 > blocks ? cells[c].base_block[i] + 1 : blocks;
        for (size_t i = 0; i < cells[c].head_count; i++)
            blocks = cells[c].head_block[i] + 1 > blocks ? cells[c].head_block[i] + 1 : blocks;
    }
    return blocks;
}

int compare_geometric_mean(const struct compare_rule *rule, const struct compare_cell *cells, size_t count,
                           struct resample_mean *mean)
{
    struct logarithms *logarithms = need(count + 1, sizeof *logarithms);
    struct resample_cell *rows = need(count + 1, sizeof *rows);
    size_t used = 0;
    int error = logarithms && rows ? 0 : -ENOMEM;
    for (size_t c = 0; !error && c < count; c++) {
        if (!has_values(&cells[c]))
            continue;
        struct logarithms *l = &logarithms[used];
        error = take(&cells[c], l);
        if (error)
            break;
        rows[used++] = (struct resample_cell){
            .effect = estimate(l),
            .base = l->base,
            .head = l->head,
            .base_block = cells[c].base_block,
            .head_block = cells[c].head_block,
            .base_count = l->paired ? 0 : l->base_count,
            .head_count = l->head_count,
        };
    }
    if (!error && !used)
        error = -ENODATA;
    if (!error)
        error = resample_geometric_mean(rows, used, blocks_of(cells, count), rule->seed, mean);
    for (size_t c = 0; logarithms && c < used; c++)
        release(&logarithms[c]);
    free(logarithms);
    free(rows);
    return error;
}
