/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAGE_OUTLIERS_PAGE_H
#define REPORTS_PAGE_OUTLIERS_PAGE_H

#include <stdio.h>

#include "reports/select/outliers.h"

/** The section of the page: the outliers, and the spread of every quantity. Nothing for fewer than FLEET_LEAST runs. */
void outliers_write(const struct outliers *outliers, FILE *html);

#endif
