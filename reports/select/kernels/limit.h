/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_KERNELS_LIMIT_H
#define REPORTS_SELECT_KERNELS_LIMIT_H

#include <jansson.h>

/** A kernel that attains less than this share of what its limit allows is not held by that limit. */
#define LIMIT_ATTAINED 0.7

/**
 * What limits a gemv or gemm record: the longer term of the model, as the record has it ("memory"; "instructions" for its "up-convert";
 * "start", "synchronisation", "multiply"), or "neither" where the kernel attains too little of what that term allows: of the roof measured
 * alongside for memory, of the predicted speed otherwise. "" where the model does not say.
 */
const char *limit_of(const json_t *row);

#endif
