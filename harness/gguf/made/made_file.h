/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/gguf/listed_file.h"

enum { MADE_FILE_CONTEXT = 8192 }; /* context_length: no shape depends on it */

/**
 * Write the GGUF file that a listed model would have, version 3, with drawn weights and without a tokenizer ("no_vocab"). A weight of a matrix
 * of K columns has a standard deviation of 1/sqrt(K), so that products of normed activations are of their magnitude, and numbers of a
 * norm one of 0.1 around 1. The same model is written as the same bytes. The file is there when it is complete.
 *
 * @param bytes  of the file
 * @param stop  other than 0: give up; NULL: never
 * @return 0; -EEXIST the file is there already; -ENOTSUP a type that no format here is; -EINTR stopped; -ENOMEM; or what the system says;
 *         with one line in why
 */
int made_file_write(const struct listed_file *listed, const char *path, const volatile int *stop, uint64_t *bytes,
                    char *why, size_t size);
