/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PLANES fields of a byte, each of another row, which meet the same activation.
 *
 *   mask       each field stays in its place, and its accumulator, shifted right once at the end, undoes the power of two. As many ANDs and dot products as
 *              planes; sdot needs them non-negative, so the upper field is shifted down, which needs no mask
 *   prefix     masked by 0x03, 0x0f, 0x3f and unmasked (of 1 bit 0x01, 0x03, 0x07, ...), the byte times one activation gives S0, S0 + 4 S1, ...; neighbours
 *              are subtracted once at the end. An AND less. No fewer: four rows need four dot products, and all operands but the whole byte a uop. Of 4
 *              bits |sum| <= 255 * 127 K stays within 32 bits up to K = 66311
 *   envelope   [III-B, Fig. 1]: 1 shift, 2 ANDs, a byte shuffle and a dot product for each field. Tables give u = w + 2, of 4 bits, as III-B does 2-bit,
 *              w + 8, for the unsigned operand of vpdpbusd; with AVX-VNNI-INT8, as the paper has it, the signed weight itself, vpdpbssd multiplies
 *
 * Without VNNI a dot product is three instructions; 128 * 127 * 2 just stays within the 16 bits of vpmaddubsw. With AVX-VNNI-INT8 of unsigned weights the
 * operands of vpdpbsud are the other way round. Masks of 256 bits are memory operands, fused with the AND, where sixteen registers do not hold them too.
 *
 *   uops of a group: cycles per output vector at least
 *                           1 bit                  2 bits                      4 bits
 *   mask      AVX-VNNI      16: 0.667              8: 0.667
 *             AVX2          32, 16 on p01: 1.33
 *             AVX512-VNNI   16: 0.5                8: 0.5                      4: 0.5
 *             Neon          16: 2.0, V1, V2 1.0    8: 2.0, V1, V2 1.0          4: 2.0, V1, V2 1.0
 *   prefix    AVX-VNNI      15: 0.625              7: 0.583                    3, 2 of them on 2 ports: 0.5, that of the dot products alone
 *             AVX512-VNNI   15: 0.469                                          3: 0.375, a core whose zmm vpdpbusd is p0 alone: 0.5
 *             Neon I8MM     15: 1.875, V1 0.94     7: 1.75, V1 0.875           3: 1.5, V1 0.75
 *             SVE           15: V1 0.94            7: V1 0.875                 3: V1 0.75
 *   envelope  AVX-VNNI                             11: 0.92; 4 accumulators    7, shift and dots on p01: 1.167; 2 accumulators of latency 5: 2.5
 *                                                  of latency 5: 1.25
 *             AVX2                                 19: 1.58                    11, 5 on p01: 1.833; Zen 3 1.375
 *             AVX512-VNNI                          11, 4 on p5: 0.69           7, 2 on p5: 0.875
 *
 * Golden Cove: vpand p015, vpdpbusd p01, vpshufb p15; at 512 bits p05, vpshufb p5. Neoverse N1, N2: 2 vector pipes; V1, V2: 4; V1 with SVE 2 of 256 bits.
 * int1_nibbles_m32.lookup.avx2, which multiplies nothing, takes fewer on the ports of AVX-VNNI: 0.492.
 *
 *   0 on accumulators   the others: planes.mask and planes.prefix.{256,avx512_vnni}.inc, planes_aarch64.inc, or <format>.<STEP>.inc of the format
 */
#if PLANES == 8
#define BYTES 4.0
#elif PLANES == 4
#define BYTES 8.0
#else
#define BYTES 16.0
#endif
#ifdef ENVELOPE
#define ORIGIN "envelope"
#else
#define ORIGIN "kneepoint"
#endif
#define GROUP_DOTS PLANES
#define LEAST      PLANES
#include "micro/sequences/sequence_frame.h"

#include "micro/of_self.h"
#include OF_ISA(micro/isa/dot)
#if defined __aarch64__
#include "micro/families/planes/planes_aarch64.inc"

.macro load_constants
    step_constants
    load_vector 18, x1, 0
.endm
#else
#if defined ENVELOPE
#include OF_FORMAT(SELF_FORMAT_WORD.STEP.inc)
#elif defined VECTOR_IS_ZMM && PREFIX
#include "micro/families/planes/planes.prefix.avx512_vnni.inc"
#elif defined VECTOR_IS_ZMM
#include "micro/families/planes/planes.mask.avx512_vnni.inc"
#elif PREFIX
#include "micro/families/planes/planes.prefix.256.inc"
#else
#include "micro/families/planes/planes.mask.256.inc"
#endif

.macro load_constants
#ifdef VECTOR_IS_ZMM
    vmovdqu64 ACTIVATIONS, [rsi]
#else
    vmovdqu ACTIVATIONS, [rsi]
#endif
    step_constants eax
.endm
#endif

/* the field at a bit, or with all below it; TOP_IS_SHIFTED: the upper one is at bit 0 */
.macro fact_of at, bits
#if PREFIX
    fact FIELD, %((1 << (\at + \bits)) - 1), 0, 0, 0
#else
#if defined ENVELOPE && defined WEIGHTS_ARE_SIGNED
    fact FIELD, %(((1 << \bits) - 1) << \at), \at, %(-(1 << (\bits - 1))), 0
#elif defined ENVELOPE
    fact FIELD, %(((1 << \bits) - 1) << \at), \at, 0, 0
#else
#ifdef TOP_IS_SHIFTED
    .if \at + \bits == 8
    fact FIELD, %(((1 << \bits) - 1) << \at), \at, 0, 0
    .exitm
    .endif
#endif
    fact FIELD, %(((1 << \bits) - 1) << \at), 0, 0, 0
#endif
#endif
.endm

.macro dot_facts
    .set fact_at, 0
    .rept PLANES
    fact_of %(fact_at), %(8 / PLANES)
    .set fact_at, fact_at + 8 / PLANES
    .endr
.endm

    sequence_functions
