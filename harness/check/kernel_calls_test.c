/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a kernel does to its caller: guard pages on both sides of every operand, read-only operands, canaries,
 * registers, any prefetch distance. Broken kernels, each with one fault, show that the checker sees such a fault.
 */
#include <string.h>

#include "harness/check/item_tests.h"
#include "harness/check/operands/guarded_gemv.h"

enum { PANELS_MOST = 9 };

/* ---------------------------------------------------------------- the kernels */

static void call_with_each_prefetch(struct guarded_gemv *gemv, size_t first, size_t panels)
{
    static const size_t distances[] = {0, 1, 64, 2048, 1 << 20, (size_t)1 << 40, SIZE_MAX / 2};
    for (size_t i = 0; i < COUNT(distances); i++) {
        struct reference_check check;
        enum call_fault fault = guarded_run_panels(gemv, first, panels, distances[i], &check);
        if (fault != CALL_CLEAN || check.wrong)
            fail_msg("%zu panels of %zu steps, prefetch %zu: %s, %zu wrong rows", panels, gemv->steps, distances[i],
                     call_fault_name(fault), check.wrong);
    }
}

/* Weights of the kernels of a format, read once for all of them. */
static struct guarded_kept kept;

/** With random weights that are the same for every kernel of the format, and random activations. */
static void make(struct guarded_gemv *gemv, const struct kernel *kernel, size_t panels, size_t k, int guard_at_end)
{
    uint64_t random = 2 * k + (uint64_t)guard_at_end;
    assert_int_equal(guarded_gemv_make(gemv, kernel, panels, k, guard_at_end), 0);
    gemv->decoded.kept = &kept;
    guarded_weights_random(gemv, &random);
    assert_int_equal(guarded_activations_fill(gemv, RANDOM_VALUES, &random), CALL_CLEAN);
}

/** This many steps, or the next K that the format holds. */
static size_t columns_of(const struct format *format, size_t steps)
{
    size_t k = steps * format->k_per_step, granule = format->k_multiple ? format->k_multiple : 1;
    return (k + granule - 1) / granule * granule;
}

/** Any number of the panels of one matrix, those at the guard page: the reference, which takes longest, is computed once for all of them. */
static void call_with_each_number_of_panels(struct guarded_gemv *gemv, int guard_at_end)
{
    static const size_t panels[] = {1, 2, 3, 4, 5, 7, PANELS_MOST};
    guarded_expect(gemv);
    for (size_t i = 0; i < COUNT(panels); i++)
        call_with_each_prefetch(gemv, guard_at_end ? gemv->panels - panels[i] : 0, panels[i]);
}

static void stays_inside_its_operands(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    static const size_t steps[] = {1, 2, 3, 5, 8};
    /* blocks of many rows and 256 columns, which kernels take one by one: their weights take longer to draw than all calls */
    bool is_large = (size_t)kernel->format->rows_per_panel * kernel->format->k_per_step >= 2048;
    size_t stride = is_large ? 2 : 1, last = is_large ? 3 : COUNT(steps);
    for (int guard_at_end = 0; guard_at_end < 2; guard_at_end++) {
        for (size_t j = 0; j < last; j += stride) {
            struct guarded_gemv gemv;
            make(&gemv, kernel, PANELS_MOST, columns_of(kernel->format, steps[j]), guard_at_end);
            call_with_each_number_of_panels(&gemv, guard_at_end);
            guarded_gemv_release(&gemv);
        }
    }
}

/** The last slice of a panel ends at the guard page, the first begins at it. */
static void stays_inside_a_slice(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    enum { STEPS = 11 };
    for (int guard_at_end = 0; guard_at_end < 2; guard_at_end++) {
        struct guarded_gemv gemv;
        make(&gemv, kernel, 1, STEPS * kernel->format->k_per_step, guard_at_end);
        for (size_t steps = 1; steps <= STEPS; steps++) {
            struct gemv_slice slice = guarded_slice(&gemv, 0, 1, guard_at_end ? STEPS - steps : 0, steps);
            assert_string_equal(call_fault_name(guarded_call(&gemv, &slice)), call_fault_name(CALL_CLEAN));
        }
        guarded_gemv_release(&gemv);
    }
}

/* ---------------------------------------------------------------- broken kernels */

#define FORMAT_OF_FAKES "int2_vnni4"

