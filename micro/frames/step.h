/* SPDX-License-Identifier: BSD-3-Clause
 *
 * struct step_weights: the registers of STEP_WEIGHTS, which the including file defines as micro/frames/gamma.h says. For that
 *
 *   STEP_VECTORS(count, register_of, type)   this many registers of a type, w0, w1, ...; count: 1 to 4, or 8, or a macro of one of these
 *   {STEP_WEIGHTS(STEP_NAME)}                the registers of `weights` as an array's elements
 */
#ifndef MICRO_FRAMES_STEP_H
#define MICRO_FRAMES_STEP_H

#define STEP_VECTORS_1(register_of, type) register_of(0, type, w0)
#define STEP_VECTORS_2(register_of, type) STEP_VECTORS_1(register_of, type) register_of(1, type, w1)
#define STEP_VECTORS_3(register_of, type) STEP_VECTORS_2(register_of, type) register_of(2, type, w2)
#define STEP_VECTORS_4(register_of, type) STEP_VECTORS_3(register_of, type) register_of(3, type, w3)
#define STEP_VECTORS_8(register_of, type)                                                                              \
    STEP_VECTORS_4(register_of, type)                                                                                  \
    register_of(4, type, w4) register_of(5, type, w5) register_of(6, type, w6) register_of(7, type, w7)
#define STEP_VECTORS_OF(count)                 STEP_VECTORS_##count
#define STEP_VECTORS(count, register_of, type) STEP_VECTORS_OF(count)(register_of, type)

#define STEP_MEMBER(number, type, name) type name;
#define STEP_NAME(number, type, name)   weights.name,

struct step_weights {
    STEP_WEIGHTS(STEP_MEMBER)
};

#endif
