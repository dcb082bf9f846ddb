/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_KERNEL_H
#define MICRO_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/**
 * Formats of low-bit weights and the GEMV kernels that read them.
 *
 * A packed matrix is a row of panels; a panel holds rows_per_panel rows of W (M x K) as a row of steps; a step holds
 * k_per_step columns of those rows in step_bytes bytes, in the order that the format's format.c draws:
 *
 *     packed = [ceil(M / rows_per_panel)] [ceil(K / k_per_step)] [step_bytes]
 *
 * so any run of panels, and any run of steps within a panel, is one contiguous piece of memory. Rows past M and columns
 * past K are padding (weights of any value; the activations there are zero and the outputs are dropped).
 *
 * Weights are stored offset-binary: u = w + offset >= 0, which lets the unsigned operand of vpdpbusd take them. With
 * activations a in [-127, 127]
 *
 *     y[m] = sum_k w[m][k] a[k] = output_scale * sum_k u[m][k] a[k]  -  activation_offset * sum_k a[k]
 *
 * All arithmetic is 32-bit integer and exact (wrap-around of intermediate plane sums cancels) for K <= max_k.
 */
struct format {
    const char *name;
    uint32_t bits; /* of one packed weight, nominal */
    uint32_t rows_per_panel;
    uint32_t k_per_step;
    uint32_t step_bytes;
    int32_t weight_min, weight_max;
    int32_t activation_offset; /* see above; the driver passes -activation_offset * sum(a) as the correction */
    uint32_t max_k;            /* largest K whose result cannot leave int32 for any weights and activations */

    /** Store weight w (weight_min..weight_max, of the values the format has) at row, column of one panel. */
    void (*put)(uint8_t *panel, uint32_t row, uint32_t column, int32_t w);
    /** Read it back from any bytes: every bit pattern is a valid weight. */
    int32_t (*get)(const uint8_t *panel, uint32_t row, uint32_t column);
};

/** A contiguous part of a packed matrix and where its results go. */
struct gemv_piece {
    const uint8_t *weights; /* first step of the first panel; 64-byte aligned */
    size_t panels;          /* consecutive panels, panel_bytes apart */
    size_t panel_bytes;
    size_t steps; /* steps of each panel to use, > 0; fewer than a whole panel only when panels is 1 */
    const int8_t
        *activations; /* of the first step's first column, steps * k_per_step of them, readable to a multiple of 64 */
    const void *prepared;  /* what the kernel's prepare() wrote, advanced to the first step; NULL without prepare */
    int32_t correction;    /* added to every output */
    int32_t *out;          /* [panels * rows_per_panel], overwritten; 64-byte aligned */
    size_t prefetch_bytes; /* distance of the software prefetch; 0 for none */
};

/** a + b modulo 2^32, as vector units add: partial sums may wrap, the result of an accepted K does not. */
static inline int32_t add_wrapping(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

/** One kernel: a format, a sequence, an ISA. Reads no byte past the piece, writes none past out. */
struct kernel {
    const char *name;     /* "<format>.<sequence>.<isa>" */
    const char *sequence; /* "paper", "mask", … */
    const char *isa;      /* row of isa.def */
    const struct format *format;
    const char *origin;    /* paper it is from, or "kneepoint" */
    const char *gamma;     /* sequence whose gamma models it; NULL: the one of the same name */
    size_t prefetch_bytes; /* distance that serves a matrix in memory best, as found by measurement */
    void (*gemv)(const struct gemv_piece *piece);
    const void *code; /* machine code of the inner loop, to tell two builds apart */

    /** Bytes that prepare() writes per step; 0 if the kernel reads plain activations. */
    size_t prepared_bytes_per_step;
    /** Turn activations of `steps` steps into the operand the kernel reads. 64-byte aligned prepared. NULL if none. */
    void (*prepare)(const int8_t *activations, size_t steps, void *prepared);
};

/** All kernels and formats of this architecture, NULL-terminated, in name order. */
const struct kernel *const *kernel_all(void);
const struct kernel *kernel_find(const char *name);
const struct format *const *format_all(void);
const struct format *format_find(const char *name);

size_t format_panels(const struct format *format, size_t m);
size_t format_steps(const struct format *format, size_t k);
size_t format_panel_bytes(const struct format *format, size_t k);

/** Bytes of a packed M x K matrix, padding included. */
size_t format_packed_bytes(const struct format *format, size_t m, size_t k);

/** Bits per weight of a real matrix: 8 * packed bytes / (M * K). */
double format_bits_per_weight(const struct format *format, size_t m, size_t k);

/**
 * Why an M x K matrix cannot be held ("" if it can): zero size, K beyond max_k. Any other M and K is held, with
 * padding.
 * @return 0 or -EINVAL
 */
int format_accepts(const struct format *format, size_t m, size_t k, char *why, size_t size);

/** Pack row-major w[m][k] into packed (format_packed_bytes; padding is written as weight_min). */
void format_pack(const struct format *format, const int8_t *w, size_t m, size_t k, uint8_t *packed);

/** Scalar reference of rows [first, first + count): y = sum w a, 32-bit integers. activations[k]. */
void format_reference(const struct format *format, const uint8_t *packed, size_t k, size_t first, size_t count,
                      const int8_t *activations, int32_t *y);

#endif