/** An honest kernel in plain C, with whole and partial panels. */
static __attribute__((used, noinline)) void honest_gemv(const struct gemv_slice *slice)
{
    const struct format *format = format_find(FORMAT_OF_FAKES);
    for (size_t row = 0; row < slice->panels * format->rows_per_panel; row++) {
        const uint8_t *panel = slice->weights + row / format->rows_per_panel * slice->panel_bytes;
        int32_t sum = slice->correction;
        for (uint32_t column = 0; column < slice->steps * format->k_per_step; column++)
            sum += (format->get(panel, (uint32_t)row % format->rows_per_panel, column) + format->activation_offset) *
                   slice->activations[column];
        slice->out[row] = sum;
    }
}

static size_t rows_of(const struct gemv_slice *slice)
{
    return slice->panels * format_find(FORMAT_OF_FAKES)->rows_per_panel;
}

static void writes_one_past_out(const struct gemv_slice *slice)
{
    honest_gemv(slice);
    *(volatile int32_t *)(slice->out + rows_of(slice)) = 0;
}

static void writes_one_before_out(const struct gemv_slice *slice)
{
    honest_gemv(slice);
    *(volatile int32_t *)(slice->out - 1) = 0;
}

static void is_off_by_one_in_one_row(const struct gemv_slice *slice)
{
    honest_gemv(slice);
    slice->out[rows_of(slice) - 1] += 1;
}

static void leaves_out_the_correction(const struct gemv_slice *slice)
{
    struct gemv_slice other = *slice;
    other.correction = 0;
    honest_gemv(&other);
}

static void leaves_out_the_last_panel(const struct gemv_slice *slice)
{
    struct gemv_slice other = *slice;
    other.panels--;
    honest_gemv(&other);
}

static void adds_to_out(const struct gemv_slice *slice)
{
    int32_t before = slice->out[0];
    honest_gemv(slice);
    slice->out[0] += before;
}

static void reads_past_the_weights(const struct gemv_slice *slice)
{
    honest_gemv(slice);
    (void)*(volatile const uint8_t *)(slice->weights + slice->panels * slice->panel_bytes);
}

static void reads_before_the_weights(const struct gemv_slice *slice)
{
    honest_gemv(slice);
    (void)*(volatile const uint8_t *)(slice->weights - 1);
}

static void reads_before_the_activations(const struct gemv_slice *slice)
{
    honest_gemv(slice);
    (void)*(volatile const int8_t *)(slice->activations - 1);
}

static void reads_past_the_activations(const struct gemv_slice *slice)
{
    size_t columns = slice->steps * format_find(FORMAT_OF_FAKES)->k_per_step;
    honest_gemv(slice);
    (void)*(volatile const int8_t *)(slice->activations + guarded_lines(columns));
}

static void writes_to_the_activations(const struct gemv_slice *slice)
{
    honest_gemv(slice);
    *(volatile int8_t *)(uintptr_t)slice->activations = 0;
}

static void writes_to_the_weights(const struct gemv_slice *slice)
{
    honest_gemv(slice);
    *(volatile uint8_t *)(uintptr_t)slice->weights = 0;
}

void clobbers_first(const struct gemv_slice *slice);
void clobbers_last(const struct gemv_slice *slice);
void changes_rounding(const struct gemv_slice *slice);

/* What a compiler would not write. */
#if defined __x86_64__
#define CLOBBERED_FIRST "rbx"
#define CLOBBERED_LAST  "r15"
void leaves_the_direction_flag(const struct gemv_slice *slice);
__asm__(".pushsection .text\n"
        ".globl clobbers_first, clobbers_last, leaves_the_direction_flag, changes_rounding\n"
        ".hidden clobbers_first, clobbers_last, leaves_the_direction_flag, changes_rounding\n"
        "clobbers_first: endbr64; xor %ebx, %ebx; jmp honest_gemv\n"
        "clobbers_last: endbr64; inc %r15; jmp honest_gemv\n"
        "leaves_the_direction_flag: endbr64; sub $8, %rsp; call honest_gemv; add $8, %rsp; std; ret\n"
        "changes_rounding: endbr64; sub $8, %rsp; call honest_gemv; stmxcsr (%rsp); xorl $0x6000, (%rsp);\n"
        "    ldmxcsr (%rsp); add $8, %rsp; ret\n"
        ".popsection\n");
