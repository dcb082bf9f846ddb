/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_QUANTIZE_QUANTIZE_COMMAND_H
#define HARNESS_CMD_QUANTIZE_QUANTIZE_COMMAND_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/cmd/console/table.h"
#include "harness/gguf/conversion.h"
#include "harness/gguf/npy.h"
#include "micro/quantization/mixed_outliers.h"
#include "results/records/run.h"

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

#endif
