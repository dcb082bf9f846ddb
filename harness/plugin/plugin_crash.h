/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/**
 * A kernel of a plug-in that was right wherever it was tried, and crashes while it is measured, ends the process:
 * threads of the team may hold anything. At least it is named.
 */

/**
 * From now on, in this process. The report is given what was measured and the signal's name, as a signal handler: it
 * may only call what is safe there, and must end the process. Where that called exit() there is no signal: NULL. A crash of anything else than a plug-in is not caught.
 */
void plugin_crash_catch(void (*report)(const char *measured, const char *signal_name));

/** What is measured now, which must live until the next call; NULL: nothing of a plug-in. */
void plugin_crash_now(const char *name);
