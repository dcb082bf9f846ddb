/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "platforms/clock/clock.h"

struct counters_system;

/** The chain clock of platforms/clock/clock.h as the system table wants it. */
struct counters_chain {
    struct clock clock; /* calibrated */
};

/** This machine with its chain clock; chain must outlive the table. */
void counters_system_host_with_chain(struct counters_system *system, struct counters_chain *chain);
