/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/device_kernel_names.h"

#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/command/exit_code.h"
#include "harness/plugin/name_argument.h"
#include "results/text/words.h"

static bool means(const char *name, const struct device_kernel *kernel)
{
    struct name_argument given = name_argument_begin(name);
    for (const struct device_kernel *at = device_kernels; at->name; at++)
        name_argument_hold(&given, at->name);
    return name_argument_is(&given, kernel->name);
}

bool device_kernel_is_named(const struct device_kernel *kernel, const struct device_kernel_names *names)
{
    const struct kernel definition = device_kernel_definition(kernel);
    bool meant = !names->count;
    for (int i = 0; i < names->count; i++)
        meant = meant || means(names->names[i], kernel);
    return meant && name_filter_has_kernel(names->filter, &definition);
}

/** "i2_s.mask, int1_planes.mask": all there are. */
static void list_all(char *text, size_t size)
{
    text[0] = '\0';
    for (const struct device_kernel *kernel = device_kernels; kernel->name; kernel++)
        words_add(text, size, "%.*s", (int)(strlen(kernel->name) - strlen(".opencl")), kernel->name);
}

int device_kernel_names_check(const char *command, const struct device_kernel_names *names)
{
    char all[1024], filter[256];
    bool any = false;
    list_all(all, sizeof all);
    for (int i = 0; i < names->count; i++) {
        bool found = false;
        for (const struct device_kernel *kernel = device_kernels; kernel->name; kernel++)
            found = found || means(names->names[i], kernel);
        if (!found)
            return complain(EXIT_USAGE, command, "no kernel for OpenCL devices is named '%s'; there are %s",
                            names->names[i], all);
    }
    for (const struct device_kernel *kernel = device_kernels; kernel->name; kernel++)
        any = any || device_kernel_is_named(kernel, names);
    if (!any)
        return complain(EXIT_USAGE, command, "no kernel for OpenCL devices has %s; there are %s",
                        name_filter_text(names->filter, filter, sizeof filter), all);
    return EXIT_DONE;
}
