/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/findings/finding.h"
#include "reports/select/kernels/best.h"
#include "reports/select/run/reported.h"
#include "results/files/need.h"
#include "results/statistics/stats.h"

enum { TEXTS = 32, PAIRS = 64 };

/* What was said: widths are alike in pairs, so that two families may share their best. */
struct pairs {
    const json_t *ours[PAIRS], *paper[PAIRS];
    size_t count;
};

/* One width, ours against one paper's. */
struct match {
    const struct facts *facts;
    const json_t *ours, *paper; /* any record of the two families */
    const char *kind;           /* of the weights of both */
    const char *isa, *origin;
};

/* The lowest gamma of a family and the kind, on one ISA and of one paper if these are not NULL; NULL if none was measured. */
static const json_t *best_on(const struct match *match, const json_t *family, const char *isa, const char *origin)
{
    const struct view *view = match->facts->view;
    size_t count = 0, *index = need(view->of[VIEW_GAMMA].count + 1, sizeof *index);
    for (size_t i = 0; index && i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (view_same_family(row, family) && view_is_kind(row, match->kind) &&
            (!isa || strcmp(view_text(row, "isa"), isa) == 0) && (!origin || strcmp(view_origin(row), origin) == 0) &&
            view_is_candidate(view, row))
            index[count++] = i;
    }
    struct best best = reported_best(view, VIEW_GAMMA, index, count);
    free(index);
    return best.known ? best.row : NULL;
}

/* Different texts among the gamma records of a family (NULL: all). */
static size_t texts_of(const struct view *view, const json_t *family, const char *(*text_of)(const json_t *),
                       const char **texts)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (family && !view_same_family(row, family))
            continue;
        size_t at = 0;
        while (at < count && strcmp(texts[at], text_of(row)) != 0)
            at++;
        if (at == count && count < TEXTS)
            texts[count++] = text_of(row);
    }
    return count;
}

static const char *isa_of(const json_t *gamma)
{
    return view_text(gamma, "isa");
}

/* "2.00 [1.97, 2.03]"; the ratio alone where the rows have no intervals. */
static void say_ratio(struct finding *finding, const struct bounded *ratio)
{
    say_row(finding, "%.2f", ratio->value);
    if (isfinite(ratio->low) && isfinite(ratio->high))
        say_row(finding, " [%.2f, %.2f]", ratio->low, ratio->high);
}

static struct bounded row_ratio(const json_t *over, const json_t *under, const char *field)
{
    struct bounded a = best_bounded(over, field), b = best_bounded(under, field), ratio = ratio_of(&a, &b);
    ratio.value = a.value / b.value;
    return ratio;
}

/*
 * How many times faster our fastest kernel of an ISA is than the paper's on the same shape, team and protocol: the median
 * over those. Of one the interval is that of its ratio, of enough that of the median, and of few in between the widest
 * that they have. our_prefetch: the paper's with a software prefetch that its original lacks.
 */
static struct bounded gemv_ratio(const struct match *match, bool cold, bool our_prefetch, size_t *count)
{
    const struct facts *facts = match->facts;
    double ratios[FINDINGS_SHAPES];
    struct bounded all = {NAN, INFINITY, 0};
    *count = 0;
    for (size_t s = 0; s < facts->shape_count; s++) {
        for (size_t t = 0; t < facts->team_count && *count < FINDINGS_SHAPES; t++) {
            struct cell_query query = {.family = match->ours,
                                       .isa = match->isa,
                                       .kind = match->kind,
                                       .m = facts->shapes[s].m,
                                       .k = facts->shapes[s].k,
                                       .threads = facts->teams[t],
                                       .cold = cold};
            struct best our_cell = best_gemv(facts->view, &query);
            query.family = match->paper;
            query.origin = match->origin;
            query.our_prefetch = our_prefetch;
            struct best theirs = best_gemv(facts->view, &query);
            struct bounded ratio = row_ratio(theirs.row, our_cell.row, "time_s");
            if (!our_cell.known || !theirs.known || !isfinite(ratio.value) || !(ratio.value > 0))
                continue;
            ratios[(*count)++] = ratio.value;
            all.low = ratio.low < all.low || isnan(ratio.low) ? ratio.low : all.low;
            all.high = ratio.high > all.high || isnan(ratio.high) ? ratio.high : all.high;
        }
    }
    struct summary summary;
    if (stats_summarize(ratios, *count, &summary) == 0 && *count >= STATS_KEPT_LEAST) {
        all.low = summary.ci95[0];
        all.high = summary.ci95[1];
    }
    all.value = stats_median(ratios, *count);
    return all;
}

/* The longest distance that renderings of the paper prefetch at by default, as all did in older runs, and what was written for
 * GPUs does; 0: as published; NaN: the records do not say. */
static double prefetch_of(const struct match *match)
{
    const struct view_rows *gemvs = &match->facts->view->of[VIEW_GEMV];
    const struct cell_query query = {
        .family = match->paper, .isa = match->isa, .kind = match->kind, .origin = match->origin, .cold = true};
    double most = NAN;
    for (size_t i = 0; i < gemvs->count; i++) {
        if (cells_match(gemvs->rows[i], &query))
            most = fmax(most, view_number(gemvs->rows[i], "prefetch_bytes"));
    }
    return most;
}

static void say_gemv(struct finding *finding, const struct match *match)
{
    const char *glue = "";
    const double prefetch = prefetch_of(match);
    const struct {
        bool cold, our_prefetch;
    } wanted[] = {{true, false}, {true, true}, {false, false}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        size_t count;
        struct bounded ratio = gemv_ratio(match, wanted[i].cold, wanted[i].our_prefetch, &count);
        if (!count)
            continue;
        say_row(finding, "%s", glue);
        say_ratio(finding, &ratio);
        say_row(finding, " %s (%zu cell%s)", wanted[i].cold ? "cold" : "warm", count, plural((unsigned)count));
        if (wanted[i].our_prefetch || (wanted[i].cold && prefetch > 0))
            say_row(finding, " with our prefetch in theirs");
        else if (wanted[i].cold && prefetch <= 0)
            say_row(finding, " as published");
        glue = ", ";
    }
}

