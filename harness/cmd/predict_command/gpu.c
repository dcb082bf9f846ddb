/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/predict_command/gpu.h"

#include <math.h>
#include <stdio.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"
#include "harness/command.h"

static void print_roofs(const struct described_platform *platform)
{
    double roof = described_roof_bytes_per_s(platform), read = platform->read_bytes_per_s;
    bool stated_by_data_sheet = roof == platform->peak_bytes_per_s;
    printf("  bandwidth %.1f GB/s%s", roof / 1e9, stated_by_data_sheet ? " by its data sheet" : "");
    if (stated_by_data_sheet && !isnan(read))
        printf(", %s%.1f read", described_limit_words(platform->read_limit), read / 1e9);
    printf("; matrix units %s%.0f Tops/s of 8-bit integers; ", described_limit_words(platform->matrix_limit),
           platform->matrix_ops_per_s / 1e12);
    if (isnan(platform->launch_s))
        puts("launch not stated, counted as 0");
    else
        printf("launch %.1f us\n", 1e6 * platform->launch_s);
}

static void print_heading(const struct predict_gpu *predict)
{
    const struct described_platform *platform = predict->platform;
    printf("%s%s (%s)%s%s%s\n", console_bold(), platform->title, platform->name, console_plain(),
           *platform->source ? ", " : "", platform->source);
    puts("  its matrix units take 2-bit weights as they are, so there is no gamma:\n"
         "  T = max(bytes/bandwidth, operations/peak) + launches + pass; bytes of weights, activations and results");
    print_roofs(platform);
    if (predict->shape.m > 0)
        printf(
            "  %zux%zu, %zu token%s; attained: at the bandwidth that was read, where that is below the data sheet's\n",
            predict->shape.m, predict->shape.k, predict->tokens, predict->tokens == 1 ? "" : "s");
    printf("  %-20s %4s %12s", "kernel", "bits", "ridge tokens");
    if (predict->shape.m > 0)
        printf(" %10s %10s %8s %8s  %s", "us", "attained", "GB/s", "Tops/s", "binds");
    putchar('\n');
}

static void print_time(const struct gpu_prediction *prediction)
{
    const struct roofline_gpu_time *roof = &prediction->roof;
    double operations = 2.0 * (double)prediction->shape.m * (double)prediction->shape.k * (double)prediction->tokens;
    print_column(1e6 * roof->total_s, 10, 2);
    print_column(1e6 * prediction->attained.total_s, 10, 2);
    print_column(roof->weight_bytes / roof->total_s / 1e9, 8, 1);
    print_column(operations / roof->total_s / 1e12, 8, 2);
    printf("  %s", isnan(roof->total_s) ? "no peak of such weights is stated" : roofline_gpu_binds(roof));
}

static int print_kernel(const struct predict_gpu *predict, const struct roofline_gpu_kernel *kernel)
{
    struct gpu_prediction prediction;
    gpu_prediction_make(predict->platform, kernel, predict->shape, predict->tokens, &prediction);
    if (predict->json)
        return print_record("predict", gpu_prediction_record(&prediction));
    printf("  %-20s %4g", kernel->name, kernel->weight_bits);
    if (isinf(prediction.ridge))
        printf(" %12s", "none");
    else
        print_column(prediction.ridge, 12, 1);
    if (predict->shape.m > 0)
        print_time(&prediction);
    putchar('\n');
    return EXIT_DONE;
}

int predict_gpu_print(const struct predict_gpu *predict)
{
    int code = EXIT_DONE;
    if (!predict->json)
        print_heading(predict);
    for (size_t i = 0; i < ROOFLINE_GPU_KERNELS && code == EXIT_DONE; i++) {
        if (!predict->kernel || predict->kernel == &roofline_gpu_kernels[i])
            code = print_kernel(predict, &roofline_gpu_kernels[i]);
    }
    return code;
}
