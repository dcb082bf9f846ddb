/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the figures of GPUs compute from their platform files.
 */
#include <errno.h>

#include "micro/shape.h"
#include "reports/draw/figure_testing.h"

static const char both[] = "arc-140v,b580";

/* [envelope, IV-C]: 6 us and a launch of 2 us for 1600x1600, of which 53 GB/s are stated; 47 TFLOPS with scales apart. */
TEST(gpus_are_modelled_by_their_roofs)
{
    freed char *settings, *data;
    assert_int_equal(select_lines("envelope_8_11", both, "", &settings, &data), 0);
    assert_contains(settings, "'arc-140v: GEMV', 'arc-140v: GEMM, 1,024 tokens', 'b580: GEMV', ");
    /* roofs, what was read on the B580 alone, and the most of the GEMMs */
    assert_contains(settings, "array level_at[7] = [104.153, ", ", 47, 456, 380, ", ", 175]\n");
    /* the paper's order: Falcon3-1B, MobileLLM-1.5B, Llama3-8B */
    assert_true(strstr(data, "2048×2048") < strstr(data, "1600×1600"));
    assert_true(strstr(data, "1600×1600") < strstr(data, "4096×4096"));
    assert_lacks(data, " 320×1600"); /* not drawn there: the smallest is 1600×1600 */
    const char *gemm = strstr(data, "# arc-140v: GEMM"), *b580 = strstr(data, "# b580: GEMV");
    assert_true(gemm && b580);
    const double two = number_after(data, "1600×1600, 2-bit: ");
    assert_near(two, 78.0, 0.1);
    assert_true(number_after(data, "1600×1600, 8-bit: ") > two);
    assert_near(number_after(data, "1600×1600, 2-bit, in the paper: "), 53, 1e-9);
    assert_near(number_after(gemm, "4096×4096, 2-bit, scales apart: "), 46.9, 0.1);
    assert_true(number_after(gemm, "4096×4096, 2-bit: ") < 53);
    assert_near(number_after(b580, "14336×4096, 2-bit: ") / number_after(b580, "14336×4096, 2-bit at what was read: "),
                456.0 / 380, 1e-3);
    assert_lacks(b580, "in the paper");
}

TEST(a_machine_of_cores_is_no_gpu)
{
    freed char *settings, *data;
    assert_int_equal(select_lines("envelope_8_11", "arl", "", &settings, &data), -ENODATA);
    assert_int_equal(select_lines("envelope_16", "arl,a100", "", &settings, &data), -ENODATA);
    assert_int_equal(select_lines("envelope_16", "b580,arl", "", &settings, &data), 0);
    assert_contains(settings, "array panel_title[1] = ['b580']");
}

/* [envelope, IV-E]: about 135 and 29.2 tokens a second of the 2-bit Llama3-8B; BF16 does not fit 12 GB. */
TEST(tokens_are_bounded_by_what_is_read)
{
    freed char *settings, *data;
    assert_int_equal(select_lines("envelope_16", both, "", &settings, &data), 0);
    const char *b580 = strstr(data, "# b580: ");
    assert_non_null(b580);
    const double bound = number_after(b580, "Llama3-8B, 2-bit: at most ");
    assert_near(bound, 242, 1); /* first comes the mark at the bandwidth read */
    assert_near(bound / number_after(b580, "Llama3-8B, 2-bit: "), 456.0 / 380, 1e-3);
    assert_contains(b580, "Llama3-8B, 2-bit: 135 tokens/s decoded in the paper");
    assert_lacks(b580, "Llama3-8B, 16-bit");
    assert_contains(b580, "\"out of memory\"");
    assert_near(number_after(data, "Llama3-8B, 16-bit: at most "), 6.92, 0.01);
    assert_contains(data, "Llama3-8B, 16-bit: 4.63 tokens/s decoded in the paper");
}

