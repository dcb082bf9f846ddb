/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See format.h.
 */
#include "harness/cmd/explain/explain_command.h"

#include <stdio.h>
#include <string.h>

json_t *explain_format(const struct format *format)
{
    json_t *kernels = json_array();
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if ((*kernel)->format == format)
            json_array_append_new(kernels, json_string((*kernel)->name));
    }
    json_t *record = json_pack("{s:s, s:s, s:f, s:i, s:i, s:i, s:o}", "type", "format_explained", "name", format->name,
                               "bits", format->bits, "rows_per_panel", (int)format->rows_per_panel, "k_per_step",
                               (int)format->k_per_step, "max_k", (int)format->max_k, "kernels", kernels);
    bool integer = format->weight_min != 0 || format->weight_max != 0;
    if (record) {
        json_object_set_new(record, "weight_min", integer ? json_integer(format->weight_min) : json_null());
        json_object_set_new(record, "weight_max", integer ? json_integer(format->weight_max) : json_null());
    }
    return record;
}

static long long number_of(const json_t *record, const char *field)
{
    return (long long)json_integer_value(json_object_get(record, field));
}

void explain_print_format(const json_t *record)
{
    const char *name = json_string_value(json_object_get(record, "name"));
    const json_t *kernels = json_object_get(record, "kernels");
    printf("%s is a format of packed weights, %g bits each, scales included.\n\n", name,
           json_number_value(json_object_get(record, "bits")));
    printf("%-13s panels of %lld rows, steps of %lld columns\n", "matrix", number_of(record, "rows_per_panel"),
           number_of(record, "k_per_step"));
    if (json_is_integer(json_object_get(record, "weight_min")))
        printf("%-13s integers from %lld to %lld\n", "weights", number_of(record, "weight_min"),
               number_of(record, "weight_max"));
    printf("%-13s drawn in kneepoint-formats(7)\n", "layout");
    printf("%-13s %zu\n", "kernels", json_array_size(kernels));
    for (size_t i = 0; i < json_array_size(kernels); i++)
        printf("    %s\n", json_string_value(json_array_get(kernels, i)));
    printf("\nMeasure it on its own:\n  kneepoint explain KERNEL\n  kneepoint list kernels %s\n  kneepoint gemv %s "
           "--threads 1\n",
           name, name);
}
