/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a kernel does to its caller: guard pages on both sides of every operand, read-only operands, canaries,
 * registers, any prefetch distance. Broken kernels, each with one fault, show that the checker sees such a fault.
 */
#include "harness/guarded_gemv.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---------------------------------------------------------------- the kernels */

static void call_with_each_prefetch(struct guarded_gemv *gemv)
{
    static const size_t distances[] = {0, 1, 64, 2048, 1 << 20, (size_t)1 << 40, SIZE_MAX / 2};
    int32_t *expected = calloc(gemv->rows, sizeof *expected);
    assert_non_null(expected);
    format_reference(gemv->kernel->format, gemv->weights.bytes, gemv->k, 0, gemv->rows, gemv->activations.bytes,
                     expected);
    for (size_t i = 0; i < COUNT(distances); i++) {
        size_t wrong;
        enum call_fault fault = guarded_run(gemv, gemv->panels, distances[i], expected, &wrong);
        if (fault != CALL_CLEAN || wrong)
            fail_msg("%zu panels of %zu steps, prefetch %zu: %s, %zu wrong rows", gemv->panels, gemv->steps,
                     distances[i], call_fault_name(fault), wrong);
    }
    free(expected);
}

static void stays_inside_its_operands(void **state)
{
    const struct kernel *kernel = *state;
    require_isa(kernel->name, kernel->isa);
    static const size_t panels[] = {1, 2, 3, 4, 5, 7, 9}, steps[] = {1, 2, 3, 5, 8};
    uint64_t random = 11;
    for (int guard_at_end = 0; guard_at_end < 2; guard_at_end++) {
        for (size_t i = 0; i < COUNT(panels); i++) {
            for (size_t j = 0; j < COUNT(steps); j++) {
                struct guarded_gemv gemv;
                guarded_gemv_make(&gemv, kernel, panels[i], steps[j] * kernel->format->k_per_step, guard_at_end);
                weights_random(&gemv, &random);
                assert_int_equal(activations_fill(&gemv, RANDOM_VALUES, &random), CALL_CLEAN);
                call_with_each_prefetch(&gemv);
                guarded_gemv_release(&gemv);
            }
        }
    }
}

/** The last piece of a panel ends at the guard page, the first begins at it. */
static void stays_inside_a_piece(void **state)
{
    const struct kernel *kernel = *state;
    require_isa(kernel->name, kernel->isa);
    enum { STEPS = 11 };
    uint64_t random = 12;
    for (int guard_at_end = 0; guard_at_end < 2; guard_at_end++) {
        struct guarded_gemv gemv;
        guarded_gemv_make(&gemv, kernel, 1, STEPS * kernel->format->k_per_step, guard_at_end);
        weights_random(&gemv, &random);
        assert_int_equal(activations_fill(&gemv, RANDOM_VALUES, &random), CALL_CLEAN);
        for (size_t steps = 1; steps <= STEPS; steps++) {
            struct gemv_piece piece = guarded_piece(&gemv, 0, 1, guard_at_end ? STEPS - steps : 0, steps);
            assert_string_equal(call_fault_name(guarded_call(&gemv, &piece)), call_fault_name(CALL_CLEAN));
        }
        guarded_gemv_release(&gemv);
    }
}

/* ---------------------------------------------------------------- broken kernels */

#define FORMAT_OF_FAKES "int2_vnni4"

/** An honest kernel in plain C, with whole and partial panels. */
static __attribute__((used, noinline)) void honest_gemv(const struct gemv_piece *piece)
{
    const struct format *format = format_find(FORMAT_OF_FAKES);
    for (size_t row = 0; row < piece->panels * format->rows_per_panel; row++) {
        const uint8_t *panel = piece->weights + row / format->rows_per_panel * piece->panel_bytes;
        int32_t sum = piece->correction;
        for (uint32_t column = 0; column < piece->steps * format->k_per_step; column++)
            sum += (format->get(panel, (uint32_t)row % format->rows_per_panel, column) + format->activation_offset) *
                   piece->activations[column];
        piece->out[row] = sum;
    }
}

static size_t rows_of(const struct gemv_piece *piece)
{
    return piece->panels * format_find(FORMAT_OF_FAKES)->rows_per_panel;
}

static void writes_one_past_out(const struct gemv_piece *piece)
{
    honest_gemv(piece);
    *(volatile int32_t *)(piece->out + rows_of(piece)) = 0;
}

static void writes_one_before_out(const struct gemv_piece *piece)
{
    honest_gemv(piece);
    *(volatile int32_t *)(piece->out - 1) = 0;
}

static void is_off_by_one_in_one_row(const struct gemv_piece *piece)
{
    honest_gemv(piece);
    piece->out[rows_of(piece) - 1] += 1;
}

static void leaves_out_the_correction(const struct gemv_piece *piece)
{
    struct gemv_piece other = *piece;
    other.correction = 0;
    honest_gemv(&other);
}

static void leaves_out_the_last_panel(const struct gemv_piece *piece)
{
    struct gemv_piece other = *piece;
    other.panels--;
    honest_gemv(&other);
}

static void adds_to_out(const struct gemv_piece *piece)
{
    int32_t before = piece->out[0];
    honest_gemv(piece);
    piece->out[0] += before;
}

static void reads_past_the_weights(const struct gemv_piece *piece)
{
    honest_gemv(piece);
    (void)*(volatile const uint8_t *)(piece->weights + piece->panels * piece->panel_bytes);
}

