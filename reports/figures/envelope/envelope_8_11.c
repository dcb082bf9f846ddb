/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "micro/shape.h"
#include "reports/draw/figure.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/models.h"
#include "reports/select/machines/reference_platforms.h"

enum { TOKENS = 1024, GPUS = REFERENCE_PLATFORMS_MAX };

/* Of a GPU's GEMVs and GEMMs. */
struct rates {
    double most_bytes, most_operations; /* of all bars, a second */
};

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

static struct rates write_gpu(const struct described_platform *gpu, const struct shape *shapes, size_t count,
                              FILE *data)
{
    struct rates rates = {0, 0};
    fputs(
        "# place, GB/s of weights with 8 and 2 bits, with 2 bits at the bandwidth that was read, observed, shape, model\n",
        data);
    for (size_t i = 0; i < count; i++) {
        double int8 = modelled_bytes(gpu, ROOFLINE_GPU_INT8, &shapes[i], false);
        double int2 = modelled_bytes(gpu, ROOFLINE_GPU_FUSED, &shapes[i], false);
        fprintf(data, "%zu %.5g %.5g %.5g %.5g \"%zux%zu\" \"%s\"\n", i + 1, int8 / 1e9, int2 / 1e9,
                modelled_bytes(gpu, ROOFLINE_GPU_FUSED, &shapes[i], true) / 1e9, observed_of(gpu, &shapes[i]) / 1e9,
                shapes[i].m, shapes[i].k, shapes[i].model);
        rates.most_bytes = fmax(rates.most_bytes, fmax(int8, int2));
    }
    fputs(
        "\n\n# place, Tops/s with 8 bits, with 2 bits and fused scales, with scales of a kernel of their own, shape, model\n",
        data);
    for (size_t i = 0; i < count; i++) {
        double int8 = modelled_operations(gpu, ROOFLINE_GPU_INT8, &shapes[i]);
        double fused = modelled_operations(gpu, ROOFLINE_GPU_FUSED, &shapes[i]);
        fprintf(data, "%zu %.5g %.5g %.5g \"%zux%zu\" \"%s\"\n", i + 1, int8 / 1e12, fused / 1e12,
                modelled_operations(gpu, ROOFLINE_GPU_SEPARATE, &shapes[i]) / 1e12, shapes[i].m, shapes[i].k,
                shapes[i].model);
        rates.most_operations = fmax(rates.most_operations, fmax(int8, fused));
    }
    fputs("\n\n", data);
    return rates;
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

static void write_titles(const struct described_platform *const *gpus, size_t count, FILE *settings)
{
    set_texts(settings, "gpu_title", count, i, gpus[i]->name);
}

static void write_shape_titles(const struct shape *shapes, size_t count, FILE *settings)
{
    struct settings_array titles = settings_texts(settings, "shape_title", count);
    for (size_t i = 0; i < count; i++) {
        char title[48];
        snprintf(title, sizeof title, "%zu×%zu", shapes[i].m, shapes[i].k);
        array_text(&titles, title);
    }
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct shape shapes[SHAPES_MAX];
    const struct described_platform *gpus[GPUS];
    double bandwidth[GPUS], read[GPUS], peak[GPUS], gemm[GPUS], bytes_axis[GPUS], operations_axis[GPUS];
    size_t shape_count = published_shapes(shapes), count = 0;
    for (size_t i = 0; i < view->platform_count && count < GPUS; i++) {
        const struct described_platform *gpu = &view->platforms[i];
        if (!described_is_gpu(gpu))
            continue;
        struct rates rates = write_gpu(gpu, shapes, shape_count, data);
        gpus[count] = gpu;
        bandwidth[count] = described_roof_bytes_per_s(gpu) / 1e9;
        read[count] =
            gpu->read_bytes_per_s < described_roof_bytes_per_s(gpu) ? gpu->read_bytes_per_s / 1e9 : (double)NAN;
        peak[count] = gpu->matrix_ops_per_s / 1e12;
        gemm[count] = reference_fact(gpu, "int2_gemm") / 1e12;
        bytes_axis[count] = 1.25 * fmax(bandwidth[count], rates.most_bytes / 1e9);
        operations_axis[count++] = 1.25 * fmax(gpu->matrix_ops_per_s, rates.most_operations) / 1e12;
    }
    if (!count)
        return -ENODATA;
    write_titles(gpus, count, settings);
    write_shape_titles(shapes, shape_count, settings);
    set_numbers(settings, "gpu_bandwidth", count, i, bandwidth[i]);
    set_numbers(settings, "gpu_read", count, i, read[i]);
    set_numbers(settings, "gpu_peak", count, i, peak[i]);
    set_numbers(settings, "gpu_gemm", count, i, gemm[i]);
    set_numbers(settings, "bytes_axis", count, i, bytes_axis[i]);
    set_numbers(settings, "operations_axis", count, i, operations_axis[i]);
    fprintf(
        settings,
        "gpus = %zu\nshapes = %zu\nwidth = 1080\nheight = %zu\nnarrow_height = %zu\ncolour_8 = 0x%06x\ncolour_2 = 0x%06x\n",
        count, shape_count, 230 + 260 * count, 240 + 360 * count, figure_colour(8), figure_colour(2));
    return 0;
}

const struct figure figure_envelope_8_11 = {
    .name = "envelope_8_11",
    .title = "GEMV and GEMM on Xe2 GPUs by weight shape, modelled [envelope, Fig. 8-11]",
    .caption =
        "Modelled by the roofs of a GPU, max(bytes / bandwidth, operations / peak) plus the launches, from its "
        "platform file: nothing here was run. Left, one token: bytes of weights per second, of 8 bits, and of 2 bits "
        "that are multiplied with BF16 quantized within the kernel; marks are the same at the bandwidth that was read "
        "where that is below the data sheet's. Right, 1,024 tokens: operations per second, a multiply and an add are "
        "two; the third bar has the scales of the activations computed by a kernel of its own, which reads them once "
        "more, as the paper found best. Dotted are the roofs. Diamonds and the dashed line are what the paper's text "
        "says was attained: 53 GB/s for 1600×1600 on the GPU of Lunar Lake, of which the model, 6 µs and a launch of "
        "2 µs, does not follow; 47 TFLOPS there and 175 on the B580 as the most of all shapes. For the B580 no launch "
        "is stated, so its small matrices are modelled too fast.",
    .units = "GB/s (1e9 bytes per second) of packed weights; Tops/s (1e12 operations per second)",
    .lacking = "matrix units and a bandwidth",
    .rank = 62,
    .section = FIGURE_PAPERS,
    .platforms = "arc-140v,b580",
    .platforms_alone = true,
    .write = write,
};
