/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/device_table.h"

#include <math.h>
#include <stdio.h>

#include "harness/cmd/console/console.h"

void device_table_head(const struct device *device)
{
    const struct opencl_device *facts = &device->facts;
    char text[5 * OPENCL_TEXT];
    snprintf(text, sizeof text, "%s: %s %s, %s, driver %s%s\n\n", device->number, opencl_kind_name(facts->kind),
             facts->name, device->platform, facts->driver,
             facts->kind == OPENCL_CPU ? "\nThe cores of this machine, through OpenCL: not a GPU." : "");
    console_print_text(text);
}

const char *device_timers_text(const json_t *record, char *text, size_t size)
{
    const json_t *profiled = json_object_get(record, "profiled");
    const double least = json_number_value(json_array_get(profiled, 0)),
                 most = json_number_value(json_array_get(profiled, 1));
    if (json_is_true(json_object_get(record, "timers_agree")))
        snprintf(text, size, "agree");
    else if (json_is_array(profiled))
        snprintf(text, size, "%.2f", fabs(least - 1) > fabs(most - 1) ? least : most);
    else
        text[0] = '\0';
    return text;
}
