/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device_roof/roofs.h"

#include <stdio.h>
#include <string.h>

#include "unit_test.h"

static const struct opencl_device silent = {0},
                                  core = {.compute_units = 2,
                                          .memory_bytes = UINT64_C(12) << 30,
                                          .buffer_bytes = UINT64_C(4) << 30,
                                          .local_bytes = 512 << 10,
                                          .cache_bytes = 16 << 20,
                                          .group_items = 4096},
                                  large = {.compute_units = 132,
                                           .memory_bytes = UINT64_C(139) << 30,
                                           .buffer_bytes = UINT64_C(35) << 30,
                                           .local_bytes = 48 << 10,
                                           .cache_bytes = 60 << 20,
                                           .group_items = 1024,
                                           .fp16 = OPENCL_YES,
                                           .integer_dot_product = OPENCL_YES},
                                  small = {.compute_units = 3,
                                           .memory_bytes = 256 << 20,
                                           .buffer_bytes = 64 << 20,
                                           .local_bytes = 4096,
                                           .group_items = 16};
static const struct opencl_device *const devices[] = {&silent, &core, &large, &small};
enum { DEVICES = sizeof devices / sizeof *devices };

static void a_read_is_far_larger_than_caches_within_what_a_device_has(void **state)
{
    (void)state;
    assert_int_equal(device_cold_bytes(&silent), 256 << 20);
    assert_int_equal(device_cold_bytes(&core), 256 << 20);
    assert_int_equal(device_cold_bytes(&large), 512 << 20);
    assert_int_equal(device_cold_bytes(&small), 64 << 20);
    struct opencl_device odd = core;
    odd.buffer_bytes = (100 << 20) + 4;
    assert_int_equal(device_cold_bytes(&odd), 64 << 20);
    odd.memory_bytes = 128 << 20;
    assert_int_equal(device_cold_bytes(&odd), 32 << 20);
    odd = large;
    odd.cache_bytes = UINT64_C(1) << 30;
    assert_int_equal(device_cold_bytes(&odd), UINT64_C(2) << 30);
}

static void what_can_be_launched_fits_the_device(void **state)
{
    (void)state;
    for (size_t r = 0; r < DEVICE_ROOFS; r++) {
        const struct device_roof *roof = &device_roofs[r];
        assert_true(roof->variants <= ROOF_VARIANTS_MOST);
        for (size_t d = 0; d < DEVICES; d++) {
            for (size_t v = 0; v < roof->variants; v++) {
                struct roof_variant variant;
                if (!roof->arrange(devices[d], v, &variant))
                    continue;
                assert_true(variant.amount > 0 && variant.words > 0 && variant.label[0]);
                assert_true(strlen(variant.label) + 1 < sizeof variant.label);
                assert_true(strlen(variant.options) + 1 < sizeof variant.options);
                assert_true(!devices[d]->buffer_bytes || 4 * variant.words <= devices[d]->buffer_bytes);
                if (!roof->source)
                    continue;
                assert_true(variant.group > 0 && variant.each > 0);
                assert_int_equal(variant.items % variant.group, 0);
                assert_true(!devices[d]->group_items || variant.group <= devices[d]->group_items);
            }
        }
    }
}

static const struct device_roof *find(const char *name)
{
    size_t i = 0;
    while (strcmp(device_roofs[i].name, name) != 0)
        assert_true(++i < DEVICE_ROOFS);
    return &device_roofs[i];
}

static bool has(const struct opencl_device *device, const char *name)
{
    struct roof_variant variant;
    const struct device_roof *roof = find(name);
    for (size_t v = 0; v < roof->variants; v++) {
        if (roof->arrange(device, v, &variant))
            return true;
    }
    return false;
}

static void a_roof_that_a_device_lacks_has_no_variant(void **state)
{
    (void)state;
    assert_true(has(&large, "fma_f16"));
    assert_false(has(&core, "fma_f16"));
    assert_true(has(&core, "int8_dot")); /* in C */
    assert_false(has(&small, "launch"));
    assert_true(has(&small, "read"));
    assert_true(has(&silent, "read"));
}

/** What a read returns is the sum of all words, however they are divided. */
static void sums_are_those_of_the_words(void **state)
{
    (void)state;
    const struct device_roof *read = find("read"), *local = find("local");
    for (size_t v = 0; v < read->variants; v++) {
        struct roof_variant variant;
        uint32_t sum = 0;
        unsigned width = 0;
        assert_true(read->arrange(&core, v, &variant));
        assert_int_equal(sscanf(strstr(variant.options, "WIDTH="), "WIDTH=%u", &width), 1);
        assert_int_equal(variant.items * variant.each * width, variant.words);
        assert_true(variant.amount == 4.0 * (double)variant.words);
        for (uint64_t i = 0; v == 0 && i < variant.words; i++)
            sum += roof_word(i);
        assert_true(v != 0 || sum == variant.sum);
    }
    for (size_t v = 0; v < local->variants; v++) {
        struct roof_variant variant;
        uint32_t sum = 0;
        assert_true(local->arrange(&core, v, &variant));
        assert_int_equal(variant.each % variant.group, 0);
        for (uint64_t i = 0; i < variant.words; i++)
            sum += roof_word(i);
        assert_int_equal(variant.sum, (uint32_t)(sum * (variant.each / variant.group) * variant.items));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_is_far_larger_than_caches_within_what_a_device_has),
        cmocka_unit_test(what_can_be_launched_fits_the_device),
        cmocka_unit_test(a_roof_that_a_device_lacks_has_no_variant),
        cmocka_unit_test(sums_are_those_of_the_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
