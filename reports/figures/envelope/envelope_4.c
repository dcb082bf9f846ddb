/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/machines/reference_platforms.h"
#include "reports/select/papers/claims.h"
#include "reports/select/run/reported.h"
#include "roofline/ebw.h"
#include "roofline/shares.h"

enum { FAMILIES = 32, CORES_MOST = 256, HOST_MARK = 1 };

/* Far enough to see the highest knee of the paper, 6.4, and what lies to the right of it. */
#define X_MIN_MAX 7.6

static void write_curve(double x_max, double knee, FILE *data)
{
    fputs("# beta, effective bandwidth: bytes per core cycle and core\n0 0\n", data);
    if (knee < x_max)
        fprintf(data, "%.6g %.6g\n", knee, knee);
    fprintf(data, "%.6g %.6g\n\n\n", x_max, fmin(x_max, knee));
}

/* Machines of the same cores share a curve: it is drawn once. */
static bool is_drawn(const struct series *lines, const char *title)
{
    for (size_t i = 0; i < lines->count; i++) {
        if (strcmp(lines->of[i].title, title) == 0)
            return true;
    }
    return false;
}

static void write_described_lines(const struct view *view, double x_max, struct series *lines, FILE *data)
{
    static const double widths[] = {2, 1};
    for (size_t w = 0; w < 2; w++) {
        for (size_t i = 0; i < view->platform_count; i++) {
            for (size_t k = 0; k < view->platforms[i].kind_count; k++) {
                const struct described_kind *kind = &view->platforms[i].kinds[k];
                const struct described_gamma *gamma = described_gamma_of(kind, reference_sequence(widths[w]));
                if (!gamma)
                    continue;
                double knee = roofline_knee(roofline_vector_bytes(gamma->bits_per_weight), gamma->cycles);
                char title[64];
                snprintf(title, sizeof title, "%g-bit, %s cores: %.3g", widths[w], kind->kind, knee);
                if (is_drawn(lines, title) || lines->count == SERIES_MAX)
                    continue;
                series_add(lines, title, figure_colour(widths[w]), kind->kind[0] == 'P' ? 1 : 2, 0);
                write_curve(x_max, knee, data);
            }
        }
    }
}

/** A machine of several kinds of cores, each with a gamma of a width; NULL: none. */
static const struct described_platform *hybrid(const struct view *view, double width)
{
    for (size_t i = 0; i < view->platform_count; i++) {
        const struct described_platform *platform = &view->platforms[i];
        size_t known = 0, cores = 0;
        for (size_t k = 0; k < platform->kind_count; k++) {
            known += described_gamma_of(&platform->kinds[k], reference_sequence(width)) != NULL;
            cores += platform->kinds[k].cores;
        }
        if (platform->kind_count > 1 && known == platform->kind_count && cores <= CORES_MOST)
            return platform;
    }
    return NULL;
}

/**
 * What all cores of a machine attain at a beta that each of them is given, per cycle and core: shares by e_bw x clock, the
 * sum over the cores, or equal shares, which wait for the slowest.
 */
static double team_bandwidth(const struct described_platform *platform, double width, double beta, bool weighted)
{
    double rate[CORES_MOST], cycles_per_s = 0;
    struct shares_team team = {.rate = rate};
    for (size_t k = 0; k < platform->kind_count; k++) {
        const struct described_kind *kind = &platform->kinds[k];
        const struct described_gamma *gamma = described_gamma_of(kind, reference_sequence(width));
        double bytes = roofline_vector_bytes(gamma->bits_per_weight);
        for (size_t core = 0; core < kind->cores; core++)
            rate[team.members++] = kind->core_hz * roofline_effective_bandwidth(beta, bytes, gamma->cycles);
        cycles_per_s += (double)kind->cores * kind->core_hz;
    }
    return (weighted ? shares_sum(&team) : 1 / shares_seconds(&team, 1)) / cycles_per_s;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/** Straight between the knees of the kinds; the highest comes second, where its text is. */
static void write_team_curve(const struct described_platform *platform, double width, bool weighted, double x_max,
                             FILE *data)
{
    double knees[8];
    size_t count = 0;
    for (size_t k = 0; k < platform->kind_count && count < 8; k++) {
        const struct described_gamma *gamma = described_gamma_of(&platform->kinds[k], reference_sequence(width));
        double knee = roofline_knee(roofline_vector_bytes(gamma->bits_per_weight), gamma->cycles);
        if (knee < x_max)
            knees[count++] = knee;
    }
    qsort(knees, count, sizeof *knees, descending);
    fprintf(data, "# beta, bytes per core cycle and core of the whole team\n%.6g %.6g\n", x_max,
            team_bandwidth(platform, width, x_max, weighted));
    for (size_t i = 0; i < count; i++)
        fprintf(data, "%.6g %.6g\n", knees[i], team_bandwidth(platform, width, knees[i], weighted));
    fputs("0 0\n\n\n", data);
}

/** One hybrid machine with all its cores, shared both ways. */
static void write_hybrid_lines(const struct view *view, double x_max, struct series *lines, FILE *data)
{
    static const double widths[] = {2, 1};
    for (size_t i = 0; i < 4; i++) {
        double width = widths[i / 2];
        bool weighted = i % 2 == 0;
        const struct described_platform *platform = hybrid(view, width);
        if (!platform || lines->count == SERIES_MAX)
            continue;
        char title[96];
        snprintf(title, sizeof title, "%g-bit, %.20s, %s: %.3g", width, platform->name, weighted ? "weighted" : "equal",
                 team_bandwidth(platform, width, x_max, weighted));
        series_add(lines, title, figure_colour(width), weighted ? 4 : 5, 0);
        write_team_curve(platform, width, weighted, x_max, data);
    }
}

/** Lines that follow the memory as far as is drawn: they are one, and its title says how many and where they bend. */
struct beyond {
    size_t count, line;
    double least; /* knee */
};

static void write_host_line(const json_t *gamma, const char *label, int dash, double x_max, struct beyond *beyond,
                            struct series *lines, FILE *data)
{
    double knee = roofline_knee(view_number(gamma, "bytes_per_vector"), view_median(gamma, "gamma"));
    char title[128];
    if (!(knee > 0) || lines->count == SERIES_MAX)
        return;
    if (knee >= x_max) {
        beyond->least = beyond->count ? fmin(beyond->least, knee) : knee;
        if (beyond->count++) {
            snprintf(lines->of[beyond->line].title, sizeof lines->of[0].title, "host, %zu lines: from %.3g",
                     beyond->count, beyond->least);
            lines->of[beyond->line].colour = 0x1a1a1a;
            return;
        }
        beyond->line = lines->count;
    }
    snprintf(title, sizeof title, "host, %s: %.3g", label, knee);
    series_add(lines, title, figure_colour(view_format_bits(gamma)), dash, HOST_MARK);
    write_curve(x_max, knee, data);
}

/** The paper's kernel as it was published: 256 bits, with as many accumulators as come closest to its gamma. */
static const json_t *published_gamma(const struct view *view, double width)
{
    const json_t *best = NULL;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (view_format_bits(row) == width && published_is(row) && claims_is_as_published(view, row) &&
            (!best || view_median(row, "gamma") < view_median(best, "gamma")))
            best = row;
    }
    return best;
}

