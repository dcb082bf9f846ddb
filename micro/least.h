/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LEAST_H
#define MICRO_LEAST_H

#include <stddef.h>

static inline size_t least(size_t one, size_t other)
{
    return one < other ? one : other;
}

#endif