#else
#define CLOBBERED_FIRST "x19"
#define CLOBBERED_LAST  "d15"
__asm__(".pushsection .text\n"
        ".globl clobbers_first, clobbers_last, changes_rounding\n"
        ".hidden clobbers_first, clobbers_last, changes_rounding\n"
        "clobbers_first: hint 34; mov x19, 0; b honest_gemv\n"
        "clobbers_last: hint 34; fmov d15, 1.0; b honest_gemv\n"
        "changes_rounding: hint 34; str x30, [sp, -16]!; bl honest_gemv; mrs x9, fpcr; eor x9, x9, 0xc00000\n"
        "    msr fpcr, x9; ldr x30, [sp], 16; ret\n"
        ".popsection\n");
#endif

/* ---------------------------------------------------------------- broken kernels with float results */

/** An honest kernel in plain C on rows of floats. */
static void honest_floats(const struct gemv_slice *slice)
{
    for (size_t row = 0; row < slice->panels; row++) {
        const float *w = (const float *)(const void *)(slice->weights + row * slice->panel_bytes);
        float sums[8] = {0};
        for (size_t column = 0; column < slice->k; column++)
            sums[column % 8] += w[column] * slice->activations_f32[column];
        float sum = 0;
        for (int i = 0; i < 8; i++)
            sum += sums[i];
        slice->out_f32[row] = sum;
    }
}

static void leaves_out_a_column(const struct gemv_slice *slice)
{
    honest_floats(slice);
    const float *w = (const float *)(const void *)slice->weights;
    slice->out_f32[0] -= w[17] * slice->activations_f32[17];
}

static void sums_in_half_precision(const struct gemv_slice *slice)
{
    honest_floats(slice);
    for (size_t row = 0; row < slice->panels; row++)
        slice->out_f32[row] *= 1 + 0x1p-11f;
}

static void gives_not_a_number(const struct gemv_slice *slice)
{
    honest_floats(slice);
    slice->out_f32[slice->panels - 1] = __builtin_nanf("");
}

/* Activations cut to 8 bits: what row() says is the sum of those, and the bound is what a cut can take away. */

static void cut(const void *activations, size_t k, void *prepared)
{
    memcpy(prepared, activations, k * sizeof(float));
    for (size_t i = 0; i < k; i++)
        ((uint32_t *)prepared)[i] &= 0xffff0000;
}

static void honest_on_cut(const struct gemv_slice *slice)
{
    struct gemv_slice other = *slice;
    other.activations_f32 = slice->prepared;
    honest_floats(&other);
}

static struct kernel_row cut_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    (void)row;
    for (size_t i = 0; i < k; i++) {
        double term = (double)((const float *)(const void *)panel)[i] * (double)((const float *)prepared)[i];
        sum.y += term;
        sum.magnitude += term < 0 ? -term : term;
    }
    return sum;
}

struct fake {
    const char *name;
    void (*gemv)(const struct gemv_slice *slice);
    int caught_at_begin, caught_at_end; /* enum call_fault with guard pages before, after the operands; or WRONG_ROWS */
};
enum { WRONG_ROWS = 100 };

static const struct fake fakes[] = {
    {"an honest kernel", honest_gemv, CALL_CLEAN, CALL_CLEAN},
    {"writes one past out", writes_one_past_out, CALL_WROTE_OUTSIDE, CALL_SEGV},
    {"writes one before out", writes_one_before_out, CALL_SEGV, CALL_WROTE_OUTSIDE},
    {"is off by one in one row", is_off_by_one_in_one_row, WRONG_ROWS, WRONG_ROWS},
    {"leaves out the correction", leaves_out_the_correction, WRONG_ROWS, WRONG_ROWS},
    {"leaves out the last panel", leaves_out_the_last_panel, WRONG_ROWS, WRONG_ROWS},
    {"adds to out", adds_to_out, WRONG_ROWS, WRONG_ROWS},
    {"reads past the weights", reads_past_the_weights, CALL_CLEAN, CALL_SEGV},
    {"reads before the weights", reads_before_the_weights, CALL_SEGV, CALL_CLEAN},
    {"reads past the activations", reads_past_the_activations, CALL_CLEAN, CALL_SEGV},
    {"reads before the activations", reads_before_the_activations, CALL_SEGV, CALL_CLEAN},
    {"writes to the activations", writes_to_the_activations, CALL_SEGV, CALL_SEGV},
    {"writes to the weights", writes_to_the_weights, CALL_SEGV, CALL_SEGV},
    {"clobbers " CLOBBERED_FIRST, clobbers_first, CALL_CLOBBERED, CALL_CLOBBERED},
    {"clobbers " CLOBBERED_LAST, clobbers_last, CALL_CLOBBERED, CALL_CLOBBERED},
#if defined __x86_64__
    {"leaves the direction flag", leaves_the_direction_flag, CALL_MODE, CALL_MODE},
#endif
    {"changes rounding", changes_rounding, CALL_MODE, CALL_MODE},
};

