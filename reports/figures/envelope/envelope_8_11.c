/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "micro/shape.h"
#include "reports/draw/frames/bar_panels.h"
#include "reports/select/kernels/device_rows.h"
#include "reports/select/kernels/models.h"
#include "reports/select/machines/reference_platforms.h"

enum { TOKENS = 1024 };

static double bytes_per_s(const struct roofline_gpu_time *time)
{
    return time->weight_bytes / time->total_s;
}

static double modelled_bytes(const struct described_platform *gpu, int kernel, const struct shape *shape, bool attained)
{
    const struct roofline_gpu_product product = {(double)shape->m, (double)shape->k, 1};
    struct roofline_gpu_time time = reference_gpu_time(gpu, &roofline_gpu_kernels[kernel], &product, attained);
    return bytes_per_s(&time);
}

static double modelled_operations(const struct described_platform *gpu, int kernel, const struct shape *shape)
{
    const struct roofline_gpu_product product = {(double)shape->m, (double)shape->k, TOKENS};
    struct roofline_gpu_time time = reference_gpu_time(gpu, &roofline_gpu_kernels[kernel], &product, false);
    return 2 * product.m * product.k * TOKENS / time.total_s;
}

/* What the paper's text says of a shape: a fact named after it. */
static double observed_of(const struct described_platform *gpu, const struct shape *shape)
{
    char name[64];
    snprintf(name, sizeof name, "int2_gemv_%zux%zu", shape->m, shape->k);
    return reference_fact(gpu, name);
}

static void add_bar(struct bar_panels *bars, double value, double bits, double opacity, const char *key,
                    const struct shape *shape, const char *unit)
{
    const struct bar bar = {.value = value, .colour = figure_colour(bits), .opacity = opacity, .key = key};
    bars_add(bars, &bar, "%s, %zu×%zu, %s: %.4g %s", shape->model, shape->m, shape->k, key, value, unit);
}

static void add_gemv(struct bar_panels *bars, const struct described_platform *gpu, const struct shape *shapes,
                     size_t count)
{
    const double roof = described_roof_bytes_per_s(gpu), read = gpu->read_bytes_per_s;
    bars_panel(bars, "GB/s", "%.40s: GEMV", gpu->name);
    for (size_t i = 0; i < count; i++) {
        const struct shape *shape = &shapes[i];
        const double attained = modelled_bytes(gpu, ROOFLINE_GPU_FUSED, shape, true) / 1e9,
                     stated = observed_of(gpu, shape) / 1e9;
        bars_group(bars, "%zu×%zu", shape->m, shape->k);
        add_bar(bars, modelled_bytes(gpu, ROOFLINE_GPU_INT8, shape, false) / 1e9, 8, 1, "8-bit", shape, "GB/s");
        add_bar(bars, modelled_bytes(gpu, ROOFLINE_GPU_FUSED, shape, false) / 1e9, 2, 1, "2-bit", shape, "GB/s");
        bars_mark(bars, attained, 2, 0x1a1a1a, "at the bandwidth read",
                  "%s, %zu×%zu, 2-bit at what was read: %.4g GB/s", shape->model, shape->m, shape->k, attained);
        bars_mark(bars, stated, 13, 0x1a1a1a, "this shape in the paper", "%s, %zu×%zu, 2-bit, in the paper: %.4g GB/s",
                  shape->model, shape->m, shape->k, stated);
    }
    bars_level(bars, roof / 1e9, 3, "roof");
    bars_level(bars, read < roof ? read / 1e9 : (double)NAN, 4, "read in the paper");
}

static void add_gemm(struct bar_panels *bars, const struct described_platform *gpu, const struct shape *shapes,
                     size_t count)
{
    bars_panel(bars, "Tops/s", "%.40s: GEMM, 1,024 tokens", gpu->name);
    for (size_t i = 0; i < count; i++) {
        const struct shape *shape = &shapes[i];
        bars_group(bars, "%zu×%zu", shape->m, shape->k);
        add_bar(bars, modelled_operations(gpu, ROOFLINE_GPU_INT8, shape) / 1e12, 8, 1, "8-bit", shape, "Tops/s");
        add_bar(bars, modelled_operations(gpu, ROOFLINE_GPU_FUSED, shape) / 1e12, 2, 1, "2-bit", shape, "Tops/s");
        add_bar(bars, modelled_operations(gpu, ROOFLINE_GPU_SEPARATE, shape) / 1e12, 2, 0.45, "2-bit, scales apart",
                shape, "Tops/s");
    }
    bars_level(bars, gpu->matrix_ops_per_s / 1e12, 3, "roof");
    bars_level(bars, reference_fact(gpu, "int2_gemm") / 1e12, 2, "most in the paper");
}

