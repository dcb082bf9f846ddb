/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "micro/shape.h"
#include "reports/draw/frames/bar_panels.h"
#include "reports/select/papers/schemes.h"
#include "reports/select/tokens/decoded.h"

enum { PHASES = 2, BASES = 2, CONTEXTS = 8 };

/* The paper's models. */
static const struct model {
    const char *shapes, *title;
} models[] = {
    {"opt-6.7b", "OPT-6.7B"}, {"llama3-8b", "Llama3-8B"}, {"qwen2.5-7b", "Qwen2.5-7B"}, {"bloom-7.1b", "Bloom-7.1B"}};
enum { MODELS = sizeof models / sizeof models[0] };

static const struct phase {
    const char *title;
    double tokens;
} phases[PHASES] = {{"prefill, 64 tokens", 64}, {"decode, 1 token", 1}};

/* What a speed-up is over, and the paper's columns of the most and the mean of its models. */
static const struct base {
    const char *title;
    size_t scheme;
    const char *most, *mean;
} bases[BASES] = {{"f16 or bf16", SCHEME_F16, "models_fp16_most", "models_fp16_mean"},
                  {"int4", SCHEME_INT4, "models_int4_most", "models_int4_mean"}};

/* What is held against the base. */
static const size_t shown[] = {SCHEME_INT8, SCHEME_INT4, SCHEME_INT2, SCHEME_W3A4, SCHEME_W2A2, SCHEME_W1A2};
enum { SHOWN = sizeof shown / sizeof shown[0] };

/* Seconds of all layers of a model. */
struct layers {
    double seconds; /* NaN: not all shapes were measured */
    bool known;     /* all of them to be of the fastest kernels */
};

static struct layers layers_of(const struct view *view, const char *model, size_t scheme, double tokens,
                               unsigned threads)
{
    static struct shape shapes[SHAPES_MAX];
    struct layers layers = {0, true};
    size_t count = shapes_of(model, shapes, SHAPES_MAX);
    for (size_t i = 0; i < count; i++) {
        if (shape_is_head(&shapes[i]))
            continue;
        struct scheme_query query = {(double)shapes[i].m, (double)shapes[i].k, tokens, threads, MACHINES};
        struct scheme_cell cell = scheme_fastest(view, &schemes[scheme], &query);
        layers.seconds += shapes[i].count * (cell.row ? view_median(cell.row, "time_s") : (double)NAN);
        layers.known &= cell.known;
    }
    return layers;
}

/* A whole pass with the base and one with a scheme: of the prompt, or of a token with the fewest positions that both have. */
static void find_passes(const struct bar_panels *bars, size_t phase, const char *model, const size_t of[2],
                        const json_t *passes[2])
{
    const bool prompt = phases[phase].tokens > 1;
    size_t lengths[CONTEXTS] = {(size_t)phases[phase].tokens},
           count = prompt ? 1 : decoded_contexts(bars->view, model, bars->team, lengths, CONTEXTS);
    passes[0] = passes[1] = NULL;
    for (size_t i = 0; i < 2 * count && (i % 2 || !passes[0] || !passes[1]); i++)
        passes[i % 2] = scheme_pass(bars->view, prompt ? VIEW_PREFILL : VIEW_DECODE, &schemes[of[i % 2]], model,
                                    lengths[i / 2], bars->team);
}

/* Over the bar that was added last. @return whether there is one */
static bool mark_passes(struct bar_panels *bars, size_t phase, const struct model *model, const struct base *base,
                        size_t scheme)
{
    const size_t of[] = {base->scheme, scheme};
    const json_t *passes[2];
    find_passes(bars, phase, model->shapes, of, passes);
    const double ratio = view_median(passes[1], "tokens_per_s") / view_median(passes[0], "tokens_per_s");
    if (scheme == base->scheme || !(ratio > 0))
        return false;
    bars_mark(bars, ratio, 13, 0x1a1a1a, "whole passes",
              "%s, %s, %s: a whole pass is %.2f times as fast as %s, %.4g ms, %.0f positions", model->title,
              schemes[scheme].title, phases[phase].title, ratio, base->title, 1e3 * view_median(passes[1], "time_s"),
              view_number(passes[1], "context"));
    return true;
}

/* A panel of all models. Left out unless planes were measured. */
static void add_panel(struct bar_panels *bars, size_t phase, const struct base *base)
{
    const char *when = phases[phase].title;
    const double tokens = phases[phase].tokens;
    bool planes = false;
    bars_panel(bars, "times as fast", "%s, over %s", when, base->title);
    for (size_t m = 0; m < MODELS; m++) {
        const struct layers of = layers_of(bars->view, models[m].shapes, base->scheme, tokens, bars->team);
        bars_group(bars, "%s", models[m].title);
        for (size_t b = 0; b < SHOWN; b++) {
            const struct scheme *scheme = &schemes[shown[b]];
            const struct layers layers = layers_of(bars->view, models[m].shapes, shown[b], tokens, bars->team);
            const double ratio = shown[b] == base->scheme ? (double)NAN : of.seconds / layers.seconds;
            struct bar bar = {ratio, .colour = scheme->colour, .key = scheme->title};
            bar.unsure = !of.known || !layers.known;
            snprintf(bar.text, sizeof bar.text, ratio < 9.95 ? "%.1f" : "%.0f", ratio);
            bars_add(bars, &bar, "%s, %s, %s: %.2f times as fast as %s, %.4g ms for all layers", models[m].title,
                     scheme->title, when, ratio, base->title, 1e3 * layers.seconds);
            const bool passed = mark_passes(bars, phase, &models[m], base, shown[b]);
            planes |= (ratio > 0 || passed) && scheme->bits.weights;
        }
    }
    bars_level(bars, bars_stated(bars, base->mean, phase), 2, "the paper's mean");
    bars_level(bars, bars_stated(bars, base->most, phase), 3, "the paper's most");
    if (!planes)
        bars_leave_out(bars);
}

static void add(struct bar_panels *bars)
{
    bars->team = scheme_team(bars->view);
    for (size_t p = 0; p < PHASES * BASES; p++)
        add_panel(bars, p % PHASES, &bases[p / PHASES]);
}

const struct figure figure_apt_13 = {
    .name = "apt_13",
    .title = "Models by planes and by integers, over floats and int4 [apt-llm, Fig. 13]",
    .caption =
        "All layers of a model, matrix by matrix: the sum of the times of their products, weights from memory, "
        "without the output head and the work between the products. Bars say how many times as fast that is: above, "
        "as with f16 or bf16; below, as with int4. The int8, int4 and int2 weights are multiplied with 8-bit "
        "activations. Diamonds are measured passes through the whole model, head of 16 bits included (`kneepoint decode`, with "
        "--prefill=64 for prompts), where the run has them with as many threads and positions for both; OPT and "
        "Bloom have layers that are not computed here, so that they only have bars. Lines are the mean and the largest speed-up "
        "of the paper's models and configurations on an RTX 3090, whole passes. A missing bar was not measured on all shapes of the "
        "model; for a pale bar it is not known whether its kernels are the fastest.",
    .units = "times as fast",
    .lacking = "products of planes on all shapes of opt-6.7b, llama3-8b, qwen2.5-7b or bloom-7.1b",
    .measured_by = "kneepoint gemm --threads=1 --tokens=1,64 --model=opt-6.7b w1 w2 w3 bf16 int4_vnni4",
    .rank = 71,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMM),
    .paper = "apt-llm",
    .frame = &bar_frame,
    .of =
        &(const struct bar_form){.add = add, .columns = PHASES, .plot_height = 210, .from_one = true, .upright = true},
};
