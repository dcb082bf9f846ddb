/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLUGIN_PLUGIN_CRASH_H
#define HARNESS_PLUGIN_PLUGIN_CRASH_H

/**
 * A kernel of a plug-in that was right wherever it was tried, and crashes while it is measured, ends the command:
 * threads of the team may hold anything. At least it is named. One line on standard error, and exit status 1.
 */

/** From now on, in this process; names the command in the line. */
void plugin_crash_catch(const char *command);

/** What is measured now, which must live until the next call; NULL: nothing of a plug-in. */
void plugin_crash_now(const char *name);

#endif
