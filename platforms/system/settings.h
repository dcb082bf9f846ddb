/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "platforms/system/host.h"

/** Settings of the machine that a measurement depends on, judged from facts alone. They are never changed. */

struct setting {
    const char *name; /* "governor" */
    char value[64];   /* as a reader sees it: "powersave", "on", "not visible" */
    const char *harm; /* what it does to a measurement; NULL if it does none */
    char remedy[160]; /* command that changes it; "" with no harm */
};

enum { SETTINGS_MOST = 12 };

/** Judge every setting. @param numa_nodes  of the machine  @return how many settings were written (at most
 * SETTINGS_MOST) */
size_t settings_judge(const struct host_facts *facts, size_t numa_nodes, struct setting settings[SETTINGS_MOST]);
