/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "harness/prediction/gpu_prediction.h"
#include "platforms/described/described_open.h"
#include "unit_test.h"

static struct described_platform platform_of(const char *name)
{
    struct described_platform platform;
    char why[256];
    if (described_find(name, &platform, why, sizeof why) != 0)
        fail_msg("%s", why);
    return platform;
}

static struct gpu_prediction made(const struct described_platform *platform, const char *kernel, size_t m, size_t k,
                                  size_t tokens)
{
    struct gpu_prediction prediction;
    assert_non_null(gpu_prediction_kernel(kernel));
    gpu_prediction_make(platform, gpu_prediction_kernel(kernel), (struct prediction_shape){m, k}, tokens, &prediction);
    return prediction;
}

static double field(const json_t *record, const char *name)
{
    const json_t *value = json_object_get(record, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* [envelope, IV-C]: up to 47 TFLOPS with N = 1024 and the scales, against 53 of int8. */
TEST(large_gemms_attain_what_the_paper_measured)
{
    struct described_platform arc = platform_of("arc-140v");
    struct gpu_prediction prediction = made(&arc, "int2_bf16.separate", 4096, 4096, 1024);
    double tflops = 2.0 * 4096 * 4096 * 1024 / prediction.roof.total_s / 1e12;
    assert_true(tflops > 46.5 && tflops < 47.5);
    assert_true(isnan(prediction.attained.total_s)); /* its bandwidth was measured: there is one roof */
    described_free(&arc);
}

TEST(a_record_has_the_terms_and_what_is_not_stated_is_null)
{
    struct described_platform b580 = platform_of("b580");
    struct gpu_prediction prediction = made(&b580, "int2_bf16.fused", 14336, 4096, 1);
    json_auto_t *record = gpu_prediction_record(&prediction);
    assert_string_equal(json_string_value(json_object_get(record, "name")), "b580/int2_bf16.fused");
    assert_string_equal(json_string_value(json_object_get(record, "type")), "gpu_prediction");
    assert_true(json_is_null(json_object_get(record, "launch_s")));
    assert_true(field(record, "packed_bytes") == 14336.0 * 4096 / 4);
    assert_true(field(record, "predicted_attained_s") / field(record, "predicted_s") > 1.19);
    assert_true(field(record, "predicted_s") == prediction.roof.total_s);
    json_decref(record);
    prediction = made(&b580, "int2_bf16.fused", 0, 0, 1);
    record = gpu_prediction_record(&prediction);
    assert_null(json_object_get(record, "predicted_s"));
    assert_true(fabs(field(record, "ridge_tokens") - 233e12 / 8 / 456e9) < 0.1); /* bits peak / (16 bandwidth) */
    described_free(&b580);
}

TEST(of_more_tokens_bf16_has_no_time)
{
    struct described_platform arc = platform_of("arc-140v");
    struct gpu_prediction prediction = made(&arc, "bf16", 4096, 4096, 2);
    json_auto_t *record = gpu_prediction_record(&prediction);
    assert_true(json_is_null(json_object_get(record, "predicted_s")));
    assert_true(json_is_null(json_object_get(record, "binds")));
    assert_null(gpu_prediction_kernel("int2_vnni4.envelope"));
    described_free(&arc);
}

RUN_TESTS(NULL, NULL)
