/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Orders of column groups: each group once, those with padding in their places, and the same product whatever brings activations into one.
 */
#include "micro/quantization/column_order.h"

#include "unit_test.h"

#include <string.h>

enum { GROUP = 4, STEP = 16 };

static const struct format format = {.k_per_step = STEP, .order_columns = GROUP}, plain = {.k_per_step = STEP};

TEST(an_order_has_each_group_once)
{
    static const size_t sizes[] = {1, 4, 63, 64, 65, 1000, 4096};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint16_t order[1024], again[1024];
        uint8_t seen[1024] = {0};
        size_t groups = column_order_groups(&format, sizes[i]), moved = 0;
        assert_int_equal(groups, (sizes[i] + STEP - 1) / STEP * (STEP / GROUP));
        column_order_draw(&format, sizes[i], order);
        column_order_draw(&format, sizes[i], again);
        assert_memory_equal(order, again, groups * sizeof *order);
        for (size_t g = 0; g < groups; g++) {
            assert_true(order[g] < groups && !seen[order[g]]++);
            assert_true(order[g] == g || (g + 1) * GROUP <= sizes[i]);
            moved += order[g] != g;
        }
        assert_true(groups < 64 || moved > groups / 2);
    }
    assert_int_equal(column_order_groups(&plain, 64), 0);
    column_order_draw(&plain, 64, NULL);
}

static const uint16_t order[] = {2, 0, 3, 1};
static const uint8_t ordered_bytes[] = {8, 9, 10, 11, 0, 1, 2, 3, 12, 13, 14, 15, 4, 5, 6, 7};

TEST(a_copy_has_the_groups_in_their_places)
{
    const struct kernel bytes = {.format = &format, .takes = KERNEL_TAKES_INT8};
    const struct kernel floats = {.format = &format, .takes = KERNEL_TAKES_F32};
    int8_t a[STEP], ordered[STEP];
    float f[STEP], ordered_floats[STEP];
    for (int i = 0; i < STEP; i++)
        f[i] = a[i] = (int8_t)i;
    column_order_copy(&bytes, a, STEP, order, ordered);
    column_order_copy(&floats, f, STEP, order, ordered_floats);
    for (int i = 0; i < STEP; i++)
        assert_true(ordered[i] == ordered_bytes[i] && ordered_floats[i] == (float)ordered_bytes[i]);
}

static void negate(const void *activations, size_t k, void *prepared)
{
    for (size_t i = 0; i < k; i++)
        ((int8_t *)prepared)[i] = (int8_t) - ((const int8_t *)activations)[i];
}

static void negate_in_order(const void *activations, size_t k, const uint16_t *groups, void *prepared)
{
    for (size_t i = 0; i < k; i++)
        ((int8_t *)prepared)[i] = (int8_t) - ((const int8_t *)activations)[GROUP * groups[i / GROUP] + i % GROUP];
}

/** The kernel's own entry and the copy give one operand; a kernel without prepare() has the copy. */
TEST(whoever_orders_the_operand_is_one)
{
    struct kernel kernel = {.format = &format, .takes = KERNEL_TAKES_INT8};
    int8_t a[STEP], copy[STEP] = {0}, prepared[STEP] = {0};
    for (int i = 0; i < STEP; i++)
        a[i] = (int8_t)i;
    column_order_prepare(&kernel, a, STEP, order, copy, NULL);
    assert_memory_equal(copy, ordered_bytes, STEP);
    kernel.prepare = negate;
    memset(copy, 0, sizeof copy);
    column_order_prepare(&kernel, a, STEP, order, copy, prepared);
    for (int i = 0; i < STEP; i++)
        assert_int_equal(prepared[i], -ordered_bytes[i]);
    kernel.ordered.prepare = negate_in_order;
    memset(copy, 99, sizeof copy);
    memset(prepared, 0, sizeof prepared);
    column_order_prepare(&kernel, a, STEP, order, copy, prepared);
    for (int i = 0; i < STEP; i++)
        assert_true(prepared[i] == -ordered_bytes[i] && copy[i] == 99);
}

RUN_TESTS(NULL, NULL)
