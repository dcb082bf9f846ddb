/* SPDX-License-Identifier: BSD-3-Clause */

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/papers/mixed.h"
#include "reports/select/tokens/decoded.h"

enum { CONTEXTS = 8 };

static const struct mixed_column *const base = &mixed_columns[MIXED_F16], *const ours = &mixed_columns[MIXED_OUTLIERS];

/* How many times as fast a pass is if its attention takes no time. */
static double without_attention(const json_t *pass)
{
    return 1 / (1 - decoded_share(pass, "attention"));
}

static void add_context(struct bar_panels *bars, const char *model, size_t context)
{
    const json_t *f16 = decoded_at(bars->view, model, &base->kernel, context, bars->team),
                 *mixed = decoded_at(bars->view, model, &ours->kernel, context, bars->team);
    if (!f16 || !mixed)
        return;
    const double most = without_attention(f16);
    const struct bounded ratio = best_ratio(mixed, f16);
    const struct bar measured = {ratio.value, ratio.low, ratio.high, ours->colour, .key = ours->title};
    const struct bar attention = {.value = most,
                                  .colour = base->colour,
                                  .opacity = 0.15,
                                  .key = "f16, attention for free"},
                     both = {.value = ratio.value * without_attention(mixed),
                             .colour = ours->colour,
                             .opacity = 0.15,
                             .key = "2 and 4 bits, attention for free"};
    bars_group(bars, "%zu", context);
    bars_add(bars, &attention, "f16, %s, %zu positions: at most %.3g times as fast, %.1f%% of the pass is attention",
             model, context, most, 100 * decoded_share(f16, "attention"));
    bars_add(bars, &measured, "%s, %s, %zu positions: %.3g times as fast as f16, %s", ours->title, model, context,
             ratio.value, view_text(mixed, "name"));
    bars_add(bars, &both, "%s, %s, %zu positions: at most %.3g times as fast as f16, %.1f%% of its pass is attention",
             ours->title, model, context, both.value, 100 * decoded_share(mixed, "attention"));
}

static void add(struct bar_panels *bars)
{
    bars->team = decoded_team(bars->view);
    for (size_t m = 0; m < MIXED_MODELS; m++) {
        size_t contexts[CONTEXTS],
            count = decoded_contexts(bars->view, mixed_models[m], bars->team, contexts, CONTEXTS);
        bars_panel(bars, "times as fast as f16", "%s", mixed_models[m]);
        for (size_t c = 0; c < count; c++)
            add_context(bars, mixed_models[m], contexts[c]);
    }
}

const struct figure figure_mixed_10 = {
    .name = "mixed_10",
    .title = "Fewer bits beside a faster attention [mixed-2-4-16, Fig. 10]",
    .caption =
        "How many times as fast as with 16-bit weights a token goes through a model, over the positions that it attends to; all with "
        "an output head of 16 bits. Solid: weights of 2 and 4 bits with outliers, measured here as whole passes, with 95% intervals. Empty: what "
        "any faster attention could add at most, because it takes no time at all in them: alone, and together with these weights. The paper runs FlashAttention on "
        "its GPUs, whose gain is that intermediate results stay out of memory. On a CPU they do anyway: attention here goes through keys and "
        "values once, so a slower one to start from would be made up. The paper's own numbers are in a picture alone.",
    .units = "times as fast, no unit; positions",
    .rank = 93,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_DECODE),
    .lacking = "decoded tokens of f16 and mixed24_o02 with as many positions",
    .measured_by = "kneepoint decode --model=llama2-7b --head=f16 --context=512,4096 f16 mixed24_o02.outliers_fused",
    .frame = &bar_frame,
    .of =
        &(const struct bar_form){.add = add, .columns = 2, .plot_height = 260, .from_one = true, .under = "positions"},
};
