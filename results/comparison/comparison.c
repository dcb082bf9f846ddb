/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/comparison/comparison.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/comparison/comparison_terms.h"
#include "results/files/need.h"
#include "results/gate/roof_control.h"
#include "results/records/record.h"
#include "results/statistics/rank_sum.h"
#include "results/statistics/signed_rank.h"

/** Values of one cell, cut down to the blocks that both sides have where paired. */
struct comparison_values {
    double *base, *head;
    double *base_roof, *head_roof; /* beside them, of pairs */
    unsigned *base_block, *head_block;
};

double comparison_percent(double logarithm)
{
    return 100 * expm1(logarithm);
}

/* ---- which cells ---- */

static bool is_asked(const void *context, const char *cell)
{
    const struct comparison_request *request = context;
    if (request->wanted && !request->wanted(request->wanted_context, cell))
        return false;
    for (size_t i = 0; i < request->pattern_count; i++) {
        if (fnmatch(request->patterns[i], cell, 0) == 0)
            return true;
    }
    return request->pattern_count == 0;
}

/** Partner of a cell in head, NULL if it is not compared. */
static const struct blocks_cell *partner_of(const struct blocks_cell *cell, const struct blocks *head)
{
    const struct blocks_cell *partner = blocks_find(head, cell->name);
    return partner && comparable_cell(cell, partner) ? partner : NULL;
}

/* ---- values ---- */

/** One cell in one of the two runs, an arm of the comparison. */
struct arm {
    const struct blocks *blocks;
    const struct blocks_cell *cell;
};

static int allocate(const struct blocks_cell *base, const struct blocks_cell *head, struct comparison_values *values)
{
    values->base = need(base->count + 1, sizeof(double));
    values->head = need(head->count + 1, sizeof(double));
    values->base_roof = need(base->count + 1, sizeof(double));
    values->head_roof = need(head->count + 1, sizeof(double));
    values->base_block = need(base->count + 1, sizeof(unsigned));
    values->head_block = need(head->count + 1, sizeof(unsigned));
    return values->base && values->head && values->base_roof && values->head_roof && values->base_block &&
                   values->head_block
               ? 0
               : -ENOMEM;
}

static void take_all(const struct blocks_cell *cell, double *value, unsigned *block, size_t *count)
{
    if (cell->count) { /* else there are no arrays */
        memcpy(value, cell->value, cell->count * sizeof *value);
        memcpy(block, cell->block, cell->count * sizeof *block);
    }
    *count = cell->count;
}

/** Copy the values of the processes that both sides have, by their numbers. @return how many */
static size_t take_pairs(const struct arm *base, const struct arm *head, struct comparison_values *values)
{
    size_t b = 0, h = 0, n = 0;
    while (b < base->cell->count && h < head->cell->count) {
        unsigned before = base->blocks->number[base->cell->block[b]],
                 after = head->blocks->number[head->cell->block[h]];
        if (before == after) {
            values->base[n] = base->cell->value[b];
            values->head[n] = head->cell->value[h];
            values->base_roof[n] = base->cell->roof_s[b];
            values->head_roof[n] = head->cell->roof_s[h];
            values->base_block[n] = values->head_block[n] = base->cell->block[b];
            n++;
        }
        b += before <= after;
        h += after <= before;
    }
    return n;
}

/** Take off what the roof beside each pair explains of it. @return the slope */
static double control_for_roof(struct comparison_values *values, size_t count)
{
    const struct roof_pairs pairs = {values->base, values->head, values->base_roof, values->head_roof, count};
    double slope = roof_control_slope(&pairs);
    for (size_t i = 0; slope > 0 && i < count; i++)
        values->head[i] = roof_control_head(&pairs, i, slope);
    return slope;
}

static size_t roofs_of(const struct blocks_cell *cell, double *logarithm)
{
    size_t count = 0;
    for (size_t i = 0; i < cell->count; i++) {
        if (cell->roof_s[i] > 0)
            logarithm[count++] = log(cell->roof_s[i]);
    }
    return count;
}

