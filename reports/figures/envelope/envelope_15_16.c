/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "reports/draw/frames/bar_panels.h"
#include "reports/select/tokens/decoded.h"

enum { LENGTHS = 4, GPUS = 2, LONG_PROMPT = 2048, ANSWER = 16 };

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

static void add_decoded(struct bar_panels *bars, const char *machine, double bits, double tokens_per_s)
{
    struct bar bar = {tokens_per_s, .colour = figure_colour(bits)};
    snprintf(bar.text, sizeof bar.text, "%.3g", tokens_per_s);
    bars_group(bars, "%s|%g-bit", machine, bits);
    if (isnan(tokens_per_s))
        bars_note(bars, "out of memory");
    else
        bars_add(bars, &bar, "%s, %g-bit: %.3g tokens/s", machine, bits, tokens_per_s);
}

/* Fig. 15 and 16 in numbers that the text states, and Llama3-8B on this host, if it was decoded. */
static void add_decoding(struct bar_panels *bars)
{
    static const char *const gpus[GPUS] = {"LNL GPU", "B580"};
    bars_panel(bars, "decoded tokens/s", "Llama3-8B, one token after the other");
    for (size_t gpu = 0; gpu < GPUS; gpu++) {
        double narrow = bars_stated(bars, "tokens_8b_2bit_gpu", gpu);
        /* of the B580's speed-up there is no value: BF16 does not fit its memory */
        double wide = gpu ? (double)NAN : narrow / bars_stated(bars, "speedup_8b_2bit_gpu", gpu);
        add_decoded(bars, gpus[gpu], 16, wide);
        add_decoded(bars, gpus[gpu], 2, narrow);
    }
    for (size_t w = 0; w < WIDTHS; w += 2) {
        const json_t *pass = decoded_fastest(bars->view, "llama3-8b", widths[w].prefix, decoded_team(bars->view));
        if (pass)
            add_decoded(bars, "this host", widths[w].bits, view_median(pass, "tokens_per_s"));
    }
}

/* ---- prompts here ---- */

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

static void add_prompt(struct bar_panels *bars, const struct model *model, size_t tokens, const struct width *width,
                       unsigned team)
{
    const json_t *row = prefilled_fastest(bars->view, model->shapes, width->prefix, tokens, team);
    const struct request request = request_of(bars->view, model->shapes, width->prefix, team);
    const double rate = row ? view_median(row, "tokens_per_s") : (double)NAN,
                 predicted = row ? (double)tokens / view_number(row, "predicted_s") : (double)NAN;
    const struct bar bar = {.value = rate, .colour = figure_colour(width->bits), .key = width->title};
    char asked[128] = "";
    if (request.seconds > 0)
        snprintf(asked, sizeof asked, "; 2,048 tokens and 16 in answer take %.3g s, %.0f%% of it for the prompt",
                 request.seconds, 100 * request.share);
    bars_add(bars, &bar, "%s, %s, %zu tokens: %.4g tokens/s, %s%s", model->title, width->title, tokens, rate,
             row ? view_text(row, "name") : "", asked);
    bars_mark(bars, predicted, 2, 0x1a1a1a, "predicted", "%s, %s, %zu tokens: predicted %.4g tokens/s", model->title,
              width->title, tokens, predicted);
}

static void add(struct bar_panels *bars)
{
    const unsigned team = prefilled_team(bars->view);
    if (!team)
        return;
    add_decoding(bars);
    bars_panel(bars, "tokens of the prompt/s", "prompts here, %u thread%s; below, their tokens", team, plural(team));
    bars->gap = 1;
    for (size_t m = 0; m < MODELS; m++) {
        size_t tokens[LENGTHS], lengths = prefilled_tokens(bars->view, models[m].shapes, team, tokens, LENGTHS);
        if (lengths)
            bars_heading(bars, "%s", models[m].title);
        for (size_t i = 0; i < lengths; i++) {
            bars_group(bars, "%zu", tokens[i]);
            for (size_t w = 0; w < WIDTHS; w++)
                add_prompt(bars, &models[m], tokens[i], &widths[w], team);
        }
    }
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
    .paper = "envelope",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 2, .plot_height = 280, .gap = 0.4},
};
