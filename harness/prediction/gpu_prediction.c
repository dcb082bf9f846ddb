/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/prediction/gpu_prediction.h"
#include "results/records/record.h"

#include <math.h>
#include <string.h>

const struct roofline_gpu_kernel *gpu_prediction_kernel(const char *name)
{
    for (size_t i = 0; i < ROOFLINE_GPU_KERNELS; i++) {
        if (strcasecmp(roofline_gpu_kernels[i].name, name) == 0)
            return &roofline_gpu_kernels[i];
    }
    return NULL;
}

static struct roofline_gpu gpu_of(const struct described_platform *platform, double bytes_per_s)
{
    return (struct roofline_gpu){.bytes_per_s = bytes_per_s,
                                 .matrix_ops_per_s = platform->matrix_ops_per_s,
                                 .launch_s = isnan(platform->launch_s) ? 0 : platform->launch_s};
}

void gpu_prediction_make(const struct described_platform *platform, const struct roofline_gpu_kernel *kernel,
                         struct prediction_shape shape, size_t tokens, struct gpu_prediction *prediction)
{
    enum { LARGE = 1 << 24 }; /* of which activations and results take no time to speak of */
    double roof_bytes_per_s = described_roof_bytes_per_s(platform), read_bytes_per_s = platform->read_bytes_per_s;
    const struct roofline_gpu roof = gpu_of(platform, roof_bytes_per_s);
    const struct roofline_gpu attained =
        gpu_of(platform, read_bytes_per_s < roof_bytes_per_s ? read_bytes_per_s : (double)NAN);
    const struct roofline_gpu_product product = {(double)shape.m, (double)shape.k, (double)tokens};
    *prediction = (struct gpu_prediction){.platform = platform,
                                          .kernel = kernel,
                                          .shape = shape,
                                          .tokens = tokens,
                                          .roof = roofline_gpu_time(&roof, kernel, &product),
                                          .attained = roofline_gpu_time(&attained, kernel, &product)};
    prediction->ridge = shape.m > 0 ? roofline_gpu_ridge(&roof, kernel, product.m, product.k)
                                    : roofline_gpu_ridge(&roof, kernel, LARGE, LARGE);
}

json_t *gpu_prediction_record(const struct gpu_prediction *prediction)
{
    const struct described_platform *platform = prediction->platform;
    const struct roofline_gpu_time *roof = &prediction->roof;
    json_t *record = json_pack("{s:s,s:s++,s:s,s:s,s:s,s:f,s:f,s:o,s:f,s:o,s:o}", "type", "gpu_prediction", "name",
                               platform->name, "/", prediction->kernel->name, "platform", platform->name, "kernel",
                               prediction->kernel->name, "grade", "model", "bits", prediction->kernel->weight_bits,
                               "roof_bytes_per_s", described_roof_bytes_per_s(platform), "read_bytes_per_s",
                               record_number_or_null(platform->read_bytes_per_s), "matrix_ops_per_s",
                               platform->matrix_ops_per_s, "launch_s", record_number_or_null(platform->launch_s),
                               "ridge_tokens", record_number_or_null(prediction->ridge));
    if (!record || prediction->shape.m == 0)
        return record;
    json_object_set_new(record, "m", json_integer((json_int_t)prediction->shape.m));
    json_object_set_new(record, "k", json_integer((json_int_t)prediction->shape.k));
    json_object_set_new(record, "n", json_integer((json_int_t)prediction->tokens));
    json_object_set_new(record, "packed_bytes", record_number_or_null(roof->weight_bytes));
    json_object_set_new(record, "memory_s", record_number_or_null(roof->memory_s));
    json_object_set_new(record, "matrix_s", record_number_or_null(roof->matrix_s));
    json_object_set_new(record, "launches_s", record_number_or_null(roof->launches_s));
    json_object_set_new(record, "pass_s", record_number_or_null(roof->pass_s));
    json_object_set_new(record, "predicted_s", record_number_or_null(roof->total_s));
    json_object_set_new(record, "predicted_attained_s", record_number_or_null(prediction->attained.total_s));
    json_object_set_new(record, "binds", isnan(roof->total_s) ? json_null() : json_string(roofline_gpu_binds(roof)));
    return record;
}
