/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/device_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct kernel device_kernel_definition(const struct device_kernel *kernel)
{
    const struct format *format = device_kernel_format(kernel);
    const bool integer = format_is_integer(format);
    return (struct kernel){
        .name = kernel->name,
        .isa = "opencl",
        .origin = "kneepoint",
        .format = format,
        .takes = integer ? KERNEL_TAKES_INT8 : KERNEL_TAKES_F32,
        .gives = integer ? KERNEL_GIVES_INT32 : KERNEL_GIVES_F32,
    };
}
