/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The descriptor of a stream (micro/stream.h), behind its variants, which lie from .Lvariants to .Lvariants_end.
 */
#define STREAM_JOIN_(a, b) a##b
#define STREAM_JOIN(a, b)  STREAM_JOIN_(a, b)
#define STREAM_SYMBOL      STREAM_JOIN(stream_, SELF)

.macro stream_described symbol:req, load_bytes:req, tile_operations=0
    .global \symbol
    .type \symbol, %object
\symbol:
    .quad .Lname, .Lisa
    .long \load_bytes, \tile_operations, (.Lvariants_end - .Lvariants) / 24, 0
    .quad .Lvariants
    .size \symbol, . - \symbol
    .section .rodata
.Lname: .asciz SELF_NAME
.Lisa:  .asciz SELF_ISA
    .section .note.GNU-stack, "", %progbits
.endm
