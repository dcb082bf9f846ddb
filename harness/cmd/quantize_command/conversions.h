/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_QUANTIZE_COMMAND_CONVERSIONS_H
#define HARNESS_CMD_QUANTIZE_COMMAND_CONVERSIONS_H

#include <stdbool.h>

#include "harness/cmd/console/table.h"
#include "harness/weights/conversion.h"

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

#endif
