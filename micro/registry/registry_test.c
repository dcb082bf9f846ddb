/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "micro/registry/registration.h"
#include "unit_test.h"

static size_t count_kernels(void)
{
    size_t count = 0;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
        count++;
    return count;
}

static void assert_in_name_order(void)
{
    for (const struct kernel *const *kernel = kernel_all(); kernel[0] && kernel[1]; kernel++)
        assert_true(strcmp(kernel[0]->name, kernel[1]->name) < 0);
}

static const struct format own_format = {.name = "own"};
static const struct kernel first = {.name = "aaa.own.reference", .format = &own_format},
                           middle = {.name = "int2_zzz.own.reference", .format = &own_format},
                           last = {.name = "zzz.own.reference", .format = &own_format};
static const struct sequence own_sequence = {.name = "own.own.reference"};

TEST(entries_are_found_in_name_order)
{
    size_t before = count_kernels();
    const struct kernel *const kernels[] = {&last, &first, &middle, NULL};
    const struct format *const formats[] = {&own_format, NULL};
    const struct sequence *const sequences[] = {&own_sequence, NULL};
    assert_int_equal(registry_add(&(struct registry_entries){formats, kernels, sequences}), 0);
    assert_int_equal(count_kernels(), before + 3);
    assert_in_name_order();
    assert_ptr_equal(kernel_all()[0], &first);
    assert_ptr_equal(kernel_find("int2_zzz.own.reference"), &middle);
    assert_ptr_equal(format_find("own"), &own_format);
    assert_ptr_equal(sequence_find("own.own.reference"), &own_sequence);
    registry_restore();
    assert_int_equal(count_kernels(), before);
    assert_null(kernel_find("zzz.own.reference"));
    assert_null(format_find("own"));
    assert_null(sequence_find("own.own.reference"));
}

TEST(additions_add_up_and_may_be_empty)
{
    size_t before = count_kernels();
    const struct kernel *const one[] = {&middle, NULL}, *const other[] = {&first, NULL};
    assert_int_equal(registry_add(&(struct registry_entries){.kernels = one}), 0);
    assert_int_equal(registry_add(&(struct registry_entries){.kernels = other}), 0);
    assert_int_equal(registry_add(&(struct registry_entries){0}), 0);
    assert_int_equal(count_kernels(), before + 2);
    assert_in_name_order();
    assert_ptr_equal(kernel_find("aaa.own.reference"), &first);
    registry_restore();
    registry_restore();
    assert_int_equal(count_kernels(), before);
}

/** No original of a rendering has a software prefetch, GPU kernels included. */
TEST(renderings_that_prefetch_say_so)
{
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        const char *differs = (*at)->differs ? (*at)->differs : "";
        bool ours = strcmp((*at)->origin, "kneepoint") == 0, prefetches = (*at)->prefetch_bytes > 0;
        bool says = strstr(differs, "our prefetch") || strstr(differs, "for GPUs");
        if (ours ? *differs || (*at)->prefetch_beside : prefetches && !says)
            fail_msg("%s, of %s, prefetches %zu bytes ahead and says '%s'", (*at)->name, (*at)->origin,
                     (*at)->prefetch_bytes, differs);
    }
}

RUN_TESTS(NULL, NULL)
