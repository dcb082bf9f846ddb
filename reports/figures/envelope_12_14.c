/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/cells.h"
#include "reports/select/reference_platforms.h"
#include "roofline/ebw.h"

enum { TEAMS = 64, PANELS = REFERENCE_PLATFORMS_MAX + 1, MODELS = 3, WIDTHS = 2 };

static const char paper[] = "envelope";
static const double widths[WIDTHS] = {2, 1};

/* Rows of the paper's observations, and the column of the share of GEMVs in the time of a token with 16-bit weights, on
 * ARL [envelope, IV-D]; the 1.5B model's is not stated. */
static const struct model {
    const char *shapes, *title, *share;
} models[MODELS] = {
    {"falcon3-1b", "1B", "gemv_share_1b"}, {"mobilellm-1.5b", "1.5B", NULL}, {"llama3-8b", "8B", "gemv_share_8b"}};

/* One machine. */
struct panel {
    const struct described_platform *platform; /* NULL: the host */
    char title[96];
};

struct picture {
    const struct view *view;
    struct papers papers; /* the one */
    unsigned team;        /* the host's largest; 0: nothing measured */
    struct panel panels[PANELS];
    size_t count;
};

static double share_of_gemv(const struct picture *picture, const struct model *model)
{
    return model->share ? papers_column_value(&picture->papers, paper, model->share, 0) : (double)NAN;
}

/* Speed-up over 16-bit weights, end to end, as measured [envelope, IV-D, Fig. 12-14]. */
static double observed(const struct picture *picture, const char *platform, size_t model, double bits)
{
    char column[96];
    snprintf(column, sizeof column, "speedup_%.40s_%gbit", platform, bits);
    return papers_column_value(&picture->papers, paper, column, model);
}

/* How much faster than 16-bit weights from memory the GEMVs are, by the model of the machine's cores. */
static double modelled_gain(const struct described_platform *platform, double bits)
{
    return 16 / bits * reference_bytes_per_s(platform, bits) / reference_bytes_per_s(platform, 8);
}

static double fastest_s(const struct view *view, const struct shape *shape, unsigned team, double bits)
{
    struct cell_query query = {
        .m = (double)shape->m, .k = (double)shape->k, .format_bits = bits, .threads = team, .cold = true};
    return view_median(cells_fastest(view, &query), "time_s");
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

static double gain_of(const struct picture *picture, const struct panel *panel, size_t model, double bits)
{
    return panel->platform ? modelled_gain(panel->platform, bits)
                           : measured_gain(picture->view, models[model].shapes, picture->team, bits);
}

static void write_panel(const struct picture *picture, const struct panel *panel, FILE *data)
{
    fputs("# place, ideal (1/x of the bytes), with the GEMVs' own gain, observed, colour, label, alpha, gain\n", data);
    for (size_t m = 0; m < MODELS; m++) {
        for (size_t w = 0; w < WIDTHS; w++) {
            double alpha = share_of_gemv(picture, &models[m]), gain = gain_of(picture, panel, m, widths[w]);
            fprintf(data, "%zu %.4g %.4g %.4g 0x%06x \"%s, %g-bit\" %.3g %.4g\n", m * (WIDTHS + 1) + w + 1,
                    roofline_amdahl(alpha, 16 / widths[w]), roofline_amdahl(alpha, gain),
                    panel->platform ? observed(picture, panel->platform->name, m, widths[w]) : (double)NAN,
                    figure_colour(widths[w]), models[m].title, widths[w], alpha, gain);
        }
    }
    fputs("\n\n", data);
}

/* Whether a bar of the panel has a height. */
static bool has_gain(const struct picture *picture, const struct panel *panel)
{
    for (size_t m = 0; m < MODELS; m++) {
        for (size_t w = 0; w < WIDTHS; w++) {
            if (models[m].share && gain_of(picture, panel, m, widths[w]) > 0)
                return true;
        }
    }
    return false;
}

static void add_panel(struct picture *picture, const struct described_platform *platform)
{
    struct panel *panel = &picture->panels[picture->count];
    *panel = (struct panel){.platform = platform};
    if (!has_gain(picture, panel))
        return;
    if (!platform)
        snprintf(panel->title, sizeof panel->title, "host, %u thread%s, α of arl", picture->team,
                 picture->team == 1 ? "" : "s");
    else
        snprintf(panel->title, sizeof panel->title, "%.40s%s", platform->name,
                 strcmp(platform->name, "arl") == 0 ? "" : ", α of arl");
    picture->count++;
}

static void add_panels(struct picture *picture)
{
    unsigned teams[TEAMS];
    size_t team_count = view_teams(picture->view, teams, TEAMS);
    for (size_t i = 0; i < picture->view->platform_count && i < REFERENCE_PLATFORMS_MAX; i++)
        add_panel(picture, &picture->view->platforms[i]);
    picture->team = team_count ? teams[team_count - 1] : 0;
    if (picture->team)
        add_panel(picture, NULL);
}

static void write_settings(const struct picture *picture, FILE *settings)
{
    fprintf(settings, "panels = %zu\nwidth = 980\nheight = %zu\nnarrow_height = %zu\n", picture->count,
            226 + 210 * picture->count, 160 + 180 * picture->count);
    struct settings_array titles = settings_texts(settings, "panel_title", picture->count);
    for (size_t p = 0; p < picture->count; p++)
        array_text(&titles, picture->panels[p].title);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct picture picture = {.view = view};
    char why[256];
    int error = papers_open(paper, &picture.papers, why, sizeof why);
    if (!error)
        add_panels(&picture);
    for (size_t p = 0; p < picture.count; p++)
        write_panel(&picture, &picture.panels[p], data);
    if (picture.count)
        write_settings(&picture, settings);
    papers_free(&picture.papers);
    return error ? error : picture.count ? 0 : -ENODATA;
}

const struct figure figure_envelope_12_14 = {
    .name = "envelope_12_14",
    .title = "End-to-end speed-up over 16-bit weights: ideal, modelled, observed [envelope, Fig. 12-14]",
    .caption =
        "Amdahl's law s = 1/(1 - α + α/x) with the share α of GEMVs in a token, 0.87 for the 1B and 0.96 for the 8B "
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
