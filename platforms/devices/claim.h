/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * Claim a device of this machine until this process ends, however it ends: two that measure on it at once would measure each other. Those
 * it starts have no part in it. It is a name in this machine's abstract sockets, so that nothing is left behind; a container with a network
 * of its own has names of its own.
 * @return 0; -EBUSY another process has claimed it; another negative errno; with one line in why
 */
int device_claim(const char *device, char *why, size_t size);
