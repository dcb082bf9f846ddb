/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every kernel against the scalar reference, bit for bit: shapes, pieces, extremes, the largest K.
 */
#include "harness/guarded_gemv.h"

enum { ROWS_MOST = 1600, PANELS_EACH = 9 };

static const size_t rows_tried[] = {1, 31, 32, 33, 64, 65, 100, 320, ROWS_MOST};
static const size_t k_tried[] = {1, 3, 4, 7, 15, 16, 17, 33, 100, 1600, 4352};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/** The same weight in all columns: `low` in the lower half of each panel's rows, `high` in the upper half. */
static void weights_constant(struct guarded_gemv *gemv, int32_t low, int32_t high)
{
    const struct format *format = gemv->kernel->format;
    uint8_t *step = gemv->weights.bytes;
    open_operands(gemv);
    for (uint32_t row = 0; row < format->rows_per_panel; row++) {
        for (uint32_t column = 0; column < format->k_per_step; column++)
            format->put(step, row, column, row < format->rows_per_panel / 2 ? low : high);
    }
    for (size_t at = format->step_bytes; at < gemv->weights.length; at += format->step_bytes)
        memcpy(step + at, step, format->step_bytes);
}

/** W of a packed matrix as plain rows. */
static int8_t *unpack(const struct guarded_gemv *gemv)
{
    const struct format *format = gemv->kernel->format;
    int8_t *w = malloc(gemv->rows * gemv->k);
    assert_non_null(w);
    for (size_t row = 0; row < gemv->rows; row++) {
        const uint8_t *panel =
            (const uint8_t *)gemv->weights.bytes + row / format->rows_per_panel * gemv->steps * format->step_bytes;
        for (size_t column = 0; column < gemv->k; column++)
            w[row * gemv->k + column] =
                (int8_t)format->get(panel, (uint32_t)(row % format->rows_per_panel), (uint32_t)column);
    }
    return w;
}

static void multiply(const struct guarded_gemv *gemv, const int8_t *w, int32_t *expected)
{
    const int8_t *a = gemv->activations.bytes;
    for (size_t row = 0; row < gemv->rows; row++) {
        int32_t sum = 0;
        for (size_t column = 0; column < gemv->k; column++)
            sum += w[row * gemv->k + column] * a[column];
        expected[row] = sum;
    }
}

/** y of weights_constant(low, high). */
static void multiply_constant(const struct guarded_gemv *gemv, int32_t low, int32_t high, int32_t *expected)
{
    uint32_t rows = gemv->kernel->format->rows_per_panel;
    for (size_t row = 0; row < gemv->rows; row++) {
        int64_t y = (int64_t)(row % rows < rows / 2 ? low : high) * gemv->activation_sum;
        assert_in_range(y + INT32_MAX + 1ll, 0, UINT32_MAX);
        expected[row] = (int32_t)y;
    }
}

static void must_be_exact(struct guarded_gemv *gemv, size_t panels, const int32_t *expected)
{
    size_t wrong;
    enum call_fault fault = guarded_run(gemv, panels, gemv->kernel->prefetch_bytes, expected, &wrong);
    if (fault != CALL_CLEAN || wrong)
        fail_msg("%zu panels, K = %zu: %s, %zu wrong rows", panels, gemv->k, call_fault_name(fault), wrong);
}

/** 1 to 9 panels, which covers every number of places with every number of panels left over, and the rows of the list.
 */
static void each_panel_count(struct guarded_gemv *gemv, const int32_t *expected)
{
    for (size_t panels = 1; panels <= PANELS_EACH; panels++)
        must_be_exact(gemv, panels, expected);
    for (size_t i = 0; i < COUNT(rows_tried); i++) {
        size_t panels = format_panels(gemv->kernel->format, rows_tried[i]);
        if (panels > PANELS_EACH)
            must_be_exact(gemv, panels, expected);
    }
}

static size_t panels_for_all_rows(const struct kernel *kernel)
{
    size_t panels = format_panels(kernel->format, ROWS_MOST);
    return panels < PANELS_EACH ? PANELS_EACH : panels;
}

