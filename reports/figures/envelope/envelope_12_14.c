/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/machines/reference_platforms.h"
#include "reports/select/tokens/decoded.h"
#include "reports/select/tokens/token_bound.h"
#include "roofline/ebw.h"

enum { MODELS = 3, WIDTHS = 2 };

static const double widths[WIDTHS] = {2, 1};

/* Rows of the paper's observations, and the column of the share of GEMVs in the time of a token with 16-bit weights, on
 * ARL [envelope, IV-D]; the 1.5B model's is not stated. */
static const struct model {
    const char *shapes, *title, *share;
} models[MODELS] = {
    {"falcon3-1b", "1B", "gemv_share_1b"}, {"mobilellm-1.5b", "1.5B", NULL}, {"llama3-8b", "8B", "gemv_share_8b"}};

static double share_of_gemv(const struct bar_panels *bars, const struct model *model)
{
    return model->share ? bars_stated(bars, model->share, 0) : (double)NAN;
}

/* Speed-up over 16-bit weights, end to end, as measured [envelope, IV-D, Fig. 12-14]. */
static double observed(const struct bar_panels *bars, const char *platform, size_t model, double bits)
{
    char column[96];
    snprintf(column, sizeof column, "speedup_%.40s_%gbit", platform, bits);
    return bars_stated(bars, column, model);
}

/* How much faster than 16-bit weights from memory the GEMVs are, by the model of the machine's cores. */
static double modelled_gain(const struct described_platform *platform, double bits)
{
    return 16 / bits * reference_bytes_per_s(platform, bits) / reference_bytes_per_s(platform, 8);
}

/* The bars of a model on the host: what the paper decodes with, and bitnet.cpp's two. */
static const struct decoder {
    const char *label, *prefix; /* of the names of formats that are decoded with; NULL: with the kernel alone */
    struct token_kernel kernel; /* of the bound */
    double width;               /* bits, for the colour */
} decoders[] = {
    {"16-bit", "bf16", {"bf16", NULL}, 16},       {"MXFP4", "mxfp4", {"mxfp4", NULL}, 4},
    {"2-bit", "int2_", {"int2_planes", NULL}, 2}, {"1-bit", "int1_", {"int1_planes", NULL}, 1},
    {"I2_S", NULL, {"i2_s", "bitnet"}, 2},        {"TL2", NULL, {"tl2", "bitnet_tl2_0"}, 1.67},
};
enum { DECODERS = sizeof decoders / sizeof decoders[0] };

/* Tokens a second of a decoded pass; of no pass NaN. */
static double tokens_of(const json_t *pass)
{
    return pass ? view_median(pass, "tokens_per_s") : (double)NAN;
}

/* What Amdahl's law makes of the pass with 16 bits: its GEMVs, and the head where that is of fewer bits too, take as much less
 * time as their bits are fewer. */
static double amdahl_of(const json_t *wide, const json_t *pass)
{
    if (!wide || !pass)
        return NAN;
    bool head_too = strcmp(view_text(pass, "head_format"), view_text(pass, "format")) == 0;
    double alpha = view_median(wide, "alpha") + (head_too ? decoded_share(wide, "head") : 0);
    return tokens_of(wide) * roofline_amdahl(alpha, view_number(wide, "bits") / view_number(pass, "bits"));
}

