/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/select/bitnet.h"

enum { TEAMS = 64, PANELS = 4 };

static const char model[] = "bitnet-700m"; /* bitnet_b1_58-large */

/* A block: tokens and bytes per second over the teams. @return whether anything was measured */
static bool write_panel(const struct view *view, const struct token_kernel *kernel, const unsigned *teams, size_t count,
                        FILE *data)
{
    bool any = false;
    for (size_t t = 0; t < count; t++) {
        struct token_bound bound = token_bound(view, model, kernel, teams[t]);
        if (!(bound.measured > 0.999))
            continue;
        if (!any)
            fputs("# threads, tokens/s, GB/s of weights, GB/s of the roof\n", data);
        any = true;
        fprintf(data, "%u %.5g %.5g %.5g\n", teams[t], 1 / bound.seconds, bound.bytes / bound.seconds / 1e9,
                view_median(view_roof(view, "memory", teams[t]), "bytes_per_s") / 1e9);
    }
    if (any)
        fputs("\n\n", data);
    return any;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    static const struct {
        enum bitnet_system system;
        bool ours;
    } shown[PANELS] = {{BITNET_TL2_0, false}, {BITNET_TL2_0, true}, {BITNET_I2_S, false}, {BITNET_I2_S, true}};
    unsigned teams[TEAMS], colours[PANELS];
    char titles[PANELS][64];
    size_t count = view_teams(view, teams, TEAMS), panels = 0;
    for (size_t i = 0; i < PANELS; i++) {
        const struct bitnet_column *column = &bitnet_columns[shown[i].system];
        if (!write_panel(view, shown[i].ours ? &column->ours : &column->paper, teams, count, data))
            continue;
        colours[panels] = column->colour;
        snprintf(titles[panels++], sizeof *titles, "%s, %s", column->title, shown[i].ours ? "ours" : "as in the paper");
    }
    if (!panels)
        return -ENODATA;
    fprintf(settings, "panels = %zu\nthreads_max = %u\nwidth = %zu\nheight = 440\nnarrow_height = %zu\n", panels,
            teams[count - 1], 380 + 220 * panels, 180 + 230 * ((panels + 1) / 2));
    struct settings_array panel_title = settings_texts(settings, "panel_title", panels);
    for (size_t p = 0; p < panels; p++)
        array_text(&panel_title, titles[p]);
    struct settings_array panel_colour = settings_numbers(settings, "panel_colour", panels);
    for (size_t p = 0; p < panels; p++)
        array_colour(&panel_colour, colours[p]);
    return 0;
}

static const enum view_type needs[] = {VIEW_GEMV};

const struct figure figure_bitnet_10 = {
    .name = "bitnet_10",
    .title = "Thread scaling and its bandwidth, bitnet_b1_58-large [bitnet-cpp, Fig. 10]",
    .caption =
        "Full lines, left axis: tokens per second that the cold GEMVs of the 700M model allow with so many threads. "
        "Dashed lines, right axis: the bytes of weights they read per second, below the dotted read roof. The two axes "
        "differ by the bytes of a token alone, so curve and bandwidth coincide where the GEMVs are all there is; in "
        "the paper, measured end to end on an i5-13400F, they have the same shape, and both end at 4 threads, where "
        "memory is saturated. Here it is saturated where the dashed line meets the dotted one.",
    .units = "threads; tokens per second (left); GB/s, 1e9 bytes per second, of packed weights (right)",
    .rank = 73,
    .section = FIGURE_PAPERS,
    .needs = needs,
    .needs_count = 1,
    .lacking = "cold GEMVs of bitnet-700m on all its shapes",
    .measured_by = BITNET_COMMAND("bitnet-700m"),
    .write = write,
};