static void random_weights_are_exact(void **state)
{
    const struct kernel *kernel = *state;
    require_isa(kernel->name, kernel->isa);
    uint64_t random = 1;
    for (size_t i = 0; i < COUNT(k_tried); i++) {
        struct guarded_gemv gemv;
        guarded_gemv_make(&gemv, kernel, panels_for_all_rows(kernel), k_tried[i], 1);
        weights_random(&gemv, &random);
        int8_t *w = unpack(&gemv);
        int32_t *expected = malloc(gemv.rows * sizeof *expected);
        assert_non_null(expected);
        for (unsigned fill = 0; fill < ACTIVATION_FILLS; fill++) {
            assert_int_equal(activations_fill(&gemv, fill, &random), CALL_CLEAN);
            multiply(&gemv, w, expected);
            each_panel_count(&gemv, expected);
        }
        free(expected);
        free(w);
        guarded_gemv_release(&gemv);
    }
}

/** All least, all most, and each half of a panel's rows at one end: the planes of a byte at opposite ends. */
static void extreme_weights_are_exact(void **state)
{
    const struct kernel *kernel = *state;
    require_isa(kernel->name, kernel->isa);
    int32_t ends[2] = {kernel->format->weight_min, kernel->format->weight_max};
    uint64_t random = 2;
    for (size_t i = 0; i < COUNT(k_tried); i++) {
        struct guarded_gemv gemv;
        guarded_gemv_make(&gemv, kernel, panels_for_all_rows(kernel), k_tried[i], 1);
        int32_t *expected = malloc(gemv.rows * sizeof *expected);
        assert_non_null(expected);
        for (unsigned pair = 0; pair < 4; pair++) {
            weights_constant(&gemv, ends[pair & 1], ends[pair >> 1]);
            for (unsigned fill = 0; fill < ACTIVATION_FILLS; fill++) {
                assert_int_equal(activations_fill(&gemv, fill, &random), CALL_CLEAN);
                multiply_constant(&gemv, ends[pair & 1], ends[pair >> 1], expected);
                each_panel_count(&gemv, expected);
            }
        }
        free(expected);
        guarded_gemv_release(&gemv);
    }
}

/** The scalar reference of the library says the same as the plain product above, from the packed bytes. */
static void reference_agrees(void **state)
{
    const struct kernel *kernel = *state;
    require_isa(kernel->name, kernel->isa);
    uint64_t random = 3;
    struct guarded_gemv gemv;
    guarded_gemv_make(&gemv, kernel, 3, 77, 0);
    weights_random(&gemv, &random);
    assert_int_equal(activations_fill(&gemv, RANDOM_VALUES, &random), CALL_CLEAN);
    int32_t *expected = calloc(gemv.rows, sizeof *expected);
    assert_non_null(expected);
    format_reference(kernel->format, gemv.weights.bytes, gemv.k, 0, gemv.rows, gemv.activations.bytes, expected);
    must_be_exact(&gemv, 3, expected);
    free(expected);
    guarded_gemv_release(&gemv);
}

/** One panel cut in pieces along K; the correction goes into one of them. @return rows whose sums are wrong */
static size_t add_pieces(struct guarded_gemv *gemv, size_t panel, const size_t *cuts, size_t pieces,
                         const int32_t *expected)
{
    uint32_t rows = gemv->kernel->format->rows_per_panel;
    uint32_t sums[512] = {0};
    assert_true(rows <= COUNT(sums));
    for (size_t i = 0; i < pieces; i++) {
        struct gemv_piece piece = guarded_piece(gemv, panel, 1, cuts[i], cuts[i + 1] - cuts[i]);
        piece.correction = i == 0 ? correction_of(gemv) : 0;
        assert_int_equal(guarded_call(gemv, &piece), CALL_CLEAN);
        for (uint32_t row = 0; row < rows; row++)
            sums[row] += (uint32_t)piece.out[row];
    }
    size_t wrong = 0;
    for (uint32_t row = 0; row < rows; row++)
        wrong += (int32_t)sums[row] != expected[panel * rows + row];
    return wrong;
}