static void add_host_bar(struct bar_panels *bars, const struct model *model, const struct decoder *decoder,
                         unsigned team)
{
    const struct view *view = bars->view;
    const json_t *wide = decoded_fastest(view, model->shapes, "bf16", team),
                 *pass = decoder->prefix ? decoded_fastest(view, model->shapes, decoder->prefix, team)
                                         : decoded_with(view, model->shapes, &decoder->kernel, team);
    const struct token_bound bound = token_bound(view, model->shapes, &decoder->kernel, team);
    const double amdahl = decoder == decoders ? (double)NAN : amdahl_of(wide, pass);
    struct bar bar = {.colour = figure_colour(decoder->width)};
    bars_group(bars, "%s", decoder->label);
    if (pass) {
        bar.value = tokens_of(pass);
        snprintf(bar.text, sizeof bar.text, "%.3g", bar.value);
        bars_add(bars, &bar, "%s, %s: %.4g tokens/s, α %.2f", model->title, decoder->label, bar.value,
                 view_median(pass, "alpha"));
    } else {
        bar.value = bound.seconds > 0 ? 1 / bound.seconds : (double)NAN;
        bar.opacity = 0.3;
        bars_add(bars, &bar, "%s, %s, not decoded: at most %.4g tokens/s by its GEMVs", model->title, decoder->label,
                 bar.value);
    }
    bars_mark(bars, amdahl, 2, 0x1a1a1a, "by Amdahl's law", "%s, %s: %.4g tokens/s by Amdahl's law", model->title,
              decoder->label, amdahl);
}

static void add_host(struct bar_panels *bars, unsigned team)
{
    bars_panel(bars, "tokens/s", "this host, %u thread%s: decoded; pale: the bound of the GEMVs", team, plural(team));
    bars->gap = 0.25;
    for (size_t m = 0; m < MODELS; m++) {
        bars_heading(bars, "%s", models[m].title);
        for (size_t b = 0; b < DECODERS; b++)
            add_host_bar(bars, &models[m], &decoders[b], team);
    }
}

/* A machine of the paper. */
static void add_machine(struct bar_panels *bars, const struct described_platform *platform)
{
    char key[64];
    bars_panel(bars, "speed-up", "%.40s: speed-up over 16-bit weights%s", platform->name,
               strcmp(platform->name, "arl") == 0 ? "" : ", α of arl");
    for (size_t m = 0; m < MODELS; m++) {
        bars_group(bars, "%s", models[m].title);
        for (size_t w = 0; w < WIDTHS; w++) {
            const double alpha = share_of_gemv(bars, &models[m]), gain = modelled_gain(platform, widths[w]),
                         stated = observed(bars, platform->name, m, widths[w]);
            struct bar ideal = {roofline_amdahl(alpha, 16 / widths[w]), .colour = figure_colour(widths[w])},
                       full = {roofline_amdahl(alpha, gain), .colour = ideal.colour};
            snprintf(key, sizeof key, "%g-bit, ideal: x = 16/bits", widths[w]);
            snprintf(ideal.text, sizeof ideal.text, "%.1f", ideal.value);
            ideal.key = key;
            ideal.opacity = 0.35;
            bars_add(bars, &ideal, "%s, %g-bit: ideal %.2f", models[m].title, widths[w], ideal.value);
            snprintf(key, sizeof key, "%g-bit, x by the model", widths[w]);
            snprintf(full.text, sizeof full.text, "%.1f", full.value);
            full.key = key;
            bars_add(bars, &full, "%s, %g-bit: %.2f, the GEMVs %.2f times as fast as with 16 bits", models[m].title,
                     widths[w], full.value, gain);
            bars_mark(bars, stated, 13, 0x1a1a1a, "observed in the paper", "%s, %g-bit: observed %g", models[m].title,
                      widths[w], stated);
        }
    }
}

static void add(struct bar_panels *bars)
{
    const struct view *view = bars->view;
    const unsigned team = decoded_team(view);
    for (size_t i = 0; i < view->platform_count && i < REFERENCE_PLATFORMS_MAX; i++)
        add_machine(bars, &view->platforms[i]);
    if (team) /* a model was decoded here */
        add_host(bars, team);
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
        "head, for a model that was not decoded. I2_S and TL2 are bitnet.cpp's, "
        "with its kernels as they are rendered here.",
    .units = "speed-up over 16-bit weights, no unit; on the host tokens per second",
    .rank = 62,
    .section = FIGURE_PAPERS,
    .platforms = "arl,arlh,lnl",
    .paper = "envelope",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 1, .plot_height = 150, .width = 980},
};