/** What the checks above make of this kernel on one small matrix. */
static int verdict_on(const struct kernel *kernel, int guard_at_end)
{
    struct guarded_gemv gemv;
    uint64_t random = 13;
    struct reference_check check;
    assert_int_equal(guarded_gemv_make(&gemv, kernel, 3, 30, guard_at_end), 0);
    guarded_weights_random(&gemv, &random);
    assert_int_equal(guarded_activations_fill(&gemv, RANDOM_VALUES, &random), CALL_CLEAN);
    guarded_expect(&gemv);
    enum call_fault fault = guarded_run(&gemv, gemv.panels, 0, &check);
    guarded_gemv_release(&gemv);
    return fault == CALL_CLEAN && check.wrong ? WRONG_ROWS : (int)fault;
}

/* The weights fill whole lines but rarely whole pages: a byte past them is seen only with the guard page after them. */
static void is_judged_rightly(void **state)
{
    const struct fake *fake = *state;
    struct kernel kernel = {.name = fake->name, .format = format_find(FORMAT_OF_FAKES), .gemv = fake->gemv};
    assert_int_equal(verdict_on(&kernel, 0), fake->caught_at_begin);
    assert_int_equal(verdict_on(&kernel, 1), fake->caught_at_end);
}

static const struct {
    const char *name;
    void (*gemv)(const struct gemv_slice *slice);
    double error_bound; /* 0: takes the activations as they are */
    int caught;
} float_fakes[] = {
    {"an honest kernel of floats", honest_floats, 0, CALL_CLEAN},
    {"leaves out a column", leaves_out_a_column, 0, WRONG_ROWS},
    {"sums in half precision", sums_in_half_precision, 0, WRONG_ROWS},
    {"gives not a number", gives_not_a_number, 0, WRONG_ROWS},
    {"an honest lossy kernel", honest_on_cut, 0x1p-7, CALL_CLEAN},
    {"is lossier than it says", honest_on_cut, 0x1p-18, WRONG_ROWS},
    {"is not the loss it says", honest_floats, 0x1p-7, WRONG_ROWS},
};

static void kernels_of_floats_are_judged_rightly(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(float_fakes); i++) {
        double bound = float_fakes[i].error_bound;
        struct kernel kernel = {.name = float_fakes[i].name,
                                .format = format_find("f32"),
                                .takes = KERNEL_TAKES_F32,
                                .gives = KERNEL_GIVES_F32,
                                .error_bound = bound,
                                .gemv = float_fakes[i].gemv,
                                .prepared_bytes_per_step = bound > 0 ? 32 * sizeof(float) : 0,
                                .prepare = bound > 0 ? cut : NULL,
                                .row = bound > 0 ? cut_row : NULL};
        for (int guard_at_end = 0; guard_at_end < 2; guard_at_end++) {
            if (verdict_on(&kernel, guard_at_end) != float_fakes[i].caught)
                fail_msg("%s is not judged rightly", kernel.name);
        }
    }
}

static void prepares_too_much(const void *activations, size_t k, void *prepared)
{
    memcpy(prepared, activations, k / 8 * 4);
    ((volatile uint8_t *)prepared)[k / 8 * 4] = 1;
}

static void a_prepare_that_writes_too_much_is_seen(void **state)
{
    (void)state;
    struct kernel kernel = {.format = format_find(FORMAT_OF_FAKES),
                            .gemv = honest_gemv,
                            .prepared_bytes_per_step = 4,
                            .prepare = prepares_too_much};
    struct guarded_gemv gemv;
    uint64_t random = 14;
    assert_int_equal(guarded_gemv_make(&gemv, &kernel, 1, 5 * kernel.format->k_per_step, 1), 0);
    assert_int_equal(guarded_activations_fill(&gemv, RANDOM_VALUES, &random), CALL_WROTE_OUTSIDE);
    guarded_gemv_release(&gemv);
    assert_int_equal(guarded_gemv_make(&gemv, &kernel, 1, 16 * kernel.format->k_per_step, 1), 0);
    assert_int_equal(guarded_activations_fill(&gemv, RANDOM_VALUES, &random), CALL_SEGV);
    guarded_gemv_release(&gemv);
}

