/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenCL C after vector.h and before a step of integer weights: what it reads, a `vector` of words, and such words, each of four codes of at
 * most 8 bits, unsigned, times four signed bytes. BUILT_IN: by the instruction of cl_khr_integer_dot_product; else as C has it, in vectors, as
 * CPUs want it.
 */
#if WIDTH == 1
typedef int sum_t;
#define READ(p)       (*(p))
#define WRITE(v, p)   (*(p) = (v))
#define SIGNED(words) ((int)(words))
#define UNSIGNED(n)   ((uint)(n))
#else
typedef JOIN(int, WIDTH) sum_t;
#define READ(p)       JOIN(vload, WIDTH)(0, p)
#define WRITE(v, p)   JOIN(vstore, WIDTH)(v, 0, p)
#define SIGNED(words) JOIN(as_int, WIDTH)(words)
#define UNSIGNED(n)   JOIN(as_uint, WIDTH)(n)
#endif

#if BUILT_IN
#define DOT_1(u, a)  dot_4x8packed_us_int(u, a)
#define DOT_4(u, a)  ((int4)(DOT_1(u.s0, a.s0), DOT_1(u.s1, a.s1), DOT_1(u.s2, a.s2), DOT_1(u.s3, a.s3)))
#define DOT_8(u, a)  ((int8)(DOT_4(u.lo, a.lo), DOT_4(u.hi, a.hi)))
#define DOT_16(u, a) ((int16)(DOT_8(u.lo, a.lo), DOT_8(u.hi, a.hi)))
#endif

/** Each word with its own activations. */
sum_t dot_each(vector codes, vector a)
{
#if BUILT_IN
    return JOIN(DOT_, WIDTH)(codes, a);
#else
    return SIGNED(codes & 255u) * (SIGNED(a << 24) >> 24) + SIGNED(codes >> 8 & 255u) * (SIGNED(a << 16) >> 24) +
           SIGNED(codes >> 16 & 255u) * (SIGNED(a << 8) >> 24) + SIGNED(codes >> 24) * (SIGNED(a) >> 24);
#endif
}

/** All words with the same activations. */
sum_t dot_all(vector codes, uint a)
{
#if BUILT_IN
    return dot_each(codes, (vector)(a));
#else
    return SIGNED(codes & 255u) * ((int)(a << 24) >> 24) + SIGNED(codes >> 8 & 255u) * ((int)(a << 16) >> 24) +
           SIGNED(codes >> 16 & 255u) * ((int)(a << 8) >> 24) + SIGNED(codes >> 24) * ((int)a >> 24);
#endif
}

/** What a step reads: words alone. */
typedef vector piece_t;

piece_t turn(piece_t piece, uint by)
{
    return piece ^ by;
}
