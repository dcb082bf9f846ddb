/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "harness/cells/product/product_cell.h"
#include "roofline/gemm.h"

/**
 * What the model of roofline/gemm.h says of a sweep: the GEMM cells of one kernel, shape and team, whose
 * first members share it equally at their own speed, over numbers of tokens.
 *
 * gamma_dot and gamma_up are fitted to two of three numbers of tokens, in ascending order, of the warm cells, or where
 * those do not tell both, of the cold ones; only cells count that computing holds up, not reading. omega is taken from the
 * cold cell, of those numbers, whose reading and computing are most alike. All other cells are held out. Of fewer than
 * GEMM_MODEL_HELD_OUT numbers all are fitted to, and none is held out.
 *
 * Of a kernel that unpacks to scratch gamma_up is measured as well (harness/cells/unpack/unpack.h), and is then what the roof of
 * up-converting, N* and what binds are computed from. Predictions are of the fit alone: how much of it the products hide
 * only the sweep tells.
 */
enum { GEMM_MODEL_HELD_OUT = 4 };

struct gemm_model {
    const char *why;      /* there is no fit; NULL: there is one */
    const char *protocol; /* of the cells it is fitted to */
    struct gemm_fit fit;
    double unpack_gamma; /* gamma_up as the kernel unpacks alone; NaN: it does not, or was not measured */
    size_t calibrated[GEMM_POINTS_MOST], calibrations; /* numbers of tokens */
    double bytes_per_vector;
    double memory_cycles; /* B / beta of memory with this team; NaN: not known */
    double knee;          /* N* */
    double omega;         /* NaN: no cell tells */
    size_t omega_tokens;  /* of the cell it is from; 0 */
    char multiply[80];    /* sequence that is the roof of multiplying; "" */
    double multiply_gamma;
    struct gemm_operands operands; /* of a kernel on tiles; NaN inside: not known, or none */
};
struct gemm_model gemm_model(const struct session *session, const struct cells *cells, const struct cell *cell);

/** The terms with gamma_up as measured, where it was. */
struct gemm_fit gemm_model_terms(const struct gemm_model *model);

/** Whether two GEMM cells are of one sweep; false for cells of another kind. */
bool gemm_same_sweep(const struct cell *one, const struct cell *other);

/** Whether a cell is one that the terms (or of the second, omega) were taken from. */
bool gemm_is_calibration(const struct gemm_model *model, const struct cell *cell);
bool gemm_is_omega(const struct gemm_model *model, const struct cell *cell);

/** Seconds of a cell; NaN where a part is not known. */
struct gemm_prediction {
    double memory_cycles; /* B / beta of the cell's level and team */
    double memory_s, compute_s;
    double max_s, overlap_s;
    double
        operand_roof; /* operations a cycle; NaN, too, if the cell was faster: tiles were slower when they were measured */
    double operands_s; /* gemm_operand_cycles() */
};
struct gemm_prediction gemm_predict(const struct session *session, const struct cells *cells,
                                    const struct gemm_model *model, const struct cell *cell);

/** Add the cells of what is a roof of a kernel's multiplications: gamma of those alone, and its operands. 0 or -ENOMEM. */
int gemm_add_multiply(struct cells *cells, const struct session *session, const struct kernel *kernel);

/** What a GEMM cell says; NULL without memory. New reference. */
json_t *gemm_record(const struct session *session, const struct cells *cells, const struct cell *cell);

/** Record of type "gemm_model" beside that of the first cell of a sweep; NULL for any other. New reference. */
json_t *gemm_model_record(const struct session *session, const struct cells *cells, const struct cell *cell);
