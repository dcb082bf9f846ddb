/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "results/tuned/tuning.h"

/** Tables of `kneepoint tune` on this machine: read by those that run kernels, who take settings from them. */

/** Where the table of this CPU lies unless it is said: <results>/tuning/<platform>.json. 0 or -ENAMETOOLONG */
int tuning_use_path(const struct session *session, const char *results, char *path, size_t size);

/** What a table says of who made it, of the kernels that are in it. New reference; NULL without memory. */
json_t *tuning_use_made_by(const struct session *session, const struct tuning_table *table);

/**
 * Read a table that holds for this CPU and this build.
 * @return 0; -ENOENT no table; -EINVAL not a table; -EXDEV it is of another CPU, -ESTALE of this one with another compiler or code, both without
 *         the remedy; with one line in why. On failure the table is empty.
 */
int tuning_use_read(const struct session *session, const char *path, struct tuning_table *table, char *why,
                    size_t size);

/** What the table has for a kernel's GEMM or GEMV (of one token): of that problem, else of the nearest. NULL: nothing */
const struct tuning_cell *tuning_use_match(const struct tuning_table *table, const struct kernel *kernel, bool gemm,
                                           size_t m, size_t k, size_t n, unsigned threads, bool cold);

/**
 * Give a GEMV or GEMM cell that is plain the settings that the table has for its kernel: those of its problem, else of the nearest one
 * that was tuned. Without any it stays as it is. The name of a cell whose settings are not the kernel's own says so.
 */
void tuning_use_apply(const struct tuning_table *table, struct cell *cell);

/** Whether one of these cells runs with settings of a table, as tuning_use_apply or a decode job gave it. */
bool tuning_use_any(const struct cells *cells);

/** Whether one of these cells runs with a prefetch distance that was found in this run (enum session_tunes). */
bool tuning_use_any_found(const struct cells *cells);
