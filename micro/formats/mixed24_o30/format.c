/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24 with 3% of the weights as outliers; micro/families/mixed24/mixed24_outliers.h draws it. K is padded to 64.
 */
#include "micro/formats/mixed24_o30/layout.h"

#include "micro/families/mixed24/mixed24_outliers_format.h"