/** By how much the roof beside a cell changed between the sides; 0 where there is none. @return 0 or -ENOMEM */
static int roof_effect(const struct blocks_cell *base, const struct blocks_cell *head, double *effect)
{
    double *before = need(base->count + head->count + 1, sizeof *before);
    if (!before)
        return -ENOMEM;
    double *after = before + base->count;
    size_t m = roofs_of(base, before), n = roofs_of(head, after);
    *effect = m && n ? rank_sum_estimate(before, m, after, n) : 0;
    free(before);
    return 0;
}

/** The same of pairs: only blocks that both have. */
static int paired_roof_effect(const struct arm *base, const struct arm *head, double *effect)
{
    const struct blocks_cell *before = base->cell, *after = head->cell;
    double *change = need(before->count + 1, sizeof *change);
    size_t count = 0;
    if (!change)
        return -ENOMEM;
    for (size_t b = 0; b < before->count; b++) {
        for (size_t h = 0; h < after->count; h++) {
            double ratio = after->roof_s[h] / before->roof_s[b];
            if (base->blocks->number[before->block[b]] == head->blocks->number[after->block[h]] && ratio > 0)
                change[count++] = log(ratio);
        }
    }
    *effect = count ? signed_rank_estimate(change, count) : 0;
    free(change);
    return 0;
}

static const struct compare_outcome *decided_before(const struct comparison_request *request, const char *name)
{
    for (size_t i = 0; i < request->decided_count; i++) {
        if (strcmp(request->decided[i].name, name) == 0)
            return &request->decided[i];
    }
    return NULL;
}

static int add_cell(const struct arm *before, const struct arm *after, const struct comparison_request *request,
                    struct comparison *comparison)
{
    const struct blocks_cell *base = before->cell, *head = after->cell;
    struct comparison_values *values = &comparison->values[comparison->count];
    struct compare_cell *cell = &comparison->cell[comparison->count];
    comparison->count++;
    int error = allocate(base, head, values);
    if (error)
        return error;
    *cell = (struct compare_cell){
        .name = base->name,
        .class = base->class,
        .paired = request->paired,
        .base = values->base,
        .head = values->head,
        .base_block = values->base_block,
        .head_block = values->head_block,
        .base_s = base->timed_s,
        .layout = comparison->layout[base->class],
        .decided = decided_before(request, base->name) != NULL,
    };
    error = request->paired ? paired_roof_effect(before, after, &cell->roof_effect)
                            : roof_effect(base, head, &cell->roof_effect);
    if (error)
        return error;
    if (request->paired) {
        cell->base_count = cell->head_count = take_pairs(before, after, values);
        cell->roof_slope = control_for_roof(values, cell->base_count);
        cell->roof_effect *= 1 - cell->roof_slope;
    } else {
        take_all(base, values->base, values->base_block, &cell->base_count);
        take_all(head, values->head, values->head_block, &cell->head_count);
    }
    comparison->terms[comparison->count - 1] =
        comparison_terms_make(before->blocks, base, after->blocks, head, cell->roof_effect);
    size_t fewest = cell->base_count < cell->head_count ? cell->base_count : cell->head_count;
    cell->floor = request->floor ? request->floor(request->context, base->name, fewest) : NAN;
    return 0;
}

static int add_control(const struct blocks_cell *base, const struct blocks_cell *head, struct comparison *comparison)
{
    if (!base->count || !head->count)
        return 0;
    double *before = need(base->count + head->count, sizeof *before);
    if (!before)
        return -ENOMEM;
    double *after = before + base->count;
    for (size_t i = 0; i < base->count; i++)
        before[i] = log(base->value[i]);
    for (size_t i = 0; i < head->count; i++)
        after[i] = log(head->value[i]);
    comparison->control[comparison->controls++] = (struct comparison_control){
        base->name,
        rank_sum_estimate(before, base->count, after, head->count),
    };
    free(before);
    return 0;
}