/* [envelope, IV-F and IV-G]: tokens of a 2B model; GEMVs of 2 bits are 1.3 to 1.4 times as fast where small, 3.6 at most. */
TEST(a_gpu_of_much_bandwidth_gains_little_from_few_bits)
{
    freed char *settings, *data;
    assert_int_equal(select_lines("envelope_17", "rtx-2080", "", &settings, &data), -ENODATA);
    assert_int_equal(select_lines("envelope_17", "a100,b580,arl,arlh,lnl", "", &settings, &data), 0);
    assert_contains(data, "\"a100: 250 tokens/s decoded in the paper\"", "\"b580: 365 tokens/s decoded in the paper\"",
                    "\"lnl: 88 tokens/s decoded in the paper\"");
    assert_lacks(data, "a100: reading alone");
    /* 1.834e9 weights of 2 bits at 456 GB/s */
    assert_near(number_after(data, "b580: reading alone allows "), 994, 1);
    static const char *const small[] = {"2560×2560", "3840×2560", "3200×3200"};
    for (size_t i = 0; i < 3; i++) {
        char wide[64], narrow[64];
        snprintf(wide, sizeof wide, "a100, %s, BF16: ", small[i]);
        snprintf(narrow, sizeof narrow, "a100, %s, 2-bit: ", small[i]);
        const double gain = number_after(data, wide) / number_after(data, narrow);
        assert_true(gain > 1.25 && gain < 1.45);
    }
    const double wide = number_after(data, "a100, 20480×3200, BF16: ");
    assert_near(wide / number_after(data, "a100, 20480×3200, 2-bit: "), 3.6, 0.05);
    /* the nearest mark before its bar: BF16 on the B580 at the bandwidth read takes 3 to 4 times as long */
    const double slower = number_after(data, "b580, 20480×3200, BF16: ") / wide;
    assert_true(slower > 3 && slower < 4);
}

/* Measured panels come after the modelled ones, and the source is a run then. */
TEST(a_device_of_the_run_is_measured)
{
    freed char *settings, *data, *tokens, *bars;
    const char *const lines =
        RECORDS("{'type':'device_roof','device':'opencl:0','roof':'memory read','bytes_per_s':{'median':4e10}}",
                ON_DEVICE("gemv", "int8_vnni4.dot", 4096, 4096, 0, 1e-3, 2e10),
                ON_DEVICE("gemv", "int2_vnni16.fused", 4096, 4096, 0, 1e-3, 3e10),
                ON_DEVICE("gemm", "int2_vnni16.separate", 4096, 4096, 1024, 1e-1, 5e12),
                ON_DEVICE("gemm", "int2_vnni16.fused", 4096, 4096, 64, 1e-3, 9e12));
    assert_int_equal(select_lines("envelope_8_11", "b580", lines, &settings, &data), 0);
    assert_contains(settings,
                    "['b580: GEMV', 'b580: GEMM, 1,024 tokens', 'EPYC (a CPU): GEMV', "
                    "'EPYC (a CPU): GEMM, 1,024 tokens']",
                    ", 40, ");
    assert_contains(data, "4096×4096, 8-bit: 20 GB/s, measured", "4096×4096, 2-bit: 30 GB/s, measured",
                    "4096×4096, 2-bit, scales apart: 5 Tops/s, measured");
    assert_lacks(data, "9 Tops/s, measured");
    /* matrices of a model are missing */
    assert_int_equal(select_lines("envelope_16", "b580", lines, &tokens, &bars), 0);
    assert_lacks(tokens, "EPYC");
}

/* All matrices of a model, as often as a token reads each. */
TEST(tokens_of_a_device_are_those_of_all_matrices)
{
    static struct shape shapes[SHAPES_MAX];
    static char lines[8192];
    const size_t count = shapes_of("falcon3-1b", shapes, SHAPES_MAX);
    double matrices = 0;
    for (size_t i = 0; i < count; i++) {
        matrices += shapes[i].count;
        snprintf(
            lines + strlen(lines), sizeof lines - strlen(lines),
            "%s{'type':'device_gemv','kernel':'int2_vnni16.fused.opencl','device':'opencl:0','title':'Arc','kind':'gpu',"
            "'m':%zu,'k':%zu,'time_s':{'median':1e-3}}",
            i ? "," : "", shapes[i].m, shapes[i].k);
    }
    freed char *settings, *data;
    assert_int_equal(select_lines("envelope_16", "b580", lines, &settings, &data), 0);
    assert_contains(settings, "'Arc'");
    assert_near(number_after(strstr(data, "# Arc"), "Falcon3-1B, 2-bit: "), 1e3 / matrices, 0.01 * 1e3 / matrices);
}

RUN_TESTS(NULL, NULL)