/* Ours of each width, and the paper's as published; ports of it to longer vectors are neither. */
static void write_host_lines(const struct view *view, double x_max, struct series *lines, FILE *data)
{
    static const double widths[] = {2, 1};
    const json_t *best[FAMILIES];
    struct beyond beyond = {0};
    char label[96];
    size_t count = reported_best_gammas(view, best, FAMILIES);
    for (size_t i = 0; i < count; i++) {
        if (view_is_paper(best[i]))
            continue;
        figure_family_label(best[i], label, sizeof label);
        write_host_line(best[i], label, 1, x_max, &beyond, lines, data);
    }
    for (size_t w = 0; w < 2; w++) {
        const json_t *gamma = published_gamma(view, widths[w]);
        if (!gamma)
            continue;
        snprintf(label, sizeof label, "%g-bit, published", widths[w]);
        write_host_line(gamma, label, 2, x_max, &beyond, lines, data);
    }
}

static double host_beta(const struct view *view)
{
    return view_median(view_roof(view, "memory", view_widest_team(view)), "bytes_per_cycle_per_core");
}

/* What the cores of each machine can read: a vertical bar each. @return how many */
static size_t write_bars(const struct view *view, double host, FILE *data)
{
    size_t bars = 0;
    fputs("# beta, colour, label\n", data);
    static const unsigned colours[] = {0xc0784f, 0x9a70d0, 0x808080};
    for (size_t i = 0; i < view->platform_count; i++) {
        for (size_t k = 0; k < view->platforms[i].kind_count; k++) {
            const struct described_kind *kind = &view->platforms[i].kinds[k];
            if (!(kind->beta > 0))
                continue;
            char label[96];
            snprintf(label, sizeof label, "%.40s %s %.2f", view->platforms[i].name, kind->kind, kind->beta);
            gnuplot_write_row(data, label, "%.6g 0x%06x ", kind->beta, colours[i % 3]);
            bars++;
        }
    }
    if (host > 0) {
        fprintf(data, "%.6g 0x1a1a1a \"host %.2f\"\n", host, host);
        bars++;
    }
    gnuplot_end_block(data, bars, 2, 1);
    return bars;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct series lines = {.prefix = "line"};
    double host = host_beta(view), x_max = fmax(X_MIN_MAX, 1.2 * host);
    const size_t bars = write_bars(view, host, data);
    write_described_lines(view, x_max, &lines, data);
    write_hybrid_lines(view, x_max, &lines, data);
    write_host_lines(view, x_max, &lines, data);
    if (!lines.count)
        return -ENODATA;
    series_add(&lines, "8-bit: no up-convert", figure_colour(8), 3, 0);
    write_curve(x_max, INFINITY, data);
    series_write(&lines, settings);
    fprintf(settings, "bars = %zu\nx_max = %g\nwidth = 980\nheight = 600\nnarrow_height = %zu\n", bars, x_max,
            480 + 22 * ((lines.count + 1) / 2));
    return 0;
}

const struct figure figure_envelope_4 = {
    .name = "envelope_4",
    .title = "Effective bandwidth a core over the bandwidth it is given [envelope, Fig. 4]",
    .caption =
        "e_bw = min(β, B/γ): a sequence follows the memory until its knee B/γ, then its up-convert binds. Solid lines "
        "are P cores and dashed ones E cores of the described machines, dotted is 8-bit weights, which need no "
        "up-convert; machines of the same cores share a line. Vertical bars are the β of each machine's cores with "
        "all of them reading. Dash-dotted lines are a whole hybrid machine, the mean over its cores' cycles: with shares by "
        "e_bw × clock, weighted or dynamic, it attains the sum of its cores; with equal shares it waits for the "
        "slowest. Thick lines are the host's own sequences, dashed the paper's of 256 bits as published; those whose "
        "knees lie beyond the axis follow the memory all the way and are one line.",
    .units = "bytes per core cycle and core (B/cycle/core), both axes",
    .rank = 60,
    .section = FIGURE_PAPERS,
    .platforms = "arl,arlh,lnl",
    .write = write,
};
