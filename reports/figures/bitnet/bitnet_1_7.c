/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/papers/bitnet.h"
#include "reports/select/tokens/decoded.h"

/* Table 7 of bitnet.cpp as a figure, with what was decoded on the host, or what its GEMVs allow, in a panel above the paper's
 * machines. Figure 1 of the paper is its largest model. */
/* A bound is the model's as soon as one shape of the layers is. */
#define MEASURED_WHOLLY 0.999

static double rate(double seconds)
{
    return seconds > 0 ? 1 / seconds : NAN;
}

/* Tokens a second of a kernel and a model, of which one is a number at most. */
struct speed {
    double decoded, bound,
        partly;       /* by a pass; that measured GEMVs allow; that GEMVs allow of which some are modelled */
    double context;   /* of the pass */
    size_t one_layer; /* shapes of the bound that were measured on one layer */
};

static const struct speed no_speed = {.decoded = NAN, .bound = NAN, .partly = NAN, .context = NAN};

static struct speed speed_of(const struct view *view, size_t size, const struct token_kernel *kernel, unsigned team)
{
    struct speed speed = no_speed;
    const json_t *pass = decoded_with(view, bitnet_models[size], kernel, team);
    if (pass) {
        speed.decoded = view_median(pass, "tokens_per_s");
        speed.context = view_number(pass, "context");
        return speed;
    }
    struct token_bound bound = token_bound(view, bitnet_models[size], kernel, team);
    *(bound.measured > MEASURED_WHOLLY ? &speed.bound : &speed.partly) = rate(bound.seconds);
    speed.one_layer = bound.one_layer;
    return speed;
}

/* A bar of the paper's rendering and a mark of our fastest kernel. */
static void add_host_bar(struct bar_panels *bars, size_t size, const struct bitnet_column *column, unsigned team)
{
    const struct speed paper = speed_of(bars->view, size, &column->paper, team),
                       ours = column->paper.sequence ? speed_of(bars->view, size, &column->ours, team) : no_speed;
    const char *title = column->title, *model = bitnet_sizes[size];
    struct bar bar = {paper.decoded, .colour = column->colour};
    char one_layer[64] = "";
    if (paper.partly > 0) {
        bar.value = paper.partly;
        bar.opacity = 0.01;
        bars_key(bars, "bound, partly the model", 0x1a1a1a, bar.opacity);
        bars_add(bars, &bar, "%s, %s, not decoded: at most %.4g tokens/s, partly the model", title, model, bar.value);
    } else if (paper.bound > 0) {
        bar.value = paper.bound;
        bar.opacity = 0.35;
        bars_key(bars, "bound: measured GEMVs", 0x1a1a1a, bar.opacity);
        if (paper.one_layer)
            snprintf(one_layer, sizeof one_layer, " (%zu shapes on one layer)", paper.one_layer);
        bars_add(bars, &bar, "%s, %s, not decoded: at most %.4g tokens/s by its measured GEMVs%s", title, model,
                 bar.value, one_layer);
    } else {
        bars_add(bars, &bar, "%s, %s: %.4g tokens/s, decoded over %g positions", title, model, bar.value,
                 paper.context);
    }
    bars_mark(bars, ours.decoded, 13, 0x1a1a1a, "our fastest kernel",
              "%s, %s, our fastest: %.4g tokens/s, decoded over %g positions", title, model, ours.decoded,
              ours.context);
    bars_mark(bars, ours.bound, 12, 0x1a1a1a, "bound of our fastest kernel",
              "%s, %s, our fastest, not decoded: at most %.4g tokens/s", title, model, ours.bound);
}

static void add_host(struct bar_panels *bars, unsigned team)
{
    bars_panel(bars, "tokens/s", "this host, %u thread%s: decoded, or what its cold GEMVs allow", team, plural(team));
    for (size_t i = 0; i < BITNET_SYSTEMS; i++)
        bars_key(bars, bitnet_columns[i].title, bitnet_columns[i].colour, 1);
    for (size_t s = 0; team && s < BITNET_SIZES; s++) {
        bars_group(bars, "%s", bitnet_sizes[s]);
        for (size_t i = 0; i < BITNET_SYSTEMS; i++)
            add_host_bar(bars, s, &bitnet_columns[i], team);
    }
}

static void add_machine(struct bar_panels *bars, size_t machine)
{
    double values[BITNET_SYSTEMS][BITNET_SIZES];
    bars_panel(bars, "tokens/s", "%s: measured end to end in the paper", bitnet_machine_titles[machine]);
    for (size_t i = 0; i < BITNET_SYSTEMS; i++)
        bitnet_stated(&bars->papers, machine, (enum bitnet_system)i, values[i]);
    for (size_t s = 0; s < BITNET_SIZES; s++) {
        bars_group(bars, "%s", bitnet_sizes[s]);
        for (size_t i = 0; i < BITNET_SYSTEMS; i++) {
            const struct bar bar = {.value = values[i][s], .colour = bitnet_columns[i].colour};
            bars_add(bars, &bar, "%s, %s: %.4g tokens/s", bitnet_columns[i].title, bitnet_sizes[s], bar.value);
        }
    }
}

static void add(struct bar_panels *bars)
{
    const unsigned widest = view_widest_team(bars->view), decoded = decoded_team(bars->view);
    add_host(bars, decoded > widest ? decoded : widest);
    if (!bars->bars) /* of this host there is nothing to stand beside the paper's */
        return;
    for (size_t m = 0; m < BITNET_MACHINES; m++)
        add_machine(bars, m);
}

const struct figure figure_bitnet_1_7 = {
    .name = "bitnet_1_7",
    .title = "Token generation by format and model size [bitnet-cpp, Fig. 1, Fig. 7 and Table 7]",
    .caption =
        "Above, tokens per second on this host. A full bar is a token decoded through the whole model, measured with "
        "all the work between the matrices, over a cache of as many positions as its tip says. If the model was not "
        "decoded, a pale bar is the bound that GEMVs set: one over the sum of count x time of all weight matrices "
        "that a token reads, weights cold in memory, plus the preparation of activations, which matrices with the "
        "same input share. Nothing else is counted (no attention). An empty bar is the same bound, with the model's "
        "min(β, B/γ) for shapes that were not measured. The output head has 16 bits in every column. Bars are the "
        "paper's renderings of the kernels; a full diamond is our fastest kernel in the same format, decoded; an open "
        "one is the bound of its measured GEMVs. A shape is measured on copies of its matrix, or on one layer where "
        "it is too large. Below, what the paper measured end to end with all threads of its machines; its Figure 1 is "
        "the largest model. A missing bar there is N/A in the paper.",
    .units = "tokens per second, logarithmic",
    .rank = 70,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs or gammas of bitnet.cpp's formats",
    .measured_by = BITNET_COMMAND("bitnet-3.8b"),
    .paper = BITNET_PAPER,
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 1, .plot_height = 190, .one_axis = true, .logarithmic = true},
};
