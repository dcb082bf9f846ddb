/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The report about a user's kernel, and that ours pass the same check. The faults themselves, of real
 * plug-ins: harness/cmd/plugin.bats.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "harness/check/item_tests.h"
#include "harness/check/items/kernel_check.h"
#include "harness/check/operands/guarded_weights.h"
#include "harness/team/scalar_gemm.h"
#include "unit_test.h"

static void one_of_ours_is_right(void **state)
{
    const struct kernel *kernel = *state;
    char why[512];
    require_isa(kernel->isa);
    kernel_check_apart(kernel, 1, why, sizeof why);
    assert_string_equal(why, "");
}

static void a_bound_alone_is_kept_to(void **state)
{
    (void)state;
    const struct kernel *ours = kernel_find("f32.dot.avx2");
    skip_if(!ours, "not on this machine: no kernels for this architecture");
    require_isa(ours->isa);
    char why[512];
    struct kernel loose = *ours;
    loose.error_bound = 0.01; /* without row() */
    kernel_check_apart(&loose, 1, why, sizeof why);
    assert_string_equal(why, "");
}

static void reads_past_scales(const struct gemm_slice *slice)
{
    scalar_run(slice);
    (void)*(volatile const float *)(slice->scales + slice->tokens);
}

static void is_off_for_many(const struct gemm_slice *slice)
{
    scalar_run(slice);
    if (slice->tokens > 15)
        slice->out[0] += 1;
}

static void a_gemm_is_checked(void **state)
{
    (void)state;
    char why[512];
    struct kernel kernel = scalar_kernel();
    kernel_check_apart(&kernel, 1, why, sizeof why);
    assert_string_equal(why, "");
    kernel = scalar_float_kernel();
    kernel_check_apart(&kernel, 1, why, sizeof why);
    assert_string_equal(why, "");
    kernel = scalar_kernel();
    kernel.gemm.run = reads_past_scales;
    assert_int_equal(kernel_check_apart(&kernel, 1, why, sizeof why), -EILSEQ);
    assert_string_equal(why, "scalar.groups.reference touched memory 0 bytes past the end of its scales (Segmentation "
                             "fault): gemm.run(), 1 panel, K = 1, N = 1, random weights, seed 1");
    kernel.gemm.run = is_off_for_many;
    assert_int_equal(kernel_check_apart(&kernel, 1, why, sizeof why), -EILSEQ);
    assert_non_null(strstr(why, "differs from the scalar reference in 1 of 64 results, by "));
    assert_non_null(strstr(why, "gemm.run(), 1 panel, K = 1, N = 16, random weights, activations "));
}

