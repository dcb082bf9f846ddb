/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "harness/plugin/plugin_rules.h"
#include "unit_test.h"

static void run(const struct gemv_slice *slice)
{
    (void)slice;
}

static void run_many(const struct gemm_slice *slice)
{
    (void)slice;
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    return k + tokens;
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    return (double)(panel[0] + k + row + column);
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    (void)w, (void)k, (void)panel;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    (void)activations, (void)k, (void)prepared;
}

static void prepare_in_order(const void *activations, size_t k, const uint16_t *order, void *prepared)
{
    (void)order;
    prepare(activations, k, prepared);
}

static const struct format right_format = {.name = "own",
                                           .bits = 4,
                                           .rows_per_panel = 8,
                                           .k_per_step = 4,
                                           .step_bytes = 16,
                                           .max_k = 1000,
                                           .pack = pack,
                                           .weight = weight};
static const struct kernel right_kernel = {.name = "own.mine.reference",
                                           .sequence = "mine",
                                           .isa = "reference",
                                           .format = &right_format,
                                           .takes = KERNEL_TAKES_F32,
                                           .gives = KERNEL_GIVES_F32,
                                           .gemv = run};

static void refuses_format(const struct format *format, const char *expected)
{
    char why[256];
    assert_int_equal(plugin_rules_format(format, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, expected));
}

#define FORMAT_WITHOUT(field, value, expected)                                                                         \
    do {                                                                                                               \
        struct format changed = right_format;                                                                          \
        changed.field = value;                                                                                         \
        refuses_format(&changed, expected);                                                                            \
    } while (0)

TEST(formats_are_held_against_the_rules)
{
    char why[256];
    assert_int_equal(plugin_rules_format(&right_format, why, sizeof why), 0);
    FORMAT_WITHOUT(name, NULL, "no name of");
    FORMAT_WITHOUT(name, "a.b", "no name of");
    FORMAT_WITHOUT(bits, 0, "bits is not positive");
    FORMAT_WITHOUT(rows_per_panel, 0, "rows_per_panel");
    FORMAT_WITHOUT(k_per_step, 0, "k_per_step");
    FORMAT_WITHOUT(step_bytes, 0, "exactly one of step_bytes and panel_bytes");
    FORMAT_WITHOUT(k_multiple, 6, "no multiple of k_per_step");
    FORMAT_WITHOUT(max_k, 3, "max_k");
    FORMAT_WITHOUT(weight, NULL, "neither weight() nor get()");
    FORMAT_WITHOUT(weight_min, 2, "weight_min is more than weight_max");
    FORMAT_WITHOUT(k_least, 1001, "k_least is more than max_k");
    FORMAT_WITHOUT(value_count, 2, "go together");
    FORMAT_WITHOUT(order_columns, 3, "order_columns does not divide k_per_step");
    static const int32_t values[] = {-1, 1}, falling[] = {1, -1};
    struct format with_values = right_format;
    with_values.value_count = 2;
    with_values.values = falling;
    refuses_format(&with_values, "not ascending");
    with_values.values = values;
    assert_int_equal(plugin_rules_format(&with_values, why, sizeof why), 0);
    with_values.weight_max = 7;
    refuses_format(&with_values, "values are not within");
    struct format long_order = right_format;
    long_order.order_columns = 2;
    assert_int_equal(plugin_rules_format(&long_order, why, sizeof why), 0);
    long_order.max_k = 1 << 18;
    refuses_format(&long_order, "65536 groups");
}

static void refuses_kernel(const struct kernel *kernel, const char *expected)
{
    char why[256];
    assert_int_equal(plugin_rules_kernel(kernel, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, expected));
}

#define KERNEL_WITHOUT(field, value, expected)                                                                         \
    do {                                                                                                               \
        struct kernel changed = right_kernel;                                                                          \
        changed.field = value;                                                                                         \
        refuses_kernel(&changed, expected);                                                                            \
    } while (0)

