/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/cmd/console/table.h"
#include "harness/prediction/gpu_prediction.h"

/** What `kneepoint predict` says of a platform with matrix units. */
struct predict_gpu {
    const struct described_platform *platform;
    const struct roofline_gpu_kernel *kernel; /* NULL: all */
    struct prediction_shape shape;            /* m 0: none */
    size_t tokens;
    bool json;
    const struct table_view *view;
};

extern const struct table predict_gpu_table;

/** @return exit code */
int predict_gpu_print(const struct predict_gpu *predict);