static void reads_before_the_weights(const struct gemv_piece *piece)
{
    honest_gemv(piece);
    (void)*(volatile const uint8_t *)(piece->weights - 1);
}

static void reads_before_the_activations(const struct gemv_piece *piece)
{
    honest_gemv(piece);
    (void)*(volatile const int8_t *)(piece->activations - 1);
}

static void reads_past_the_activations(const struct gemv_piece *piece)
{
    size_t columns = piece->steps * format_find(FORMAT_OF_FAKES)->k_per_step;
    honest_gemv(piece);
    (void)*(volatile const int8_t *)(piece->activations + to_lines(columns));
}

static void writes_to_the_activations(const struct gemv_piece *piece)
{
    honest_gemv(piece);
    *(volatile int8_t *)(uintptr_t)piece->activations = 0;
}

static void writes_to_the_weights(const struct gemv_piece *piece)
{
    honest_gemv(piece);
    *(volatile uint8_t *)(uintptr_t)piece->weights = 0;
}

void clobbers_rbx(const struct gemv_piece *piece);
void clobbers_r15(const struct gemv_piece *piece);
void leaves_the_direction_flag(const struct gemv_piece *piece);
void changes_rounding(const struct gemv_piece *piece);

/* What a compiler would not write. */
__asm__(".pushsection .text\n"
        ".globl clobbers_rbx, clobbers_r15, leaves_the_direction_flag, changes_rounding\n"
        ".hidden clobbers_rbx, clobbers_r15, leaves_the_direction_flag, changes_rounding\n"
        "clobbers_rbx: endbr64; xor %ebx, %ebx; jmp honest_gemv\n"
        "clobbers_r15: endbr64; inc %r15; jmp honest_gemv\n"
        "leaves_the_direction_flag: endbr64; sub $8, %rsp; call honest_gemv; add $8, %rsp; std; ret\n"
        "changes_rounding: endbr64; sub $8, %rsp; call honest_gemv; stmxcsr (%rsp); xorl $0x6000, (%rsp);\n"
        "    ldmxcsr (%rsp); add $8, %rsp; ret\n"
        ".popsection\n");

struct fake {
    const char *name;
    void (*gemv)(const struct gemv_piece *piece);
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
    {"clobbers rbx", clobbers_rbx, CALL_CLOBBERED, CALL_CLOBBERED},
    {"clobbers r15", clobbers_r15, CALL_CLOBBERED, CALL_CLOBBERED},
    {"leaves the direction flag", leaves_the_direction_flag, CALL_MODE, CALL_MODE},
    {"changes rounding", changes_rounding, CALL_MODE, CALL_MODE},
};

/** What the checks above make of this kernel on one small matrix. */
static int verdict_on(const struct kernel *kernel, int guard_at_end)
{
    struct guarded_gemv gemv;
    uint64_t random = 13;
    int32_t expected[3 * 32];
    size_t wrong;
    guarded_gemv_make(&gemv, kernel, 3, 30, guard_at_end);
    assert_int_equal(gemv.rows, COUNT(expected));
    weights_random(&gemv, &random);
    assert_int_equal(activations_fill(&gemv, RANDOM_VALUES, &random), CALL_CLEAN);
    format_reference(kernel->format, gemv.weights.bytes, gemv.k, 0, gemv.rows, gemv.activations.bytes, expected);
    enum call_fault fault = guarded_run(&gemv, gemv.panels, 0, expected, &wrong);
    guarded_gemv_release(&gemv);
    return fault == CALL_CLEAN && wrong ? WRONG_ROWS : (int)fault;
}

/* The weights fill whole lines but rarely whole pages: a byte past them is seen only with the guard page after them. */
static void is_judged_rightly(void **state)
{
    const struct fake *fake = *state;
    struct kernel kernel = {.name = fake->name, .format = format_find(FORMAT_OF_FAKES), .gemv = fake->gemv};
    assert_int_equal(verdict_on(&kernel, 0), fake->caught_at_begin);
    assert_int_equal(verdict_on(&kernel, 1), fake->caught_at_end);
}

static void prepares_too_much(const int8_t *activations, size_t steps, void *prepared)
{
    memcpy(prepared, activations, steps * 4);
    ((volatile uint8_t *)prepared)[steps * 4] = 1;
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
    guarded_gemv_make(&gemv, &kernel, 1, 5 * kernel.format->k_per_step, 1);
    assert_int_equal(activations_fill(&gemv, RANDOM_VALUES, &random), CALL_WROTE_OUTSIDE);
    guarded_gemv_release(&gemv);
    guarded_gemv_make(&gemv, &kernel, 1, 16 * kernel.format->k_per_step, 1);
    assert_int_equal(activations_fill(&gemv, RANDOM_VALUES, &random), CALL_SEGV);
    guarded_gemv_release(&gemv);
}

int main(void)
{
    static struct item_tests suite;
    for (size_t i = 0; i < COUNT(fakes); i++)
        item_tests_add(&suite, "checker:", fakes[i].name, is_judged_rightly, &fakes[i]);
    item_tests_add(&suite, "checker:", "prepares too much", a_prepare_that_writes_too_much_is_seen, NULL);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        item_tests_add(&suite, (*kernel)->name, "stays inside its operands", stays_inside_its_operands, *kernel);
        item_tests_add(&suite, (*kernel)->name, "stays inside a piece", stays_inside_a_piece, *kernel);
    }
    return item_tests_run("kernel calls", &suite);
}
