/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/tokens/decoded.h"

enum { LENGTHS = 4, GPUS = 2, LONG_PROMPT = 2048, ANSWER = 16 };

static const char paper[] = "envelope";

/* The models of the paper's figures. */
static const struct model {
    const char *shapes, *title;
} models[] = {{"falcon3-1b", "Falcon3-1B"}, {"mobilellm-1.5b", "MobileLLM-1.5B"}, {"llama3-8b", "Llama3-8B"}};
enum { MODELS = sizeof models / sizeof models[0] };

/* What is computed with: how the names of formats begin, and bits for the colour. */
static const struct width {
    const char *title, *prefix;
    double bits;
} widths[] = {{"16-bit", "bf16", 16}, {"4-bit, Q4_0", "q4_0", 4}, {"2-bit", "int2_", 2}, {"1-bit", "int1_", 1}};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* ---- the paper's machines ---- */

/* A bar of decoding Llama3-8B, in tokens a second; NaN: there is none, and why. */
struct decoded_bar {
    char title[64];
    double tokens_per_s, bits;
    const char *why;
};

static double observed(const struct papers *papers, const char *column, size_t gpu)
{
    return papers_column_value(papers, paper, column, gpu);
}

static struct decoded_bar bar_of(const char *machine, double bits, double tokens_per_s, const char *why)
{
    struct decoded_bar bar = {.tokens_per_s = tokens_per_s, .bits = bits, .why = why};
    snprintf(bar.title, sizeof bar.title, "%s, %g-bit", machine, bits);
    return bar;
}

/* Fig. 15 and 16 in numbers that the text states, and Llama3-8B on this host, if it was decoded. @return how many */
static size_t decoded_bars(const struct view *view, struct decoded_bar bars[2 * GPUS + 2])
{
    static const char *const gpus[GPUS] = {"LNL GPU", "B580"};
    struct papers papers;
    char why[256];
    size_t count = 0;
    int error = papers_open(paper, &papers, why, sizeof why);
    for (size_t gpu = 0; !error && gpu < GPUS; gpu++) {
        double narrow = observed(&papers, "tokens_8b_2bit_gpu", gpu);
        /* of the B580's speed-up there is no value: BF16 does not fit its memory */
        double wide = gpu ? (double)NAN : narrow / observed(&papers, "speedup_8b_2bit_gpu", gpu);
        bars[count++] = bar_of(gpus[gpu], 16, wide, isnan(wide) ? "out of memory" : "");
        bars[count++] = bar_of(gpus[gpu], 2, narrow, "");
    }
    papers_free(&papers);
    for (size_t w = 0; w < WIDTHS; w += 2) {
        const json_t *pass = decoded_fastest(view, "llama3-8b", widths[w].prefix, decoded_team(view));
        if (pass)
            bars[count++] = bar_of("this host", widths[w].bits, view_median(pass, "tokens_per_s"), "");
    }
    return count;
}

static void write_decoded(const struct decoded_bar *bars, size_t count, FILE *settings, FILE *data)
{
    fputs("# place, tokens/s, colour, what, why there is none\n", data);
    for (size_t b = 0; b < count; b++) {
        fprintf(data, "%zu %.5g 0x%06x ", b + 1, bars[b].tokens_per_s, figure_colour(bars[b].bits));
        gnuplot_write_field(data, bars[b].title);
        fprintf(data, " \"%s\"\n", bars[b].why);
    }
    fputs("\n\n", data);
    fprintf(settings, "decoded = %zu\n", count);
}

/* ---- prompts here ---- */

/* A model with prompts. */
struct group {
    const struct model *model;
    size_t tokens[LENGTHS], lengths;
    double first; /* place of its first bar */
};

/* Seconds of a long prompt and a short answer, and how much of them is the prompt's; NaN where one was not measured. */
struct request {
    double seconds, share;
};

static struct request request_of(const struct view *view, const char *model, const char *prefix, unsigned team)
{
    const json_t *prompt = prefilled_fastest(view, model, prefix, LONG_PROMPT, team);
    const json_t *token = decoded_fastest(view, model, prefix, team);
    double prompt_s = prompt ? view_median(prompt, "time_s") : (double)NAN;
    double seconds = prompt_s + (token ? ANSWER / view_median(token, "tokens_per_s") : (double)NAN);
    return (struct request){seconds, prompt_s / seconds};
}

