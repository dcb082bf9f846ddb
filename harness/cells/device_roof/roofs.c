/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device_roof/roofs.h"

#include <stdio.h>

enum { WORD = 4, PLACES = 4, CHAINS = 8 };

static uint64_t units_of(const struct opencl_device *device)
{
    return device_power_above(device->compute_units ? device->compute_units : 1);
}

static bool takes_group(const struct opencl_device *device, size_t group)
{
    return device->group_items == 0 || group <= device->group_items;
}

/** Modulo 2^32, of words [0, count). */
static uint32_t sum_of_words(uint64_t count)
{
    uint64_t pairs = count % 2 ? count * ((count - 1) / 2) : count / 2 * (count - 1);
    return (uint32_t)pairs * 2654435761u + (uint32_t)count;
}

/* ---- memory ---- */

static bool arrange_read(const struct opencl_device *device, size_t variant, struct roof_variant *arranged)
{
    static const struct {
        bool interleaved;
        unsigned width, group, items; /* of a compute unit */
    } variants[] = {
        {true, 1, 64, 2048},  {true, 4, 64, 2048}, {true, 4, 256, 2048}, {true, 4, 256, 8192},
        {true, 16, 64, 2048}, {false, 4, 1, 16},   {false, 16, 1, 16},   {false, 16, 16, 64},
    };
    const uint64_t bytes = device_cold_bytes(device);
    const unsigned width = variants[variant].width;
    *arranged = (struct roof_variant){
        .items = units_of(device) * variants[variant].items,
        .group = variants[variant].group,
        .words = bytes / WORD,
        .amount = (double)bytes,
        .sum = sum_of_words(bytes / WORD),
    };
    arranged->each = (uint32_t)(arranged->words / width / arranged->items);
    snprintf(arranged->label, sizeof arranged->label, "uint%u, groups of %zu%s", width, arranged->group,
             variants[variant].interleaved ? ", interleaved" : "");
    snprintf(arranged->options, sizeof arranged->options, "-DREAL=uint -DWIDTH=%u -DGROUP=%zu -DINTERLEAVED=%d", width,
             arranged->group, variants[variant].interleaved);
    return takes_group(device, arranged->group) && arranged->each > 0;
}

static bool arrange_local(const struct opencl_device *device, size_t variant, struct roof_variant *arranged)
{
    static const struct {
        unsigned width, group;
    } variants[] = {{1, 64}, {4, 64}, {4, 256}, {16, 16}};
    const unsigned width = variants[variant].width, group = variants[variant].group;
    *arranged = (struct roof_variant){
        .items = units_of(device) * 8192 / width, .group = group, .each = 1024, .words = PLACES * group * width};
    arranged->amount = (double)arranged->items * arranged->each * PLACES * width * WORD;
    arranged->sum = sum_of_words(arranged->words) * (uint32_t)(arranged->each / group) * (uint32_t)arranged->items;
    snprintf(arranged->label, sizeof arranged->label, "uint%u, groups of %u", width, group);
    snprintf(arranged->options, sizeof arranged->options, "-DREAL=uint -DWIDTH=%u -DGROUP=%u -DPLACES=%d", width, group,
             PLACES);
    return takes_group(device, group) && (!device->local_bytes || arranged->words * WORD <= device->local_bytes);
}

/** Large enough for any copy to be limited by its bandwidth. */
static bool arrange_copy(const struct opencl_device *device, size_t variant, struct roof_variant *arranged)
{
    enum { COPY = 64 << 20 };
    const uint64_t room = device_cold_bytes(device), bytes = room < COPY ? room : COPY;
    *arranged = (struct roof_variant){.words = bytes / WORD, .amount = (double)bytes, .mapped = variant == 1};
    snprintf(arranged->label, sizeof arranged->label, "from %s memory", arranged->mapped ? "mapped" : "ordinary");
    return true;
}

/* ---- arithmetic ---- */

/** Unsigned times signed bytes. */
static uint32_t dot(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8)
        sum += (uint32_t)((uint8_t)(a >> i) * (int8_t)(b >> i));
    return sum;
}

/** Of all work-items, which begin in eight ways. */
static uint32_t sum_of_dots(const struct roof_variant *arranged, unsigned width)
{
    uint32_t all = 0;
    for (unsigned item = 0; item < 8; item++) {
        for (unsigned k = 0; k < CHAINS * width; k++) {
            uint32_t sum = roof_word(k + item);
            for (uint32_t i = 0; i < arranged->each; i++)
                sum = dot(sum, roof_word(160)) + roof_word(161);
            all += sum;
        }
    }
    return all * (uint32_t)(arranged->items / 8);
}

