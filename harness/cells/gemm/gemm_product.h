/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMM_GEMM_PRODUCT_H
#define HARNESS_CELLS_GEMM_GEMM_PRODUCT_H

#include "harness/cells/product/shared_product.h"
#include "harness/team/gemm.h"

/** A prepared GEMM as a product that a team shares; it must live as long. */
struct shared_product gemm_product(struct gemm *gemm);

#endif
