/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

/**
 * Older runs have numbers that come from one sample. Where a run is read, each quantity of fewer than
 * STATS_KEPT_LEAST kept samples becomes what is written for it today, null with the count and the reason, and what the
 * record derives from it becomes null too: no reader has to ask again how many there were. A gamma of grade wall is no
 * longer the best of its sequence, nor bound by anything. A record of today comes back as it was.
 *
 * @return 0 or -ENOMEM
 */
int null_undersampled(json_t *record);
