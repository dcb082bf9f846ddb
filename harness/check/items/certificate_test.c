/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slow: a kernel of every format, with its largest K
 *
 * Certificates of our kernels, and of kernels that are broken as kernels are: each defect must show in its own line.
 * Of ours one a format and product: all of them have the same shapes and ends in kernels_test and gemm_kernels_test.
 */
#include <string.h>

#include "harness/check/item_tests.h"
#include "harness/check/items/certificate.h"
#include "harness/team/scalar_gemm.h"

static void is_what_it_claims(const struct kernel *kernel, enum certificate_product product)
{
    require_isa(kernel->isa);
    struct certificate certificate;
    assert_int_equal(certificate_make(kernel, product, &certificate), 0);
    for (int pattern = 0; pattern < CERTIFICATE_LEAST; pattern++) {
        const struct certificate_line *line = &certificate.line[pattern];
        assert_true(line->rows > 0);
        if (line->verdict > CERTIFICATE_WITHIN)
            fail_msg("%s, %s: %zu of %zu rows wrong, %g of the bound", kernel->name,
                     certificate_pattern_name((enum certificate_pattern)pattern), line->wrong, line->rows,
                     line->of_bound);
        if (kernel->gives == KERNEL_GIVES_INT32)
            assert_int_equal(line->verdict, CERTIFICATE_EXACT);
    }
}

static void our_gemvs_are_what_they_claim(void **state)
{
    is_what_it_claims(*state, CERTIFICATE_GEMV);
}

static void our_gemms_are_what_they_claim(void **state)
{
    is_what_it_claims(*state, CERTIFICATE_GEMM);
}

/* ---- broken on purpose: a copy of int8's scalar kernel with one defect each ---- */

enum defect { NONE, SATURATES, DROPS_TAIL, OVERFLOWS, TAKES_NO_LEAST, CRASHES };

static enum defect defect;

static int32_t saturate(int32_t value)
{
    return value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value;
}

/** What the panel gives, by the format's own definition, with sums of four products as a pmaddubsw pair would have. */
static void broken_gemv(const struct gemv_slice *slice)
{
    const struct format *format = format_find("int8_vnni4");
    uint32_t rows = format->rows_per_panel;
    if (defect == CRASHES)
        __builtin_trap();
    for (size_t panel = 0; panel < slice->panels; panel++) {
        const uint8_t *weights = slice->weights + panel * slice->panel_bytes;
        size_t columns = slice->k - (defect == DROPS_TAIL && slice->k > 8 ? format->k_per_step : 0);
        for (uint32_t row = 0; row < rows; row++) {
            int32_t sum = 0;
            for (size_t column = 0; column < columns; column += 4) {
                int32_t four = 0;
                for (size_t i = column; i < column + 4 && i < columns; i++) {
                    int32_t a = slice->activations[i];
                    a = defect == TAKES_NO_LEAST && a == -128 ? -127 : a;
                    int32_t w = (int32_t)format_weight(format, weights, slice->k, row, (uint32_t)i);
                    four += (w + format->activation_offset) * a; /* stored offset-binary */
                }
                sum = add_wrapping(sum, defect == SATURATES ? saturate(four) : four);
            }
            if (defect == OVERFLOWS && slice->k > 60000)
                sum = (int32_t)(float)sum + 1;
            slice->out[panel * rows + row] = add_wrapping(sum, slice->correction);
        }
    }
}

static struct kernel broken(enum defect one)
{
    defect = one;
    return (struct kernel){.name = "int8_vnni4.broken.reference",
                           .sequence = "broken",
                           .isa = "reference",
                           .format = format_find("int8_vnni4"),
                           .origin = "test",
                           .takes = KERNEL_TAKES_INT8,
                           .gives = KERNEL_GIVES_INT32,
                           .whole_panels = true,
                           .gemv = broken_gemv};
}

static struct certificate certificate_of(enum defect one)
{
    struct kernel kernel = broken(one);
    struct certificate certificate;
    assert_int_equal(certificate_make(&kernel, CERTIFICATE_GEMV, &certificate), 0);
    return certificate;
}

static void shows(const struct certificate *certificate, enum certificate_pattern pattern,
                  enum certificate_verdict verdict)
{
    if (certificate->line[pattern].verdict != verdict)
        fail_msg("%s: %s, not %s", certificate_pattern_name(pattern),
                 certificate_verdict_name(certificate->line[pattern].verdict), certificate_verdict_name(verdict));
}

static void the_copy_without_a_defect_is_exact(void **state)
{
    (void)state;
    const struct certificate certificate = certificate_of(NONE);
    for (int pattern = 0; pattern < CERTIFICATE_PATTERNS; pattern++)
        shows(&certificate, (enum certificate_pattern)pattern, CERTIFICATE_EXACT);
}

static void a_sum_that_saturates_shows(void **state)
{
    (void)state;
    const struct certificate certificate = certificate_of(SATURATES);
    shows(&certificate, CERTIFICATE_ENDS, CERTIFICATE_WRONG);
    shows(&certificate, CERTIFICATE_SATURATING, CERTIFICATE_WRONG);
}

static void a_tail_that_is_dropped_shows(void **state)
{
    (void)state;
    const struct certificate certificate = certificate_of(DROPS_TAIL);
    shows(&certificate, CERTIFICATE_TAILS, CERTIFICATE_WRONG);
}

