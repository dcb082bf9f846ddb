/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every kernel against the scalar reference: shapes, slices, extremes, the largest K, and whether it is lossless.
 */
#include "harness/check/item_tests.h"
#include "harness/check/items/kernel_check.h"
#include "harness/check/operands/guarded_gemv.h"
#include "harness/plugin/plugin_rules.h"
#include "micro/sequence.h"

enum { ROWS_MOST = 1600, PANELS_EACH = 9, WEIGHTS_MOST = 1 << 18 };

static const size_t rows_tried[] = {1, 31, 32, 33, 64, 65, 100, 320, ROWS_MOST};
static const size_t k_tried[] = {1, 3, 4, 7, 15, 16, 17, 33, 100, 1600, 4352};

/* An emulated instruction takes a microsecond: of matrices the small ones, and of slices one in this many. */
enum { EMULATED_K_MOST = 33, EMULATED_SLICES = 7 };

/** Whether K i of the list is one that an earlier one became, or too much to emulate. */
static bool is_left_out(const struct kernel *kernel, size_t i)
{
    if (k_tried[i] > EMULATED_K_MOST && emulator_stands_in(kernel->isa))
        return true;
    return i > 0 && kernel_next_k(kernel, k_tried[i]) == kernel_next_k(kernel, k_tried[i - 1]);
}

/* Weights of the kernels of a format, read once for all of them. */
static struct guarded_kept kept;

static void make(struct guarded_gemv *gemv, const struct kernel *kernel, size_t panels, size_t k)
{
    assert_int_equal(guarded_gemv_make(gemv, kernel, panels, k, 1), 0);
    gemv->decoded.kept = &kept;
}

/** Weights that are the same for every kernel of the format. */
static void draw_weights(struct guarded_gemv *gemv, uint64_t seed)
{
    uint64_t random = seed << 32 | gemv->k;
    guarded_weights_random(gemv, &random);
}

static void must_be_right(struct guarded_gemv *gemv, size_t panels)
{
    struct reference_check check;
    enum call_fault fault = guarded_run(gemv, panels, gemv->kernel->prefetch_bytes, &check);
    if (fault != CALL_CLEAN || check.wrong || check.rows != panels * gemv->kernel->format->rows_per_panel)
        fail_msg("%zu panels, K = %zu: %s, %zu of %zu rows wrong, error %g", panels, gemv->k, call_fault_name(fault),
                 check.wrong, check.rows, reference_error(&check));
}

/**
 * 1 to 9 panels, which covers every number of places with every number of panels left over, and the rows of the list.
 */
static void each_panel_count(struct guarded_gemv *gemv)
{
    for (size_t panels = 1; panels <= PANELS_EACH; panels++)
        must_be_right(gemv, panels);
    for (size_t i = 0; i < COUNT(rows_tried); i++) {
        size_t panels = format_panels(gemv->kernel->format, rows_tried[i]);
        if (panels > PANELS_EACH && panels <= gemv->panels)
            must_be_right(gemv, panels);
    }
}

/** All rows of the list where that is not too many weights. */
static size_t panels_for(const struct kernel *kernel, size_t k)
{
    size_t panels = format_panels(kernel->format, ROWS_MOST);
    if (emulator_stands_in(kernel->isa))
        return PANELS_EACH;
    return panels < PANELS_EACH || ROWS_MOST * k > WEIGHTS_MOST ? PANELS_EACH : panels;
}

static void random_weights_are_right(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    uint64_t random = 1;
    for (size_t i = 0; i < COUNT(k_tried); i++) {
        struct guarded_gemv gemv;
        size_t k = kernel_next_k(kernel, k_tried[i]);
        if (is_left_out(kernel, i))
            continue;
        make(&gemv, kernel, panels_for(kernel, k), k);
        draw_weights(&gemv, 1);
        for (unsigned fill = 0; fill < ACTIVATION_FILLS; fill++) {
            assert_int_equal(guarded_activations_fill(&gemv, fill, &random), CALL_CLEAN);
            guarded_expect(&gemv);
            each_panel_count(&gemv);
        }
        guarded_gemv_release(&gemv);
    }
}

/** All least, all most, and each half of a panel's rows at one end: the planes of a byte at opposite ends. */
static void extreme_weights_are_right(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    float ends[2];
    guarded_extremes(kernel->format, ends);
    uint64_t random = 2;
    for (size_t i = 0; i < COUNT(k_tried); i++) {
        struct guarded_gemv gemv;
        size_t k = kernel_next_k(kernel, k_tried[i]);
        if (is_left_out(kernel, i))
            continue;
        make(&gemv, kernel, panels_for(kernel, k), k);
        for (unsigned pair = 0; pair < 4; pair += emulator_stands_in(kernel->isa) ? 3 : 1) {
            assert_int_equal(guarded_weights_constant(&gemv, ends[pair & 1], ends[pair >> 1]), 0);
            for (unsigned fill = 0; fill < ACTIVATION_FILLS; fill++) {
                assert_int_equal(guarded_activations_fill(&gemv, fill, &random), CALL_CLEAN);
                guarded_expect(&gemv);
                each_panel_count(&gemv);
            }
        }
        guarded_gemv_release(&gemv);
    }
}

/** One panel cut in slices along K. @return rows whose sums are wrong */
static size_t add_slices(struct guarded_gemv *gemv, size_t panel, const size_t *cuts, size_t slices)
{
    struct reference_check check;
    assert_int_equal(guarded_cut(gemv, panel, cuts, slices, &check), CALL_CLEAN);
    return check.wrong;
}

