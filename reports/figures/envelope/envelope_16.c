/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/device_rows.h"
#include "reports/select/machines/reference_platforms.h"

/* The models of the paper's figures. */
static const struct model {
    const char *shapes, *title;
} models[] = {{"falcon3-1b", "Falcon3-1B"}, {"mobilellm-1.5b", "MobileLLM-1.5B"}, {"llama3-8b", "Llama3-8B"}};
enum { MODELS = sizeof models / sizeof models[0] };

/* What is decoded with, and its column's place among the paper's of Llama3-8B. */
static const struct width {
    const char *title;
    int kernel;
} widths[] = {{"16-bit", ROOFLINE_GPU_BF16}, {"2-bit", ROOFLINE_GPU_FUSED}};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* A token through all matrices of a model, head included: seconds, and the bytes of their weights. */
struct token {
    double seconds, bytes;
    unsigned launches;
};

static struct token token_of(const struct described_platform *gpu, const char *model, int kernel, bool attained)
{
    struct shape shapes[SHAPES_MAX];
    struct token token = {0, 0, 0};
    const size_t count = shapes_of(model, shapes, SHAPES_MAX);
    for (size_t i = 0; i < count; i++) {
        const struct roofline_gpu_product product = {(double)shapes[i].m, (double)shapes[i].k, 1};
        struct roofline_gpu_time time = reference_gpu_time(gpu, &roofline_gpu_kernels[kernel], &product, attained);
        token.seconds += shapes[i].count * time.total_s;
        token.bytes += shapes[i].count * product.m * product.k * roofline_gpu_kernels[kernel].weight_bits / 8;
        token.launches += shapes[i].count;
    }
    return token;
}

/* What the paper's text says of a GPU, the g-th of its figures, and Llama3-8B; NaN: nothing. */
static double observed(const struct bar_panels *bars, const char *gpu, size_t model, size_t width)
{
    size_t g = strcmp(gpu, "arc-140v") == 0 ? 0 : strcmp(gpu, "b580") == 0 ? 1 : 2;
    if (g == 2 || strcmp(models[model].shapes, "llama3-8b") != 0)
        return NAN;
    double narrow = bars_stated(bars, "tokens_8b_2bit_gpu", g);
    if (widths[width].kernel == ROOFLINE_GPU_FUSED)
        return narrow;
    return g == 0 ? narrow / bars_stated(bars, "speedup_8b_2bit_gpu", g) : (double)NAN;
}

static void add_bar(struct bar_panels *bars, const struct described_platform *gpu, size_t m, size_t w)
{
    const struct token roof = token_of(gpu, models[m].shapes, widths[w].kernel, false),
                       attained = token_of(gpu, models[m].shapes, widths[w].kernel, true);
    const double decoded = observed(bars, gpu->name, m, w), rate = 1 / roof.seconds;
    const char *model = models[m].title, *width = widths[w].title;
    struct bar bar = {rate, .key = width};
    if (roof.bytes > gpu->memory_bytes) {
        bars_note(bars, "out of memory");
        return;
    }
    bar.colour = figure_colour(roofline_gpu_kernels[widths[w].kernel].weight_bits);
    snprintf(bar.text, sizeof bar.text, rate < 100 ? "%.3g" : "%.0f", rate);
    bars_add(bars, &bar, "%s, %s: at most %.4g tokens/s, %.3g GB, %u launches", model, width, rate, roof.bytes / 1e9,
             roof.launches);
    bars_mark(bars, 1 / attained.seconds, 2, 0x1a1a1a, "at the bandwidth read",
              "%s, %s: %.4g tokens/s at the bandwidth that was read", model, width, 1 / attained.seconds);
    bars_mark(bars, decoded, 13, 0x1a1a1a, "decoded in the paper", "%s, %s: %.3g tokens/s decoded in the paper", model,
              width, decoded);
}

/* The matrices of a token on a device of the run; NaN unless all were measured. */
static double measured_seconds(const struct view *view, const struct device_shown *device, const char *model,
                               const char *kernel)
{
    struct shape shapes[SHAPES_MAX];
    const size_t count = shapes_of(model, shapes, SHAPES_MAX);
    double seconds = count ? 0 : NAN;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = device_row(view, device, kernel, (double)shapes[i].m, (double)shapes[i].k, 0);
        seconds += shapes[i].count * view_median(row, "time_s");
    }
    return seconds;
}

static void add_device(struct bar_panels *bars, const struct device_shown *device)
{
    static const struct {
        const char *kernel;
        double bits;
    } kernels[WIDTHS] = {{"f16.rows", 16}, {"int2_vnni16.fused", 2}};
    bars_panel(bars, "tokens/s", "%s", device->title);
    for (size_t m = 0; m < MODELS; m++) {
        bars_group(bars, "%s", models[m].title);
        for (size_t w = 0; w < WIDTHS; w++) {
            const double rate = 1 / measured_seconds(bars->view, device, models[m].shapes, kernels[w].kernel);
            struct bar bar = {rate, .colour = figure_colour(kernels[w].bits), .key = widths[w].title};
            snprintf(bar.text, sizeof bar.text, rate < 100 ? "%.3g" : "%.0f", rate);
            bars_add(bars, &bar, "%s, %s: %.4g tokens/s, all matrices as measured one by one", models[m].title,
                     widths[w].title, rate);
        }
    }
}

static void add(struct bar_panels *bars)
{
    struct device_shown devices[DEVICES_SHOWN];
    const size_t shown = devices_shown(bars->view, devices);
    for (size_t i = 0; i < bars->view->platform_count; i++) {
        const struct described_platform *gpu = &bars->view->platforms[i];
        if (!described_is_gpu(gpu))
            continue;
        bars_panel(bars, "tokens/s", "%s", gpu->name);
        for (size_t m = 0; m < MODELS; m++) {
            bars_group(bars, "%s", models[m].title);
            for (size_t w = 0; w < WIDTHS; w++)
                add_bar(bars, gpu, m, w);
        }
    }
    for (size_t i = 0; i < shown; i++)
        add_device(bars, &devices[i]);
}

const struct figure figure_envelope_16 = {
    .name = "envelope_16",
    .title = "Tokens that a GPU's roofs allow, and those decoded [envelope, Fig. 15-16]",
    .caption =
        "Bars are a bound, modelled from the platform files: one over the time of all matrices of a model, under "
        "the name of an OpenCL device of this run that time as measured; \"a CPU\" is no GPU. Each "
        "matrix takes its weights, activations and results over the bandwidth, plus a launch if one is stated; "
        "attention, norms, sampling and host time are not counted. Marks are the same at the bandwidth that was read. "
        "Diamonds are what the paper's text says was decoded: Llama3-8B with 29.2 tokens per second on the GPU of "
        "Lunar Lake, 6.3 times as fast as with BF16, and with about 135 on the B580, both little more than half of "
        "the bound. MobileLLM-1.5B on the B580 shows what this bound misses: with 2 bits its GEMVs gained about 3 "
        "times, but the whole only 1.1 times. Host time grew 3.6 times, and such small matrices do not hide it. There "
        "is no bar if the weights exceed the memory.",
    .units = "tokens per second",
    .lacking = "matrix units and a bandwidth",
    .rank = 65,
    .section = FIGURE_PAPERS,
    .platforms = "arc-140v,b580",
    .platforms_alone = true,
    .of_devices = true,
    .paper = "envelope",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 2, .plot_height = 240},
};
