/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"

/**
 * Passes in a characterization, with the widest team and an output head of 16 bits: the smallest model of the main paper in
 * the formats that its figure of tokens per second has, and the smallest of bitnet.cpp's in its formats, with our kernels and its
 * own. A model that memory does not hold is not planned. Members of a kind of those names.
 */
int decode_plan(struct cells *cells, const struct planning *planning);
enum cell_value decode_value(const struct planning *planning, const struct cell *cell);
struct cell_cost decode_cost(const struct session *session, const struct cell *cell);

/**
 * The kernel of a format that a pass takes where none is named: of those that run here the main one of the best ISA, of ours where there
 * is one.
 * @param prompts  its GEMM is what counts, not its GEMV
 * @return NULL: none runs
 */
const struct kernel *decode_kernel_of(const struct session *session, const struct format *format, bool prompts);

/**
 * The same of a format that stands for its width: where none of its kernels runs here, of another format of that width of
 * ours.
 * @param format  as in `kneepoint list kernels`
 * @return        NULL: none runs
 */
const struct kernel *decode_kernel_of_width(const struct session *session, const char *format, bool prompts);

/** Positions of the cache where nothing else is asked for, and the format of the head, which models are published with. */
enum { DECODE_CONTEXT = 512 };
extern const char decode_head_format[];