/* ---- all of it ---- */

static struct compare_rule rule_of(const struct blocks *base, const struct blocks *head,
                                   const struct comparison_request *request, struct blocks_sharing *sharing)
{
    struct compare_rule rule = compare_rule_default();
    rule.seed = request->seed ? request->seed : rule.seed;
    rule.alpha = request->alpha > 0 ? request->alpha : rule.alpha;
    blocks_add_sharing(&base->noise, BLOCKS_BASE, sharing);
    blocks_add_sharing(&head->noise, BLOCKS_HEAD, sharing);
    /* what disturbs pairs side by side in random order disturbs both sides alike: it asks for more pairs */
    if (!request->paired)
        memcpy(rule.shared, sharing->shared, sizeof rule.shared);
    return rule;
}

static int fill(const struct blocks *base, const struct blocks *head, const struct comparison_request *request,
                struct comparison *comparison)
{
    int error = 0;
    for (size_t i = 0; !error && i < base->cells; i++) {
        const struct blocks_cell *cell = &base->cell[i], *partner = partner_of(cell, head);
        if (partner && cell->control)
            error = add_control(cell, partner, comparison);
        else if (partner && is_asked(request, cell->name))
            error = add_cell(&(struct arm){base, cell}, &(struct arm){head, partner}, request, comparison);
    }
    return error;
}

static void keep_decided(const struct comparison_request *request, struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        const char *name = comparison->outcome[i].name;
        const struct compare_outcome *before = decided_before(request, name);
        if (before) {
            comparison->outcome[i] = *before;
            comparison->outcome[i].name = name;
        }
    }
}

static void count_able(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compare_cell *cell = &comparison->cell[i];
        size_t most = compare_most_cells(comparison->rule.alpha, cell->base_count, cell->head_count, cell->paired);
        comparison->most_cells = most > comparison->most_cells ? most : comparison->most_cells;
        comparison->able += most >= comparison->count;
    }
}

const char *comparison_layout_from_name(enum comparison_layout_from from)
{
    static const char *const names[] = {[COMPARISON_LAYOUT_BASE] = "base",
                                        [COMPARISON_LAYOUT_MEASURED] = "measured",
                                        [COMPARISON_LAYOUT_KEPT] = "noise_floor"};
    return names[from];
}

/** Never HEAD's, which could loosen its own gate. */
static void take_layout(const struct blocks *base, const struct comparison_request *request,
                        struct comparison *comparison)
{
    for (int class = 0; class < COMPARE_CLASSES; class ++) {
        bool own = isfinite(base->layout[class]), kept = request->layout && isfinite(request->layout[class]);
        comparison->layout[class] = own ? base->layout[class] : kept ? request->layout[class] : NAN;
        comparison->layout_from[class] = own && request->paired ? COMPARISON_LAYOUT_MEASURED
                                         : own                  ? COMPARISON_LAYOUT_BASE
                                         : kept                 ? COMPARISON_LAYOUT_KEPT
                                                                : COMPARISON_LAYOUT_UNKNOWN;
    }
}

static void release_values(struct comparison_values *values)
{
    free(values->base);
    free(values->head);
    free(values->base_roof);
    free(values->head_roof);
    free(values->base_block);
    free(values->head_block);
}

static int find_mean(struct comparison *comparison)
{
    comparison->mean = (struct resample_mean){NAN, {NAN, NAN}};
    int error = compare_geometric_mean(&comparison->rule, comparison->cell, comparison->count, &comparison->mean);
    return error == -ENODATA ? 0 : error;
}

