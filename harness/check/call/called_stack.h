/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CHECK_CALL_CALLED_STACK_H
#define HARNESS_CHECK_CALL_CALLED_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The stack that checked calls run on, one in a process, as large as that of a program is by default:
 *
 *     guard page | the callee's stack, growing down | the caller's frame: a pattern | guard page
 *
 * A callee may read its caller's frame, and must leave it as it is: it has no arguments there.
 */
enum { CALLED_STACK_BYTES = 8 << 20, CALLED_STACK_FRAME_BYTES = 1024 };

/** Write the pattern. @return where the stack pointer is to be at the call, aligned to 16; NULL: there is no memory for guard pages */
uint8_t *called_stack_begin(void);

/** Whether the frame lost its pattern since. */
bool called_stack_is_spoiled(void);

enum called_stack_place { CALLED_STACK_ELSEWHERE, CALLED_STACK_BELOW, CALLED_STACK_ABOVE };

/** In which of the guard pages an address lies. */
enum called_stack_place called_stack_place(const void *address);

#endif
