/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_KERNEL_H
#define MICRO_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/gemm_slice.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Formats of low-bit weights and the GEMV and GEMM kernels that read them.
 *
 * A packed matrix is a row of panels; a panel holds rows_per_panel rows of W (M x K) in format_panel_bytes bytes. Most
 * formats are uniform: a panel is a row of steps, each k_per_step columns of its rows in step_bytes bytes, in the order
 * that the format's format.c draws,
 *
 *     packed = [ceil(M / rows_per_panel)] [ceil(K / k_per_step)] [step_bytes]
 *
 * so any run of panels, and any run of steps within a panel, is one contiguous piece of memory. A format whose panel is
 * no such row (K split into parts of different layout, rows one after the other) says its size in panel_bytes().
 *
 * Rows past M are padding, and so are columns past K unless k_multiple forbids them: weights of any value the format
 * has; the activations there are zero and the outputs are dropped. One scale for the whole tensor is no part of the
 * matrix but of the output scale.
 *
 * Integer formats that store weights offset-binary, u = w + offset >= 0, let the unsigned operand of vpdpbusd take
 * them. With activations a in [-127, 127]
 *
 *     y[m] = sum_k w[m][k] a[k] = output_scale * sum_k u[m][k] a[k]  -  activation_offset * sum_k a[k]
 */
struct format {
    const char *name;
    double bits; /* of one packed weight, nominal: scales included, padding not */
    uint32_t rows_per_panel;
    uint32_t k_per_step; /* columns of a step; where panel_bytes() is given, the granule to which K is padded */
    uint32_t step_bytes; /* 0 where panel_bytes() is given */
    uint32_t k_multiple; /* K must be a multiple of it, itself one of k_per_step; 0: any K, padded to whole steps */
    int32_t weight_min, weight_max; /* of integer weights; both 0 where weights are real numbers */
    int32_t activation_offset;      /* see above; the driver passes -activation_offset * sum(a) as the correction */
    uint32_t max_k; /* largest K whose integer results cannot leave int32 for any weights and activations */

    /** Bytes of a panel that is no row of steps, k a multiple of k_per_step. NULL: uniform. */
    size_t (*panel_bytes)(size_t k);

    /* Integer weights that each have a place of their own: put and get. All others: pack and weight. */

    /** Store weight w (weight_min..weight_max, of the values the format has) at row, column of one panel. */
    void (*put)(uint8_t *panel, uint32_t row, uint32_t column, int32_t w);
    /** Read it back. */
    int32_t (*get)(const uint8_t *panel, uint32_t row, uint32_t column);

    /** Quantize one panel, every byte of it. w[rows_per_panel][k], k padded; padding is 0. */
    void (*pack)(const float *w, size_t k, uint8_t *panel);
    /** The weight that a panel of k (padded) columns holds, from the format's definition, in double. */
    double (*weight)(const uint8_t *panel, size_t k, uint32_t row, uint32_t column);

    /**
     * Write a random valid panel of k columns: only bit patterns that the format has, finite scales of magnitudes that
     * matrices have. Of a uniform format a panel of k_per_step columns is one step. NULL: every bit pattern is a
     * matrix.
     */
    void (*fill)(uint8_t *panel, size_t k, uint64_t *random);

    /**
     * Columns of a group, of which a matrix may hold another one in each place than its activations have there:
     * struct kernel_ordered. A divisor of k_per_step; 0: columns lie as they are.
     */
    uint32_t order_columns;
    uint32_t k_least; /* least K; 0: 1 */

    /**
     * All weights of a row of one panel of k (padded) columns: bit for bit what weight() or get() gives of each, in one call.
     * NULL: by these. With it a format of real numbers may do without weight().
     */
    void (*row_weights)(const uint8_t *panel, size_t k, uint32_t row, double *weights);

