/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * The folder of the recorded machine that the tool believes to run on, as KNEEPOINT_MACHINE names it (platforms/fixtures/machines,
 * CONTRIBUTING); NULL: this machine. Of test builds alone.
 */
const char *machine_standin_folder(void);

/** What would run code of this machine is refused on a recorded one. @return -ENOTSUP with why there, else 0 */
int machine_standin_refuse(char *why, size_t size);
