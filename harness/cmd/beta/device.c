/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/device_roof/device_roof.h"
#include "harness/cmd/beta/instead.h"
#include "harness/cmd/console/console.h"

static int add_cells(const struct instead_request *request, const struct session *session, struct cells *cells)
{
    (void)session;
    return device_roof_add_all(cells, request->device);
}

static void print_head(const struct instead_request *request)
{
    const struct opencl_device *device = &request->device->facts;
    char text[5 * OPENCL_TEXT];
    snprintf(text, sizeof text, "%s: %s %s, %s, driver %s%s\n\n", request->device->number,
             opencl_kind_name(device->kind), device->name, request->device->platform, device->driver,
             device->kind == OPENCL_CPU ? "\nThe cores of this machine, through OpenCL: not a GPU." : "");
    console_print_text(text);
}

/** "agree", or what profiling says of the time that the host's clock has. */
static const char *timers_text(const json_t *record, char *text, size_t size)
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

static const struct table_column columns[] = {
    {.heading = "roof", .field = "roof", .left = true},
    {.heading = "GB/s", .field = "bytes_per_s", .value = TABLE_NUMBER, .scale = 1e-9, .digits = 2, .rank = 1},
    {.heading = "+-", .field = "bytes_per_s", .value = TABLE_HALF, .scale = 1e-9, .digits = 2, .rank = 5},
    {.heading = "Gop/s", .field = "operations_per_s", .value = TABLE_NUMBER, .scale = 1e-9, .digits = 1, .rank = 1},
    {.heading = "+-", .field = "operations_per_s", .value = TABLE_HALF, .scale = 1e-9, .digits = 1, .rank = 5},
    {.heading = "us", .field = "time_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 1, .rank = 2},
    {.heading = "timers", .field = "timers_agree", .text = timers_text, .rank = 3},
    {.heading = "n", .field = "time_s", .value = TABLE_KEPT, .rank = 6},
    {.heading = "variant", .field = "variant", .rank = 4, .left = true},
};

const struct table device_table = {
    .type = "device_roof", .title = "Roofs of a device", .columns = columns, .count = sizeof columns / sizeof *columns};

const struct instead beta_device = {
    .option = "--device",
    .shows = "device_roof",
    .kind = &cell_kind_device_roof,
    .table = &device_table,
    .add = add_cells,
    .head = print_head,
    .legend =
        "\nThe fastest variant of each kernel: median and half the 95% interval of series of launches by the host's "
        "clock.\nus: a launch. timers: whether profiling events agree with that clock on most series within 3%, else the "
        "share of it that\nthey say, where it is farthest off. A multiply and an add count two operations.\n",
};
