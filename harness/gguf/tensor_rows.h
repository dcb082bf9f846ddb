/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/gguf/model_file.h"
#include "harness/gguf/npy.h"
#include "micro/kernel.h"

/**
 * The weights of a tensor, of the types that a format of ours is: gguf_type.format. Such a file's rows are the format's panels of one
 * row, byte for byte, where K is a whole number of steps. Nothing is quantized anew, so the values are the file's.
 */

/** The format of the tensor; NULL if it has none or does not take its rows. */
const struct format *tensor_format(const struct gguf_tensor *tensor);

/** Neighbouring rows that are sampled together: some formats share scales among as many. */
enum { TENSOR_RUN = 16 };

/** Whether it is a matrix of a format of ours. @return 0; -EINVAL with the end of a sentence in why, "has one dimension, …" */
int tensor_is_matrix(const struct gguf_tensor *tensor, char *why, size_t size);

/**
 * Weights of a matrix as its type stands for them: all rows, or no more than rows_most (at least TENSOR_RUN), in runs of TENSOR_RUN
 * that are spread evenly.
 * @param matrix  its w is the caller's to free
 * @return 0 or -ENOMEM
 */
int tensor_sample(const struct model_tensor *tensor, size_t rows_most, struct matrix *matrix);

/** What the values are multiplied with that a format decodes: the one scale of an I2_S tensor, 1 of all others. */
double tensor_scale(const struct model_tensor *tensor);
