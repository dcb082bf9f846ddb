/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/device_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro/families/bit_serial/bit_serial_device.h"
#include "micro/formats/int2_vnni16/bf16_operand.h"
#include "registry.h"

#define DEVICE_KERNEL(of, from, with) {.name = of, .source = from, .macros = with},
const struct device_kernel device_kernels[] = {REGISTRY_DEVICE_KERNELS(DEVICE_KERNEL){0}};

const struct format *device_kernel_format(const struct device_kernel *kernel)
{
    char format[64];
    snprintf(format, sizeof format, "%.*s", (int)strcspn(kernel->name, "."), kernel->name);
    return format_find(format);
}

uint32_t device_kernel_macro(const struct device_kernel *kernel, const char *macro, uint32_t otherwise)
{
    const size_t length = strlen(macro);
    for (const char *at = kernel->macros; *at; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        if (strncmp(at, macro, length) == 0 && at[length] == '=')
            return (uint32_t)strtoul(at + length + 1, NULL, 10);
    }
    return otherwise;
}

/* ---- bit planes, whose activations are quantized to planes first ---- */

#define OPERAND(weight_bits, activation_bits)                                                                          \
    static size_t bytes_##weight_bits##_##activation_bits(size_t k)                                                    \
    {                                                                                                                  \
        return bits_device_bytes(k, activation_bits);                                                                  \
    }                                                                                                                  \
    static void prepare_##weight_bits##_##activation_bits(const void *activations, size_t k, void *prepared)           \
    {                                                                                                                  \
        bits_device_prepare(activations, k, activation_bits, prepared);                                                \
    }                                                                                                                  \
    static struct kernel_row row_##weight_bits##_##activation_bits(const uint8_t *panel, size_t k, uint32_t row,       \
                                                                   const void *prepared)                               \
    {                                                                                                                  \
        return bits_device_row(format_find("w" #weight_bits), panel, k, row, activation_bits, prepared);               \
    }
#define OPERAND_ENTRY(weight_bits, activation_bits)                                                                    \
    {weight_bits,                                                                                                      \
     activation_bits,                                                                                                  \
     BITS_ERROR(activation_bits),                                                                                      \
     bytes_##weight_bits##_##activation_bits,                                                                          \
     prepare_##weight_bits##_##activation_bits,                                                                        \
     row_##weight_bits##_##activation_bits},
/** W x A of [apt-llm, Tables II to IV]. */
#define OPERANDS(X) X(1, 1) X(1, 2) X(2, 2) X(3, 4)
OPERANDS(OPERAND)

static const struct operand {
    uint32_t weight_bits, activation_bits;
    double error_bound;
    size_t (*bytes)(size_t k);
    void (*prepare)(const void *activations, size_t k, void *prepared);
    struct kernel_row (*row)(const uint8_t *panel, size_t k, uint32_t row, const void *prepared);
} operands[] = {OPERANDS(OPERAND_ENTRY)};

static void take_planes(const struct device_kernel *kernel, struct kernel *definition)
{
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
        const struct operand *operand = &operands[i];
        if (operand->weight_bits != device_kernel_macro(kernel, "WEIGHT_BITS", 0) ||
            operand->activation_bits != device_kernel_macro(kernel, "ACTIVATION_BITS", 0))
            continue;
        definition->takes = KERNEL_TAKES_F32;
        definition->gives = KERNEL_GIVES_F32;
        definition->error_bound = operand->error_bound;
        definition->prepared_bytes = operand->bytes;
        definition->prepare = operand->prepare;
        definition->row = operand->row;
    }
}

/* ---- BF16, which a device quantizes ---- */

static void bf16_prepare(const void *activations, size_t k, void *prepared)
{
    uint16_t *values = (uint16_t *)(void *)((uint8_t *)prepared + BF16_OPERAND_HEADER);
    memset(prepared, 0, bf16_operand_bytes(k));
    for (size_t i = 0; i < k; i++)
        values[i] = bfloat_from_float(((const float *)activations)[i]);
}

/** A device may divide less exactly: one activation of another int8, and the next BF16, may be. */
static struct kernel_row bf16_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct format *format = format_find("int2_vnni16");
    float scale;
    struct kernel_row wanted = bf16_operand_row(format, panel, k, row, prepared, &scale);
    wanted.magnitude = 0x1p20 * (0x1p-8 * fabs(wanted.y) + 2.0 * scale);
    return wanted;
}

static void take_bf16(struct kernel *definition)
{
    definition->takes = KERNEL_TAKES_F32;
    definition->gives = KERNEL_GIVES_F32;
    definition->float_sums = KERNEL_FLOAT_SUMS_ALL;
    definition->error_bound = 2 * 0x1p-8 + 1.0 / 250;
    definition->prepared_bytes = bf16_operand_bytes;
    definition->prepare = bf16_prepare;
    definition->row = bf16_row;
}

struct kernel device_kernel_definition(const struct device_kernel *kernel)
{
    const struct format *format = device_kernel_format(kernel);
    const bool integer = format_is_integer(format);
    struct kernel definition = {
        .name = kernel->name,
        .isa = "opencl",
        .origin = "kneepoint",
        .format = format,
        .takes = integer ? KERNEL_TAKES_INT8 : KERNEL_TAKES_F32,
        .gives = integer ? KERNEL_GIVES_INT32 : KERNEL_GIVES_F32,
    };
    take_planes(kernel, &definition);
    if (device_kernel_macro(kernel, "BF16", 0))
        take_bf16(&definition);
    return definition;
}
