/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24 with 3% of the weights as outliers; micro/kernels/mixed24_outliers.h draws it. K is padded to 64.
 */
#include "micro/kernels/mixed24_o30/layout.h"

#include "micro/kernels/mixed24_outliers_format.h"
