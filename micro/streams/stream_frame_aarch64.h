/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The aarch64 half of the frame of a read stream (stream_frame.h): `stream_load_line base, offset` reads a line.
 *
 *   x8-x15 bases of streams 0-7   x1 bytes left a stream   x2 stride   x3-x6 prefetch distance to each line of a turn of four
 *   x7, x16, x17, x0 half of the distance to each, where lines are prefetched twice
 */

/* one line of one stream: prefetch ahead, then the loads */
.macro stream_line hint, stream:req, line:req, near:req, offset:req
    .if \hint == STREAM_HINT_T0
    prfm pldl1keep, [x\stream, x\line]
    .elseif \hint == STREAM_HINT_T1
    prfm pldl2keep, [x\stream, x\line]
    .elseif \hint == STREAM_HINT_NTA
    prfm pldl1strm, [x\stream, x\line]
    .elseif \hint == STREAM_HINT_BOTH
    prfm pldl2keep, [x\stream, x\line]
    prfm pldl1keep, [x\stream, x\near]
    .endif
    stream_load_line x\stream, \offset
.endm

/* `lines` lines of one stream from offset on */
.macro stream_run hint, lines, offset, stream:req
    .set stream_at, \offset
    .rept \lines
    .if stream_at == 0
    stream_line \hint, \stream, 3, 7, %(stream_at)
    .elseif stream_at == 192
    stream_line \hint, \stream, 6, 0, %(stream_at)
    .else
    stream_line \hint, \stream, %(3 + stream_at / 64), %(15 + stream_at / 64), %(stream_at)
    .endif
    .set stream_at, stream_at + 64
    .endr
.endm

/* the same of every stream, one after the other */
.macro stream_turn streams, hint, lines, offset
    .set stream_number, 8
    .rept \streams
    stream_run \hint, \lines, \offset, %(stream_number)
    .set stream_number, stream_number + 1
    .endr
.endm

.macro stream_base number:req, before:req
    add x\number, x\before, x2
.endm

.macro stream_advance number:req
    add x\number, x\number, 256
.endm

.macro stream_function streams:req, hint:req, lines:req
    .balign 64
.Lread_\streams\()_\hint\()_\lines:
    .inst 0xd503245f /* bti c: its mnemonic is the name of a parameter */
    mov x8, x0
    .set stream_number, 9
    .rept \streams - 1
    stream_base %(stream_number), %(stream_number - 1)
    .set stream_number, stream_number + 1
    .endr
    add x4, x3, 64
    add x5, x3, 128
    add x6, x3, 192
    .if \hint == STREAM_HINT_BOTH
    lsr x7, x3, 1
    add x16, x7, 64
    add x17, x7, 128
    add x0, x7, 192
    .endif
    .balign 64
1:
    .set stream_offset, 0
    .rept 4 / \lines
    stream_turn \streams, \hint, \lines, %(stream_offset)
    .set stream_offset, stream_offset + 64 * \lines
    .endr
    .set stream_number, 8
    .rept \streams
    stream_advance %(stream_number)
    .set stream_number, stream_number + 1
    .endr
    subs x1, x1, 256
    b.ne 1b
    ret
.endm
