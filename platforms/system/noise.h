/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "platforms/clock/gap_scan.h"
#include "platforms/system/host.h"

/** What disturbed this machine during a short scan: gaps of one spinning CPU, and what the kernel counted meanwhile. */
struct noise {
    struct gap_scan gaps;
    struct host_disturbance during; /* whole machine, while the scan ran */
    bool during_known;
};

/** Spin for duration_ns on the calling thread. */
struct noise noise_scan(uint64_t duration_ns);

/** Record of type "noise"; a new reference, or NULL without memory. */
json_t *noise_record(const struct noise *noise);
