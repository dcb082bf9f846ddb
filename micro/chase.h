/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_CHASE_H
#define MICRO_CHASE_H

#include <stddef.h>
#include <stdint.h>

/**
 * A pointer chase: every cache line holds the address of the next, in one cycle of random order through all of them, so
 * that each load waits for the one before and no prefetcher knows where it goes.
 */
enum { CHASE_LINE = 64, CHASE_STEP = 8 };

/**
 * Link lines into one cycle, drawn by Sattolo's algorithm: each of the (lines - 1)! cycles is as likely.
 * @param memory  lines * apart * CHASE_LINE bytes, aligned to a line; written from front to back
 * @param lines   2 … 2^32 - 1
 * @param apart   1: all lines of the memory; more: one of each `apart` neighbours, which of them is drawn, so that no set of a
 *                cache and no channel of the memory is preferred
 * @param next    scratch, [lines]
 * @param seed    the same cycle for the same seed
 * @return        a line of it
 */
const void *chase_link(void *memory, size_t lines, size_t apart, uint32_t *next, uint64_t seed);

/**
 * Follow the cycle.
 * @param at    the first byte of a line
 * @param hops  a multiple of CHASE_STEP
 * @return      where it ended
 */
const void *chase_walk(const void *at, uint64_t hops);

#endif
