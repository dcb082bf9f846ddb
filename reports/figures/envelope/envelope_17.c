/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "micro/shape.h"
#include "reports/draw/frames/bar_panels.h"
#include "reports/select/machines/reference_platforms.h"

/* Those of bitnet.cpp's table of its kernels on the A100, of which the paper's text names three. */
static const struct {
    double m, k;
} gemvs[] = {{2560, 2560}, {3840, 2560}, {13824, 2560}, {2560, 6912},
             {3200, 3200}, {4800, 3200}, {3200, 10240}, {20480, 3200}};
enum { GEMVS = sizeof gemvs / sizeof gemvs[0] };

static const struct width {
    const char *title, *fact;
    int kernel;
} widths[] = {{"BF16", "bf16", ROOFLINE_GPU_BF16}, {"2-bit", "int2", ROOFLINE_GPU_FUSED}};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* ---- tokens ---- */

/* Packed weights of all matrices of a model, head included. */
static double bytes_of(const char *model, double bits)
{
    struct shape shapes[SHAPES_MAX];
    double bytes = 0;
    for (size_t i = 0, count = shapes_of(model, shapes, SHAPES_MAX); i < count; i++)
        bytes += (double)shapes[i].m * (double)shapes[i].k * shapes[i].count * bits / 8;
    return bytes;
}

static void add_tokens(struct bar_panels *bars)
{
    bars_panel(bars, "tokens/s", "models of 2 billion parameters, 2 bits");
    for (size_t i = 0; i < bars->view->platform_count; i++) {
        const struct described_platform *machine = &bars->view->platforms[i];
        const double decoded = reference_fact(machine, "model_2b_2bit"),
                     read = described_is_gpu(machine) ? described_roof_bytes_per_s(machine)
                                                      : reference_bytes_per_s(machine, 2),
                     most = read / bytes_of("llama3-2b", 2);
        const struct bar bar = {decoded, .colour = figure_colour(2), .key = "decoded in the paper"};
        if (isnan(decoded))
            continue;
        bars_group(bars, "%s", machine->name);
        bars_add(bars, &bar, "%s: %.0f tokens/s decoded in the paper", machine->name, decoded);
        bars_mark(bars, most, 1, 0x1a1a1a, "reading alone allows", "%s: reading alone allows %.4g tokens/s",
                  machine->name, most);
    }
}

/* ---- GEMVs ---- */

/* As stated, pale, or as modelled. */
static void add_gemv(struct bar_panels *bars, const struct described_platform *machine, size_t gemv,
                     const struct width *width)
{
    const struct roofline_gpu_kernel *kernel = &roofline_gpu_kernels[width->kernel];
    const struct roofline_gpu_product product = {gemvs[gemv].m, gemvs[gemv].k, 1};
    char name[64], key[64];
    snprintf(name, sizeof name, "%s_gemv_time_%.0fx%.0f", width->fact, product.m, product.k);
    const double stated = reference_fact(machine, name) * 1e6;
    struct bar bar = {stated, .colour = figure_colour(kernel->weight_bits), .opacity = 0.45, .key = key};
    if (stated > 0) {
        snprintf(key, sizeof key, "%.20s: %s, stated", machine->name, width->title);
        bars_add(bars, &bar, "%s, %.0f×%.0f, %s: %.4g µs, stated", machine->name, product.m, product.k, width->title,
                 stated);
    } else if (described_is_gpu(machine)) {
        const double attained = reference_gpu_time(machine, kernel, &product, true).total_s * 1e6;
        bar.value = reference_gpu_time(machine, kernel, &product, false).total_s * 1e6;
        bar.opacity = 1;
        snprintf(key, sizeof key, "%.20s: %s, modelled", machine->name, width->title);
        bars_add(bars, &bar, "%s, %.0f×%.0f, %s: %.4g µs, modelled", machine->name, product.m, product.k, width->title,
                 bar.value);
        bars_mark(bars, attained, 2, 0x1a1a1a, "at the bandwidth read",
                  "%s, %.0f×%.0f, %s: %.4g µs at the bandwidth that was read", machine->name, product.m, product.k,
                  width->title, attained);
    }
}

static void add(struct bar_panels *bars)
{
    add_tokens(bars);
    bars_panel(bars, "µs", "GEMV");
    for (size_t g = 0; g < GEMVS; g++) {
        bars_group(bars, "%.0f×%.0f", gemvs[g].m, gemvs[g].k);
        for (size_t w = 0; w < WIDTHS; w++) {
            for (size_t i = 0; i < bars->view->platform_count; i++)
                add_gemv(bars, &bars->view->platforms[i], g, &widths[w]);
        }
    }
}

const struct figure figure_envelope_17 = {
    .name = "envelope_17",
    .title = "A GPU of much bandwidth beside smaller machines: 2-bit tokens and GEMVs [envelope, Fig. 17, IV-F, IV-G]",
    .caption =
        "Left, what the paper's text says was decoded with 2 bits of models of 2 billion parameters: bitnet-b1.58 by "
        "bitnet.cpp on the A100, Llama3-2B elsewhere. Plus signs are what reading the matrices of llama3-2b in 2 bits, the "
        "head too, allows, by the platform files; no bandwidth of the A100 is stated. Right, the time of GEMVs, of "
        "which the paper's text has ratios alone. Of the A100 it is what bitnet.cpp's repository states for an A100 of "
        "40 GB, which the paper says it reproduced: where the matrix is small, 2 bits are 1.3 to 1.4 times as fast as "
        "BF16; where it is large, they are up to 3.6 times as fast. Of the B580 it is modelled by its roofs, as in "
        "envelope_8_11: nothing of it was run, and without a launch, which is not stated, small matrices are too fast. "
        "Crosses are at the bandwidth that was read. The paper measured the A100 as 3 to 4 times as fast with BF16 on "
        "the larger matrices; the B580 was up to 2.2 times as fast with 2 bits.",
    .units = "tokens per second; µs of one GEMV",
    .lacking = "tokens of a model of 2 billion parameters, or matrix units and a bandwidth",
    .rank = 66,
    .section = FIGURE_PAPERS,
    .platforms = "a100,b580,arl,arlh,lnl",
    .platforms_alone = true,
    .paper = "envelope",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 2, .plot_height = 280, .logarithmic = true, .turned = true},
};
