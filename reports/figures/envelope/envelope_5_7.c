/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/figure.h"
#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/kernels/models.h"
#include "reports/select/machines/reference_platforms.h"
#include "reports/select/papers/published.h"

enum { TEAMS = 64, PANELS = REFERENCE_PLATFORMS_MAX + 1, WIDTHS = 3 };

static const double widths[WIDTHS] = {8, 2, 1};

struct panel {
    const struct described_platform *platform; /* NULL: the host */
    char title[96];
    double roof; /* bytes/s; NaN unknown */
};

/* Bytes per second of one call: the model's time and the synchronisation. */
static double modelled(const struct described_platform *platform, const struct shape *shape, double bits)
{
    double packed = (double)(shape->m * shape->k) * bits / 8;
    return packed / (packed / reference_bytes_per_s(platform, bits) + reference_synchronisation_s(platform));
}

/* The fastest valid cold kernel of the width, the paper's and ours alike. */
static double measured(const struct view *view, const struct shape *shape, unsigned team, double bits)
{
    struct cell_query query = {
        .m = (double)shape->m, .k = (double)shape->k, .format_bits = bits, .threads = team, .cold = true};
    return view_median(best_gemv(view, &query).row, "bytes_per_s");
}

static bool is_published(const void *bits, const json_t *row)
{
    bool of_isa = false;
    for (size_t i = 0; published_isas[i]; i++)
        of_isa |= strcmp(view_text(row, "isa"), published_isas[i]) == 0;
    return of_isa && strcmp(view_origin(row), "envelope") == 0 && view_format_bits(row) == *(const double *)bits;
}

/* The same of the paper's kernels as published, of 256 bits. */
static double published(const struct view *view, const struct shape *shape, unsigned team, double bits)
{
    const struct gemm_query where = {.m = (double)shape->m, .k = (double)shape->k, .threads = team, .cold = true};
    return view_median(best_among(view, VIEW_GEMV, is_published, &bits, &where).row, "bytes_per_s");
}

static size_t choose_panels(const struct view *view, unsigned team, struct panel *panels)
{
    size_t count = 0;
    if (team) {
        struct panel *host = &panels[count++];
        *host = (struct panel){.roof = view_median(view_roof(view, "memory", team), "bytes_per_s")};
        snprintf(host->title, sizeof host->title, "host measured, %u thread%s", team, team == 1 ? "" : "s");
    }
    for (size_t i = 0; i < view->platform_count && count < PANELS; i++) {
        const struct described_platform *platform = &view->platforms[i];
        if (isnan(reference_bytes_per_s(platform, 2)) && isnan(reference_bytes_per_s(platform, 1)))
            continue;
        struct panel *panel = &panels[count++];
        *panel = (struct panel){.platform = platform, .roof = platform->read_bytes_per_s};
        int length = snprintf(panel->title, sizeof panel->title, "%.40s modelled", platform->name);
        if (!isnan(platform->synchronisation_s))
            snprintf(panel->title + length, sizeof panel->title - (size_t)length, ", %.1f µs a call",
                     1e6 * platform->synchronisation_s);
    }
    return count;
}

static void add_panel(const struct view *view, const struct panel *panel, unsigned team, const struct shape *shapes,
                      size_t count, struct bar_panels *bars)
{
    bars_panel(bars, panel->title, "GB/s");
    for (size_t i = 0; i < count; i++) {
        char shape[48];
        snprintf(shape, sizeof shape, "%zu×%zu", shapes[i].m, shapes[i].k);
        bars_group(bars, shape);
        for (size_t w = 0; w < WIDTHS; w++) {
            char key[24];
            snprintf(key, sizeof key, "%g-bit", widths[w]);
            struct bar bar = {.colour = figure_colour(widths[w]), .key = key};
            bar.value = (panel->platform ? modelled(panel->platform, &shapes[i], widths[w])
                                         : measured(view, &shapes[i], team, widths[w])) /
                        1e9;
            bars_add(bars, &bar, "%s, %s, %s: %.1f GB/s", shapes[i].model, shape, key, bar.value);
            if (panel->platform)
                continue;
            const double as_published = published(view, &shapes[i], team, widths[w]) / 1e9;
            bars_mark(bars, as_published, 13, 0x1a1a1a, "as published", "%s, %s, %s as published: %.1f GB/s",
                      shapes[i].model, shape, key, as_published);
        }
    }
    bars_level(bars, panel->roof / 1e9, 3, "read roof");
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct bar_panels bars = {.data = data,
                              .columns = 1,
                              .plot_height = 130,
                              .turned = true,
                              .shared = true,
                              .under = "rows × columns of the weight matrix"};
    struct shape shapes[SHAPES_MAX];
    struct panel panels[PANELS];
    unsigned teams[TEAMS];
    size_t count = models_timed_by("envelope, Fig. 5-8", shapes), team_count = view_teams(view, teams, TEAMS);
    const unsigned team = view->of[VIEW_GEMV].count && team_count ? teams[team_count - 1] : 0;
    size_t panel_count = choose_panels(view, team, panels);
    for (size_t p = 0; p < panel_count; p++)
        add_panel(view, &panels[p], team, shapes, count, &bars);
    return bars_write(&bars, settings);
}

const struct figure figure_envelope_5_7 = {
    .name = "envelope_5_7",
    .title = "GEMV bandwidth by weight shape: measured here, modelled there [envelope, Fig. 5-7]",
    .caption =
        "Bytes of packed weights per second of a cold matrix-vector product. The host's panel is the fastest valid "
        "kernel of each width on its largest team; diamonds are the paper's kernels as published, of 256 bits. The "
        "described machines are modelled: packed bytes over the sum of their cores' min(β, B/γ), plus the "
        "synchronisation of a call if it is stated, which is only ARL's 1 µs. For 1600×1600 with 2 bits on ARL the "
        "model says 6 µs without and 7 µs with it; 8.9 µs were measured [IV-B]. The dotted line is the read roof.",
    .units = "GB/s (1e9 bytes per second) of packed weights; the sources' GiB/s are converted",
    .rank = 61,
    .section = FIGURE_PAPERS,
    .drawn_by = "bar_panels",
    .platforms = "arl,arlh,lnl",
    .write = write,
};
