/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_GEMV_PRODUCT_H
#define HARNESS_CELLS_GEMV_GEMV_PRODUCT_H

#include "harness/cells/product/shared_product.h"
#include "harness/team/gemv.h"

/** A prepared GEMV as a product that a team shares; it must live as long. */
struct shared_product gemv_product(struct gemv *gemv);

#endif
