/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/select/papers/bitnet.h"
#include "reports/select/tokens/decoded.h"

/* Table 7 of bitnet.cpp as a figure, with what was decoded on the host, or what its GEMVs allow, in a panel above the paper's
 * machines. Figure 1 of the paper is its largest model. */
enum { TEAMS = 64, PANELS = 1 + BITNET_MACHINES };

/* A bound is the model's as soon as one shape of the layers is. */
#define MEASURED_WHOLLY 0.999

static double place_of(size_t size, size_t system)
{
    return (double)size + 0.1 + (0.8 * ((double)system + 0.5)) / BITNET_SYSTEMS;
}

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

/* What is drawn on the host, by what the legend says of it. */
struct drawn {
    bool decoded, bound, partly, ours, ours_bound;
};

static void add_drawn(const struct speed *paper, const struct speed *ours, struct drawn *drawn)
{
    drawn->decoded |= isfinite(paper->decoded);
    drawn->bound |= isfinite(paper->bound);
    drawn->partly |= isfinite(paper->partly);
    drawn->ours |= isfinite(ours->decoded);
    drawn->ours_bound |= isfinite(ours->bound);
}

/* One block: the bars of a system in the host's panel. */
static void write_host(const struct view *view, size_t system, unsigned team, struct drawn *drawn, FILE *data)
{
    const struct bitnet_column *column = &bitnet_columns[system];
    fputs(
        "# place, tokens/s decoded, bound of measured GEMVs, bound partly modelled, our fastest decoded, its bound, size, "
        "context, of ours, shapes of the bound on one layer\n",
        data);
    for (size_t s = 0; s < BITNET_SIZES; s++) {
        struct speed paper = speed_of(view, s, &column->paper, team), ours = no_speed;
        if (column->paper.sequence)
            ours = speed_of(view, s, &column->ours, team);
        add_drawn(&paper, &ours, drawn);
        fprintf(data, "%.4f %.5g %.5g %.5g %.5g %.5g \"%s\" %g %g %zu\n", place_of(s, system), paper.decoded,
                paper.bound, paper.partly, ours.decoded, ours.bound, bitnet_sizes[s], paper.context, ours.context,
                paper.one_layer);
    }
    fputs("\n\n", data);
}

static void write_stated(const struct papers *papers, size_t machine, size_t system, FILE *data)
{
    double values[BITNET_SIZES];
    bitnet_stated(papers, machine, (enum bitnet_system)system, values);
    fputs("# place, tokens/s as stated\n", data);
    for (size_t s = 0; s < BITNET_SIZES; s++)
        fprintf(data, "%.4f %.5g NaN NaN NaN NaN \"%s\" NaN NaN 0\n", place_of(s, system), values[s], bitnet_sizes[s]);
    fputs("\n\n", data);
}

static void write_settings(unsigned team, const struct drawn *drawn, FILE *settings)
{
    fprintf(settings, "any_bound = %d\nany_partly = %d\nany_ours = %d\nany_ours_bound = %d\n", drawn->bound,
            drawn->partly, drawn->ours, drawn->ours_bound);
    fprintf(settings, "width = 1080\nheight = 926\nnarrow_height = 800\nsystems = %d\nsizes = %d\npanels = %d\n",
            BITNET_SYSTEMS, BITNET_SIZES, PANELS);
    char title[96];
    struct settings_array panels = settings_texts(settings, "panel_title", PANELS);
    snprintf(title, sizeof title, "this host, %u thread%s: decoded, or what its cold GEMVs allow", team,
             team == 1 ? "" : "s");
    array_text(&panels, title);
    for (size_t m = 0; m < BITNET_MACHINES; m++) {
        snprintf(title, sizeof title, "%s: measured end to end in the paper", bitnet_machine_titles[m]);
        array_text(&panels, title);
    }
    set_texts(settings, "size_title", BITNET_SIZES, s, bitnet_sizes[s]);
    set_texts(settings, "system_title", BITNET_SYSTEMS, i, bitnet_columns[i].title);
    set_colours(settings, "system_colour", BITNET_SYSTEMS, i, bitnet_columns[i].colour);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS);
    struct drawn drawn = {0};
    unsigned team = count ? teams[count - 1] : 0;
    if (decoded_team(view) > team)
        team = decoded_team(view);
    for (size_t i = 0; team && i < BITNET_SYSTEMS; i++)
        write_host(view, i, team, &drawn, data);
    if (!drawn.decoded && !drawn.bound && !drawn.partly && !drawn.ours)
        return -ENODATA;
    struct papers papers;
    char why[256];
    int error = papers_open(BITNET_PAPER, &papers, why, sizeof why);
    for (size_t m = 0; !error && m < BITNET_MACHINES; m++) {
        for (size_t i = 0; i < BITNET_SYSTEMS; i++)
            write_stated(&papers, m, i, data);
    }
    papers_free(&papers);
    write_settings(team, &drawn, settings);
    return error;
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
        "paper's renderings of the kernels; a dark mark is our fastest kernel in the same format, decoded; a grey "
        "mark is the bound of its measured GEMVs. A shape is measured on copies of its matrix, or on one layer where "
        "it is too large. Below, what the paper measured end to end with all threads of its machines; its Figure 1 is "
        "the largest model. A missing bar there is N/A in the paper.",
    .units = "tokens per second, logarithmic",
    .rank = 70,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs or gammas of bitnet.cpp's formats",
    .measured_by = BITNET_COMMAND("bitnet-3.8b"),
    .write = write,
};
