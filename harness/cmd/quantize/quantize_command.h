/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/cmd/console/table.h"
#include "harness/gguf/conversion.h"
#include "harness/gguf/npy.h"
#include "micro/quantization/mixed_outliers.h"
#include "results/records/run.h"

enum { LOSSES_MOST = 64 };

/** `quantize FORMAT...`: what formats lose of matrices. */
struct losses {
    const char *command;
    const char *const *format; /* names that quality_find() knows */
    size_t formats;
    bool json;
    json_t *rows; /* of the table, unless json */
};

/** A matrix, and of a file's tensor what it is of. */
struct lossy {
    const char *weights; /* name to print */
    const struct matrix *matrix;
    const float *x;   /* activations, as quality_of() takes them; NULL: none are needed */
    const char *type; /* of the file's tensor; NULL: it is none */
    uint64_t rows;    /* that the tensor has; 0: it is none */
};

/** Errors of several tensors: means over their weights, format by format. */
struct losses_sum {
    size_t tensors;
    struct {
        size_t tensors;
        double weights, bits, weighted_error,
            output_error; /* weighted with the weights, which are those of whole tensors */
    } of[LOSSES_MOST];
};

extern const struct table losses_table;

/**
 * The default names where none is given, and whether there are such.
 * @param every  NULL, or of a file: all quantizers are the default
 * @return exit code
 */
int losses_settle(const char *command, const char *every, const char **format, size_t *formats);

/** A row or record for each format, of a file by ascending bits. @param sum  added to; a format that does not take the matrix is then a row that says so. NULL: an error. @return exit code */
int losses_print(const struct losses *losses, const struct lossy *lossy, struct losses_sum *sum);

/** A row or record for each format, of all that was added. @param pattern  of the tensors; NULL: all. @return exit code */
int losses_print_sum(const struct losses *losses, const char *pattern, const struct losses_sum *sum);

void losses_print_explanation(void);

/** `quantize --gguf`: matrices of a model file. */
struct tensors_request {
    const char *command, *path, *pattern; /* pattern NULL: all */
    size_t rows;                          /* of each tensor; 0: 64, or fewer */
    bool all_rows;
};

typedef int tensors_do(void *context, const struct lossy *lossy, struct losses_sum *sum);

/** Call with the weights of each tensor, or what is sampled of it, and with activations. @return exit code */
int tensors_visit(const struct tensors_request *request, uint64_t seed, tensors_do *visit, void *context,
                  struct losses_sum *sum);

void tensors_print_explanation(void);

/** `quantize --bipolar`: what the conversion to bipolar integers takes from a layer's output. */
struct conversions {
    const char *command, *weights; /* names to print */
    const struct matrix *matrix;
    const float *x; /* activations, as conversion_of() takes them */
    const char *const *bits;
    size_t bits_count; /* of names such as "w4a4" */
    size_t group;
    bool json;
    json_t *rows; /* of the table, unless json */
};

extern const struct table conversions_table;

/** The default names where none is given, and whether they are ones. @return exit code */
int conversions_settle(const char *command, const char **bits, size_t *count);

/** One row or record for each pair of bits and type. @return exit code */
int conversions_print(const struct conversions *conversions);

void conversions_print_explanation(void);

/** `quantize --mixed`: what is left of a matrix in 2, 4 and 16 bits. */
struct mixed_request {
    bool asked, any; /* --mixed itself, and any option that goes with it */
    const char *command;
    const char *weights;     /* a file, "synthetic", one of its kinds, or "stack" */
    const char *calibration; /* a file; NULL: drawn */
    double four_bit,
        outliers; /* shares of the one variant to look at; NaN: not given. Neither given: all that are compared */
    enum mixed_outlier_choice choice;
    bool choice_given;
    bool error_feedback;
    const char *into; /* a run that records are added to as well; NULL: none */
    struct run *run;  /* that run, open: mixed_print's own */
    uint64_t seed;
    bool json;
    const struct table_view *view;
};

extern const struct table mixed_table;

/** Its options, as an argp child: the input is a struct mixed_request, of which four_bit and outliers are NaN before. */
extern const struct argp mixed_argp;

/** One row or record for each variant of each matrix. @param given  of a file, w NULL: drawn. @return exit code */
int mixed_print(const struct mixed_request *request, const struct matrix *given);
