/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_CONSOLE_CRASH_H
#define HARNESS_CMD_CONSOLE_CRASH_H

/**
 * From now on a crash of a plug-in's kernel while it is measured, or its exit(), is one line of this command on standard error, and
 * exit status 1.
 * @param command  a string that lives as long as the process
 */
void crash_report_for(const char *command);

#endif
