/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the kernels of devices are compiled and launched.
 */
#include <string.h>

#include "harness/cells/device/device_product.h"
#include "results/text/words.h"

/** Columns of activations that come to local memory at a time; work-items of a pass. */
enum { CHUNK = 512, PASS_GROUP = 64 };

const struct device_types *device_types_of(const struct device_kernel *kernel)
{
    static const struct device_types integers = {"uint", "char", "int", "int", 1, 4, true},
                                     floats = {"float", "float", "float", "float", 4, 4, false},
                                     planes = {"ulong", "ulong", "int", "float", 8, 4, false},
                                     bf16 = {"uint", "ushort", "int", "ushort", 2, 2, true},
                                     quantized = {"uint", "char", "int", "ushort", 1, 2, true};
    if (device_kernel_macro(kernel, "BF16", 0))
        return device_kernel_macro(kernel, "PASS", 0) == 2 ? &quantized : &bf16;
    return device_kernel_macro(kernel, "ACTIVATION_BITS", 0) ? &planes
           : format_is_integer(device_kernel_format(kernel)) ? &integers
                                                             : &floats;
}

/** How the work is divided among work-items. */
struct division {
    uint32_t width, split;
    size_t group;    /* at least; 0: there is none */
    uint32_t tokens; /* of a work-item */
    bool staged;     /* they come to local memory first */
};

static const struct division *division_of(size_t tokens, size_t variant)
{
    static const struct division of_one[PRODUCT_VARIANTS] =
        {
            {1, 1, 1, 1, false},  {1, 1, 64, 1, false}, {1, 4, 64, 1, false},  {1, 16, 256, 1, false},
            {4, 1, 1, 1, false},  {4, 8, 64, 1, false}, {8, 1, 1, 1, false},   {8, 8, 64, 1, false},
            {16, 1, 1, 1, false}, {16, 4, 4, 1, false}, {16, 8, 64, 1, false}, {16, 32, 256, 1, false},
            {1, 1, 256, 1, true}, {16, 1, 64, 1, true},
        },
                                 of_many[PRODUCT_VARIANTS] = {
                                     {1, 1, 64, 4, false}, {1, 1, 64, 4, true},   {1, 1, 64, 8, false},
                                     {1, 1, 256, 8, true}, {1, 4, 64, 4, true},   {1, 1, 128, 16, true},
                                     {4, 1, 1, 4, false},  {4, 1, 64, 8, true},   {8, 1, 1, 4, false},
                                     {8, 4, 64, 4, true},  {16, 1, 1, 4, false},  {16, 1, 64, 4, true},
                                     {16, 4, 64, 8, true}, {16, 1, 64, 8, false},
                                 };
    return tokens > 1 ? &of_many[variant] : &of_one[variant];
}

/** Its label, and its options but for what is left to the caller. */
static void describe(const struct device_kernel *kernel, const struct division *division, bool built_in,
                     struct device_variant *variant)
{
    const struct format *format = device_kernel_format(kernel);
    const struct device_types *types = device_types_of(kernel);
    char *label = variant->label, *options = variant->options;
    const size_t size = sizeof variant->options;
    words_append(label, sizeof variant->label, "%s%u, ", types->real, division->width);
    if (division->tokens > 1)
        words_append(label, sizeof variant->label, "%u tokens, ", division->tokens);
    if (division->staged)
        words_append(label, sizeof variant->label, "local memory, ");
    if (division->split > 1)
        words_append(label, sizeof variant->label, "K split %u ways, ", division->split);
    words_append(label, sizeof variant->label, "groups of %zu", variant->group);
    words_append(options, size, "%s-DWIDTH=%u -DSPLIT=%u -DGROUP=%zu -DTOKENS=%u -DSTAGED=%d -DPANEL_ROWS=%u",
                 built_in && types->dots ? "-cl-std=CL3.0 -DBUILT_IN=1 " : "", division->width, division->split,
                 variant->group, division->tokens, division->staged, format->rows_per_panel);
    words_append(options, size, " -DGUARD=%d -DCHUNK=%d -DPASS_GROUP=%zu", DEVICE_GUARD, CHUNK, variant->pass_group);
    words_append(options, size, " -DREAL=%s -DACTIVATION=%s -DRESULT=%s -DOUT=%s", types->real, types->activation,
                 types->result, types->out);
    for (const char *at = kernel->macros; *at; at += strspn(at, " ")) {
        const int length = (int)strcspn(at, " ");
        words_append(options, size, " -D%.*s", length, at);
        at += length;
    }
}

/** Bytes of local memory that micro/opencl/product.cl takes, or more. */
static uint64_t local_bytes(const struct device_kernel *kernel, const struct division *division, size_t group,
                            uint32_t items)
{
    const struct device_types *types = device_types_of(kernel);
    const struct format *format = device_kernel_format(kernel);
    const uint32_t bits = device_kernel_macro(kernel, "ACTIVATION_BITS", 0);
    const uint64_t of_columns = bits ? CHUNK / 8 * (bits + 1) : CHUNK * types->activation_size;
    uint64_t bytes = division->tokens * sizeof(float);
    if (division->split > 1)
        bytes += (uint64_t)group * format->rows_per_panel / items * sizeof(float);
    if (division->staged)
        bytes += division->tokens * (of_columns + DEVICE_GUARD_BYTES);
    if (device_kernel_macro(kernel, "BUFFERED", 0))
        bytes += (uint64_t)format->k_per_step * group * division->width * sizeof(float);
    return bytes;
}

/** Whether its row in kernels.def allows it. */
static bool row_allows(const struct device_kernel *kernel, size_t tokens, size_t variant)
{
    const struct division *division = division_of(tokens, variant);
    const uint32_t lanes = device_kernel_macro(kernel, "LANES", 1),
                   only = device_kernel_macro(kernel, "ONLY", PRODUCT_VARIANTS);
    return division->group > 0 && division->width >= device_kernel_macro(kernel, "WIDTH_LEAST", 1) &&
           division->width <= device_kernel_macro(kernel, "WIDTH_MOST", 1) &&
           (lanes == 1 || lanes % division->width == 0) &&
           (only == PRODUCT_VARIANTS || variant == (tokens > 1 ? only : 1)) &&
           (division->split == 1 || !device_kernel_macro(kernel, "BUFFERED", 0));
}

bool device_product_arrange(const struct device_kernel *kernel, const struct opencl_device *device, size_t m,
                            size_t tokens, size_t variant, struct device_variant *arranged)
{
    if (!row_allows(kernel, tokens, variant))
        return false;
    const struct division *division = division_of(tokens, variant);
    const uint32_t lanes = device_kernel_macro(kernel, "LANES", 1),
                   items = lanes > division->width ? lanes / division->width : 1;
    const size_t together = (size_t)items * division->split,
                 shares = division->group > together ? division->group / together : 1,
                 groups = (format_panels(device_kernel_format(kernel), m) + shares - 1) / shares,
                 tiles = (tokens + division->tokens - 1) / division->tokens;
    *arranged = (struct device_variant){
        .items = groups * tiles * together * shares,
        .group = together * shares,
        .together = together,
        .split = division->split,
        .staged = division->staged,
        .pass_group = device->group_items && device->group_items < PASS_GROUP ? 1 : PASS_GROUP,
    };
    describe(kernel, division, device->integer_dot_product == OPENCL_YES, arranged);
    words_append(arranged->options, sizeof arranged->options, " -DITEMS=%u", items);
    return (device->group_items == 0 || arranged->group <= device->group_items) &&
           (device->local_bytes == 0 || local_bytes(kernel, division, arranged->group, items) <= device->local_bytes);
}
