/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24 with 1.5% of the weights as outliers; micro/families/mixed24/mixed24_outliers.h draws it. K is padded to 64.
 */
#include "micro/formats/mixed24_o15/layout.h"

#include "micro/families/mixed24/mixed24_outliers_format.h"