/* "int2_vnni4.envelope" of a record of that ISA, and its gamma. */
static void say_sequence(struct finding *finding, const json_t *gamma, const char *isa)
{
    const char *name = view_text(gamma, "name");
    size_t length = strlen(name), suffix = strlen(isa) + 1;
    bool ends = length > suffix && strcmp(name + length - suffix + 1, isa) == 0;
    say_row(finding, "\t%.*s\t%.2f", (int)(ends ? length - suffix : length), name, view_median(gamma, "gamma"));
}

/* A row for each paper that was measured on an ISA where ours was, too. */
static void say_on_isa(struct finding *finding, struct match *match, const char *const *origins, size_t count)
{
    const json_t *ours = best_on(match, match->ours, match->isa, NULL);
    for (size_t i = 0; ours && i < count; i++) {
        match->origin = origins[i];
        const json_t *paper = best_on(match, match->paper, match->isa, match->origin);
        if (!paper)
            continue;
        struct bounded ratio = row_ratio(paper, ours, "gamma");
        say_row(finding, "%.3g\t%s\t%s", view_format_bits(ours), match->isa, match->origin);
        say_sequence(finding, paper, match->isa);
        say_sequence(finding, ours, match->isa);
        say_row(finding, "\t");
        say_ratio(finding, &ratio);
        say_row(finding, "\t");
        say_gemv(finding, match);
        say_row(finding, "\n");
    }
}

static void say_whatever_isa(struct finding *finding, const json_t *ours, const json_t *paper)
{
    struct bounded ratio = row_ratio(paper, ours, "gamma");
    say_row(finding, "%.3g\tthe fastest of any\tany\t%s\t%.2f\t%s\t%.2f\t", view_format_bits(ours),
            view_text(paper, "name"), view_median(paper, "gamma"), view_text(ours, "name"), view_median(ours, "gamma"));
    say_ratio(finding, &ratio);
    say_row(finding, "\t\n");
}

/* The finding, begun by the first row. NULL: there is no room for it. */
static struct finding *begun(struct facts *facts, struct finding *finding)
{
    static const char *const headings[] = {
        "#bits", "ISA", "of", "theirs", "#their γ", "ours", "#our γ", "#times as fast", "GEMV, times as fast", NULL};
    if (finding || !(finding = finding_begin(facts, FIGURE_PAPERS, "Against the papers' and llama.cpp's sequences")))
        return finding;
    finding_table(
        finding, headings,
        "Each with its best number of accumulators, on the same ISA; formats of one width and of one kind are "
        "compared: integers with one scale for the tensor, integers with scales for blocks, codebooks. GEMV: the "
        "median over the same shapes and teams, with the fastest kernels. As published: without a software "
        "prefetch that the original lacks. Brackets hold 95% intervals.");
    return finding;
}

/* Whether the pair is a new one; it is not afterwards. */
static bool is_new(struct pairs *pairs, const json_t *ours, const json_t *paper)
{
    for (size_t i = 0; i < pairs->count; i++) {
        if (pairs->ours[i] == ours && pairs->paper[i] == paper)
            return false;
    }
    if (pairs->count < PAIRS) {
        pairs->ours[pairs->count] = ours;
        pairs->paper[pairs->count++] = paper;
    }
    return true;
}

/* Two families, those of their weights that are of one kind. */
static struct finding *say_kind(struct finding *finding, struct facts *facts, struct match *match, struct pairs *pairs)
{
    const char *isas[TEXTS], *origins[TEXTS];
    const json_t *ours = best_on(match, match->ours, NULL, NULL), *paper = best_on(match, match->paper, NULL, NULL);
    size_t isa_count = texts_of(facts->view, NULL, isa_of, isas),
           origin_count = texts_of(facts->view, match->paper, view_origin, origins);
    if (!ours || !paper || !is_new(pairs, ours, paper) || !(finding = begun(facts, finding)))
        return finding;
    for (size_t i = 0; i < isa_count; i++) {
        match->isa = isas[i];
        say_on_isa(finding, match, origins, origin_count);
    }
    if (strcmp(view_text(ours, "isa"), view_text(paper, "isa")) != 0)
        say_whatever_isa(finding, ours, paper);
    return finding;
}

static struct finding *say_advantage(struct finding *finding, struct facts *facts, const json_t *ours,
                                     const json_t *paper, struct pairs *pairs)
{
    const char *kinds[TEXTS];
    size_t count = texts_of(facts->view, paper, view_kind, kinds);
    for (size_t i = 0; i < count; i++) {
        struct match match = {.facts = facts, .ours = ours, .paper = paper, .kind = kinds[i]};
        if (*kinds[i] || count == 1) /* beside those that say theirs, one that does not is of none */
            finding = say_kind(finding, facts, &match, pairs);
    }
    return finding;
}

void find_advantage(struct facts *facts)
{
    struct finding *finding = NULL;
    struct pairs pairs = {.count = 0};
    for (size_t i = 0; i < facts->family_count; i++) {
        for (size_t j = 0; j < facts->family_count; j++) {
            const json_t *paper = facts->families[i], *ours = facts->families[j];
            if (view_is_paper(paper) && !view_is_paper(ours) && view_same_width(paper, ours))
                finding = say_advantage(finding, facts, ours, paper, &pairs);
        }
    }
}
