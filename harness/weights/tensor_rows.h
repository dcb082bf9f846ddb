/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_WEIGHTS_TENSOR_ROWS_H
#define HARNESS_WEIGHTS_TENSOR_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "harness/weights/model_file.h"
#include "micro/kernel.h"

/**
 * The weights of a tensor, of the types that a format of ours is: gguf_type.format. Such a file's rows are the format's panels of one
 * row, byte for byte, where K is a whole number of steps; else a row is padded with zeros (which only the float formats allow).
 * Nothing is quantized anew, so the values are the file's.
 *
 * A tensor of three dimensions is its matrices one behind the other; a row's number counts through all of them.
 */

/** The format of the tensor; NULL if it has none or does not take its rows. */
const struct format *tensor_format(const struct gguf_tensor *tensor);

/** All rows. */
uint64_t tensor_row_count(const struct gguf_tensor *tensor);

/** What the values are multiplied with that a format decodes: the one scale of an I2_S tensor, 1 of all others. */
double tensor_scale(const struct model_tensor *tensor);

/** The values of a row in double, size[0] of them. @return 0, -ENOTSUP without a format, -ERANGE for a row that it has not */
int tensor_row_values(const struct model_tensor *tensor, uint64_t row, double *values);

/** Bytes of `rows` rows packed for kernels; the format is that of the tensor. */
size_t tensor_packed_bytes(const struct gguf_tensor *tensor, uint64_t rows);

/**
 * Pack rows first … first + rows - 1 for kernels of the tensor's format.
 * @return 0, or as tensor_row_values
 */
int tensor_pack(const struct model_tensor *tensor, uint64_t first, uint64_t rows, uint8_t *packed);

#endif
