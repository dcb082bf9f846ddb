/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAGE_PAGE_FINDINGS_H
#define REPORTS_PAGE_PAGE_FINDINGS_H

#include <stdio.h>

#include "reports/findings/findings.h"

/** What a run says: a heading, statements, and a table of what it says in numbers. */
void page_write_finding(const struct finding *finding, FILE *html);

#endif
