/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plug-in whose work is counted, to put the gate of `kneepoint compare` to the test: its kernels compute as
 * many percent of their rows once more as were planted. So a loss is exact whatever the machine does, and what else the gate
 * sees is the machine. Used by scripts/measuring/gate_calibration and scripts/docs_gate.bats.
 *
 *     cc -O2 -shared -fPIC -I<headers> -DPLANTED_2=5 -o planted.so gate_calibration.c
 *
 * PLANTED_1 … PLANTED_6   percent of kernel 1 to 6, default 0
 * KERNELS                 how many of them there are, default 6
 * GEMM_ONLY               they multiply many tokens, and have no GEMV
 *
 * Its format has one weight for every 32 columns, so that little is read and the time is work:
 *
 *     panel = one row     step, 4 bytes = the weight of 32 columns in 128ths, and 3 that say nothing
 */
#include "micro/plugin.h"

#ifndef KERNELS
#define KERNELS 6
#endif

enum {
    COLUMNS = 32,
    STEP_BYTES = 4,
    LANES = 4,
    PASSES = 4,
    LINE = 64,
    ROWS_AHEAD = 8, /* are fetched, so that the first pass waits no longer for its row than the others */
};

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k, (void)row;
    return (int8_t)panel[column / COLUMNS * STEP_BYTES] / 128.0;
}

static const struct format counted = {
    .name = "counted",
    .bits = 1,
    .rows_per_panel = 1,
    .k_per_step = COLUMNS,
    .step_bytes = STEP_BYTES,
    .max_k = 1 << 20,
    .weight = weight,
};

typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

static float product(const uint8_t *row, const float *a, size_t steps)
{
    lanes even = {0}, odd = {0}, third = {0}, fourth = {0};
    for (size_t step = 0; step < steps; step++) {
        const lanes *at = (const lanes *)(a + step * COLUMNS);
        float w = (float)(int8_t)row[step * STEP_BYTES] / 128;
        even += w * at[0] + w * at[4];
        odd += w * at[1] + w * at[5];
        third += w * at[2] + w * at[6];
        fourth += w * at[3] + w * at[7];
    }
    lanes all = (even + odd) + (third + fourth);
    return (all[0] + all[1]) + (all[2] + all[3]);
}

/** Every row PASSES times, and of a hundred as many as were planted once more as often, after the others. */
static void multiply(const struct gemv_slice *slice, size_t percent)
{
    size_t more = slice->panels * percent / 100;
    for (size_t i = 0; i < slice->panels + more; i++) {
        size_t p = i < slice->panels ? i : i - slice->panels;
        for (size_t byte = 0; byte < slice->panel_bytes; byte += LINE)
            __builtin_prefetch(slice->weights + (p + ROWS_AHEAD) * slice->panel_bytes + byte);
        for (int pass = 0; pass < PASSES; pass++) {
            slice->out_f32[p] = product(slice->weights + p * slice->panel_bytes, slice->activations_f32, slice->steps);
            __asm__ volatile("" ::: "memory"); /* each of them is done */
        }
    }
}

#ifdef GEMM_ONLY
/** One token after the other. */
static inline void multiply_many(const struct gemm_slice *slice, size_t percent)
{
    for (size_t token = 0; token < slice->tokens; token++) {
        const struct gemv_slice one = {
            .weights = slice->weights,
            .panels = slice->panels,
            .panel_bytes = slice->panel_bytes,
            .steps = slice->k / COLUMNS,
            .activations_f32 = slice->activations_f32 + token * slice->activations_stride,
            .out_f32 = slice->out + token * slice->out_stride,
        };
        multiply(&one, percent);
    }
}
#endif

#ifdef GEMM_ONLY
#define FUNCTION(number)                                                                                               \
    static void run_##number(const struct gemm_slice *slice)                                                           \
    {                                                                                                                  \
        multiply_many(slice, PLANTED_##number);                                                                        \
    }
#define RUNS(number) .gemm = {.run = run_##number}
#else
#define FUNCTION(number)                                                                                               \
    static void run_##number(const struct gemv_slice *slice)                                                           \
    {                                                                                                                  \
        multiply(slice, PLANTED_##number);                                                                             \
    }
#define RUNS(number) .gemv = run_##number
#endif
#define KERNEL(number)                                                                                                 \
    FUNCTION(number)                                                                                                   \
    static const struct kernel kernel_##number = {.name = "counted.kernel" #number ".reference",                       \
                                                  .sequence = "kernel" #number,                                        \
                                                  .isa = "reference",                                                  \
                                                  .format = &counted,                                                  \
                                                  .takes = KERNEL_TAKES_F32,                                           \
                                                  .gives = KERNEL_GIVES_F32,                                           \
                                                  RUNS(number)};

#ifndef PLANTED_1
#define PLANTED_1 0
#endif
#ifndef PLANTED_2
#define PLANTED_2 0
#endif
#ifndef PLANTED_3
#define PLANTED_3 0
#endif
#ifndef PLANTED_4
#define PLANTED_4 0
#endif
#ifndef PLANTED_5
#define PLANTED_5 0
#endif
#ifndef PLANTED_6
#define PLANTED_6 0
#endif

KERNEL(1)
KERNEL(2)
KERNEL(3)
KERNEL(4)
KERNEL(5)
KERNEL(6)

static const struct format *const formats[] = {&counted, NULL};
static const struct kernel *const kernels[] = {
    KERNELS > 0 ? &kernel_1 : NULL,
    KERNELS > 1 ? &kernel_2 : NULL,
    KERNELS > 2 ? &kernel_3 : NULL,
    KERNELS > 3 ? &kernel_4 : NULL,
    KERNELS > 4 ? &kernel_5 : NULL,
    KERNELS > 5 ? &kernel_6 : NULL,
    NULL,
};

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .name = "counted", .version = "1", .formats = formats, .kernels = kernels};
