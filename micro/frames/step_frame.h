/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a sequence's step (micro/sequences/<arch>/<name>.inc) finds in a kernel: the same `dot` and `dot_of` as in the frame of a
 * sequence, but with the kernel's sums as accumulators.
 */
#ifndef __aarch64__
    .intel_syntax noprefix
#endif
    .altmacro

/* dots of the group that follows go to the sums from register number `base` on, `count` of them by turns */
.macro dots_into base, count
    .set dot_first, \base
    .set dot_number, \base
    .set dot_count, \count
.endm

.macro dot source:vararg
    dot_into %(dot_number), <\source>
    .set dot_number, dot_number + 1
    .if dot_number == dot_first + dot_count
    .set dot_number, dot_first
    .endif
.endm

.macro dot_of index, source:vararg
    dot_into %(dot_first + \index), <\source>
.endm

/* around the first step: tests disassemble what lies between */
.macro step_mark_begin
    .ifndef step_begin
step_begin:
    .set step_marked, 1
    .else
    .set step_marked, 0
    .endif
.endm
.macro step_mark_end
    .if step_marked
step_end:
    .endif
.endm