static void pieces_of_a_panel_add_up(void **state)
{
    const struct kernel *kernel = *state;
    require_isa(kernel->name, kernel->isa);
    enum { STEPS = 29, PANELS = 3 };
    uint64_t random = 4;
    struct guarded_gemv gemv;
    guarded_gemv_make(&gemv, kernel, PANELS, STEPS * kernel->format->k_per_step - 1, 1);
    weights_random(&gemv, &random);
    assert_int_equal(activations_fill(&gemv, RANDOM_VALUES, &random), CALL_CLEAN);
    int32_t *expected = calloc(gemv.rows, sizeof *expected);
    assert_non_null(expected);
    format_reference(kernel->format, gemv.weights.bytes, gemv.k, 0, gemv.rows, gemv.activations.bytes, expected);
    for (size_t panel = 0; panel < PANELS; panel++) {
        for (size_t first = 1; first < STEPS - 1; first++) {
            for (size_t second = first + 1; second < STEPS; second += 1 + first % 3) {
                size_t cuts[] = {0, first, second, STEPS};
                assert_int_equal(add_pieces(&gemv, panel, cuts, 3, expected), 0);
            }
        }
    }
    free(expected);
    guarded_gemv_release(&gemv);
}

static void extremes_at_the_largest_k(struct guarded_gemv *gemv, int32_t *expected)
{
    int32_t ends[2] = {gemv->kernel->format->weight_min, gemv->kernel->format->weight_max};
    size_t cuts[] = {0, gemv->steps / 3, gemv->steps - 1, gemv->steps};
    uint64_t random = 5;
    for (unsigned pair = 0; pair < 4; pair++) {
        weights_constant(gemv, ends[pair & 1], ends[pair >> 1]);
        for (unsigned fill = ALL_LEAST; fill <= ALL_MOST; fill++) {
            assert_int_equal(activations_fill(gemv, fill, &random), CALL_CLEAN);
            multiply_constant(gemv, ends[pair & 1], ends[pair >> 1], expected);
            must_be_exact(gemv, 1, expected);
            assert_int_equal(add_pieces(gemv, 0, cuts, 3, expected), 0);
        }
    }
}

/** At max_k the worst weights and activations still fit, though sums on the way may wrap around. */
static void the_largest_k_is_exact(void **state)
{
    const struct kernel *kernel = *state;
    require_isa(kernel->name, kernel->isa);
    uint64_t random = 6;
    struct guarded_gemv gemv;
    int32_t expected[512], y[2];
    guarded_gemv_make(&gemv, kernel, 1, kernel->format->max_k, 1);
    assert_true(gemv.rows <= COUNT(expected));
    extremes_at_the_largest_k(&gemv, expected);

    weights_random(&gemv, &random);
    assert_int_equal(activations_fill(&gemv, RANDOM_VALUES, &random), CALL_CLEAN);
    struct gemv_piece piece = guarded_piece(&gemv, 0, 1, 0, gemv.steps);
    piece.correction = correction_of(&gemv);
    assert_int_equal(guarded_call(&gemv, &piece), CALL_CLEAN);
    format_reference(kernel->format, gemv.weights.bytes, gemv.k, 0, 1, gemv.activations.bytes, &y[0]);
    format_reference(kernel->format, gemv.weights.bytes, gemv.k, gemv.rows - 1, 1, gemv.activations.bytes, &y[1]);
    assert_int_equal(gemv.y[0], y[0]);
    assert_int_equal(gemv.y[gemv.rows - 1], y[1]);
    guarded_gemv_release(&gemv);
}

static void describes_itself(void **state)
{
    const struct kernel *kernel = *state;
    char name[128];
    snprintf(name, sizeof name, "%s.%s.%s", kernel->format->name, kernel->sequence, kernel->isa);
    assert_string_equal(kernel->name, name);
    assert_ptr_equal(kernel_find(kernel->name), kernel);
    assert_ptr_equal(format_find(kernel->format->name), kernel->format);
    assert_non_null(isa_find(kernel->isa));
    assert_true(kernel->origin && kernel->origin[0]);
    assert_non_null(kernel->code);
    assert_int_equal(kernel->prepare != NULL, kernel->prepared_bytes_per_step != 0);
}

int main(void)
{
    static struct item_tests suite;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const char *name = (*kernel)->name;
        item_tests_add(&suite, name, "describes itself", describes_itself, *kernel);
        item_tests_add(&suite, name, "random weights are exact", random_weights_are_exact, *kernel);
        item_tests_add(&suite, name, "extreme weights are exact", extreme_weights_are_exact, *kernel);
        item_tests_add(&suite, name, "reference agrees", reference_agrees, *kernel);
        item_tests_add(&suite, name, "pieces of a panel add up", pieces_of_a_panel_add_up, *kernel);
        item_tests_add(&suite, name, "the largest K is exact", the_largest_k_is_exact, *kernel);
    }
    return item_tests_run("kernels", &suite);
}
