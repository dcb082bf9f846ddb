/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/plugin/name_filter.h"
#include "micro/device_kernel.h"

/** Kernels of OpenCL devices as a user names them (harness/plugin/name_argument.h); without names all that the filter has. */
struct device_kernel_names {
    char *const *names;
    int count;
    const struct name_filter *filter;
};

bool device_kernel_is_named(const struct device_kernel *kernel, const struct device_kernel_names *names);

/** Whether each name means one, and the filter leaves some. @return EXIT_DONE, or EXIT_USAGE after complaining */
int device_kernel_names_check(const char *command, const struct device_kernel_names *names);
