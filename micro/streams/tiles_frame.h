/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a stream of tiles: the including file names TILE_OPERATION, what multiplies two tiles, and TILE_OPERATIONS, of one such
 * product. Tiles of 16 rows of 64 bytes lie one after the other, as packed panels do. A product has an accumulator of its own, since
 * the next one to the same waits for it: four, more than the latency of one over its throughput.
 *
 *   rdi a tile    rsi bytes left of a pass    rdx passes left    rax, r8 base and bytes of a pass    rcx bytes from row to row
 *   tmm0-3 accumulators    tmm4-6 what is loaded    tmm7 what it is multiplied with
 */
#include "micro/streams/stream_described.h"

    .intel_syntax noprefix

.macro tiles_load to, streamed
    .if \streamed
    tileloaddt1 tmm\to, [rdi + rcx]
    .else
    tileloadd tmm\to, [rdi + rcx]
    .endif
.endm

.macro tiles_function multiplied, streamed
    .balign 64
.Ltiles_\multiplied\()_\streamed:
    endbr64
    ldtilecfg [rip + .Lconfiguration]
    mov ecx, 64
    mov rax, rdi
    mov r8, rsi
    .if \multiplied
    tileloadd tmm7, [rdi + rcx]
    .endif
    .balign 64
1:
    tiles_one 0, 4, \multiplied, \streamed
    jz 2f
    tiles_one 1, 5, \multiplied, \streamed
    jz 2f
    tiles_one 2, 6, \multiplied, \streamed
    jz 2f
    tiles_one 3, 4, \multiplied, \streamed
    jnz 1b
2:
    mov rdi, rax
    mov rsi, r8
    dec rdx
    jnz 1b
    tilerelease
    ret
.endm

/* One tile; the zero flag is set behind the last. */
.macro tiles_one sum, to, multiplied, streamed
    tiles_load \to, \streamed
    .if \multiplied
    TILE_OPERATION tmm\sum, tmm7, tmm\to
    .endif
    add rdi, 1024
    sub rsi, 1024
.endm

.macro tiles_variant multiplied, streamed
    .long 1, 0, 1024, \multiplied + 2 * \streamed
    .quad .Ltiles_\multiplied\()_\streamed
.endm

    .text
    tiles_function 0, 0
    tiles_function 0, 1
    tiles_function 1, 0
    tiles_function 1, 1
    .section .rodata
    .balign 64
.Lconfiguration:
    .byte 1
    .zero 15
    .short 64, 64, 64, 64, 64, 64, 64, 64
    .zero 16
    .byte 16, 16, 16, 16, 16, 16, 16, 16
    .zero 8
    .section .data.rel.ro, "aw"
    .balign 8
.Lvariants:
    tiles_variant 0, 0
    tiles_variant 0, 1
    tiles_variant 1, 0
    tiles_variant 1, 1
.Lvariants_end:
    stream_described STREAM_SYMBOL, 1024, TILE_OPERATIONS