static bool arrange_dot(const struct opencl_device *device, size_t variant, struct roof_variant *arranged)
{
    static const struct {
        bool built_in;
        unsigned width, group;
    } variants[] = {{true, 1, 64},  {true, 1, 256}, {true, 4, 64},  {false, 1, 64},
                    {false, 4, 64}, {false, 8, 64}, {false, 16, 16}};
    const bool built_in = variants[variant].built_in;
    const unsigned width = variants[variant].width;
    *arranged = (struct roof_variant){
        .items = units_of(device) * 2048, .group = variants[variant].group, .each = 128, .words = 256};
    arranged->amount = 8.0 * (double)arranged->items * arranged->each * CHAINS * width;
    arranged->sum = sum_of_dots(arranged, width);
    snprintf(arranged->label, sizeof arranged->label, "uint%u %s, groups of %zu", width, built_in ? "built in" : "in C",
             arranged->group);
    snprintf(arranged->options, sizeof arranged->options,
             "%s-DREAL=uint -DWIDTH=%u -DGROUP=%zu -DCHAINS=%d -DBUILT_IN=%d", built_in ? "-cl-std=CL3.0 " : "", width,
             arranged->group, CHAINS, built_in);
    return takes_group(device, arranged->group) && (!built_in || device->integer_dot_product == OPENCL_YES);
}

/** Of all work-items: after an even number of steps each number is what it was. */
static uint32_t sum_of_numbers(const struct roof_variant *arranged, unsigned width)
{
    uint32_t all = 0;
    for (unsigned item = 0; item < 8; item++) {
        for (unsigned i = 0; i < CHAINS * width; i++)
            all += roof_word(item + i) & 7;
    }
    return all * (uint32_t)(arranged->items / 8);
}

static bool arrange_fma(const struct opencl_device *device, size_t variant, bool half, struct roof_variant *arranged)
{
    static const struct {
        unsigned width, group;
    } variants[] = {{1, 256}, {4, 64}, {8, 64}, {16, 16}};
    const unsigned width = variants[variant].width;
    *arranged = (struct roof_variant){
        .items = units_of(device) * 2048, .group = variants[variant].group, .each = 1024, .words = 256};
    arranged->amount = 2.0 * (double)arranged->items * arranged->each * CHAINS * width;
    arranged->sum = sum_of_numbers(arranged, width);
    snprintf(arranged->label, sizeof arranged->label, "%s%u, groups of %zu", half ? "half" : "float", width,
             arranged->group);
    snprintf(arranged->options, sizeof arranged->options, "-DREAL=%s -DHALF=%d -DWIDTH=%u -DGROUP=%zu -DCHAINS=%d",
             half ? "half" : "float", half, width, arranged->group, CHAINS);
    return takes_group(device, arranged->group) && (!half || device->fp16 == OPENCL_YES);
}

static bool arrange_fma_f32(const struct opencl_device *device, size_t variant, struct roof_variant *arranged)
{
    return arrange_fma(device, variant, false, arranged);
}

static bool arrange_fma_f16(const struct opencl_device *device, size_t variant, struct roof_variant *arranged)
{
    return arrange_fma(device, variant, true, arranged);
}

/* ---- launches ---- */

static bool arrange_launch(const struct opencl_device *device, size_t variant, struct roof_variant *arranged)
{
    (void)variant;
    *arranged = (struct roof_variant){.items = 64, .group = 64, .each = 1, .words = 64, .amount = 1};
    snprintf(arranged->label, sizeof arranged->label, "an empty kernel of 64 work-items");
    snprintf(arranged->options, sizeof arranged->options, "-DREAL=uint -DWIDTH=1 -DGROUP=64");
    return takes_group(device, arranged->group);
}

const struct device_roof device_roofs[DEVICE_ROOFS] = {
    [DEVICE_ROOF_READ] = {"read", "memory read", "micro/opencl/read.cl", ROOF_BYTES, 8, arrange_read, true},
    {"local", "local memory", "micro/opencl/local.cl", ROOF_BYTES, 4, arrange_local, false},
    {"int8_dot", "int8 dot product", "micro/opencl/int8_dot.cl", ROOF_OPERATIONS, 7, arrange_dot, false},
    {"fma_f32", "multiply-add, fp32", "micro/opencl/fma.cl", ROOF_OPERATIONS, 4, arrange_fma_f32, false},
    {"fma_f16", "multiply-add, fp16", "micro/opencl/fma.cl", ROOF_OPERATIONS, 4, arrange_fma_f16, false},
    [DEVICE_ROOF_LAUNCH] = {"launch", "launch", "micro/opencl/launch.cl", ROOF_LAUNCHES, 1, arrange_launch, false},
    {"copy", "host to device", NULL, ROOF_BYTES, 2, arrange_copy, false},
};
