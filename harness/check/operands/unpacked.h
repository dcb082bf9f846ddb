/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CHECK_OPERANDS_UNPACKED_H
#define HARNESS_CHECK_OPERANDS_UNPACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Whether a call of run() that unpacks alone left in its scratch what one with a token leaves there: each byte that it
 * changed is the same, and for every two columns, of the last 256, one is changed at least; how much more stays there is the
 * kernel's own affair.
 * Scratch of both was filled with junk before. What run() computes from that scratch is checked as any product is.
 * @param alone, multiplied  first `bytes` of scratch after each
 */
bool unpacked_alike(const uint8_t *alone, const uint8_t *multiplied, size_t bytes, uint8_t junk, size_t columns);

#endif