int comparison_make(const struct blocks *base, const struct blocks *head, const struct comparison_request *request,
                    struct comparison *comparison)
{
    *comparison = (struct comparison){
        .paired = request->paired,
        .processes = base->processes && head->processes,
        .base_blocks = base->count,
        .head_blocks = head->count,
        .replicate = blocks_replicate(base),
        .outcome = need(base->cells + 1, sizeof *comparison->outcome),
        .control = need(base->cells + 1, sizeof *comparison->control),
        .cell = need(base->cells + 1, sizeof *comparison->cell),
        .values = need(base->cells + 1, sizeof *comparison->values),
        .terms = need(base->cells + 1, sizeof *comparison->terms),
    };
    bool enough =
        comparison->outcome && comparison->control && comparison->cell && comparison->values && comparison->terms;
    int error = enough ? 0 : -ENOMEM;
    if (!base->processes || !head->processes) /* the weaker of them */
        comparison->replicate = blocks_replicate(base->processes ? head : base);
    snprintf(comparison->source, sizeof comparison->source, "%s", base->source);
    take_layout(base, request, comparison);
    comparable_make(base, head, is_asked, request, &comparison->comparable);
    comparison->rule = rule_of(base, head, request, &comparison->sharing);
    if (!error)
        error = fill(base, head, request, comparison);
    comparison->least_blocks = compare_least_blocks(comparison->rule.alpha, comparison->count, request->paired);
    count_able(comparison);
    if (!error)
        error = compare_cells(&comparison->rule, comparison->cell, comparison->count, comparison->outcome);
    if (!error)
        keep_decided(request, comparison);
    if (!error)
        error = find_mean(comparison);
    if (error)
        comparison_release(comparison);
    else
        compare_sort(comparison->outcome, comparison->count);
    return error;
}

void comparison_release(struct comparison *comparison)
{
    for (size_t i = 0; comparison->values && i < comparison->count; i++)
        release_values(&comparison->values[i]);
    free(comparison->values);
    free(comparison->terms);
    free(comparison->cell);
    free(comparison->outcome);
    free(comparison->control);
    *comparison = (struct comparison){0};
}

int comparison_leave_out(struct comparison *comparison, bool (*wanted)(const void *context, const char *cell),
                         const void *context)
{
    size_t cells = 0, outcomes = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        if (wanted(context, comparison->outcome[i].name))
            comparison->outcome[outcomes++] = comparison->outcome[i];
    }
    for (size_t i = 0; i < comparison->count; i++) {
        if (!wanted(context, comparison->cell[i].name)) {
            release_values(&comparison->values[i]);
            continue;
        }
        comparison->cell[cells] = comparison->cell[i];
        comparison->terms[cells] = comparison->terms[i];
        comparison->values[cells++] = comparison->values[i];
    }
    if (cells == comparison->count)
        return 0;
    comparison->count = cells;
    return find_mean(comparison);
}

/* ---- terms ---- */

bool comparison_terms_of(const struct comparison *comparison, const struct compare_outcome *outcome,
                         struct comparison_terms *terms)
{
    for (size_t i = 0; i < comparison->count; i++) {
        if (strcmp(comparison->cell[i].name, outcome->name) != 0)
            continue;
        *terms = comparison->terms[i];
        terms->head.time_s = terms->base.time_s * exp(outcome->effect);
        return terms->bytes > 0 && isfinite(outcome->effect);
    }
    return false;
}

/* ---- suspects ---- */

size_t comparison_suspects(const struct comparison *comparison, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        if (comparison->outcome[i].verdict != COMPARE_SUSPECTED)
            continue;
        if (names)
            names[count] = comparison->outcome[i].name;
        count++;
    }
    return count;
}

void comparison_accept_suspects(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        if (comparison->outcome[i].verdict == COMPARE_SUSPECTED)
            comparison->outcome[i].verdict = COMPARE_FAILED;
    }
}

/* ---- records ---- */

/** Ratios less 1, as the thresholds are given; logarithms stay inside. */
static json_t *change(double logarithm)
{
    return isfinite(logarithm) ? json_real(expm1(logarithm)) : json_null();
}

