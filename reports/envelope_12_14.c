/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/beside.h"
#include "reports/cells.h"
#include "reports/figure.h"
#include "reports/gnuplot.h"
#include "roofline/ebw.h"

enum { TEAMS = 64, PANELS = BESIDE_MAX + 1, MODELS = 3, WIDTHS = 2 };

static const double widths[WIDTHS] = {2, 1};

/* Share of GEMVs in the time of a token with 16-bit weights, measured on ARL [envelope, IV-D]; the 1.5B model's is not
 * stated. */
static const struct model {
    const char *shapes, *title;
    double alpha;
} models[MODELS] = {{"falcon3-1b", "1B", 0.87}, {"mobilellm-1.5b", "1.5B", NAN}, {"llama3-8b", "8B", 0.96}};

/* Speed-up over 16-bit weights, end to end, as measured [envelope, IV-D, Fig. 12-14]; LNL gained nothing from 1 bit. */
static const struct observation {
    const char *platform;
    double speedup[MODELS][WIDTHS];
} observations[] = {
    {"arl", {{4.1, 4.8}, {3.9, 4.4}, {5.8, 8.3}}},
    {"arlh", {{3.8, 4.2}, {3.8, 4.0}, {5.6, 6.8}}},
    {"lnl", {{3.8, NAN}, {3.5, NAN}, {7.0, NAN}}},
};

static double observed(const char *platform, size_t model, size_t width)
{
    for (size_t i = 0; i < sizeof observations / sizeof *observations; i++) {
        if (strcmp(observations[i].platform, platform) == 0)
            return observations[i].speedup[model][width];
    }
    return NAN;
}

/* How much faster than 16-bit weights from memory the GEMVs are, by the model of the machine's cores. */
static double modelled_gain(const struct described_platform *platform, double bits)
{
    return 16 / bits * beside_bytes_per_s(platform, bits) / beside_bytes_per_s(platform, 8);
}

static double fastest_s(const struct view *view, const struct shape *shape, unsigned team, double bits)
{
    struct cell_query query = {.m = (double)shape->m, .k = (double)shape->k, .threads = team, .cold = true};
    double fastest = NAN;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (cells_is_valid(row) && cells_match(row, &query) && view_format_bits(row) == bits)
            fastest = fmin(fastest, view_median(row, "time_s"));
    }
    return fastest;
}

/* The same from the host's cold cells: 16-bit weights at the read roof over what the layers' GEMVs took. NaN unless
 * every shape of the layers was measured. */
static double measured_gain(const struct view *view, const char *model, unsigned team, double bits)
{
    struct shape shapes[SHAPES_MAX];
    size_t count = shapes_all(shapes, SHAPES_MAX);
    double wide_s = 0, narrow_s = 0;
    double roof = view_median(view_roof(view, "memory", team), "bytes_per_s");
    for (size_t i = 0; i < count; i++) {
        if (strcmp(shapes[i].model, model) != 0 || shape_is_head(&shapes[i]))
            continue;
        wide_s += shapes[i].count * 2 * (double)(shapes[i].m * shapes[i].k) / roof;
        narrow_s += shapes[i].count * fastest_s(view, &shapes[i], team, bits);
    }
    return narrow_s > 0 ? wide_s / narrow_s : NAN;
}

/* @return the highest bar, 0 for none */
static double write_panel(const struct view *view, const struct described_platform *platform, unsigned team, FILE *data)
{
    double most = 0;
    fputs("# place, ideal (1/x of the bytes), with the GEMVs' own gain, observed, colour, label, alpha, gain\n", data);
    for (size_t m = 0; m < MODELS; m++) {
        for (size_t w = 0; w < WIDTHS; w++) {
            double gain = platform ? modelled_gain(platform, widths[w])
                                   : measured_gain(view, models[m].shapes, team, widths[w]);
            double ideal = roofline_amdahl(models[m].alpha, 16 / widths[w]);
            double own = roofline_amdahl(models[m].alpha, gain);
            double seen = platform ? observed(platform->name, m, w) : NAN;
            most = fmax(most, fmax(own, seen));
            fprintf(data, "%zu %.4g %.4g %.4g 0x%06x \"%s, %g-bit\" %.3g %.4g\n", m * (WIDTHS + 1) + w + 1, ideal, own,
                    seen, figure_colour(widths[w]), models[m].title, widths[w], models[m].alpha, gain);
        }
    }
    fputs("\n\n", data);
    return most;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    const struct described_platform *platforms[PANELS] = {NULL};
    char title[PANELS][96];
    unsigned teams[TEAMS];
    size_t team_count = view_teams(view, teams, TEAMS), panels = 0;
    unsigned team = team_count ? teams[team_count - 1] : 0;
    for (size_t i = 0; i < view->beside_count && i < BESIDE_MAX; i++) {
        if (isnan(beside_bytes_per_s(&view->beside[i], 2)) || !(write_panel(view, &view->beside[i], 0, data) > 0))
            continue;
        platforms[panels] = &view->beside[i];
        snprintf(title[panels], sizeof title[panels], "%.40s%s", platforms[panels]->name,
                 strcmp(platforms[panels]->name, "arl") == 0 ? "" : ", α of arl");
        panels++;
    }
    bool host = false;
    for (size_t m = 0; team && m < MODELS; m++)
        host = host || measured_gain(view, models[m].shapes, team, 2) > 0 ||
               measured_gain(view, models[m].shapes, team, 1) > 0;
    if (host) {
        write_panel(view, NULL, team, data);
        snprintf(title[panels++], sizeof *title, "host, %u thread%s, α of arl", team, team == 1 ? "" : "s");
    }
    if (!panels)
        return -ENODATA;
    fprintf(settings, "panels = %zu\narray panel_title[%zu] = [", panels, panels);
    for (size_t p = 0; p < panels; p++) {
        fputs(p ? ", " : "", settings);
        gnuplot_write_string(settings, title[p]);
    }
    fprintf(settings, "]\nwidth = 980\nheight = %zu\n", 180 + 190 * panels);
    return 0;
}

const struct figure figure_envelope_12_14 = {
    .name = "envelope_12_14",
    .title = "End-to-end speed-up over 16-bit weights: ideal, modelled, observed [envelope, Fig. 12-14]",
    .caption = "Amdahl's law s = 1/(1 - α + α/x) with the share α of GEMVs in a token, 0.87 for the 1B and 0.96 for the 8B "
               "model, measured on ARL and taken over for the other machines; the 1.5B model's is not stated, so it has "
               "observed values only. A pale bar takes the ideal gain x = 16/bits, a full one the gain that the model of "
               "the machine's cores allows, or on the host that its measured cold GEMVs have over 16-bit weights at the "
               "read roof (an assumption: no 16-bit GEMV is measured; the output head is left out). Diamonds are the "
               "speed-ups that the paper observed; one above its bar shows that α on that machine is higher.",
    .units = "speed-up over 16-bit weights, no unit",
    .rank = 62,
    .platforms = "arl,arlh,lnl",
    .write = write,
};
