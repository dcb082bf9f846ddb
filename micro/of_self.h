/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_OF_SELF_H
#define MICRO_OF_SELF_H

/**
 * For #include in the source of several kernels, in C and in assembly: what the format or the instruction set decides.
 *
 *     #include OF_FORMAT(codes.h)                               "micro/formats/q4_0/codes.h" for kernels of q4_0; beside formats.def, if that has the format
 *     #include OF_ISA(micro/families/block32/block32_lanes)     "micro/families/block32/block32_lanes.avx2.inc" for avx2
 *     #include OF_ISA_H(micro/isa/products)                  "micro/isa/products_avx2.h" for avx2
 */
#define OF_ISA(stem)           OF_SELF_INC(stem, SELF_ISA_WORD)
#define OF_ISA_H(stem)         OF_SELF_HEADER(stem, SELF_ISA_WORD)
#define OF_SELF_INC(stem, isa) OF_SELF_PATH(stem.isa.inc)
#define OF_SELF_HEADER(...)    OF_SELF_JOINED(__VA_ARGS__)
#define OF_SELF_PATH(...)      OF_SELF_TEXT(__VA_ARGS__)
#define OF_SELF_TEXT(...)      #__VA_ARGS__
/* clang-format off */
#define OF_SELF_JOINED(stem, isa) OF_SELF_PATH(stem##_##isa.h)
#define OF_FORMAT(file)           OF_SELF_PATH(SELF_FORMAT_FOLDER/file)
/* clang-format on */

#endif
