/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a gamma sequence. The .S file states its facts as macros
 *
 *   FORMAT, SEQUENCE           strings; of a built-in sequence those of its name, unless they are stated
 *   ORIGIN, CLAIMED            where it is from (default "user"), and the cycles stated there (default 0.0: none)
 *   BYTES                      packed bytes of one output vector of 32 weights
 *   VECTOR_IS_ZMM, VECTOR_IS_XMM     registers of 512 or 128 bits; default 256 on x86-64 and 128 on aarch64, where
 *   VECTOR_IS_SVE256                 is 256 bits of SVE
 *   GROUP_DOTS                 dot products of one group        GROUP_VECTORS    its output vectors, if not all of its registers
 *   GROUP_UOPS                 of one group, as the front end issues them: uops of the fused domain of Golden Cove, of Neoverse V1
 *                              on aarch64. An instruction is one, with a memory operand too, and so is a copy of a register,
 *                              which has its place in the issue width though rename eliminates it; few are more: vpblendvb
 *                              and vpermi2b 3, vpmulld, vcvtph2ps of a register and ldp 2 (instruction_uops in
 *                              micro/disassembly.h, with which a test counts those of the built-in sequences).
 *                              A loop in a group counts as often as it runs: `mov register, times` before it, `dec register`
 *                              and `jnz` at its end, which are one
 *                              The first comment of a built-in sequence agrees with it, which the same test reads: "N uops"
 *                              after '.', ':', ';' or ',' is the whole group and so GROUP_UOPS; those that take a vector port
 *                              are "N uops of arithmetic", and "M uops issued: N of arithmetic, 9 loads." adds up to
 *                              GROUP_UOPS; "N uops on p01" are some of them, and bounds follow from these, not from the whole.
 *                              Of anything else say what: "a look-up takes 3 uops"
 *   LEAST                      fewest accumulators a kernel can work with       MOST   most that the registers allow, <= 12
 *   WEIGHT_BYTES               that load_weights reads for one group: default a register, <= 16384
 *   ACTIVATION_BYTES           that load_constants reads: default a register, <= 8192
 *   WEIGHT_FILL                values that weights may take: FILL_BYTES (default: any), FILL_INT8 (-127 … 127), FILL_F32,
 *   ACTIVATION_FILL            FILL_F16, FILL_BF16 (magnitudes in [1/16, 16)), FILL_OWN; of activations: FILL_INT8 by default
 *   LANE                       of an accumulator: LANE_INT32 (default), LANE_INT16, LANE_FLOAT32
 *   TOLERANCE                  of float lanes, relative to the sum of |terms|: default 0.0, exact
 *
 *   TILE_ROWS                  accumulators are tiles of this many rows of 64 bytes: micro/families/amx/tiles_frame.h, which
 *                              states and defines all but these few facts
 *
 *   CODE_OFFSETS               of a built-in sequence: have the loop of most accumulators at 16 places within a line
 *                              as well, by which the bias of code alignment is measured (micro/code_offsets.h)
 *
 * and defines
 *
 *   load_constants             before the loop: constants, and activations or tables from [rsi] ([x1]); may use eax, ecx, edx
 *                              and k1-k7 (x9-x15); rsi stays, so that a group may take them as memory operands
 *   load_weights base, offset  packed weights of one group from [\base + \offset], at any alignment, into registers that
 *                              outlive the group
 *   group                      one group: GROUP_DOTS calls of `dot operand`, in the order of the facts below
 *   dot_into number, operand   multiply-accumulate into accumulator register <number>
 *   dot_facts                  GROUP_DOTS rows `fact kind, mask, shift, bias, set` (struct sequence_dot)
 *
 * (or includes a .inc beside the built-in sequences that does: the step, shared with a kernel or with other instruction sets.
 * In it `dot_of index, operand` is the dot of the facts' row `index`, for groups in another order than the facts.)
 *
 * It ends with `sequence_functions`. Accumulators are registers 0 .. MOST-1; accumulator n of A takes dots n, n + A, ...
 * Where facts cannot say what a dot product is, the file has no dot_facts and a scalar sequence_reference in a C half:
 * micro/sequences/sequence_reference.h. What differs between architectures is in sequence_frame_<architecture>.h.
 */
#if defined TILE_ROWS
#define VECTOR_BYTES (64 * TILE_ROWS)
#elif defined VECTOR_IS_ZMM
#define VECTOR_BYTES 64
#elif defined VECTOR_IS_SVE256
#define VECTOR_BYTES 32
#elif defined VECTOR_IS_XMM || defined __aarch64__
#define VECTOR_BYTES 16
#else
#define VECTOR_BYTES 32
#endif

#define SEQUENCE_JOIN_(a, b) a##b
#define SEQUENCE_JOIN(a, b) SEQUENCE_JOIN_(a, b)

/* kinds of dot product, values and lanes: the enums of micro/sequence.h */
#define FIELD 0
#define BITS 1
#define LOOKUP 2
#define SIGNED_BYTE 0x1ff
#define FILL_BYTES 0
#define FILL_INT8 1
#define FILL_F32 2
#define FILL_F16 3
#define FILL_BF16 4
#define FILL_OWN 5
#define LANE_INT32 0
#define LANE_INT16 1
#define LANE_FLOAT32 2

#if !defined FORMAT && defined SELF_FORMAT_NAME
#define FORMAT   SELF_FORMAT_NAME
#define SEQUENCE SELF_SEQUENCE
#endif
#ifndef ORIGIN
#define ORIGIN "user"
#endif
#ifndef CLAIMED
#define CLAIMED 0.0
#endif
#ifndef GROUP_VECTORS
#define GROUP_VECTORS (GROUP_DOTS * VECTOR_BYTES / 32)
#endif
#ifndef WEIGHT_BYTES
#define WEIGHT_BYTES VECTOR_BYTES
#endif
#ifndef ACTIVATION_BYTES
#define ACTIVATION_BYTES VECTOR_BYTES
#endif
#ifndef WEIGHT_FILL
#define WEIGHT_FILL FILL_BYTES
#endif
#ifndef ACTIVATION_FILL
#define ACTIVATION_FILL FILL_INT8
#endif
#ifndef LANE
#define LANE LANE_INT32
#endif
#ifndef TOLERANCE
#define TOLERANCE 0.0
#endif

#if MOST < 1 || MOST > 12 || LEAST < 1 || LEAST > MOST
#error "1 <= LEAST <= MOST <= 12"
#endif
#if WEIGHT_BYTES < 1 || WEIGHT_BYTES > 16384 || ACTIVATION_BYTES < 1 || ACTIVATION_BYTES > 8192
#error "WEIGHT_BYTES is 1 to 16384, ACTIVATION_BYTES is 1 to 8192"
#endif
#if !defined SEQUENCE_REFERENCE && (LANE != LANE_INT32 || WEIGHT_FILL == FILL_OWN || ACTIVATION_FILL == FILL_OWN)
#error "dot_facts describe 32-bit integers of any bytes: this sequence needs a sequence_reference"
#endif

#ifndef __ASSEMBLER__
#include "micro/sequences/sequence_reference.h"
#else

    .altmacro

#if defined __aarch64__
#include "micro/sequences/sequence_frame_aarch64.h"
#else
#include "micro/sequences/sequence_frame_x86_64.h"
#endif

#define SEQUENCE_SYMBOL SEQUENCE_JOIN(sequence_, SELF)

/* of a loop body; BODY_UOPS, what it may hold at most, is the architecture's */
#ifndef BODY_DOTS
#define BODY_DOTS 48
#endif
#define BODY_DOTS_MOST 96
#define STREAM_BYTES 256
/* eight a cycle for as long as any accumulation takes, and twice that */
#define LATENCY_UOPS 128

/* dot product `index` of the group, for groups that are not in the order of the facts; those that `dot` follow on each other. */
.macro dot_of index, source:vararg
    .set dot_number, (dot_first + \index) % dot_count
    dot_into %(dot_number), <\source>
.endm

.macro sequence_group
    .set dot_first, dot_number
    group
    .set dot_number, (dot_first + GROUP_DOTS) % dot_count
.endm

/* `count` groups; the first one lies between two symbols of the object, if marked, which tests disassemble. */
.macro sequence_groups count, marked
    .if \marked
group_begin:
    sequence_group
group_end:
    .endif
    .rept \count - \marked
    sequence_group
    .endr
.endm

.macro dot source:vararg
    dot_into %(dot_number), <\source>
    .set dot_number, dot_number + 1
    .if dot_number == dot_count
    .set dot_number, 0
    .endif
.endm

/* body_dots: whole groups, BODY_DOTS dots at least and a whole number of rotations through the accumulators if that takes
   no more than BODY_DOTS_MOST; fewer where twice as many would exceed BODY_UOPS, but one for each accumulator at least. */
.macro sequence_count_dots accumulators
    .set body_dots_least, (\accumulators + GROUP_DOTS - 1) / GROUP_DOTS * GROUP_DOTS
    .set body_dots, (BODY_DOTS + GROUP_DOTS - 1) / GROUP_DOTS * GROUP_DOTS
    .set body_dots_most, BODY_UOPS / 2 / GROUP_UOPS * GROUP_DOTS
    .if body_dots > body_dots_most
    .set body_dots, body_dots_most
    .endif
    .if body_dots < body_dots_least
    .set body_dots, body_dots_least
    .endif
    .if body_dots_most > BODY_DOTS_MOST
    .set body_dots_most, BODY_DOTS_MOST
    .endif
    .set body_dots_tried, body_dots
    .rept BODY_DOTS_MOST / GROUP_DOTS
    .if body_dots % \accumulators > 0
    .set body_dots_tried, body_dots_tried + GROUP_DOTS
    .if body_dots_tried <= body_dots_most
    .if body_dots_tried % \accumulators == 0
    .set body_dots, body_dots_tried
    .endif
    .endif
    .endif
    .endr
    .set body_dots_tried, body_dots
    .rept BODY_DOTS_MOST / GROUP_DOTS
    .if body_dots % \accumulators > 0
    .set body_dots_tried, body_dots_tried - GROUP_DOTS
    .if body_dots_tried >= body_dots_least
    .if body_dots_tried % \accumulators == 0
    .set body_dots, body_dots_tried
    .endif
    .endif
    .endif
    .endr
.endm

/* stream_groups: STREAM_BYTES at least within BODY_UOPS, and whole rotations through the accumulators. */
.macro sequence_count_groups accumulators
    .set stream_rotation, 1
    .rept \accumulators
    .if stream_rotation * GROUP_DOTS % \accumulators > 0
    .set stream_rotation, stream_rotation + 1
    .endif
    .endr
    .set stream_groups, (STREAM_BYTES + WEIGHT_BYTES - 1) / WEIGHT_BYTES
    .if stream_groups * GROUP_UOPS > BODY_UOPS
    .set stream_groups, BODY_UOPS / GROUP_UOPS
    .endif
    .if stream_groups < 1
    .set stream_groups, 1
    .endif
    .set stream_groups, (stream_groups + stream_rotation - 1) / stream_rotation * stream_rotation
.endm

/* accumulators_most: MOST, or one for each dot of the group and as many as have LATENCY_UOPS issued between two uses: more could hide
   no more. */
.macro sequence_count_accumulators
    .set accumulators_most, LEAST
    .rept MOST - LEAST
    .if accumulators_most < GROUP_DOTS || accumulators_most * GROUP_UOPS < LATENCY_UOPS * GROUP_DOTS
    .set accumulators_most, accumulators_most + 1
    .endif
    .endr
.endm

.macro sequence_variant accumulators
    .if \accumulators <= accumulators_most
    sequence_count_dots \accumulators
    sequence_count_groups \accumulators
    .if \accumulators == accumulators_most
    sequence_function \accumulators, 1, 1
    .else
    sequence_function \accumulators, 1
    .endif
    sequence_function \accumulators, 2
    sequence_stream \accumulators, 0
    sequence_stream \accumulators, 1
    .endif
.endm

.macro sequence_row accumulators
    .if \accumulators <= accumulators_most
    sequence_count_dots \accumulators
    sequence_count_groups \accumulators
    .quad \accumulators, body_dots, .Lrun_\accumulators\()_1, .Lrun_\accumulators\()_2
    .quad stream_groups, .Lstream_\accumulators\()_0, .Lstream_\accumulators\()_1
    .endif
.endm

.macro fact kind, mask, shift, bias, set
    .long \kind, \mask, \shift, \bias, \set
.endm

/* What the C half defines is asked for by its symbol, so that the archive gives it to the linker. */
#ifdef SEQUENCE_REFERENCE
#define SEQUENCE_REFERENCE_SYMBOL SEQUENCE_JOIN(sequence_reference_, SELF)
    .hidden SEQUENCE_REFERENCE_SYMBOL
#else
#define SEQUENCE_REFERENCE_SYMBOL 0
#endif
#if WEIGHT_FILL == FILL_OWN || ACTIVATION_FILL == FILL_OWN
#define SEQUENCE_FILL_SYMBOL SEQUENCE_JOIN(sequence_fill_, SELF)
    .hidden SEQUENCE_FILL_SYMBOL
#else
#define SEQUENCE_FILL_SYMBOL 0
#endif

#ifdef CODE_OFFSETS
#define CODE_OFFSETS_SYMBOL SEQUENCE_JOIN(code_offsets_, SELF)
.macro sequence_offsets
    .text
    sequence_count_dots accumulators_most
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    sequence_at \number
    .endr
    .section .data.rel.ro, "aw"
    .balign 8
    .globl CODE_OFFSETS_SYMBOL
    .type CODE_OFFSETS_SYMBOL, %object
CODE_OFFSETS_SYMBOL:
    .quad .Lname
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .quad .Lat_\number
    .endr
    .size CODE_OFFSETS_SYMBOL, . - CODE_OFFSETS_SYMBOL
.endm
#endif

#ifndef GROUP_UOPS
/* The group alone, for make to count. */
.macro sequence_functions
    .text
    .set dot_count, MOST
    .set dot_number, 0
    sequence_group
    .section .note.GNU-stack, "", %progbits
.endm
#else
.macro sequence_functions
    .text
    sequence_count_accumulators
    .irp accumulators, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    sequence_variant \accumulators
    .endr
    .section .rodata
    .balign 4
.Ldots:
#ifndef SEQUENCE_REFERENCE
    dot_facts
#endif
.Ldots_end:
.Lname: .asciz SELF_NAME
.Lisa: .asciz SELF_ISA
.Lformat: .asciz FORMAT
.Lsequence: .asciz SEQUENCE
.Lorigin: .asciz ORIGIN
    .section .data.rel.ro, "aw"
    .balign 8
.Lvariants:
    .irp accumulators, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    sequence_row \accumulators
    .endr
    .globl SEQUENCE_SYMBOL
    .type SEQUENCE_SYMBOL, %object
SEQUENCE_SYMBOL:
    .quad .Lname, .Lisa, .Lformat, .Lsequence, .Lorigin
    .double CLAIMED, BYTES, TOLERANCE
    .long VECTOR_BYTES, GROUP_DOTS, GROUP_UOPS, GROUP_VECTORS, LEAST
    .long WEIGHT_BYTES, ACTIVATION_BYTES, WEIGHT_FILL, ACTIVATION_FILL, LANE
#ifdef SEQUENCE_REFERENCE
    .quad 0
#else
    .if .Ldots_end - .Ldots - 20 * GROUP_DOTS
    .error "dot_facts must state GROUP_DOTS facts"
    .endif
    .quad .Ldots
#endif
    .quad SEQUENCE_REFERENCE_SYMBOL, SEQUENCE_FILL_SYMBOL
    .quad accumulators_most, .Lvariants
    .size SEQUENCE_SYMBOL, . - SEQUENCE_SYMBOL
#ifdef CODE_OFFSETS
    sequence_offsets
#endif
    .set group_uops, GROUP_UOPS /* for scripts/machines */
    .section .note.GNU-stack, "", %progbits
.endm
#endif
#endif
