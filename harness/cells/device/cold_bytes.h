/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

#include "platforms/devices/opencl.h"

/** The least power of two that is not less. */
static inline uint64_t device_power_above(uint64_t value)
{
    uint64_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

/**
 * Bytes that have to be read for a device to read its memory: eight times its caches, 256 MiB to 2 GiB, as far as its largest buffer and a
 * quarter of its memory allow. A power of two.
 */
static inline uint64_t device_cold_bytes(const struct opencl_device *device)
{
    const uint64_t least = UINT64_C(256) << 20, most = UINT64_C(2) << 30;
    uint64_t bytes = device_power_above(8 * device->cache_bytes), room = device->buffer_bytes;
    bytes = bytes < least ? least : bytes > most ? most : bytes;
    if (device->memory_bytes && device->memory_bytes / 4 < room)
        room = device->memory_bytes / 4;
    return room && bytes > room ? device_power_above(room / 2 + 1) : bytes;
}