static void write_bar(const struct view *view, const struct group *group, size_t length, size_t width, unsigned team,
                      FILE *data)
{
    const char *model = group->model->shapes, *prefix = widths[width].prefix;
    const json_t *row = prefilled_fastest(view, model, prefix, group->tokens[length], team);
    const struct request request = request_of(view, model, prefix, team);
    fprintf(data, "%g %.5g %.5g %.5g %.5g 0x%06x ", group->first + (double)(length * (WIDTHS + 1) + width),
            row ? view_median(row, "tokens_per_s") : (double)NAN,
            row && view_number(row, "predicted_s") > 0 ? (double)group->tokens[length] / view_number(row, "predicted_s")
                                                       : (double)NAN,
            request.seconds, 100 * request.share, figure_colour(widths[width].bits));
    gnuplot_write_field(data, row ? view_text(row, "name") : "none");
    fprintf(data, " \"%s, %s, %zu tokens\"\n", group->model->title, widths[width].title, group->tokens[length]);
}

static size_t find_groups(const struct view *view, unsigned team, struct group groups[MODELS])
{
    size_t count = 0;
    double place = 1;
    for (size_t m = 0; m < MODELS; m++) {
        struct group group = {.model = &models[m], .first = place};
        group.lengths = prefilled_tokens(view, models[m].shapes, team, group.tokens, LENGTHS);
        if (!group.lengths)
            continue;
        place += (double)(group.lengths * (WIDTHS + 1) + 1);
        groups[count++] = group;
    }
    return count;
}

static void write_group_settings(const struct group *groups, size_t count, FILE *settings)
{
    size_t lengths = 0;
    struct settings_array titles = settings_texts(settings, "model_title", count);
    for (size_t g = 0; g < count; g++) {
        array_text(&titles, groups[g].model->title);
        lengths += groups[g].lengths;
    }
    set_numbers(settings, "model_at", count, g, groups[g].first + 0.5 * ((double)groups[g].lengths * (WIDTHS + 1) - 2));
    struct settings_array numbers = settings_numbers(settings, "length", lengths);
    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].lengths; i++)
            array_number(&numbers, (double)groups[g].tokens[i]);
    }
    struct settings_array places = settings_numbers(settings, "length_at", lengths);
    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].lengths; i++)
            array_number(&places, groups[g].first + (double)(i * (WIDTHS + 1)) + 0.5 * (WIDTHS - 1));
    }
    fprintf(settings, "models = %zu\nlengths = %zu\nplaces = %g\n", count, lengths,
            groups[count - 1].first + (double)(groups[count - 1].lengths * (WIDTHS + 1)) - 1);
}

static void write_widths(FILE *settings)
{
    set_texts(settings, "width_title", WIDTHS, w, widths[w].title);
    set_colours(settings, "width_colour", WIDTHS, w, figure_colour(widths[w].bits));
    fprintf(settings, "widths = %d\n", WIDTHS);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    unsigned team = prefilled_team(view);
    struct group groups[MODELS];
    struct decoded_bar bars[2 * GPUS + 2];
    size_t count = team ? find_groups(view, team, groups) : 0;
    if (!count)
        return -ENODATA;
    write_decoded(bars, decoded_bars(view, bars), settings, data);
    fputs(
        "# place, tokens/s, predicted, seconds of 2048 + 16 tokens, percent of them the prompt's, colour, kernel, what\n",
        data);
    for (size_t g = 0; g < count; g++) {
        for (size_t i = 0; i < groups[g].lengths * WIDTHS; i++)
            write_bar(view, &groups[g], i / WIDTHS, i % WIDTHS, team, data);
    }
    fputs("\n\n", data);
    write_group_settings(groups, count, settings);
    write_widths(settings);
    fprintf(settings, "team = %u\nwidth = 1080\nheight = 500\nnarrow_height = 620\n", team);
    return 0;
}

const struct figure figure_envelope_15_16 = {
    .name = "envelope_15_16",
    .title = "From a token to a prompt: decoding on the paper's GPUs, prefill on this host [envelope, Fig. 15-16]",
    .caption =
        "Left, as in the paper: tokens per second of decoding Llama3-8B on two GPUs, where its text has numbers, and "
        "on this host if the run has them. The 16-bit bar of Lunar Lake is 29.2 over the speed-up of 6.3; on the B580 "
        "those weights do not fit. Right, a case for which the paper has no figure, though its text says that a GPU "
        "helps most there: prompts of the paper's models, computed at once on this host's cores. Bars are prompt "
        "tokens per second, by length of the prompt and width of the weights, with the fastest kernel of each. Marks "
        "are predicted from parts, none of which was measured on a prompt. The text of a bar has the time of a "
        "request of 2,048 tokens with an answer of 16, which the paper found 26 times as fast on that GPU as on the "
        "cores beside it.",
    .units = "tokens per second",
    .lacking = "prompts through falcon3-1b, mobilellm-1.5b or llama3-8b",
    .measured_by = "kneepoint decode --prefill=16,512,2048 --model=falcon3-1b",
    .rank = 64,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_PREFILL),
    .write = write,
};
