/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which cells of stored runs --format, --isa, --origin and --bits leave: those of kernels and sequences that have it.
 */
#include <stdio.h>
#include <string.h>

#include "harness/cmd/compare/compare_command.h"

bool compare_wants(const void *context, const char *cell)
{
    const struct name_filter *filter = context;
    char name[256] = "";
    if (!name_filter_is_set(filter))
        return true;
    sscanf(cell, "%*[^/]/%255[^/]", name);
    const struct kernel *kernel = kernel_find(name);
    const struct sequence *sequence = kernel ? NULL : sequence_find(name);
    return kernel ? name_filter_has_kernel(filter, kernel) : sequence && name_filter_has_sequence(filter, sequence);
}