json_t *comparison_record(const struct comparison *comparison, const struct compare_outcome *outcome)
{
    bool judged = outcome->reason != COMPARE_NO_BLOCKS;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:f, s:I, s:I, s:s}",
        "type", "comparison", "name", outcome->name, "class", compare_class_name(outcome->class), "verdict",
        compare_verdict_name(outcome->verdict), "reason", compare_reason_text(outcome->reason), "effect",
        change(outcome->effect), "lower", change(outcome->lower), "upper", change(judged ? outcome->upper : NAN), "p",
        record_number_or_null(outcome->p), "adjusted_p", record_number_or_null(outcome->adjusted_p), "threshold",
        change(outcome->threshold), "floor", change(outcome->floor), "layout", change(outcome->layout), "layout_from",
        comparison_layout_from_name(comparison->layout_from[outcome->class]), "floor_from",
        isnan(outcome->floor) ? json_null() : json_string(outcome->floor_simulated ? "blocks" : "measured"), "base_s",
        record_number_or_null(outcome->base_s), "change_s", record_number_or_null(outcome->change_s), "roof_slope",
        outcome->roof_slope, "base_blocks", (json_int_t)outcome->base_blocks, "head_blocks",
        (json_int_t)outcome->head_blocks, "replicate", comparison->replicate);
}

static json_t *controls(const struct comparison *comparison)
{
    json_t *object = json_object();
    for (size_t i = 0; i < comparison->controls; i++)
        json_object_set_new(object, comparison->control[i].name, change(comparison->control[i].effect));
    return object;
}

/** Least loss of each class that counts. */
static json_t *thresholds(const struct comparison *comparison)
{
    json_t *object = json_object();
    for (int class = 0; class < COMPARE_CLASSES; class ++)
        json_object_set_new(object, compare_class_name((enum compare_class) class),
                            json_real(compare_threshold((enum compare_class) class, comparison->rule.shared[class])));
    return object;
}

static json_t *differences(const struct comparable *comparable)
{
    json_t *object = json_object();
    for (int fact = 0; fact < COMPARABLE_FACTS; fact++) {
        if (comparable->differs[fact])
            json_object_set_new(object, comparable_fact_name((enum comparable_fact)fact),
                                json_string(comparable->how[fact]));
    }
    return object;
}

json_t *comparison_verdict_record(const struct comparison *comparison, const char *base, const char *head)
{
    size_t of[COMPARE_VERDICTS];
    compare_count(comparison->outcome, comparison->count, of);
    const struct resample_mean *mean = &comparison->mean;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:o, s:[o,o], s:s, s:b, s:I, s:I, s:I, s:b, s:s, s:o, s:o, s:o, s:I}",
        "type", "verdict", "name", compare_verdict_name(compare_overall(comparison->outcome, comparison->count)),
        "base", base, "head", head, "cells", (json_int_t)comparison->count, "passed", (json_int_t)of[COMPARE_PASSED],
        "failed", (json_int_t)of[COMPARE_FAILED], "suspected", (json_int_t)of[COMPARE_SUSPECTED], "inconclusive",
        (json_int_t)of[COMPARE_INCONCLUSIVE], "geometric_mean", change(mean->effect), "geometric_mean_ci95",
        change(mean->ci95[0]), change(mean->ci95[1]), "replicate", comparison->replicate, "paired",
        (int)comparison->paired, "base_blocks", (json_int_t)comparison->base_blocks, "head_blocks",
        (json_int_t)comparison->head_blocks, "least_blocks", (json_int_t)comparison->least_blocks, "shared_host",
        (int)blocks_is_shared(&comparison->sharing), "shared_because", comparison->sharing.why, "thresholds",
        thresholds(comparison), "controls", controls(comparison), "differences", differences(&comparison->comparable),
        "seed", (json_int_t)comparison->rule.seed);
}
