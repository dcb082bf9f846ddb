/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Variants of a kernel: named by what they are, the first one what gemm.run() does, and each right on cuts and rests of panels, tokens
 * and columns, between guard pages.
 */
#include "harness/check/item_tests.h"
#include "harness/check/operands/guarded_gemm.h"
#include "micro/tuning.h"

#include <string.h>

static void are_found_by_their_kernel(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const struct kernel_variants *variants = kernel_variants_of(*kernel);
        if (!variants)
            continue;
        count++;
        assert_ptr_equal(variants->kernel, *kernel);
        assert_true(variants->count > 0);
        assert_ptr_equal(variants->variant[0].run, variants->kernel->gemm.run);
        for (size_t i = 0; i < variants->count; i++) {
            const struct kernel_variant *variant = &variants->variant[i];
            assert_true(variant->rows && variant->tokens && variant->columns);
            for (size_t former = 0; former < i; former++)
                assert_string_not_equal(variant->name, variants->variant[former].name);
        }
    }
#if defined __x86_64__
    assert_true(count > 0);
#endif
    assert_null(kernel_variants_of(NULL));
}

static void every_one_is_right(void **state)
{
    const struct kernel_variants *variants = *state;
    static const size_t k_tried[] = {63, 2241}, tokens[] = {1, 6, 19}, panels[] = {1, 5};
    uint64_t random = 1;
    require_isa(variants->kernel->isa);
    for (size_t i = 0; i < COUNT(k_tried); i++) {
        struct guarded_gemm gemm;
        assert_int_equal(guarded_gemm_make(&gemm, variants->kernel, 5, k_tried[i], 19, i % 2), 0);
        guarded_gemm_weights_random(&gemm, &random);
        assert_int_equal(guarded_gemm_tokens(&gemm, TOKEN_RANDOM, &random), CALL_CLEAN);
        for (size_t v = 0; v < variants->count; v++) {
            struct kernel kernel = *variants->kernel;
            kernel.gemm.run = variants->variant[v].run;
            gemm.kernel = &kernel;
            for (size_t n = 0; n < COUNT(tokens) * COUNT(panels); n++) {
                struct reference_check check;
                enum call_fault fault =
                    guarded_gemm_run(&gemm, panels[n % 2], tokens[n / 2], n % 3 ? kernel.prefetch_bytes : 0, &check);
                if (fault != CALL_CLEAN || check.wrong)
                    fail_msg("%s, %zu panels, %zu tokens, K = %zu: %s, %zu of %zu wrong", variants->variant[v].name,
                             panels[n % 2], tokens[n / 2], k_tried[i], call_fault_name(fault), check.wrong, check.rows);
            }
            gemm.kernel = variants->kernel;
        }
        guarded_gemm_release(&gemm);
    }
}

int main(void)
{
    static struct item_tests suite;
    item_tests_add(&suite, "variants", "are found by their kernel", are_found_by_their_kernel, NULL);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const struct kernel_variants *variants = kernel_variants_of(*kernel);
        if (variants)
            item_tests_add(&suite, (*kernel)->name, "variants are right", every_one_is_right, variants);
    }
    return item_tests_run("variants", &suite);
}