static void an_inexact_sum_at_the_largest_k_shows_there_alone(void **state)
{
    (void)state;
    const struct certificate certificate = certificate_of(OVERFLOWS);
    shows(&certificate, CERTIFICATE_LARGEST_K, CERTIFICATE_WRONG);
    shows(&certificate, CERTIFICATE_ENDS, CERTIFICATE_EXACT);
}

static void what_lies_outside_the_contract_does_not_count(void **state)
{
    (void)state;
    const struct certificate certificate = certificate_of(TAKES_NO_LEAST);
    assert_int_equal(certificate.line[CERTIFICATE_LEAST].verdict, CERTIFICATE_WRONG);
    assert_int_equal(certificate.verdict, CERTIFICATE_EXACT);
}

/** As a sum of 16 bits would have it, of two products each. */
static void saturating_gemm(const struct gemm_slice *slice)
{
    for (size_t i = 0; i < slice->panels * SCALAR_ROWS * slice->tokens; i++) {
        size_t row = i / slice->tokens, token = i % slice->tokens;
        const uint8_t *panel = slice->weights + row / SCALAR_ROWS * slice->panel_bytes;
        const int8_t *activations = slice->activations + token * slice->activations_stride;
        int32_t sum = slice->corrections[token];
        for (uint32_t column = 0; column < slice->k; column += 2) {
            int32_t two = 0;
            for (uint32_t c = column; c < column + 2; c++)
                two += (scalar_get(panel, row % SCALAR_ROWS, c) + SCALAR_OFFSET) * activations[c];
            sum = add_wrapping(sum, saturate(two));
        }
        slice->out[token * slice->out_stride + row] = slice->scales[token] * (float)sum;
    }
}

static void a_gemm_has_one_of_its_own(void **state)
{
    (void)state;
    struct kernel kernel = scalar_kernel();
    struct certificate certificate;
    assert_false(certificate_has(&kernel, CERTIFICATE_GEMV));
    assert_true(certificate_has(&kernel, CERTIFICATE_GEMM));
    assert_int_equal(certificate_make_apart(&kernel, CERTIFICATE_GEMM, &certificate), 0);
    assert_int_equal(certificate.verdict, CERTIFICATE_EXACT);
    for (int pattern = 0; pattern < CERTIFICATE_PATTERNS; pattern++)
        assert_int_equal(certificate.line[pattern].verdict, CERTIFICATE_EXACT);
    kernel.gemm = (struct kernel_gemm){.run = saturating_gemm};
    assert_int_equal(certificate_make(&kernel, CERTIFICATE_GEMM, &certificate), 0);
    assert_int_equal(certificate.line[CERTIFICATE_SATURATING].verdict, CERTIFICATE_WRONG);
    assert_int_equal(certificate.verdict, CERTIFICATE_WRONG);
}

static void a_crash_is_a_fault(void **state)
{
    (void)state;
    struct kernel kernel = broken(CRASHES);
    struct certificate certificate;
    assert_int_equal(certificate_make_apart(&kernel, CERTIFICATE_GEMV, &certificate), 0);
    assert_int_equal(certificate.verdict, CERTIFICATE_FAULT);
}

static bool runs_here(const struct kernel *kernel)
{
    char why[160];
    isa_missing(isa_find(kernel->isa), item_tests_cpu(), why, sizeof why);
    return !why[0];
}

/** Whether an earlier kernel of the same format runs here and has this product. */
static bool has_predecessor(const struct kernel *const *kernel, enum certificate_product product)
{
    for (const struct kernel *const *earlier = kernel_all(); earlier < kernel; earlier++) {
        if ((*earlier)->format == (*kernel)->format && certificate_has(*earlier, product) && runs_here(*earlier))
            return true;
    }
    return false;
}

static void add_of(struct item_tests *suite, enum certificate_product product, const char *what,
                   CMUnitTestFunction function)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (certificate_has(*kernel, product) && runs_here(*kernel) && !has_predecessor(kernel, product))
            item_tests_add(suite, (*kernel)->name, what, function, *kernel);
    }
}

int main(void)
{
    static struct item_tests suite;
    add_of(&suite, CERTIFICATE_GEMV, "is what it claims", our_gemvs_are_what_they_claim);
    add_of(&suite, CERTIFICATE_GEMM, "GEMM is what it claims", our_gemms_are_what_they_claim);
    static const struct {
        const char *what;
        CMUnitTestFunction function;
    } others[] = {
        {"the copy without a defect is exact", the_copy_without_a_defect_is_exact},
        {"a sum that saturates shows", a_sum_that_saturates_shows},
        {"a tail that is dropped shows", a_tail_that_is_dropped_shows},
        {"an inexact sum at the largest K shows there alone", an_inexact_sum_at_the_largest_k_shows_there_alone},
        {"what lies outside the contract does not count", what_lies_outside_the_contract_does_not_count},
        {"a GEMM has one of its own", a_gemm_has_one_of_its_own},
        {"a crash is a fault", a_crash_is_a_fault},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        item_tests_add(&suite, "certificate", others[i].what, others[i].function, NULL);
    return item_tests_run("certificate", &suite);
}
