/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/machines/reference_platforms.h"
#include "reports/select/tokens/decoded.h"
#include "reports/select/tokens/token_bound.h"
#include "roofline/ebw.h"

enum { PANELS = REFERENCE_PLATFORMS_MAX + 1, MODELS = 3, WIDTHS = 2 };

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

/* The bars of a model on the host: what the paper decodes with, and bitnet.cpp's two. */
static const struct bar {
    const char *label, *format, *prefix; /* format of the bound, how the names of formats that are decoded with begin */
    double width;                        /* bits, for the colour */
} bars[] = {
    {"16-bit", "bf16", "bf16", 16},       {"4-bit, Q4_0", "q4_0", "q4_0", 4}, {"2-bit", "int2_planes", "int2_", 2},
    {"1-bit", "int1_planes", "int1_", 1}, {"I2_S", "i2_s", "i2_s", 2},        {"TL2", "tl2", "tl2", 1.67},
};
enum { BARS = sizeof bars / sizeof bars[0] };

/* Tokens a second of a decoded pass; of no pass NaN. */
static double tokens_of(const json_t *pass)
{
    return pass ? view_median(pass, "tokens_per_s") : (double)NAN;
}

/* The share of a part in a pass. */
static double share_of(const json_t *pass, const char *part)
{
    const json_t *parts = json_object_get(pass, "parts");
    for (size_t i = 0; i < json_array_size(parts); i++) {
        if (strcmp(view_text(json_array_get(parts, i), "part"), part) == 0)
            return view_median(json_array_get(parts, i), "share");
    }
    return NAN;
}

/* What Amdahl's law makes of the pass with 16 bits: its GEMVs, and the head where that is of fewer bits too, take as much less
 * time as their bits are fewer. */
static double amdahl_of(const json_t *wide, const json_t *pass)
{
    if (!wide || !pass)
        return NAN;
    bool head_too = strcmp(view_text(pass, "head_format"), view_text(pass, "format")) == 0;
    double alpha = view_median(wide, "alpha") + (head_too ? share_of(wide, "head") : 0);
    return tokens_of(wide) * roofline_amdahl(alpha, view_number(wide, "bits") / view_number(pass, "bits"));
}

static void write_host(const struct picture *picture, FILE *data)
{
    fputs("# place, tokens/s decoded, bound where not decoded, Amdahl, colour, label, alpha, model\n", data);
    for (size_t m = 0; m < MODELS; m++) {
        const json_t *wide = decoded_fastest(picture->view, models[m].shapes, "bf16", picture->team);
        for (size_t b = 0; b < BARS; b++) {
            const json_t *pass = decoded_fastest(picture->view, models[m].shapes, bars[b].prefix, picture->team);
            const struct token_kernel kernel = {.format = bars[b].format};
            struct token_bound bound = token_bound(picture->view, models[m].shapes, &kernel, picture->team);
            fprintf(data, "%zu %.5g %.5g %.5g 0x%06x \"%s\" %.3g \"%s\"\n", m * (BARS + 1) + b + 1, tokens_of(pass),
                    pass || !(bound.seconds > 0) ? (double)NAN : 1 / bound.seconds,
                    b ? amdahl_of(wide, pass) : (double)NAN, figure_colour(bars[b].width), bars[b].label,
                    pass ? view_median(pass, "alpha") : (double)NAN, models[m].title);
        }
    }
    fputs("\n\n", data);
}

static void write_panel(const struct picture *picture, const struct panel *panel, FILE *data)
{
    fputs("# place, ideal (1/x of the bytes), with the GEMVs' own gain, observed, colour, label, alpha, gain\n", data);
    for (size_t m = 0; m < MODELS; m++) {
        for (size_t w = 0; w < WIDTHS; w++) {
            double alpha = share_of_gemv(picture, &models[m]), gain = modelled_gain(panel->platform, widths[w]);
            fprintf(data, "%zu %.4g %.4g %.4g 0x%06x \"%s, %g-bit\" %.3g %.4g\n", m * (WIDTHS + 1) + w + 1,
                    roofline_amdahl(alpha, 16 / widths[w]), roofline_amdahl(alpha, gain),
                    observed(picture, panel->platform->name, m, widths[w]), figure_colour(widths[w]), models[m].title,
                    widths[w], alpha, gain);
        }
    }
    fputs("\n\n", data);
}