/* The same of a device of the run, measured. */
static void add_device_gemv(struct bar_panels *bars, const struct device_shown *device, const struct shape *shapes,
                            size_t count)
{
    bars_panel(bars, "GB/s", "%s: GEMV", device->title);
    for (size_t i = 0; i < count; i++) {
        const struct shape *shape = &shapes[i];
        const double m = (double)shape->m, k = (double)shape->k;
        const json_t *wide = device_row(bars->view, device, "int8_vnni4.dot", m, k, 0),
                     *narrow = device_row(bars->view, device, "int2_vnni16.fused", m, k, 0);
        if (!wide && !narrow)
            continue;
        bars_group(bars, "%zu×%zu", shape->m, shape->k);
        add_bar(bars, view_median(wide, "bytes_per_s") / 1e9, 8, 1, "8-bit", shape, "GB/s, measured");
        add_bar(bars, view_median(narrow, "bytes_per_s") / 1e9, 2, 1, "2-bit", shape, "GB/s, measured");
    }
    bars_level(bars, device_read(bars->view, device) / 1e9, 3, "roof");
}

static void add_device_gemm(struct bar_panels *bars, const struct device_shown *device, const struct shape *shapes,
                            size_t count)
{
    static const struct {
        const char *kernel, *key;
        double bits, opacity;
    } kernels[] = {{"int8_vnni4.dot", "8-bit", 8, 1},
                   {"int2_vnni16.fused", "2-bit", 2, 1},
                   {"int2_vnni16.separate", "2-bit, scales apart", 2, 0.45}};
    bars_panel(bars, "Tops/s", "%s: GEMM, 1,024 tokens", device->title);
    for (size_t i = 0; i < count; i++) {
        const struct shape *shape = &shapes[i];
        bars_group(bars, "%zu×%zu", shape->m, shape->k);
        for (size_t j = 0; j < sizeof kernels / sizeof *kernels; j++) {
            const json_t *row =
                device_row(bars->view, device, kernels[j].kernel, (double)shape->m, (double)shape->k, TOKENS);
            add_bar(bars, view_median(row, "operations_per_s") / 1e12, kernels[j].bits, kernels[j].opacity,
                    kernels[j].key, shape, "Tops/s, measured");
        }
    }
}

/* Those that the paper draws. @return how many */
static size_t published_shapes(struct shape shapes[SHAPES_MAX])
{
    size_t total = models_timed_by("envelope, Fig. 5-8", shapes), count = 0;
    for (size_t i = 0; i < total; i++) {
        if (!shape_is_head(&shapes[i]))
            shapes[count++] = shapes[i];
    }
    return count;
}

static void add(struct bar_panels *bars)
{
    struct shape shapes[SHAPES_MAX];
    struct device_shown devices[DEVICES_SHOWN];
    const size_t count = published_shapes(shapes), shown = devices_shown(bars->view, devices);
    for (size_t i = 0; i < bars->view->platform_count; i++) {
        const struct described_platform *gpu = &bars->view->platforms[i];
        if (!described_is_gpu(gpu))
            continue;
        add_gemv(bars, gpu, shapes, count);
        add_gemm(bars, gpu, shapes, count);
    }
    for (size_t i = 0; i < shown; i++) {
        add_device_gemv(bars, &devices[i], shapes, count);
        add_device_gemm(bars, &devices[i], shapes, count);
    }
}

const struct figure figure_envelope_8_11 = {
    .name = "envelope_8_11",
    .title = "GEMV and GEMM on GPUs by weight shape [envelope, Fig. 8-11]",
    .caption =
        "Modelled by the roofs of a GPU, max(bytes / bandwidth, operations / peak) plus the launches, from its "
        "platform file; panels under the name of an OpenCL device of this run were measured, beside its memory read; \"a CPU\" is no GPU. Left, one token: bytes of weights per second, of 8 bits, and of 2 bits "
        "that are multiplied with BF16 quantized within the kernel; marks are the same at the bandwidth that was read "
        "where that is below the data sheet's. Right, 1,024 tokens: operations per second, a multiply and an add are "
        "two; the third bar has the scales of the activations computed by a kernel of its own, which reads them once "
        "more, as the paper found best. Dotted are the roofs. Diamonds and dashed lines are what the paper's text "
        "says was attained: 53 GB/s for 1600×1600 on the GPU of Lunar Lake, of which the model, 6 µs and a launch of "
        "2 µs, does not follow; 47 TFLOPS there and 175 on the B580 as the most of all shapes. For the B580 no launch "
        "is stated, so its small matrices are modelled too fast.",
    .units = "GB/s (1e9 bytes per second) of packed weights; Tops/s (1e12 operations per second)",
    .lacking = "matrix units and a bandwidth",
    .rank = 62,
    .section = FIGURE_PAPERS,
    .platforms = "arc-140v,b580",
    .platforms_alone = true,
    .of_devices = true,
    .paper = "envelope",
    .frame = &bar_frame,
    .of = &(const struct bar_form){.add = add, .columns = 2, .plot_height = 200, .turned = true, .shared = true},
};