    /**
     * Ascending: of integer weights those that the format has, where it has not all of weight_min..weight_max; of others integers
     * that pack() keeps as they are, which lossless is tried with. NULL: weight_min..weight_max; -1, 0 and 1.
     */
    const int32_t *values;
    uint32_t value_count, reserved;
};

/** A contiguous part of a packed matrix and where its results go. */
struct gemv_slice {
    const uint8_t *weights; /* first step of the first panel; aligned to 64, or to what divides a step (panel) */
    size_t panels;          /* consecutive panels, panel_bytes apart */
    size_t panel_bytes;
    size_t steps; /* of each panel to use, > 0; fewer than a whole panel only when panels is 1 and the kernel cuts */
    size_t k;     /* columns of the slice: steps * k_per_step */
    union {       /* of the first step's first column, k of them, readable to a multiple of 64 bytes; as `takes` says */
        const int8_t *activations;
        const float *activations_f32;
    };
    const void *prepared; /* what the kernel's prepare() wrote, advanced to the first step; NULL without prepare */
    int32_t correction;   /* added to every integer output */
    union {               /* [panels * rows_per_panel], overwritten; aligned to 64, or to rows_per_panel * 4 if less */
        int32_t *out;
        float *out_f32;
    };
    size_t prefetch_bytes; /* distance of the software prefetch; 0 for none */
};

