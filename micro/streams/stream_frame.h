/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a read stream: the including file names its load register width and this expands every variant.
 *
 * One iteration reads 256 bytes of every stream, in turns of one, two or four lines a stream: what serves the memory best
 * differs from machine to machine. Registers and loops are in stream_frame_<architecture>.h.
 */
#define STREAM_HINT_NONE 0
#define STREAM_HINT_T0   1
#define STREAM_HINT_T1   2
#define STREAM_HINT_NTA  3
#define STREAM_HINT_BOTH 4

#include "micro/streams/stream_described.h"

#if defined __aarch64__
    .altmacro
#include "micro/streams/stream_frame_aarch64.h"
#else
#include "micro/streams/stream_frame_x86_64.h"
#endif

.macro stream_variant_row streams:req, hint:req, lines:req
    .long \streams, \hint, \lines * 64, 0
    .quad .Lread_\streams\()_\hint\()_\lines
.endm

.macro stream_for_all macro:req
    .irp hint, 0, 1, 2, 3
    .irp streams, 2, 3, 4, 8
    .irp lines, 1, 2, 4
    \macro \streams, \hint, \lines
    .endr
    .endr
    \macro 1, \hint, 4
    .endr
    \macro 1, 4, 4
    \macro 2, 4, 1
    \macro 4, 4, 1
.endm

.macro stream_descriptor symbol:req, load_bytes:req
    .text
    stream_for_all stream_function
    .section .data.rel.ro, "aw"
    .balign 8
.Lvariants:
    stream_for_all stream_variant_row
.Lvariants_end:
    stream_described \symbol, \load_bytes
.endm
