/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/findings/finding.h"
#include "reports/select/papers/bitnet.h"

struct range {
    double low, high; /* NaN: of nothing */
};

static struct range widened(struct range range, double low, double high)
{
    return (struct range){fmin(range.low, low), fmax(range.high, high)};
}

/* The paper's machine whose instructions the renderings here have: of Arm if they are Neon's. */
static size_t machine_of(const struct view *view, const struct bitnet_ratio *ratio)
{
    const json_t *cell = token_any_cell(view, &bitnet_columns[ratio->over].paper);
    return strncmp(view_text(cell, "isa"), "neon", 4) == 0 ? 1 : 0;
}

/* From the least end of the intervals of all sizes that were measured to the greatest. */
static struct range measured_range(const struct view *view, const struct bitnet_ratio *ratio, unsigned team)
{
    const struct token_kernel *over = &bitnet_columns[ratio->over].paper, *under = &bitnet_columns[ratio->under].paper;
    struct range range = {NAN, NAN};
    for (size_t size = 0; size < BITNET_SIZES; size++) {
        struct bounded here = bitnet_measured(view, bitnet_models[size], over, under, team);
        if (isfinite(here.low) && isfinite(here.high))
            range = widened(range, here.low, here.high);
    }
    return range;
}

static struct range stated_range(const struct papers *papers, size_t machine, const struct bitnet_ratio *ratio)
{
    double stated[BITNET_SIZES];
    struct range range = {NAN, NAN};
    bitnet_stated_ratio(papers, machine, ratio, stated);
    for (size_t size = 0; size < BITNET_SIZES; size++)
        range = widened(range, stated[size], stated[size]);
    return range;
}

static const char *because_of(const struct papers *papers, const char *id)
{
    const struct papers_claim *claim = id ? papers_claim_of(papers, BITNET_PAPER, id) : NULL;
    return claim ? claim->because : "";
}

static void find_in(struct facts *facts, const struct papers *papers, unsigned team)
{
    static const char *const headings[] = {"ratio", "here", "#threads", "in the paper", "on", "because", NULL};
    struct finding *finding = NULL;
    for (size_t r = 0; r < BITNET_RATIOS; r++) {
        const struct bitnet_ratio *ratio = &bitnet_ratios[r];
        size_t machine = machine_of(facts->view, ratio);
        struct range here = measured_range(facts->view, ratio, team), there = stated_range(papers, machine, ratio);
        if (!(here.low > there.high || here.high < there.low)) /* nor where either is not known */
            continue;
        if (!finding &&
            !(finding = finding_begin(facts, FIGURE_PAPERS, "Headline ratios that are not reproduced here")))
            return;
        finding_table(
            finding, headings,
            "Ratios of tokens per second over the model sizes: the range of the 95% intervals here, and what the "
            "paper measured.");
        const char *because = because_of(papers, ratio->claims[machine]);
        say_row(finding, "%s over %s\t%.2f to %.2f\t%u\t%.2f to %.2f\t%s\t%s\n", bitnet_columns[ratio->over].title,
                bitnet_columns[ratio->under].title, here.low, here.high, team, there.low, there.high,
                bitnet_machine_titles[machine], because);
    }
}

void find_headlines(struct facts *facts)
{
    struct papers papers;
    char why[256];
    if (!facts->team_count)
        return;
    if (!papers_open(BITNET_PAPER, &papers, why, sizeof why))
        find_in(facts, &papers, facts->teams[facts->team_count - 1]);
    papers_free(&papers);
}
