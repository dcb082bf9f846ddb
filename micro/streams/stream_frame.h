/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a read stream: the including file names its load register width and this expands every variant.
 *
 *   rdi base of streams 0-2    r9 base of streams 3-5    r10 base of streams 6-7
 *   rsi bytes left a stream    rdx stride                rcx prefetch distance, then base of the first prefetch
 *   r11, rax bases of the second and third prefetch
 *
 * One iteration reads 256 bytes of every stream: all lines of one stream, then the next, which keeps each DRAM page and
 * each hardware prefetcher on one run of lines.
 */
    .intel_syntax noprefix

#define STREAM_HINT_NONE 0
#define STREAM_HINT_T0   1
#define STREAM_HINT_T1   2
#define STREAM_HINT_NTA  3

/* one line of one stream at [address]: prefetch ahead, then the loads */
.macro stream_line hint, address:req, ahead:req, offset:req
    .if \hint == STREAM_HINT_T0
    prefetcht0 [\ahead + \offset]
    .elseif \hint == STREAM_HINT_T1
    prefetcht1 [\ahead + \offset]
    .elseif \hint == STREAM_HINT_NTA
    prefetchnta [\ahead + \offset]
    .endif
    stream_load_line \address + \offset
.endm

.macro stream_run hint, address:req, ahead:req
    stream_line \hint, \address, \ahead, 0
    stream_line \hint, \address, \ahead, 64
    stream_line \hint, \address, \ahead, 128
    stream_line \hint, \address, \ahead, 192
.endm

.macro stream_function streams:req, hint:req
    .balign 64
.Lread_\streams\()_\hint:
    endbr64
    add rcx, rdi
    .if \streams > 3
    lea r9, [rdi + rdx*2]
    add r9, rdx
    lea r11, [rcx + rdx*2]
    add r11, rdx
    .endif
    .if \streams > 6
    lea r10, [r9 + rdx*2]
    add r10, rdx
    lea rax, [r11 + rdx*2]
    add rax, rdx
    .endif
    .balign 64
1:
    stream_run \hint, rdi, rcx
    .if \streams > 1
    stream_run \hint, rdi + rdx, rcx + rdx
    .endif
    .if \streams > 2
    stream_run \hint, rdi + rdx*2, rcx + rdx*2
    stream_run \hint, r9, r11
    .endif
    .if \streams > 4
    stream_run \hint, r9 + rdx, r11 + rdx
    stream_run \hint, r9 + rdx*2, r11 + rdx*2
    stream_run \hint, r10, rax
    stream_run \hint, r10 + rdx, rax + rdx
    .endif
    add rdi, 256
    add rcx, 256
    .if \streams > 3
    add r9, 256
    add r11, 256
    .endif
    .if \streams > 6
    add r10, 256
    add rax, 256
    .endif
    sub rsi, 256
    jnz 1b
    vzeroupper
    ret
.endm

.macro stream_variant_row streams:req, hint:req
    .long \streams, \hint
    .quad .Lread_\streams\()_\hint
.endm

.macro stream_for_all macro:req
    .irp hint, 0, 1, 2, 3
    \macro 1, \hint
    \macro 2, \hint
    \macro 4, \hint
    \macro 8, \hint
    .endr
.endm

.macro stream_descriptor symbol:req, load_bytes:req
    .text
    stream_for_all stream_function
    .section .data.rel.ro, "aw"
    .balign 8
.Lvariants:
    stream_for_all stream_variant_row
.Lvariants_end:
    .global \symbol
    .type \symbol, @object
\symbol:
    .quad .Lname, .Lisa
    .long \load_bytes, (.Lvariants_end - .Lvariants) / 16
    .quad .Lvariants
    .size \symbol, . - \symbol
    .section .rodata
.Lname: .asciz SELF_NAME
.Lisa:  .asciz SELF_ISA
    .section .note.GNU-stack, "", %progbits
.endm

#define STREAM_JOIN_(a, b) a##b
#define STREAM_JOIN(a, b) STREAM_JOIN_(a, b)
#define STREAM_SYMBOL STREAM_JOIN(stream_, SELF)
