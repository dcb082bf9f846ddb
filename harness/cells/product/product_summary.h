/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "harness/cells/product/product_cell.h"

/** What GEMV and GEMM cells attain. */

/** Bytes of the packed matrix, padding included. */
double product_packed_bytes(const struct cell *cell);

/** Output vectors of 32 weights of the matrix, with those that pad it. */
double product_vectors(const struct cell *cell);

/** Memory level that the weights come from: "memory", "L3", "L2" or "L1". */
const char *product_level(const struct session *session, const struct cell *cell);

/** Attained bandwidth of the weights over the roof measured just before each sample, of a cold cell; pairs with its roof stream. */
struct graded product_roof_fraction(const struct cell *cell);

/** Bytes of weights: per second of the team, and per core cycle per core. */
struct graded product_bandwidth(const struct cell *cell);
struct graded product_bytes_per_cycle(const struct cell *cell);
/** Operations, 2 a weight and token (a GEMV is of one): per second of the team, and per core cycle per core. */
struct graded product_operations_per_s(const struct cell *cell);
struct graded product_operations(const struct cell *cell);
/** Tokens that go through this matrix in a second. */
struct graded product_tokens_per_s(const struct cell *cell);
/** Core cycles of a core per output vector, for all tokens together. */
struct graded product_cycles_per_vector(const struct cell *cell);
