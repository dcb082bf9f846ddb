/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/papers/bitnet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/select/papers/systems.h"

/* Floats have one rendering only, which is ours. */
const struct bitnet_column bitnet_columns[BITNET_SYSTEMS] = {
    [BITNET_F16] = {"Float16", {"f16", NULL}, {"f16", NULL}, "f16", 0x7f7f7f},
    [BITNET_Q4_0] = {"Q4_0", {"q4_0", "reference"}, {"q4_0", NULL}, "q4_0", 0xcc79a7},
    [BITNET_TMAC] = {"T-MAC", {"tmac2", "tmac"}, {"tmac2", NULL}, "tmac", SYSTEM_TMAC},
    [BITNET_TQ1_0] = {"TQ1_0", {"tq1_0", "reference"}, {"tq1_0", NULL}, "tq1_0", 0x56b4e9},
    [BITNET_TQ2_0] = {"TQ2_0", {"tq2_0", "reference"}, {"tq2_0", NULL}, "tq2_0", 0x0072b2},
    [BITNET_TL1_0] = {"TL1_0", {"tl1", "bitnet_tl1_0"}, {"tl1", NULL}, "tl1_0", 0xc7b700},
    [BITNET_TL2_0] = {"TL2_0", {"tl2", "bitnet_tl2_0"}, {"tl2", NULL}, "tl2_0", 0x009e73},
    [BITNET_I2_S] = {"I2_S", {"i2_s", "bitnet"}, {"i2_s", NULL}, "i2_s", 0xd55e00},
};

const char *const bitnet_models[BITNET_SIZES] = {"bitnet-700m", "bitnet-1.5b", "bitnet-3.8b", "bitnet-7b",
                                                 "bitnet-13b",  "bitnet-30b",  "bitnet-70b",  "bitnet-100b"};
const char *const bitnet_sizes[BITNET_SIZES] = {"700M", "1.5B", "3.8B", "7B", "13B", "30B", "70B", "100B"};

const char *const bitnet_machines[BITNET_MACHINES] = {"i7", "m2"};
const char *const bitnet_machine_titles[BITNET_MACHINES] = {"Intel i7-13700H", "Apple M2 Ultra"};

void bitnet_stated(const struct papers *papers, size_t machine, enum bitnet_system system,
                   double tokens_per_s[BITNET_SIZES])
{
    char column[32];
    snprintf(column, sizeof column, "%s_%s", bitnet_machines[machine], bitnet_columns[system].values);
    for (size_t size = 0; size < BITNET_SIZES; size++)
        tokens_per_s[size] = papers_column_value(papers, BITNET_PAPER, column, size);
}

const struct bitnet_ratio bitnet_ratios[BITNET_RATIOS] = {
    {BITNET_I2_S, BITNET_F16, {"i2s-over-f16", NULL}},
    {BITNET_TL2_0, BITNET_TQ1_0, {"tl2-over-tq1-i7", "tl2-over-tq1-m2"}},
    {BITNET_TL2_0, BITNET_TMAC, {"tl2-over-tmac-i7", "tl2-over-tmac-m2"}},
};

static struct bounded bounded_of(const struct token_bound *bound)
{
    return (struct bounded){bound->seconds, bound->ci95[0], bound->ci95[1]};
}

struct bounded bitnet_measured(const struct view *view, const char *model, const struct token_kernel *over,
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

void bitnet_stated_ratio(const struct papers *papers, size_t machine, const struct bitnet_ratio *ratio,
                         double ratios[BITNET_SIZES])
{
    double under[BITNET_SIZES];
    bitnet_stated(papers, machine, ratio->over, ratios);
    bitnet_stated(papers, machine, ratio->under, under);
    for (size_t size = 0; size < BITNET_SIZES; size++)
        ratios[size] /= under[size];
}

const json_t *bitnet_c2(const struct view *view, const char *sequence)
{
    const json_t *best = NULL;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (strcmp(view_text(row, "format"), "c2") == 0 && strcmp(view_text(row, "sequence"), sequence) == 0 &&
            view_flag(row, "best") && view_median(row, "gamma") > 0 &&
            (!best || view_median(row, "gamma") < view_median(best, "gamma")))
            best = row;
    }
    return best;
}
