/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/device/device_cell.h"
#include "harness/cmd/console/table.h"

/** What tables of OpenCL devices have in common. */

/** Print which device it is, and of a CPU that it is no GPU. */
void device_table_head(const struct device *device);

/** "agree", or what profiling says of the time that the host's clock has. */
const char *device_timers_text(const json_t *record, char *text, size_t size);

/** A line of a legend. */
#define DEVICE_TIMERS_LEGEND                                                                                           \
    "timers: whether profiling events agree with that clock on most series within 3%, else the share of it that "      \
    "they\nsay, where it is farthest off.\n"
