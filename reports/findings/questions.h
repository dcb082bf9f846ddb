/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_FINDINGS_QUESTIONS_H
#define REPORTS_FINDINGS_QUESTIONS_H

#include "reports/findings/finding.h"

/** The questions that a run is asked, one file each, find_<question>.c; a finding is added if the records answer it. */

void find_knee(struct facts *facts);       /* where the knees lie, and on which side this machine is */
void find_memory(struct facts *facts);     /* bandwidth and clock */
void find_riders(struct facts *facts);     /* share of the roof that kernels attain */
void find_advantage(struct facts *facts);  /* ours against each paper's, ISA by ISA */
void find_claims(struct facts *facts);     /* the papers' claims measured here */
void find_headlines(struct facts *facts);  /* the papers' headline ratios that are not reproduced here, and why */
void find_planes(struct facts *facts);     /* products of planes against those of integers */
void find_prediction(struct facts *facts); /* residuals and overlap */
void find_validation(struct facts *facts); /* sequences as streams against the model, level by level */

#endif