static void slices_of_a_panel_add_up(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    enum { STEPS = 29, PANELS = 3 };
    uint64_t random = 4;
    struct guarded_gemv gemv;
    size_t k = STEPS * kernel->format->k_per_step - (kernel->format->k_multiple ? 0 : 1);
    size_t fewer = emulator_stands_in(kernel->isa) ? EMULATED_SLICES : 0;
    make(&gemv, kernel, PANELS, k);
    draw_weights(&gemv, 4);
    assert_int_equal(guarded_activations_fill(&gemv, RANDOM_VALUES, &random), CALL_CLEAN);
    guarded_expect(&gemv);
    for (size_t panel = 0; panel < PANELS; panel++) {
        for (size_t first = 1; first < STEPS - 1; first++) {
            for (size_t second = first + 1; second < STEPS; second += 1 + first % 3 + fewer) {
                size_t cuts[] = {0, first, second, STEPS};
                assert_int_equal(add_slices(&gemv, panel, cuts, 3), 0);
            }
        }
    }
    guarded_gemv_release(&gemv);
}

static void extremes_at_the_largest_k(struct guarded_gemv *gemv)
{
    float ends[2];
    guarded_extremes(gemv->kernel->format, ends);
    size_t cuts[] = {0, gemv->steps / 3, gemv->steps - 1, gemv->steps};
    uint64_t random = 5;
    for (unsigned pair = 0; pair < 4; pair++) {
        assert_int_equal(guarded_weights_constant(gemv, ends[pair & 1], ends[pair >> 1]), 0);
        for (unsigned fill = ALL_LEAST; fill <= ALL_MOST; fill++) {
            assert_int_equal(guarded_activations_fill(gemv, fill, &random), CALL_CLEAN);
            guarded_expect_constant(gemv, ends[pair & 1], ends[pair >> 1]);
            for (size_t row = 0; row < gemv->rows; row++)
                assert_true(gemv->expected[row].y >= INT32_MIN && gemv->expected[row].y <= INT32_MAX);
            must_be_right(gemv, 1);
            if (kernel_cuts(gemv->kernel))
                assert_int_equal(add_slices(gemv, 0, cuts, 3), 0);
        }
    }
}

/** At max_k the worst weights and activations still fit, though sums on the way may wrap around. */
static void the_largest_k_is_exact(void **state)
{
    const struct kernel *kernel = *state;
    require_isa(kernel->isa); /* emulated, millions of columns take minutes */
    uint64_t random = 6;
    struct guarded_gemv gemv;
    size_t granule = kernel->format->k_multiple ? kernel->format->k_multiple : 1;
    make(&gemv, kernel, 1, kernel->format->max_k / granule * granule);
    extremes_at_the_largest_k(&gemv);

    draw_weights(&gemv, 6);
    assert_int_equal(guarded_activations_fill(&gemv, RANDOM_VALUES, &random), CALL_CLEAN);
    guarded_expect(&gemv);
    must_be_right(&gemv, 1);
    guarded_gemv_release(&gemv);
}

/* ---------------------------------------------------------------- lossless */

static void is_lossless_or_says_so(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    uint64_t random = 7;
    struct integers_check check = {0};
    for (size_t i = 0; i < COUNT(k_tried); i++) {
        if (!is_left_out(kernel, i))
            assert_int_equal(kernel_check_integers(kernel, kernel_next_k(kernel, k_tried[i]), &random, &check),
                             CALL_CLEAN);
    }
    if (kernel->lossless != (check.unlike == 0))
        fail_msg("%s says it is %s, and %zu rows differ from the integer product", kernel->name,
                 kernel->lossless ? "lossless" : "lossy", check.unlike);
}

static void describes_itself(void **state)
{
    const struct kernel *kernel = *state;
    char why[256];
    assert_ptr_equal(kernel_find(kernel->name), kernel);
    assert_ptr_equal(format_find(kernel->format->name), kernel->format);
    assert_true(kernel->origin && kernel->origin[0]);
    assert_true(kernel->row || kernel->error_bound == 0); /* ours say what comes of a coarse operand */
    assert_true((kernel->gives == KERNEL_GIVES_F32) == (kernel->float_sums > 0)); /* ours know in how many parts */
    if (kernel->gamma && !sequence_find(kernel->gamma))
        fail_msg("%s: gamma names no sequence: %s", kernel->name, kernel->gamma);
    const struct sequence *step = sequence_find(kernel->name);
    if (step && sequence_is_step(step))
        assert_string_equal(step->origin, kernel->origin);
    if (plugin_rules_kernel(kernel, why, sizeof why))
        fail_msg("%s", why);
}

int main(void)
{
    static struct item_tests suite;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const char *name = (*kernel)->name;
        item_tests_add(&suite, name, "describes itself", describes_itself, *kernel);
        if (!(*kernel)->gemv)
            continue;
        item_tests_add(&suite, name, "random weights are right", random_weights_are_right, *kernel);
        item_tests_add(&suite, name, "extreme weights are right", extreme_weights_are_right, *kernel);
        if (kernel_cuts(*kernel))
            item_tests_add(&suite, name, "slices of a panel add up", slices_of_a_panel_add_up, *kernel);
        if ((*kernel)->gives == KERNEL_GIVES_INT32)
            item_tests_add(&suite, name, "the largest K is exact", the_largest_k_is_exact, *kernel);
        item_tests_add(&suite, name, "is lossless or says so", is_lossless_or_says_so, *kernel);
    }
    int failed = item_tests_run("kernels", &suite);
    guarded_kept_release(&kept);
    return failed;
}