/* Sanitizers end a program that asks for more memory than there is. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static size_t more_bytes_than_there_are(size_t k)
{
    return ((size_t)1 << 50) + k;
}

static void a_format_that_there_is_no_memory_to_check_is_not_right(void **state)
{
    (void)state;
    char why[512];
    struct kernel kernel = scalar_kernel();
    struct format format = *kernel.format;
    format.step_bytes = 0;
    format.panel_bytes = more_bytes_than_there_are;
    kernel.format = &format;
    kernel.gemm.run = NULL;
    kernel.gemv = NULL;
    assert_int_equal(kernel_check_apart(&kernel, 1, why, sizeof why), -ENOMEM);
    assert_string_equal(why, "no memory to check scalar.groups.reference");
}

static const struct child_result returned = {.outcome = CHILD_RETURNED};

static void say(const struct kernel_report *report, const struct child_result *child, const char *expected)
{
    char why[512];
    kernel_report_describe(report, child, "a.b.c", why, sizeof why);
    assert_string_equal(why, expected);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    struct kernel_report report = {.where = "gemv()", .values = "random weights", .panels = 2, .k = 17};
    report.verdict = KERNEL_RIGHT;
    say(&report, &returned, "");
    report.verdict = KERNEL_WRONG;
    report.wrong = 3, report.rows = 16, report.error = 0.25;
    report.first_row = 5, report.got = 1.5, report.wanted = 0.5;
    say(&report, &returned,
        "a.b.c differs from the scalar reference in 3 of 16 rows, by 0.25 of the largest result: gemv(), 2 panels, "
        "K = 17, random weights; the first, row 5, is 1.5 and must be 0.5");
    report.tokens = 4, report.first_token = 2, report.activations = "all 127";
    say(&report, &returned,
        "a.b.c differs from the scalar reference in 3 of 16 results, by 0.25 of the largest result: gemv(), 2 panels, "
        "K = 17, N = 4, random weights, activations all 127; the first, row 5 of token 2, is 1.5 and must be 0.5");
    report.seed = 4294967295;
    say(&report, &returned,
        "a.b.c differs from the scalar reference in 3 of 16 results, by 0.25 of the largest result: gemv(), 2 panels, "
        "K = 17, N = 4, random weights, activations all 127, seed 4294967295; the first, row 5 of token 2, is 1.5 and must be 0.5");
    report.tokens = 0, report.activations = NULL, report.seed = 0;
    report.verdict = KERNEL_LOSSY;
    report.values = "integers -8 to 7";
    say(&report, &returned,
        "a.b.c says it is lossless, but differs from the integer product in 3 rows: gemv(), 2 panels, K = 17, "
        "integers -8 to 7; the first, row 5, is 1.5 and must be 0.5");
    strcpy(report.format, "pack() stores 0");
    say(&report, &returned,
        "a.b.c says it is lossless, but in its format pack() stores 0: gemv(), 2 panels, K = 17, integers -8 to 7");
    report.verdict = KERNEL_NO_MEMORY;
    say(&report, &returned, "no memory to check a.b.c");
}

static void the_integers_that_lossless_is_tried_with_are_named(void **state)
{
    (void)state;
    static const int32_t values[] = {-3, -1, 1, 3};
    char text[64];
    kernel_integers_name(&(struct format){.name = "real"}, text, sizeof text);
    assert_string_equal(text, "integers -1, 0 and 1");
    kernel_integers_name(&(struct format){.values = values, .value_count = 4}, text, sizeof text);
    assert_string_equal(text, "integers -3, -1, 1, 3");
    kernel_integers_name(format_find("int2_planes"), text, sizeof text);
    assert_string_equal(text, "integers -2 to 1");
}

static void a_fault_is_said_with_its_signal(void **state)
{
    (void)state;
    struct kernel_report report = {
        .verdict = KERNEL_FAULTY, .where = "gemv()", .values = "random weights", .panels = 1, .k = 1};
    report.fault = CALL_SEGV;
    report.call.signal = SIGSEGV;
    strcpy(report.touched, "8 bytes past the end of its weights");
    say(&report, &returned,
        "a.b.c touched memory 8 bytes past the end of its weights (Segmentation fault): gemv(), 1 panel, K = 1, "
        "random weights");
    report.touched[0] = 0;
    say(&report, &returned,
        "a.b.c touched memory at an invalid address (Segmentation fault): gemv(), 1 panel, K = 1, random weights");
    report.fault = CALL_CLOBBERED;
    report.call.registers[0] = "rbx";
    report.call.registers[1] = "r15";
    say(&report, &returned,
        "a.b.c clobbered a callee-saved register: rbx, r15: gemv(), 1 panel, K = 1, random weights");
}

static void what_ended_the_process_is_said(void **state)
{
    (void)state;
    const struct kernel_report report = {.where = "prepare()", .values = "random weights", .panels = 1, .k = 1};
    say(&report, &(struct child_result){.outcome = CHILD_CRASHED, .detail = SIGABRT},
        "a.b.c ended its process with signal 6 (Aborted): prepare(), 1 panel, K = 1, random weights");
    say(&report, &(struct child_result){.outcome = CHILD_EXITED, .detail = 3},
        "a.b.c ended its process with status 3: prepare(), 1 panel, K = 1, random weights");
    say(&report, &(struct child_result){.outcome = CHILD_HUNG},
        "a.b.c does not return: a call still ran after 10 s and was stopped: prepare(), 1 panel, K = 1, random weights");
}

static void an_address_is_told_by_the_nearest_operand(void **state)
{
    (void)state;
    static uint8_t bytes[1 << 18];
    const struct memory_guarded one = {.bytes = bytes + 1024, .length = 64},
                                other = {.bytes = bytes + 4096, .length = 64};
    const struct guarded_operand operands[] = {{&one, "weights"}, {&other, "output"}};
    const struct {
        const void *address;
        const char *expected;
    } table[] = {
        {NULL, ""},
        {bytes + 1024, "within its weights, which are only read"},
        {bytes + 1087, "within its weights, which are only read"},
        {bytes + 1088, "0 bytes past the end of its weights"},
        {bytes + 1023, "1 bytes in front of its weights"},
        {bytes + 4095, "1 bytes in front of its output"},
        {bytes + 4200, "40 bytes past the end of its output"},
        {bytes + (1 << 17), ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[96];
        guarded_place(operands, 2, table[i].address, text, sizeof text);
        assert_string_equal(text, table[i].expected);
    }
}

int main(void)
{
    static struct item_tests suite;
    static const char *const ours[] = {"f32.dot.avx2", "int2_planes.prefix.avx512_vnni", "int2_vnni4.mask.avx2",
                                       "q4_0.reference.avx2", "tl2.bytes.avx2"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (kernel_find(ours[i]))
            item_tests_add(&suite, ours[i], "is right", one_of_ours_is_right, kernel_find(ours[i]));
    }
    item_tests_add(&suite, "check:", "a bound alone is kept to", a_bound_alone_is_kept_to, NULL);
    item_tests_add(&suite, "check:", "a GEMM is checked", a_gemm_is_checked, NULL);
    item_tests_add(&suite, "check:", "without memory there is no verdict",
                   a_format_that_there_is_no_memory_to_check_is_not_right, NULL);
    item_tests_add(&suite, "report:", "what is wrong is said", what_is_wrong_is_said, NULL);
    item_tests_add(&suite, "report:", "which integers are tried", the_integers_that_lossless_is_tried_with_are_named,
                   NULL);
    item_tests_add(&suite, "report:", "a fault is said with its signal", a_fault_is_said_with_its_signal, NULL);
    item_tests_add(&suite, "report:", "what ended the process is said", what_ended_the_process_is_said, NULL);
    item_tests_add(&suite, "place:", "the nearest operand", an_address_is_told_by_the_nearest_operand, NULL);
    return item_tests_run("kernel check", &suite);
}
