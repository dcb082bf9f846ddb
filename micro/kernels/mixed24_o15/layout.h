/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outliers of mixed24_o15; micro/kernels/mixed24_outliers.h draws it.
 */
#define OUTLIERS_PER_MILLE 15
