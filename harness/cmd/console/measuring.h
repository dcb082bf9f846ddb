/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_CONSOLE_MEASURING_H
#define HARNESS_CMD_CONSOLE_MEASURING_H

#include "harness/plan/plan.h"
#include "harness/measure/session.h"

/** What a measuring command does with an open session and a plan that is empty still. @return exit code */
typedef int measuring(const void *options, struct session *session, struct plan *plan);

/** Open a session, or complain for the command; tell which kernels of plug-ins are withheld. @return exit code */
int measuring_open(const char *command, const struct session_request *request, struct session **session);

/**
 * Close it; tell what was withheld meanwhile.
 * @return the code, or EXIT_CHECK_FAILED where it is EXIT_DONE and something is withheld
 */
int measuring_close(const char *command, struct session *session, int code);

/** Record of type "withheld": a kernel or sequence of a plug-in that was caught, and the reason. New reference. */
json_t *measuring_withheld(const struct plugin_fault *fault);

/** Open a session, or complain for the command; measure; release session and plan. @return exit code */
int measuring_run(const char *command, const struct session_request *request, measuring *measure, const void *options);

#endif
