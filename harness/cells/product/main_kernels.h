/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/measure/session.h"
#include "micro/shape.h"

/** Which kernels a characterization measures most of. */

/** The shape on which every ISA's variant of a kernel runs; elsewhere only the best one of a sequence ops. */
enum { PRODUCT_REFERENCE_SIDE = 4096 };

/**
 * Tiers of GEMV cells in a characterization: every kernel on the reference shape; then the formats and shapes of the
 * paper that the model is from, all teams, cold and warm, by its own kernels as published, too; then those of the other papers, and the other main kernels on the shapes of
 * that paper, cold, with the widest team or where the paper varies the threads with all.
 */
enum gemv_tier { GEMV_REFERENCE, GEMV_MAIN_PAPER, GEMV_PAPERS, GEMV_TIERS };

/** The tier of a kernel on a shape; GEMV_TIERS if it does not run on it. */
enum gemv_tier gemv_tier_of(const struct session *session, const struct kernel *kernel, const struct shape *shape);

/**
 * Whether code is of the paper that the model is from, in the best of the instruction sets that it was published for that runs here: what the
 * paper's own figures are held against, even where a port of it to another set is faster.
 */
bool code_is_as_published(const struct session *session, const char *origin, const char *isa);

/** Whether a kernel is neither a rendering of published code nor of a plug-in. */
bool kernel_is_ours(const struct session *session, const struct kernel *kernel);

/** Each format's best kernel of those that have a GEMV, and the papers' in their best variants; kernels of plug-ins, which are what is asked. */
bool gemv_is_main(const struct session *session, const struct kernel *kernel);

/** Each format's best GEMM kernels of ours: none of the format has a better ISA; kernels of plug-ins. */
bool gemm_is_main(const struct session *session, const struct kernel *kernel);

/** Whether activations keep 8 bits, or tables of them do. */
bool kernel_keeps_activations(const struct kernel *kernel);

/**
 * Whether a model's layers are to be measured with a kernel: activations keep 8 bits, and the columns their order. What planes of fewer
 * bits and orders of columns make of models, scripts/measuring/measure_bit_serial and scripts/measuring/measure_mixed measure.
 */
bool kernel_is_for_models(const struct kernel *kernel);
