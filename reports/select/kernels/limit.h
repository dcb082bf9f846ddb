/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

/**
 * What limits the product of a gemv or gemm record: the larger term of its model, "memory", "up-convert", "multiply", "operands", "start" or
 * "synchronisation", or limit_neither where the product attains too little of what that term allows (roofline/limit.h): of the
 * roof measured alongside for memory, of the predicted speed otherwise. NULL where the model does not say.
 */
const char *row_limit(const json_t *row);

/** The same in words of a page: "instructions" for "up-convert", "" for NULL. */
const char *row_limit_words(const json_t *row);
