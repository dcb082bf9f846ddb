/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/device_roof/device_roof.h"
#include "harness/cmd/beta/levels.h"
#include "harness/cmd/console/device_table.h"

static int add_cells(const void *given, const struct session *session, struct cells *cells)
{
    (void)session;
    return device_roof_add_all(cells, ((const struct beta_request *)given)->device);
}

static void print_head(const void *given)
{
    device_table_head(((const struct beta_request *)given)->device);
}

static const struct table_column columns[] = {
    {"roof", "roof", .left = true},
    {"GB/s", "bytes_per_s", TABLE_NUMBER, .scale = 1e-9, .digits = 2, .rank = 1},
    {"+-", "bytes_per_s", TABLE_HALF, .scale = 1e-9, .digits = 2, .rank = 5},
    {"Gop/s", "operations_per_s", TABLE_NUMBER, .scale = 1e-9, .digits = 1, .rank = 1},
    {"+-", "operations_per_s", TABLE_HALF, .scale = 1e-9, .digits = 1, .rank = 5},
    {"us", "time_s", TABLE_NUMBER, .scale = 1e6, .digits = 1, .rank = 2},
    {"timers", "timers_agree", .text = device_timers_text, .rank = 3},
    {"n", "time_s", TABLE_KEPT, .rank = 6},
    {"variant", "variant", .rank = 4, .left = true},
};

const struct table device_table = {"device_roof", "Roofs of a device", columns,
                                   .count = sizeof columns / sizeof *columns};

const struct instead beta_device = {
    .option = "--device",
    .shows = "device_roof",
    .kind = &cell_kind_device_roof,
    .table = &device_table,
    .add = add_cells,
    .head = print_head,
    .legend =
        "\nThe fastest variant of each kernel: median and half the 95% interval of series of launches by the host's "
        "clock.\nus: a launch. A multiply and an add count two operations.\n" DEVICE_TIMERS_LEGEND,
};
