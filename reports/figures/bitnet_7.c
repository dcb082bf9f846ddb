/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/select/bitnet.h"

/* Table 7 of bitnet.cpp as a figure, with what the host's GEMVs allow in a panel above the paper's machines. */
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

/* One block: the bars of a system in the host's panel. @return how many there are */
static size_t write_host(const struct view *view, size_t system, unsigned team, FILE *data)
{
    const struct bitnet_column *column = &bitnet_columns[system];
    size_t bars = 0;
    fputs("# place, tokens/s if measured, if modelled, of our fastest kernel, size, GB/s of weights, shapes on one "
          "layer\n",
          data);
    for (size_t s = 0; s < BITNET_SIZES; s++) {
        struct token_bound bound = token_bound(view, bitnet_models[s], &column->paper, team);
        struct token_bound ours = token_bound(view, bitnet_models[s], &column->ours, team);
        bool measured = bound.measured > MEASURED_WHOLLY;
        bool better = ours.measured > MEASURED_WHOLLY && column->paper.sequence;
        bars += isfinite(bound.seconds) ? 1 : 0;
        fprintf(data, "%.4f %.5g %.5g %.5g \"%s\" %.4g %zu\n", place_of(s, system),
                measured ? rate(bound.seconds) : NAN, measured ? NAN : rate(bound.seconds),
                better ? rate(ours.seconds) : NAN, bitnet_sizes[s], bound.bytes / bound.seconds / 1e9, bound.one_layer);
    }
    fputs("\n\n", data);
    return bars;
}

static void write_stated(const struct papers *papers, size_t machine, size_t system, FILE *data)
{
    double values[BITNET_SIZES];
    bitnet_stated(papers, machine, (enum bitnet_system)system, values);
    fputs("# place, tokens/s as stated\n", data);
    for (size_t s = 0; s < BITNET_SIZES; s++)
        fprintf(data, "%.4f %.5g NaN NaN \"%s\" NaN 0\n", place_of(s, system), values[s], bitnet_sizes[s]);
    fputs("\n\n", data);
}

static void write_settings(unsigned team, FILE *settings)
{
    fprintf(settings, "width = 1080\nheight = 900\nnarrow_height = 760\nsystems = %d\nsizes = %d\npanels = %d\n",
            BITNET_SYSTEMS, BITNET_SIZES, PANELS);
    char title[96];
    struct settings_array panels = settings_texts(settings, "panel_title", PANELS);
    snprintf(title, sizeof title, "this host, %u thread%s: what its cold GEMVs allow", team, team == 1 ? "" : "s");
    array_text(&panels, title);
    for (size_t m = 0; m < BITNET_MACHINES; m++) {
        snprintf(title, sizeof title, "%s: measured end to end in the paper", bitnet_machine_titles[m]);
        array_text(&panels, title);
    }
    struct settings_array sizes = settings_texts(settings, "size_title", BITNET_SIZES);
    for (size_t s = 0; s < BITNET_SIZES; s++)
        array_text(&sizes, bitnet_sizes[s]);
    struct settings_array systems = settings_texts(settings, "system_title", BITNET_SYSTEMS);
    for (size_t i = 0; i < BITNET_SYSTEMS; i++)
        array_text(&systems, bitnet_columns[i].title);
    struct settings_array colours = settings_numbers(settings, "system_colour", BITNET_SYSTEMS);
    for (size_t i = 0; i < BITNET_SYSTEMS; i++)
        array_colour(&colours, bitnet_columns[i].colour);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS), bars = 0;
    unsigned team = count ? teams[count - 1] : 0;
    for (size_t i = 0; team && i < BITNET_SYSTEMS; i++)
        bars += write_host(view, i, team, data);
    if (!bars)
        return -ENODATA;
    struct papers papers;
    char why[256];
    int error = papers_open(BITNET_PAPER, &papers, why, sizeof why);
    for (size_t m = 0; !error && m < BITNET_MACHINES; m++) {
        for (size_t i = 0; i < BITNET_SYSTEMS; i++)
            write_stated(&papers, m, i, data);
    }
    papers_free(&papers);
    write_settings(team, settings);
    return error;
}

static const enum view_type needs[] = {VIEW_GEMV};

const struct figure figure_bitnet_7 = {
    .name = "bitnet_7",
    .title = "Token generation by format and model size [bitnet-cpp, Fig. 7 and Table 7]",
    .caption =
        "Above, tokens per second that the GEMVs allow on this host: one over the sum of count x time over all weight "
        "matrices that a token reads, their weights cold in memory, the output head in Float16 in every column, and "
        "nothing else counted (no attention, no quantization of activations), so it is a bound and not an inference. "
        "Bars are the paper's renderings of the kernels; a full bar is measured on every shape, a pale one takes the "
        "model's min(β, B/γ) where a shape was not measured. A dark mark is the fastest kernel of ours in the same "
        "format. A shape is measured on copies of its matrix, or on one layer where it is too large. Below, what the "
        "paper measured end to end with all threads of its machines; a missing bar is its N/A.",
    .units = "tokens per second, logarithmic",
    .rank = 70,
    .needs = needs,
    .needs_count = 1,
    .lacking = "cold GEMVs or gammas of bitnet.cpp's formats",
    .measured_by = BITNET_COMMAND("bitnet-3.8b"),
    .write = write,
};
