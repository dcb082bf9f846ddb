/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_MEASURING_H
#define HARNESS_MEASURING_H

#include "harness/plan.h"
#include "harness/session.h"

/** What a measuring command does with an open session and a plan that is empty still. @return exit code */
typedef int measuring(const void *options, struct session *session, struct plan *plan);

/** Open a session, or complain for the command; measure; release session and plan. @return exit code */
int measuring_run(const char *command, const struct session_request *request, measuring *measure, const void *options);

#endif
