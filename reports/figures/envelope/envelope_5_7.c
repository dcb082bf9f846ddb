/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/kernels/models.h"
#include "reports/select/machines/reference_platforms.h"
#include "reports/select/papers/claims.h"

enum { WIDTHS = 3 };

static const double widths[WIDTHS] = {8, 2, 1};

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

/* @param platform  NULL: the host */
static void add_shapes(struct bar_panels *bars, const struct described_platform *platform, unsigned team, double roof)
{
    struct shape shapes[SHAPES_MAX];
    const size_t count = models_timed_by("envelope, Fig. 5-8", shapes);
    for (size_t i = 0; i < count; i++) {
        const struct shape *shape = &shapes[i];
        bars_group(bars, "%zu×%zu", shape->m, shape->k);
        for (size_t w = 0; w < WIDTHS; w++) {
            const double bits = widths[w],
                         rate = platform ? modelled(platform, shape, bits) : measured(bars->view, shape, team, bits);
            char key[24];
            snprintf(key, sizeof key, "%g-bit", bits);
            bars_add(bars, &(struct bar){.value = rate / 1e9, .colour = figure_colour(bits), .key = key},
                     "%s, %zu×%zu, %s: %.1f GB/s", shape->model, shape->m, shape->k, key, rate / 1e9);
            if (platform)
                continue;
            const double as_published = published(bars->view, shape, team, bits) / 1e9;
            bars_mark(bars, as_published, 13, 0x1a1a1a, "as published", "%s, %zu×%zu, %s as published: %.1f GB/s",
                      shape->model, shape->m, shape->k, key, as_published);
        }
    }
    bars_level(bars, roof / 1e9, 3, "read roof");
}

static void add(struct bar_panels *bars)
{
    const struct view *view = bars->view;
    const unsigned team = view->of[VIEW_GEMV].count ? view_widest_team(view) : 0;
    if (team) {
        bars_panel(bars, "GB/s", "host measured, %u thread%s", team, plural(team));
        add_shapes(bars, NULL, team, view_median(view_roof(view, "memory", team), "bytes_per_s"));
    }
    for (size_t i = 0; i < view->platform_count; i++) {
        const struct described_platform *platform = &view->platforms[i];
        char call[32] = "";
        if (isnan(reference_bytes_per_s(platform, 2)) && isnan(reference_bytes_per_s(platform, 1)))
            continue;
        if (!isnan(platform->synchronisation_s))
            snprintf(call, sizeof call, ", %.1f µs a call", 1e6 * platform->synchronisation_s);
        bars_panel(bars, "GB/s", "%.40s modelled%s", platform->name, call);
        add_shapes(bars, platform, 0, platform->read_bytes_per_s);
    }
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
    .platforms = "arl,arlh,lnl",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add,
                                   .columns = 1,
                                   .plot_height = 130,
                                   .turned = true,
                                   .shared = true,
                                   .under = "rows × columns of the weight matrix"},
};
