/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24 with 0.5% of the weights as outliers; micro/families/mixed24/mixed24_outliers.h draws it. K is padded to 64.
 */
#include "micro/formats/mixed24_o05/layout.h"

#include "micro/families/mixed24/mixed24_outliers_format.h"