TEST(kernels_are_held_against_the_rules)
{
    char why[256];
    struct format opaque = right_format;
    opaque.pack = NULL;
    assert_int_equal(plugin_rules_kernel(&right_kernel, why, sizeof why), 0);
    KERNEL_WITHOUT(name, NULL, "its name must be own.mine.reference");
    KERNEL_WITHOUT(differs, "", "differs is not one line");
    KERNEL_WITHOUT(differs, "two\nlines", "differs is not one line");
    struct kernel rendering = right_kernel;
    rendering.differs = "with our prefetch";
    rendering.prefetch_beside = 512;
    assert_int_equal(plugin_rules_kernel(&rendering, why, sizeof why), 0);
    rendering.prefetch_bytes = 512;
    refuses_kernel(&rendering, "prefetch_beside is for kernels with gemv and without prefetch_bytes");
    KERNEL_WITHOUT(name, "own.other.reference", "its name must be own.mine.reference");
    KERNEL_WITHOUT(isa, "z80", "no instruction set 'z80'");
    KERNEL_WITHOUT(isa, NULL, "must be words");
    KERNEL_WITHOUT(sequence, "a b", "must be words");
    KERNEL_WITHOUT(format, NULL, "it has no format");
    KERNEL_WITHOUT(gemv, NULL, "it has neither gemv nor gemm.run");
    KERNEL_WITHOUT(gives, KERNEL_GIVES_INT32, "int8 activations and integer weights only");
    KERNEL_WITHOUT(prepare, prepare, "exactly one of prepared_bytes");
    KERNEL_WITHOUT(prepared_bytes_per_step, 4, "need prepare");
    KERNEL_WITHOUT(error_bound, 2.5, "error_bound");
    KERNEL_WITHOUT(error_bound, -1, "error_bound");
    KERNEL_WITHOUT(error_bound, NAN, "error_bound");
    KERNEL_WITHOUT(error_bound, 1, "needs row()");
    KERNEL_WITHOUT(float_sums, 7, "float_sums is below 8");
    KERNEL_WITHOUT(k_multiple, 6, "k_multiple is no multiple");
    KERNEL_WITHOUT(k_least, 1001, "no K is within");
    KERNEL_WITHOUT(panels_per_call, 100000, "more than 4096 rows");
    KERNEL_WITHOUT(reads_past, 4033, "reads_past");
    KERNEL_WITHOUT(wraps_beyond, 1.5, "wraps_beyond");
    KERNEL_WITHOUT(wraps_beyond, NAN, "wraps_beyond");
    KERNEL_WITHOUT(operand.bits, 8, "operand is what prepare()");
    KERNEL_WITHOUT(operand.columns, 32, "operand.bits is not 2 to 16");
    struct kernel many = right_kernel;
    many.gemm.tokens_per_group = 4;
    refuses_kernel(&many, "tokens_per_group go together");
    many.gemm = (struct kernel_gemm){.scratch_bytes = scratch_bytes};
    refuses_kernel(&many, "need gemm.run");
    many.gemm = (struct kernel_gemm){.run = run_many, .unpacks_alone = true};
    refuses_kernel(&many, "into the scratch of gemm.scratch_bytes");
    many.gemm.scratch_bytes = scratch_bytes;
    many.gemv = NULL;
    assert_int_equal(plugin_rules_kernel(&many, why, sizeof why), 0);
    struct format in_order = right_format;
    in_order.order_columns = 4;
    struct kernel ordered = right_kernel;
    ordered.ordered.prepare = prepare_in_order;
    refuses_kernel(&ordered, "need a format with order_columns");
    ordered.format = &in_order;
    refuses_kernel(&ordered, "ordered.prepare needs prepare");
    ordered.prepare = prepare;
    ordered.prepared_bytes_per_step = 4;
    assert_int_equal(plugin_rules_kernel(&ordered, why, sizeof why), 0);
    struct kernel lossless = right_kernel;
    lossless.format = &opaque;
    lossless.lossless = true;
    refuses_kernel(&lossless, "cannot be lossless");
}

TEST(versions_and_sizes_are_told_apart)
{
    char why[256];
    struct kneepoint_plugin plugin = {KNEEPOINT_PLUGIN_BUILT, .name = "mine"};
    assert_int_equal(plugin_rules_abi(&plugin, why, sizeof why), 0);
    assert_int_equal(plugin_rules_plugin(&plugin, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "has no format, kernel or sequence"));
    plugin.gemm_slice_bytes++;
    assert_int_equal(plugin_rules_abi(&plugin, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "struct gemm_slice"));
    plugin.gemm_slice_bytes--;
    plugin.slice_bytes++;
    assert_int_equal(plugin_rules_abi(&plugin, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "struct gemv_slice"));
    for (uint32_t abi = KNEEPOINT_PLUGIN_ABI - 1; abi <= KNEEPOINT_PLUGIN_ABI + 1; abi += 2) {
        plugin.abi = abi; /* said before any size: another ABI may have other members there */
        assert_int_equal(plugin_rules_abi(&plugin, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, "plug-in ABI"));
        assert_non_null(strstr(why, "build it again"));
    }
}

TEST(our_sequences_keep_the_rules)
{
    char why[256];
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if (plugin_rules_sequence(*sequence, why, sizeof why))
            fail_msg("%s", why);
        struct sequence unchecked = **sequence;
        unchecked.dots = NULL;
        unchecked.reference = NULL;
        assert_int_equal(plugin_rules_sequence(&unchecked, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, "nothing can check it"));
    }
}

TEST(our_formats_keep_the_rules)
{
    char why[256];
    for (const struct format *const *format = format_all(); *format; format++) {
        if (plugin_rules_format(*format, why, sizeof why))
            fail_msg("%s", why);
    }
}

RUN_TESTS(NULL, NULL)
