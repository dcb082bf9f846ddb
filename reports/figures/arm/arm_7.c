/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdbool.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/tokens/batch_rate.h"
#include "reports/select/tokens/decoded.h"

enum { TEAMS = 64 };

static const struct {
    const char *title;
    struct batch_kernels kernels;
    unsigned colour;
    int dash, mark;
} lines_of[] = {
    {"Q4_0 interleaved", {"q4_0", BATCH_ORDERS, NULL}, 0xcc79a7, 1, 7},
    {"Q2_K rows", {"q2_k", BATCH_ROWS, NULL}, 0xe69f00, 2, 6},
    {"Q2_K interleaved", {"q2_k", BATCH_ORDERS, NULL}, 0xe69f00, 1, 7},
    {"IQ2_S, llama.cpp's", {"iq2_s", BATCH_EITHER, "llama.cpp"}, 0xd55e00, 2, 4},
    {"IQ2_S, ours", {"iq2_s", BATCH_EITHER, "kneepoint"}, 0xd55e00, 1, 5},
    {"4 codebooks of 4", {"cb2_4", BATCH_EITHER, NULL}, 0x009e73, 1, 9},
    {"16 codebooks of 4", {"cb2_16", BATCH_EITHER, NULL}, 0x56b4e9, 1, 13},
    {"codebooks of 8", {"cb3", BATCH_EITHER, NULL}, 0x7f7f7f, 1, 11},
};
enum { LINES = sizeof lines_of / sizeof *lines_of };

/* The paper does not say of which model its figure is; the larger ones of its tables come first. */
static const char *const models[] = {"llama3-8b", "llama3.2-3b", "llama3.2-1b"};
enum { MODELS = sizeof models / sizeof *models };

/* Teams with which every matrix of the model was measured. */
static size_t points_of(const struct view *view, const char *model, size_t line, const unsigned *teams, size_t count)
{
    size_t points = 0;
    for (size_t t = 0; t < count; t++)
        points += batch_rate(view, model, &lines_of[line].kernels, 1, false, teams[t]).tokens_per_s > 0;
    return points;
}

/* The model with the most points. */
static const char *choose_model(const struct view *view, const unsigned *teams, size_t count)
{
    const char *best = NULL;
    size_t most = 0;
    for (size_t m = 0; m < MODELS; m++) {
        size_t points = 0;
        for (size_t i = 0; i < LINES; i++)
            points += points_of(view, models[m], i, teams, count);
        if (points > most) {
            most = points;
            best = models[m];
        }
    }
    return best;
}

static void write_line(const struct view *view, const char *model, size_t line, const unsigned *teams, size_t count,
                       FILE *data)
{
    fputs("# threads, tokens/s, GB/s of weights, low and high of tokens/s, kernels\n", data);
    for (size_t t = 0; t < count; t++) {
        struct batch_rate rate = batch_rate(view, model, &lines_of[line].kernels, 1, false, teams[t]);
        if (!(rate.tokens_per_s > 0))
            continue;
        gnuplot_write_row(data, rate.kernel, "%u %.5g %.5g %.5g %.5g ", teams[t], rate.tokens_per_s,
                          rate.tokens_per_s * rate.token_bytes / 1e9, rate.ci95[0], rate.ci95[1]);
    }
    fputs("\n\n", data);
}

/* One block: passes with a line's kernels. @return whether there is a point */
static bool write_passes(const struct view *view, const char *model, size_t line, const unsigned *teams, size_t count,
                         FILE *data)
{
    size_t points = 0;
    for (size_t t = 0; t < count; t++) {
        const json_t *pass = batch_pass(view, model, &lines_of[line].kernels, 1, teams[t]);
        if (pass)
            fprintf(data, "%s%u %.5g %.5g\n", points++ ? "" : "# threads, tokens/s of a pass, GB/s of weights\n",
                    teams[t], view_median(pass, "tokens_per_s"), decoded_bytes_per_s(pass) / 1e9);
    }
    gnuplot_end_block(data, points, 3, 0);
    return points > 0;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct series lines = {.prefix = "line"};
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS), shown[LINES], shown_count = 0;
    bool passes = false;
    const char *model = choose_model(view, teams, count);
    if (!model)
        return -ENODATA;
    fputs("# threads, GB/s of the read roof\n", data);
    for (size_t t = 0; t < count; t++)
        fprintf(data, "%u %.5g\n", teams[t], token_roof(view, model, teams[t]) / 1e9);
    fputs("\n\n", data);
    for (size_t i = 0; i < LINES; i++) {
        if (!points_of(view, model, i, teams, count))
            continue;
        write_line(view, model, i, teams, count, data);
        series_add(&lines, lines_of[i].title, lines_of[i].colour, lines_of[i].dash, lines_of[i].mark);
        shown[shown_count++] = i;
    }
    for (size_t i = 0; i < shown_count; i++)
        passes |= write_passes(view, model, shown[i], teams, count, data);
    series_write(&lines, settings);
    fprintf(settings, "model = '%s'\npasses = %d\nthreads_max = %u\nwidth = 1080\nheight = 500\nnarrow_height = %zu\n",
            model, passes, teams[count - 1], 310 + 11 * (lines.count + 2));
    return 0;
}

const struct figure figure_arm_7 = {
    .name = "arm_7",
    .title = "One user's tokens over threads: 4 bits, 2 bits and codebooks [arm-kernels-codebooks, Fig. 7]",
    .caption =
        "Left, the tokens per second that the cold GEMVs of a model allow with this many threads (the output head in "
        "the same format, only GEMVs counted), with 95% intervals; right, the bytes of packed weights that they then "
        "read per second, under the read roof, measured beside them. Each matrix uses the fastest kernel of the format, and "
        "interleaved Q4_0 the fastest order that was measured (4x4, 4x8, 8x8, m16). In the paper, the cost of "
        "unpacking binds few threads: Q2_K and the codebooks are close to Q4_0, and IQ2_S is much slower. With many "
        "threads memory binds, and fewer bits win. The paper's text repeats no number of its figure. Here IQ2_S uses "
        "a stand-in grid with as many vectors (iq2_s_standin). Only teams with which every matrix was measured are "
        "shown. Diamonds are passes through the whole model (`kneepoint decode --head=same`), where the run has them.",
    .units = "threads; tokens per second; GB/s (1e9 bytes per second) of packed weights",
    .rank = 84,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs of interleaved, 2-bit or codebook formats on all shapes of a model of the paper",
    .measured_by =
        "kneepoint gemv --cold --best --model=llama3.2-3b q4_0_4x8 q4_0_8x8 q4_0_m16 q2_k q2_k_m16 iq2_s_standin cb2_4 cb2_16 cb3",
    .write = write,
};
