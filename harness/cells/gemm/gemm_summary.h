/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMM_GEMM_SUMMARY_H
#define HARNESS_CELLS_GEMM_GEMM_SUMMARY_H

#include "harness/cells/cell/summary.h"
#include "harness/cells/gemm/gemm_cell.h"

/** What GEMM cells attain. */

/** Bytes of the packed matrix, padding included. */
double gemm_packed_bytes(const struct cell *cell);

/** Output vectors of 32 weights of the matrix, with those that pad it. */
double gemm_vectors(const struct cell *cell);

/** Memory level that the weights come from: "memory", "L3", "L2" or "L1". */
const char *gemm_level(const struct session *session, const struct cell *cell);

/** Attained bandwidth of the weights over the roof measured just before each sample, of a cold cell. */
struct graded gemm_roof_fraction(const struct cell *cell);

/** Bytes of weights per second of the team. */
struct graded gemm_bandwidth(const struct cell *cell);
/** Operations, 2 a weight and token: per second of the team, and per core cycle per core. */
struct graded gemm_operations_per_s(const struct cell *cell);
struct graded gemm_operations(const struct cell *cell);
/** Tokens that go through this matrix in a second. */
struct graded gemm_tokens_per_s(const struct cell *cell);
/** Core cycles of a core per output vector, for all tokens together. */
struct graded gemm_cycles_per_vector(const struct cell *cell);

#endif
