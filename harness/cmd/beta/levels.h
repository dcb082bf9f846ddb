/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/device_roof/device_roof.h"
#include "harness/cmd/console/instead.h"

/** What options of `beta` measure instead of read roofs. */
struct beta_request {
    const char *level;           /* alone; NULL: every level */
    const struct device *device; /* NULL: none is measured */
    const unsigned *sizes;
    size_t teams;
};

extern const struct table latency_table, tiles_table, device_table;
extern const struct instead beta_latency, beta_tiles, beta_device;

/** Whether no stream, of lines or of tiles, runs on this CPU, and in one line why. */
bool streams_missing(const struct session *session, bool tiles, char *why, size_t size);