/* Whether a bar of a described machine has a height. */
static bool has_gain(const struct panel *panel)
{
    for (size_t m = 0; m < MODELS; m++) {
        for (size_t w = 0; w < WIDTHS; w++) {
            if (models[m].share && modelled_gain(panel->platform, widths[w]) > 0)
                return true;
        }
    }
    return false;
}

static void add_panel(struct picture *picture, const struct described_platform *platform)
{
    struct panel *panel = &picture->panels[picture->count];
    *panel = (struct panel){.platform = platform};
    if (!has_gain(panel))
        return;
    snprintf(panel->title, sizeof panel->title, "%.40s: speed-up over 16-bit weights%s", platform->name,
             strcmp(platform->name, "arl") == 0 ? "" : ", α of arl");
    picture->count++;
}

/* The last one: the host, if a model was decoded here. */
static void add_host(struct picture *picture)
{
    picture->team = decoded_team(picture->view);
    if (!picture->team)
        return;
    struct panel *panel = &picture->panels[picture->count++];
    *panel = (struct panel){.platform = NULL};
    snprintf(panel->title, sizeof panel->title, "this host, %u thread%s: tokens per second, decoded", picture->team,
             picture->team == 1 ? "" : "s");
}

static void add_panels(struct picture *picture)
{
    for (size_t i = 0; i < picture->view->platform_count && i < REFERENCE_PLATFORMS_MAX; i++)
        add_panel(picture, &picture->view->platforms[i]);
    add_host(picture);
}

static void write_settings(const struct picture *picture, FILE *settings)
{
    fprintf(settings, "panels = %zu\nhost = %d\nwidth = 980\nheight = %zu\nnarrow_height = %zu\n", picture->count,
            picture->team > 0, 226 + 210 * picture->count, 160 + 180 * picture->count);
    set_texts(settings, "panel_title", picture->count, p, picture->panels[p].title);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct picture picture = {.view = view};
    char why[256];
    int error = papers_open(paper, &picture.papers, why, sizeof why);
    if (!error)
        add_panels(&picture);
    for (size_t p = 0; p < picture.count; p++)
        if (picture.panels[p].platform)
            write_panel(&picture, &picture.panels[p], data);
        else
            write_host(&picture, data);
    if (picture.count)
        write_settings(&picture, settings);
    papers_free(&picture.papers);
    return error ? error : picture.count ? 0 : -ENODATA;
}

const struct figure figure_envelope_12_14 = {
    .name = "envelope_12_14",
    .title = "Decoding end to end: Amdahl's law, the paper's speed-ups, tokens per second here [envelope, Fig. 12-14]",
    .caption =
        "On the paper's machines, Amdahl's law s = 1/(1 - α + α/x) with the share α of GEMVs in a token. It is 0.87 "
        "for the 1B and 0.96 for the 8B model, measured on ARL and used for the other machines, too. For the 1.5B "
        "model it is not stated, so only observed values are shown. A pale bar takes the ideal gain x = 16/bits, a "
        "full one the gain that the model of the machine's cores allows. Diamonds are the speed-ups that the paper "
        "observed; one above its bar shows that α on that machine is higher. On this host a full bar is a measured "
        "pass through the whole model. A mark is what Amdahl's law predicts at the bits of the bar, from the pass "
        "with 16 bits and its measured α. A pale bar is the bound of the measured GEMVs alone, with a 16-bit output "
        "head, for a model that was not decoded. Q4_0 takes the place of the paper's MXFP4. I2_S and TL2 are "
        "bitnet.cpp's formats with the fastest kernel here.",
    .units = "speed-up over 16-bit weights, no unit; on the host tokens per second",
    .rank = 62,
    .section = FIGURE_PAPERS,
    .platforms = "arl,arlh,lnl",
    .write = write,
};
