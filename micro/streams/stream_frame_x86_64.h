/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The x86-64 half of the frame of a read stream (stream_frame.h): `stream_load_line address` reads a line.
 *
 *   rdi base of streams 0-2    r9 base of streams 3-5    r10 base of streams 6-7
 *   rsi bytes left a stream    rdx stride                rcx prefetch distance, then base of the first prefetch
 *   r11, rax bases of the second and third prefetch     r8 base of the prefetch at half the distance, rax of its second;
 *   prefetching twice is done of up to four streams
 */
    .intel_syntax noprefix

/* one line of one stream at [address]: prefetch ahead, then the loads */
.macro stream_line hint, address:req, ahead:req, near:req, offset:req
    .if \hint == STREAM_HINT_T0
    prefetcht0 [\ahead + \offset]
    .elseif \hint == STREAM_HINT_T1
    prefetcht1 [\ahead + \offset]
    .elseif \hint == STREAM_HINT_NTA
    prefetchnta [\ahead + \offset]
    .elseif \hint == STREAM_HINT_BOTH
    prefetcht1 [\ahead + \offset]
    prefetcht0 [\near + \offset]
    .endif
    stream_load_line \address + \offset
.endm

/* `lines` lines of one stream from offset on */
.macro stream_run hint, lines, offset, address:req, ahead:req, near=rdi
    .set stream_at, \offset
    .rept \lines
    stream_line \hint, \address, \ahead, \near, stream_at
    .set stream_at, stream_at + 64
    .endr
.endm

/* the same of every stream, one after the other */
.macro stream_turn streams, hint, lines, offset
    stream_run \hint, \lines, \offset, rdi, rcx, r8
    .if \streams > 1
    stream_run \hint, \lines, \offset, rdi + rdx, rcx + rdx, r8 + rdx
    .endif
    .if \streams > 2
    stream_run \hint, \lines, \offset, rdi + rdx*2, rcx + rdx*2, r8 + rdx*2
    .endif
    .if \streams > 3
    stream_run \hint, \lines, \offset, r9, r11, rax
    .endif
    .if \streams > 4
    stream_run \hint, \lines, \offset, r9 + rdx, r11 + rdx
    stream_run \hint, \lines, \offset, r9 + rdx*2, r11 + rdx*2
    stream_run \hint, \lines, \offset, r10, rax
    stream_run \hint, \lines, \offset, r10 + rdx, rax + rdx
    .endif
.endm

.macro stream_function streams:req, hint:req, lines:req
    .balign 64
.Lread_\streams\()_\hint\()_\lines:
    endbr64
    .if \hint == STREAM_HINT_BOTH
    mov r8, rcx
    shr r8
    add r8, rdi
    .endif
    add rcx, rdi
    .if \streams > 3
    lea r9, [rdi + rdx*2]
    add r9, rdx
    lea r11, [rcx + rdx*2]
    add r11, rdx
    .endif
    .if \hint == STREAM_HINT_BOTH
    lea rax, [r8 + rdx*2]
    add rax, rdx
    .endif
    .if \streams > 4
    lea r10, [r9 + rdx*2]
    add r10, rdx
    lea rax, [r11 + rdx*2]
    add rax, rdx
    .endif
    .balign 64
1:
    .set stream_offset, 0
    .rept 4 / \lines
    stream_turn \streams, \hint, \lines, stream_offset
    .set stream_offset, stream_offset + 64 * \lines
    .endr
    add rdi, 256
    add rcx, 256
    .if \streams > 3
    add r9, 256
    add r11, 256
    .endif
    .if \streams > 4
    add r10, 256
    add rax, 256
    .endif
    .if \hint == STREAM_HINT_BOTH
    add r8, 256
    add rax, 256
    .endif
    sub rsi, 256
    jnz 1b
    vzeroupper
    ret
.endm