/** a + b modulo 2^32, as vector units add: partial sums may wrap, the result of an accepted K does not. */
static inline int32_t add_wrapping(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

/** The activations a kernel begins with: its prepare(), or its gemv() where it has none. */
enum kernel_takes {
    KERNEL_TAKES_INT8, /* one scale for the tensor, by a quantizer of micro/quantizer.h; y is in units of that scale */
    KERNEL_TAKES_F32,
};

/** int32: exact, partial sums modulo 2^32. float32: rounded, and lossy where error_bound is not 0. */
enum kernel_gives { KERNEL_GIVES_INT32, KERNEL_GIVES_F32 };

/** Of float_sums: the fewest, and of a kernel that adds integers and rounds only their sum. */
#define KERNEL_FLOAT_SUMS_LEAST 8
#define KERNEL_FLOAT_SUMS_ALL   UINT32_MAX

/** One row as a kernel's own arithmetic defines it, unrounded, and the sum of the magnitudes of the terms it adds. */
struct kernel_row {
    double y, magnitude;
};

/**
 * How a kernel multiplies a matrix with N activation vectors, "tokens", at once. Without run() it does not.
 *
 * What every token must give is what the kernel's gemv() would give of it: the definition, or row() from the operand that
 * prepare() makes of this one token. A kernel that gives int32 delivers scale * (float)(sum + correction), bit for bit.
 */
struct kernel_gemm {
    void (*run)(const struct gemm_slice *slice);

    /**
     * Make the operand of a group of consecutive tokens; NULL: run() reads the activations as they are. The groups lie one
     * after the other, prepared_bytes(k) apart, and a slice begins with a whole group. The last may have fewer tokens.
     *
     * @param activations  [tokens][stride] int8_t or float, as the kernel takes; padded as gemv's
     * @param stride       elements from one token to the next; a multiple of 64 bytes
     * @param k            columns, padded to whole steps
     * @param tokens       1..tokens_per_group
     * @param prepared     64-byte aligned, prepared_bytes(k) bytes, all of which may be written
     */
    void (*prepare_many)(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared);
    uint32_t tokens_per_group; /* >= 1 with prepare_many */

    /**
     * run() may be called with 0 tokens as well: it then unpacks the weights of its slice into its scratch as it does before
     * it multiplies, and does nothing else. gamma_up is measured so (harness/cells/unpack/unpack.h).
     */
    bool unpacks_alone;

    size_t (*prepared_bytes)(size_t k);

    /** Bytes that run() may write to for itself, of each thread, 64-byte aligned; NULL: none. */
    size_t (*scratch_bytes)(size_t k, size_t tokens);

    /**
     * Sequence whose gamma is the least that its multiplications take, nothing up-converted: its roof where tokens are
     * many. NULL: the fastest of 8-bit weights of its ISA; on AVX2 for narrower weights that of vpmaddubsw and vpaddw;
     * on AMX and where weights have 16 bits and more the kernel's gamma.
     */
    const char *multiply;
};

/**
 * Operands through an order of column groups. A matrix of a format with order_columns may have its groups of this many columns
 * in an order of its own, beside its panels: group i of every panel multiplies group order[i] of the activations, and order
 * has each of 0 … columns / order_columns - 1 once, those of padding among them. Panels, the format's functions, gemv(), run() and row()
 * know of none: to them, activations are in the order of the panels. Who prepares them brings them there.
 *
 * Both may be absent: then a copy of the activations is ordered (micro/quantization/column_order.h), and prepare() or prepare_many() reads
 * that, or where there is none of these, gemv() or run(). What they write is, bit for bit, what the others write of such a copy.
 */
struct kernel_ordered {
    /**
     * prepare(), or of some steps of it: order is that of the first column that is written.
     * @param activations  all of them, as they come; padded with zeros to whole steps
     * @param k            columns to write
     * @param order        [k / order_columns]
     */
    void (*prepare)(const void *activations, size_t k, const uint16_t *order, void *prepared);
    /** gemm.prepare_many() likewise; k is all columns. */
    void (*prepare_many)(const void *activations, size_t stride, size_t k, size_t tokens, const uint16_t *order,
                         void *prepared);
};

/**
 * What a kernel's prepare() makes of f32 activations where that is integers: of this many bits (2 to 16), in a block of this many
 * columns (0: all of a token) largest|a| / (2^(bits-1) - 1) apart, or with a zero point (max - min) / (2^bits - 1) apart. From it follows
 * an error_bound (kernel_operand_bound) if no nearer one is known. All 0: not said. Activations that are quantized before
 * the kernel sees them are KERNEL_TAKES_INT8; what else it needs of these, such as a + 128 unsigned, its prepare() makes.
 */
struct kernel_operand {
    uint32_t bits, columns;
    uint32_t zero_point; /* 1: it has one; 0 */
    uint32_t reserved;
};

/** Of reads_past: less than a page. */
#define KERNEL_READS_PAST_MOST 4032

/**
 * One kernel: a format, a sequence, an ISA. Reads no byte past the slice but what reads_past says, writes none past out. It has
 * gemv(), gemm.run() or both.
 *
 * What it must give is defined twice. The definition is y = sum_k w a with the format's weights and the activations
 * that it takes, in double. A kernel that makes its operand coarser than those (activations quantized by blocks, tables
 * of 8 bits) also states what it must give from that operand, in row(): against row() it may differ by rounding alone,
 * against the definition by error_bound. Both are checked before anything is timed.
 */
struct kernel {
    const char *name;     /* "<format>.<sequence>.<isa>" */
    const char *sequence; /* "envelope", "mask", … */
    const char *isa;      /* row of isa.def */
    const struct format *format;
    const char *origin;    /* paper it is from, or "kneepoint" */
    const char *gamma;     /* sequence whose gamma models it, and is there; NULL: of the same name (kernel_gamma) */
    size_t prefetch_bytes; /* distance that serves a matrix in memory best, as found by measurement */
    enum kernel_takes takes;
    enum kernel_gives gives;
    bool whole_panels; /* cannot run on a part of a panel; no need to say where results are f32 or panels not uniform */
    bool lossless;     /* on integer weights and int8 activations equal to the integer product, bit for bit; tested */
    /* f32 results: a term is rounded at most K / float_sums + 16 times on its way into one; >= 8, 0: 8 is all that is known.
     * Floats that are added in order to 4 registers of 8 lanes: 32. A float a block of 256, to the 8 lanes of one: 256. */
    uint32_t float_sums;
    /* largest |y - definition| over max|a| * K * max|w|, rounding aside; max|w| of the panel's rows, padding of K included;
     * without row() 0, but of a plug-in */
    double error_bound;
    void (*gemv)(const struct gemv_slice *slice);

    /**
     * Bytes that prepare() writes: this many per step, or where the operand is no row of steps, of k (padded) columns.
     */
    size_t prepared_bytes_per_step;
    size_t (*prepared_bytes)(size_t k);
    /**
     * Turn k activations (int8_t or float as `takes` says; padded with zeros to whole steps, readable to a multiple of
     * 64 bytes) into the operand the kernel reads. 64-byte aligned prepared. NULL: gemv reads them as they are.
     */
    void (*prepare)(const void *activations, size_t k, void *prepared);
    /** The row that gemv must give from this operand: see above. NULL: the definition. Needs prepare. */
    struct kernel_row (*row)(const uint8_t *panel, size_t k, uint32_t row, const void *prepared);

    struct kernel_gemm gemm; /* of N tokens */
    struct kernel_ordered ordered;

    /* What a kernel demands of its operands beyond its format. 0: nothing. */
    uint32_t k_least, k_most; /* K of a matrix that it multiplies, within what its format holds */
    uint32_t k_multiple;      /* a multiple of its format's k_multiple, or of k_per_step where that is 0 */
    /**
     * Every call has a multiple of this many panels, and only a matrix of whole ones of it is multiplied: M is a multiple of
     * panels_per_call * rows_per_panel. Such a kernel gets no parts of panels.
     */
    uint32_t panels_per_call;
    /** Bytes after the last panel of a slice that gemv() and run() may read, of any contents; KERNEL_READS_PAST_MOST at most. */
    uint32_t reads_past;
    uint32_t reserved;
    /**
     * In (0, 1]: in worst cases a sum of it wraps or saturates, but not while activations are int8 of at most this share of 127,
     * nor, where it takes f32, while of any n neighbouring columns at most this share, and one, are not 0. Weights and activations at
     * their ends are then tried within that alone. Random ones, which are measured, must be right whatever it says.
     */
    double wraps_beyond;
    struct kernel_operand operand;

    /* Of a rendering of a published kernel, which `origin` names. */
    /**
     * What differs from its original and changes its time, as "with our prefetch", or what it has been held against where that
     * was not its original; one line without a full stop, which lists and tables show. NULL: within 5% of its original,
     * measured beside it.
     */
    const char *differs;
    /**
     * Of one whose original has no software prefetch, and whose prefetch_bytes is 0 therefore: a distance that GEMVs from memory are
     * measured with as well, so that what is the kernel's and what is the prefetch's are two numbers. 0: none.
     */
    size_t prefetch_beside;
};

/** Name of the sequence whose gamma models a kernel: its own, unless the kernel names another. */
static inline const char *kernel_gamma(const struct kernel *kernel)
{
    return kernel->gamma ? kernel->gamma : kernel->name;
}

/** All kernels and formats of this architecture and of plug-ins, NULL-terminated, in name order. */
const struct kernel *const *kernel_all(void);
const struct kernel *kernel_find(const char *name);
const struct format *const *format_all(void);
const struct format *format_find(const char *name);

/** Whether a panel may be cut along its steps and the partial sums added. */
bool kernel_cuts(const struct kernel *kernel);

/** Panels that every call has a multiple of, a group: 1 but of kernels that say more. */
size_t kernel_call_panels(const struct kernel *kernel);

/** Rows of a group, and groups of M rows: what is dealt to a team. */
size_t kernel_group_rows(const struct kernel *kernel);
size_t kernel_groups(const struct kernel *kernel, size_t m);

/** Largest K up to `most` that it multiplies; 0 if there is none. */
size_t kernel_last_k(const struct kernel *kernel, size_t most);

/** The next K that it multiplies, from this one on; if there is none, the largest. */
size_t kernel_next_k(const struct kernel *kernel, size_t k);

/** format_accepts(), and what the kernel itself demands of M and K. */
int kernel_accepts(const struct kernel *kernel, size_t m, size_t k, char *why, size_t size);

/** The same of K alone. */
int kernel_accepts_k(const struct kernel *kernel, size_t k, char *why, size_t size);

/**
 * An error_bound that follows from what activations become: half of what their integers are apart, all of it with a zero
 * point, which is rounded, too, and the rounding of a scale to 16 bits. 0 where nothing is said.
 */
double kernel_operand_bound(const struct kernel_operand *operand);

/** Bytes of one activation as the kernel takes it: 1 or 4. */
size_t kernel_activation_bytes(const struct kernel *kernel);

/** Bytes that prepare() writes for K columns; 0 without prepare. */
size_t kernel_prepared_bytes(const struct kernel *kernel, size_t k);

/** Bytes that gemm.prepare_many() writes for all groups of this many tokens of K columns; 0 without it. */
size_t kernel_gemm_prepared_bytes(const struct kernel *kernel, size_t k, size_t tokens);

/** Bytes of scratch that gemm.run() needs in each thread, for K columns and this many tokens. */
size_t kernel_gemm_scratch_bytes(const struct kernel *kernel, size_t k, size_t tokens);

size_t format_panels(const struct format *format, size_t m);
size_t format_steps(const struct format *format, size_t k);
/** K with its padding: whole steps. */
size_t format_columns(const struct format *format, size_t k);
size_t format_panel_bytes(const struct format *format, size_t k);
/** A panel is a row of steps. */
bool format_is_uniform(const struct format *format);
/** Weights are integers, weight_min..weight_max. */
bool format_is_integer(const struct format *format);

/** Bytes of a packed M x K matrix, padding included. */
size_t format_packed_bytes(const struct format *format, size_t m, size_t k);

/** Bits per weight of a real matrix: 8 * packed bytes / (M * K), scales and padding included. */
double format_bits_per_weight(const struct format *format, size_t m, size_t k);

/**
 * Why an M x K matrix cannot be held ("" if it can): zero size, K below k_least, beyond max_k or no multiple of k_multiple. Any
 * other M and K is held, with padding.
 * @return 0 or -EINVAL
 */
int format_accepts(const struct format *format, size_t m, size_t k, char *why, size_t size);

/**
 * Pack row-major w[m][k] into packed (format_packed_bytes). Integer weights of put() formats are stored as they are,
 * and their padding is weight_min; pack() quantizes, and its padding is 0.
 * @return 0 or -ENOMEM
 */
int format_pack(const struct format *format, const float *w, size_t m, size_t k, uint8_t *packed);

/** The weight at a place of one panel of a matrix of K columns, in double; NaN without memory for a row that it is one of. */
double format_weight(const struct format *format, const uint8_t *panel, size_t k, uint32_t row, uint32_t column);

/** The row of weights times what the operand has of their columns, each of which value() gives. */
struct kernel_row kernel_row_of(const struct format *format, const uint8_t *panel, size_t k, uint32_t row,
                                const void *prepared, double (*value)(const void *prepared, size_t column));

/** row() of a kernel of SELF_FORMAT, of this name; after that an expression, what `prepared` has of `column`. */
#define KERNEL_ROW(name, ...)                                                                                          \
    static inline double name##_value(const void *prepared, size_t column)                                             \
    {                                                                                                                  \
        return __VA_ARGS__;                                                                                            \
    }                                                                                                                  \
    static inline struct kernel_row name(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)           \
    {                                                                                                                  \
        return kernel_row_of(&SELF_FORMAT, panel, k, row, prepared, name##_value);                                     \
    }

/** Random valid contents: `count` panels of a matrix of K columns, or of a uniform format this many steps. */
void format_fill(const struct format *format, uint8_t *packed, size_t count, size_t k, uint64_t *random);

#ifdef __cplusplus
}
#endif

#endif