/* Operands through an order of groups of 16 columns: what is wrong with them, and which is read or written too far. */

static void copies_in_order(const void *activations, size_t k, const uint16_t *order, void *prepared)
{
    for (size_t i = 0; i < k / 16; i++)
        memcpy((float *)prepared + 16 * i, (const float *)activations + 16 * order[i], 16 * sizeof(float));
    cut(prepared, k, prepared);
}

static void takes_the_inverse(const void *activations, size_t k, const uint16_t *order, void *prepared)
{
    for (size_t i = 0; i < k / 16; i++)
        memcpy((float *)prepared + 16 * order[i], (const float *)activations + 16 * i, 16 * sizeof(float));
    cut(prepared, k, prepared);
}

static void knows_no_order(const void *activations, size_t k, const uint16_t *order, void *prepared)
{
    (void)order;
    cut(activations, k, prepared);
}

static void reads_past_the_order(const void *activations, size_t k, const uint16_t *order, void *prepared)
{
    copies_in_order(activations, k, order, prepared);
    ((volatile float *)prepared)[0] += 0 * (float)((volatile const uint16_t *)order)[k / 16];
}

static void writes_past_the_operand(const void *activations, size_t k, const uint16_t *order, void *prepared)
{
    copies_in_order(activations, k, order, prepared);
    ((volatile float *)prepared)[k] = 0;
}

static void orders_are_judged_rightly(void **state)
{
    (void)state;
    static const struct {
        void (*prepare)(const void *activations, size_t k, const uint16_t *order, void *prepared);
        enum call_fault at_begin, at_end;
    } orders[] = {{copies_in_order, CALL_CLEAN, CALL_CLEAN},
                  {takes_the_inverse, CALL_OTHER_OPERAND, CALL_OTHER_OPERAND},
                  {knows_no_order, CALL_OTHER_OPERAND, CALL_OTHER_OPERAND},
                  {reads_past_the_order, CALL_CLEAN, CALL_SEGV},
                  {writes_past_the_operand, CALL_CLEAN, CALL_SEGV}};
    struct format format = *format_find("f32");
    format.order_columns = 16;
    for (size_t i = 0; i < COUNT(orders); i++) {
        struct kernel kernel = {.format = &format,
                                .takes = KERNEL_TAKES_F32,
                                .gives = KERNEL_GIVES_F32,
                                .isa = "reference",
                                .prepared_bytes_per_step = 32 * sizeof(float),
                                .prepare = cut,
                                .ordered = {.prepare = orders[i].prepare}};
        for (int at_end = 0; at_end < 2; at_end++) {
            struct guarded_gemv gemv;
            uint64_t random = 15;
            assert_int_equal(guarded_gemv_make(&gemv, &kernel, 1, 160, at_end), 0);
            enum call_fault fault = guarded_activations_fill(&gemv, RANDOM_VALUES, &random);
            if (fault != (at_end ? orders[i].at_end : orders[i].at_begin))
                fail_msg("order %zu, guard page %s: %s", i, at_end ? "behind" : "before", call_fault_name(fault));
            guarded_gemv_release(&gemv);
        }
    }
}

int main(void)
{
    static struct item_tests suite;
    for (size_t i = 0; i < COUNT(fakes); i++)
        item_tests_add(&suite, "checker:", fakes[i].name, is_judged_rightly, &fakes[i]);
    item_tests_add(&suite, "checker:", "kernels of floats", kernels_of_floats_are_judged_rightly, NULL);
    item_tests_add(&suite, "checker:", "prepares too much", a_prepare_that_writes_too_much_is_seen, NULL);
    item_tests_add(&suite, "checker:", "prepares through an order", orders_are_judged_rightly, NULL);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!(*kernel)->gemv)
            continue;
        item_tests_add(&suite, (*kernel)->name, "stays inside its operands", stays_inside_its_operands, *kernel);
        if (kernel_cuts(*kernel))
            item_tests_add(&suite, (*kernel)->name, "stays inside a slice", stays_inside_a_slice, *kernel);
    }
    int failed = item_tests_run("kernel calls", &suite);
    guarded_kept_release(&kept);
    return failed;
}
