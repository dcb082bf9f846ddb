/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/measure/session.h"

/** Open a session, or complain for the command; report which kernels of plug-ins are withheld, and catch signals (interruption.h). @return exit code */
int command_session_open(const char *command, const struct session_request *request, struct session **session);

/** What plug-ins printed, and notes on them, as lines on standard error, each once. */
void command_session_report_said(const char *command, struct plugin_output *said);

/** Before minutes are spent on samples that are rejected: how busy the machine is, if it is; of a recorded machine nothing. */
void command_session_warn_busy(const char *command, const struct session *session);

/** What is chosen or judged by time needs a machine. @return exit code, after complaining where an emulator times it */
int command_session_needs_machine(const char *command, const struct session *session);

/**
 * Close it; report what was withheld meanwhile.
 * @return the code, or EXIT_CHECK_FAILED where it is EXIT_DONE and something is withheld
 */
int command_session_close(const char *command, struct session *session, int code);

/** Print a record (withheld_record) of each, for programs; for people they are on standard error. @return exit code */
int command_session_print_withheld(const char *command, const struct session *session);

/**
 * Open a session, or complain for the command; measure; release session and plan.
 * @param measure  what the command does with an open session and a plan that is still empty; returns an exit code
 * @return exit code
 */
int command_session_run(const char *command, const struct session_request *request,
                        int (*measure)(const void *options, struct session *session, struct cells *cells),
                        const void *options);

/**
 * From now on a crash of a plug-in's kernel while it is measured, or its exit(), is one line of this command on standard error, and
 * exit status 1.
 * @param command  a string that lives as long as the process
 */
void crash_report_for(const char *command);
