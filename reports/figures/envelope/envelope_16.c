/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/papers/papers.h"
#include "reports/select/machines/reference_platforms.h"

static const char paper[] = "envelope";

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
    size_t count = shapes_all(shapes, SHAPES_MAX);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(shapes[i].model, model) != 0)
            continue;
        const struct roofline_gpu_product product = {(double)shapes[i].m, (double)shapes[i].k, 1};
        struct roofline_gpu_time time = reference_gpu_time(gpu, &roofline_gpu_kernels[kernel], &product, attained);
        token.seconds += shapes[i].count * time.total_s;
        token.bytes += shapes[i].count * product.m * product.k * roofline_gpu_kernels[kernel].weight_bits / 8;
        token.launches += shapes[i].count;
    }
    return token;
}

/* What the paper's text says of a GPU, the g-th of its figures, and Llama3-8B; NaN: nothing. */
static double observed(const struct papers *papers, const char *gpu, size_t model, size_t width)
{
    size_t g = strcmp(gpu, "arc-140v") == 0 ? 0 : strcmp(gpu, "b580") == 0 ? 1 : 2;
    if (g == 2 || strcmp(models[model].shapes, "llama3-8b") != 0)
        return NAN;
    double narrow = papers_column_value(papers, paper, "tokens_8b_2bit_gpu", g);
    if (widths[width].kernel == ROOFLINE_GPU_FUSED)
        return narrow;
    return g == 0 ? narrow / papers_column_value(papers, paper, "speedup_8b_2bit_gpu", g) : (double)NAN;
}

/* @return the highest bar */
static double write_gpu(const struct described_platform *gpu, const struct papers *papers, FILE *data)
{
    double most = 0;
    fputs(
        "# place, tokens/s at most, at the bandwidth read, observed, colour, width, model, why there is none, GB, launches\n",
        data);
    for (size_t m = 0; m < MODELS; m++) {
        for (size_t w = 0; w < WIDTHS; w++) {
            struct token roof = token_of(gpu, models[m].shapes, widths[w].kernel, false);
            struct token attained = token_of(gpu, models[m].shapes, widths[w].kernel, true);
            bool fits = !(roof.bytes > gpu->memory_bytes);
            double rate = fits ? 1 / roof.seconds : (double)NAN;
            fprintf(data, "%zu %.5g %.5g %.4g 0x%06x \"%s\" \"%s\" \"%s\" %.3g %u\n", m * (WIDTHS + 1) + w + 1, rate,
                    fits ? 1 / attained.seconds : (double)NAN, observed(papers, gpu->name, m, w),
                    figure_colour(roofline_gpu_kernels[widths[w].kernel].weight_bits), widths[w].title, models[m].title,
                    fits ? "" : "out of memory", roof.bytes / 1e9, roof.launches);
            most = fits ? fmax(most, rate) : most;
        }
    }
    fputs("\n\n", data);
    return most;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    const struct described_platform *gpus[REFERENCE_PLATFORMS_MAX];
    double most[REFERENCE_PLATFORMS_MAX];
    struct papers papers;
    char why[256];
    size_t count = 0;
    int error = papers_open(paper, &papers, why, sizeof why);
    for (size_t i = 0; !error && i < view->platform_count && count < REFERENCE_PLATFORMS_MAX; i++) {
        if (!described_is_gpu(&view->platforms[i]))
            continue;
        gpus[count] = &view->platforms[i];
        most[count] = write_gpu(gpus[count], &papers, data);
        count++;
    }
    papers_free(&papers);
    if (error || !count)
        return error ? error : -ENODATA;
    set_texts(settings, "gpu_title", count, g, gpus[g]->name);
    set_numbers(settings, "axis", count, g, 1.2 * most[g]);
    fprintf(settings, "gpus = %zu\nwidth = 1080\nheight = 460\nnarrow_height = %zu\n", count, 130 + 240 * count);
    return 0;
}

const struct figure figure_envelope_16 = {
    .name = "envelope_16",
    .title = "Tokens that a GPU's roofs allow, and those decoded [envelope, Fig. 15-16]",
    .caption =
        "Bars are a bound, modelled from the platform files: one over the time of all matrices of a model. Each "
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
    .write = write,
};
