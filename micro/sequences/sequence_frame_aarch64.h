/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The aarch64 half of the frame of a gamma sequence (sequence_frame.h). Registers are the 128-bit v0-v31, or with VECTOR_IS_SVE256
 * z0-z31 of 256 bits; accumulators are 0 .. MOST-1 of them. The macros of a sequence see
 *
 *   load_constants   activations and tables at [x1]; may use x9-x15
 *   load_weights     base is a register and offset a number: ldr q16, [\base, \offset + 16]
 *   group            may use p0-p3, x9-x15 and x1, which load_constants may leave pointing at what the group itself reads
 *
 * d8-d15 are the caller's; the functions keep them on the stack, outside of the loop.
 *
 *   x0 weights   x1 activations   x2 accumulators' memory   x3 iterations or groups   x4 prefetch distance   x5 prefetched line
 */

/* A loop body that the first level of instructions (64 KiB on most cores) never loses, and the macro-op cache hardly. */
#define BODY_UOPS 1536

.macro sequence_enter accumulators
    hint 34 /* bti c */
    stp d8, d9, [sp, -64]!
    stp d10, d11, [sp, 16]
    stp d12, d13, [sp, 32]
    stp d14, d15, [sp, 48]
    mov x4, x2
    mov x3, x1
    ldr x2, [x0, 16]
    ldp x0, x1, [x0]
    load_constants
    .set sequence_number, 0
    .rept \accumulators
    sequence_zero %(sequence_number)
    .set sequence_number, sequence_number + 1
    .endr
    .set dot_count, \accumulators
    .set dot_number, 0
.endm

.macro sequence_zero number
    movi v\number\().2d, 0
.endm

.macro sequence_store number, where
#ifdef VECTOR_IS_SVE256
    str z\number, [x2, #\where / VECTOR_BYTES, mul vl]
#else
    str q\number, [x2, \where]
#endif
.endm

.macro sequence_leave accumulators
    .set sequence_number, 0
    .rept \accumulators
    sequence_store %(sequence_number), %(sequence_number * VECTOR_BYTES)
    .set sequence_number, sequence_number + 1
    .endr
    ldp d10, d11, [sp, 16]
    ldp d12, d13, [sp, 32]
    ldp d14, d15, [sp, 48]
    ldp d8, d9, [sp], 64
    ret
.endm

/* for the gamma: the same weights in registers again and again */
.macro sequence_function accumulators, multiple, marked=0
    .balign 64
.Lrun_\accumulators\()_\multiple:
    sequence_enter \accumulators
    load_weights x0, 0
    .balign 64
1:
    sequence_groups %(\multiple * body_dots / GROUP_DOTS), \marked
    subs x3, x3, 1
    b.ne 1b
    sequence_leave \accumulators
.endm

/* the loop of all accumulators, 4 * number bytes into a line, which is as many instructions: what depends on where the linker
   happens to put it */
.macro sequence_at number
    .balign 64
.Lat_\number:
    sequence_enter accumulators_most
    load_weights x0, 0
    .balign 64
    .rept \number
    nop
    .endr
1:
    sequence_groups %(body_dots / GROUP_DOTS), 0
    subs x3, x3, 1
    b.ne 1b
    sequence_leave accumulators_most
.endm

/* for the knee: other weights from memory for each group. The base moves with each group, since a load's offset cannot be
   any number. */
.macro sequence_stream accumulators, prefetched
    .balign 64
.Lstream_\accumulators\()_\prefetched:
    sequence_enter \accumulators
    .balign 64
1:
    .set stream_offset, 0
    .set stream_line, 0
    .if \prefetched
    add x5, x0, x4
    .endif
    .rept stream_groups
    .if \prefetched
    .rept (stream_offset + WEIGHT_BYTES - stream_line + 63) / 64
    prfm pldl1keep, [x5]
    add x5, x5, 64
    .set stream_line, stream_line + 64
    .endr
    .endif
    load_weights x0, 0
    add x0, x0, WEIGHT_BYTES
    sequence_group
    .set stream_offset, stream_offset + WEIGHT_BYTES
    .endr
    subs x3, x3, stream_groups
    b.ne 1b
    sequence_leave \accumulators
.endm
