/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the figures of GPUs compute from their platform files.
 */
#include <errno.h>

#include "reports/draw/figure.h"
#include "reports/select/machines/reference_platforms.h"
#include "reports/select/run/testing.h"

static const char both[] = "arc-140v,b580";

static int select_of(const char *figure, const char *names, char **settings, char **data)
{
    struct reference_platforms platforms = {.count = 0};
    struct made_run run;
    char why[512] = "";
    make_run(&run, "{}", "");
    assert_int_equal(reference_platforms_add(&platforms, names, why, sizeof why), 0);
    run.view.platforms = platforms.of;
    run.view.platform_count = platforms.count;
    int error = figure_select(figure_find(figure), &run.view, settings, data, why, sizeof why);
    reference_platforms_free(&platforms);
    free_run(&run);
    return error;
}

/* The line of a shape in the which-th block that has it. */
static const char *line_of(const char *data, const char *shape, unsigned which)
{
    const char *at = strstr(data, shape);
    for (; which && at; which--)
        at = strstr(at + 1, shape);
    assert_non_null(at);
    while (at > data && at[-1] != '\n')
        at--;
    return at;
}

/* [envelope, IV-C]: 6 us and a launch of 2 us for 1600x1600, of which 53 GB/s are stated; 47 TFLOPS with scales apart. */
static void gpus_are_modelled_by_their_roofs(void **state)
{
    (void)state;
    char *settings, *data;
    double eight, two, attained, observed, separate;
    assert_int_equal(select_of("envelope_8_11", both, &settings, &data), 0);
    assert_contains(settings, "gpus = 2\n");
    assert_contains(settings, "array gpu_gemm[2] = [47, 175]");
    assert_contains(settings, "array gpu_read[2] = [NaN, 380]");
    assert_contains(settings, "array gpu_bandwidth[2] = [104.153, 456]");
    /* the paper's order: Falcon3-1B, MobileLLM-1.5B, Llama3-8B */
    assert_true(strstr(data, "\"2048x2048\"") < strstr(data, "\"1600x1600\""));
    assert_true(strstr(data, "\"1600x1600\"") < strstr(data, "\"4096x4096\""));
    assert_lacks(data, "\"320x1600\""); /* not drawn there: the smallest is 1600x1600 */
    assert_int_equal(
        sscanf(line_of(data, "\"1600x1600\"", 0), "%*d %lf %lf %lf %lf", &eight, &two, &attained, &observed), 4);
    assert_near(two, 78.0, 0.1);
    assert_true(eight > two && isnan(attained) && observed == 53);
    assert_int_equal(sscanf(line_of(data, "\"4096x4096\"", 1), "%*d %lf %lf %lf", &eight, &two, &separate), 3);
    assert_near(separate, 46.9, 0.1);
    assert_true(two > separate && two < 53);
    assert_int_equal(
        sscanf(line_of(data, "\"14336x4096\"", 2), "%*d %lf %lf %lf %lf", &eight, &two, &attained, &observed), 4);
    assert_near(two / attained, 456.0 / 380, 1e-3);
    assert_true(isnan(observed));
    free(settings);
    free(data);
}

static void a_machine_of_cores_is_no_gpu(void **state)
{
    (void)state;
    char *settings, *data;
    assert_int_equal(select_of("envelope_8_11", "arl", &settings, &data), -ENODATA);
    assert_int_equal(select_of("envelope_16", "arl,a100", &settings, &data), -ENODATA);
    assert_int_equal(select_of("envelope_16", "b580,arl", &settings, &data), 0);
    assert_contains(settings, "gpus = 1\n");
    free(settings);
    free(data);
}

/* [envelope, IV-E]: about 135 and 29.2 tokens a second of the 2-bit Llama3-8B; BF16 does not fit 12 GB. */
static void tokens_are_bounded_by_what_is_read(void **state)
{
    (void)state;
    char *settings, *data;
    double bound, attained, observed;
    assert_int_equal(select_of("envelope_16", both, &settings, &data), 0);
    const char *b580 = strstr(data, "\n\n\n");
    assert_non_null(b580);
    assert_int_equal(
        sscanf(line_of(b580, "\"2-bit\" \"Llama3-8B\"", 0), "%*d %lf %lf %lf", &bound, &attained, &observed), 3);
    assert_near(bound, 242, 1);
    assert_near(bound / attained, 456.0 / 380, 1e-3);
    assert_true(observed == 135);
    assert_contains(b580, "nan nan nan 0x");
    assert_contains(b580, "\"16-bit\" \"Llama3-8B\" \"out of memory\"");
    assert_int_equal(
        sscanf(line_of(data, "\"16-bit\" \"Llama3-8B\"", 0), "%*d %lf %lf %lf", &bound, &attained, &observed), 3);
    assert_near(observed, 29.2 / 6.3, 1e-3);
    assert_true(bound > observed);
    free(settings);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gpus_are_modelled_by_their_roofs),
        cmocka_unit_test(a_machine_of_cores_is_no_gpu),
        cmocka_unit_test(tokens_are_bounded_by_what_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
