/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The x86-64 half of the frame of a gamma sequence (sequence_frame.h): Intel syntax; registers are ymm, or zmm or xmm where
 * the sequence asks for them.
 */
    .intel_syntax noprefix
#ifdef VECTOR_IS_ZMM
#define VECTOR zmm
#define sequence_move vmovdqu32
#elif defined VECTOR_IS_XMM
#define VECTOR xmm
#define sequence_move vmovdqu
#else
#define VECTOR ymm
#define sequence_move vmovdqu
#endif

/* A loop body that the op cache does not lose: twice unrolled it holds 4096 uops of Golden Cove and Zen 3, 1536 of Skylake, but
   long instructions fill it earlier. A body of 3000 uops of 6 bytes and more made gamma up to 37% too large on Zen 3. */
#define BODY_UOPS 1024

/* r8 accumulators' memory, r9 second argument, r10 third, rdi weights; the accumulators are zero. */
.macro sequence_enter accumulators
    endbr64
    mov r10, rdx
    mov r9, rsi
    mov r8, [rdi + 16]
    mov rsi, [rdi + 8]
    mov rdi, [rdi]
#ifdef TILE_ROWS
    ldtilecfg [rip + .Ltiles]
    mov ecx, 64
#endif
    load_constants
    .set sequence_number, 0
    .rept \accumulators
    sequence_zero %(sequence_number)
    .set sequence_number, sequence_number + 1
    .endr
    .set dot_count, \accumulators
    .set dot_number, 0
.endm

#ifdef TILE_ROWS
.macro sequence_zero number
    tilezero tmm\number
.endm

.macro sequence_store number, where
    tilestored [r8 + rcx + \where], tmm\number
.endm
#else
.macro sequence_zero number
    vpxor xmm\number, xmm\number, xmm\number
.endm

.macro sequence_store number, where
    sequence_move [r8 + \where], VECTOR\number
.endm
#endif

.macro sequence_leave accumulators
    .set sequence_number, 0
    .rept \accumulators
    sequence_store %(sequence_number), %(sequence_number * VECTOR_BYTES)
    .set sequence_number, sequence_number + 1
    .endr
#ifdef TILE_ROWS
    tilerelease
#else
    vzeroupper
#endif
    ret
.endm

/* for the gamma: the same weights in registers again and again */
.macro sequence_function accumulators, multiple, marked=0
    .balign 64
.Lrun_\accumulators\()_\multiple:
    sequence_enter \accumulators
    load_weights rdi, 0
    .balign 64
1:
    sequence_groups %(\multiple * body_dots / GROUP_DOTS), \marked
    dec r9
    jnz 1b
    sequence_leave \accumulators
.endm

/* the loop of all accumulators, 4 * number bytes into a line: what depends on where the linker happens to put it */
.macro sequence_at number
    .balign 64
.Lat_\number:
    sequence_enter accumulators_most
    load_weights rdi, 0
    .balign 64
    .if \number
    .nops 4 * \number
    .endif
1:
    sequence_groups %(body_dots / GROUP_DOTS), 0
    dec r9
    jnz 1b
    sequence_leave accumulators_most
.endm

/* for the knee: other weights from memory for each group */
.macro sequence_stream accumulators, prefetched
    .balign 64
.Lstream_\accumulators\()_\prefetched:
    sequence_enter \accumulators
    .balign 64
1:
    .set stream_offset, 0
    .set stream_line, 0
    .rept stream_groups
    .if \prefetched
    .rept (stream_offset + WEIGHT_BYTES - stream_line + 63) / 64
    prefetcht0 [rdi + r10 + stream_line]
    .set stream_line, stream_line + 64
    .endr
    .endif
    load_weights rdi, %(stream_offset)
    sequence_group
    .set stream_offset, stream_offset + WEIGHT_BYTES
    .endr
    add rdi, stream_groups * WEIGHT_BYTES
    sub r9, stream_groups
    jnz 1b
    sequence_leave \accumulators
.endm
