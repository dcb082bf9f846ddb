/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

#include "harness/prediction/prediction.h"
#include "roofline/gpu.h"

/** roofline/gpu.h applied to a described GPU: one kernel of its table on one product, or on none. */
struct gpu_prediction {
    const struct described_platform *platform; /* described_is_gpu(); outlives the prediction */
    const struct roofline_gpu_kernel *kernel;
    struct prediction_shape shape; /* m 0: none */
    size_t tokens;
    double ridge;                  /* tokens from which the matrix units bind: of the shape, or of large matrices */
    struct roofline_gpu_time roof; /* at the roof's bandwidth; NaN without a shape, or where the model says nothing */
    struct roofline_gpu_time attained; /* at the bandwidth that was attained, where it is less; else NaN */
};

/** NULL: no kernel of the table has the name. */
const struct roofline_gpu_kernel *gpu_prediction_kernel(const char *name);

/** Launches that no source states count as 0. tokens >= 1. */
void gpu_prediction_make(const struct described_platform *platform, const struct roofline_gpu_kernel *kernel,
                         struct prediction_shape shape, size_t tokens, struct gpu_prediction *prediction);

/** The record, type "gpu_prediction". NULL without memory. */
json_t *gpu_prediction_record(const struct gpu_prediction *prediction);
