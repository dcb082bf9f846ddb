/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outliers of mixed24_o30; micro/families/mixed24/mixed24_outliers.h draws it.
 */
#define OUTLIERS_PER_MILLE 30
