/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

/**
 * The one handler of SIGINT, SIGTERM and SIGHUP, of all commands that measure. A signal before anything is measured ends the tool at once.
 * From interruption_watch() on the first one asks to stop, and a second one ends the tool at once, except one of the same kind within
 * a second: timeout(1) sends each signal twice. The exit code is EXIT_INTERRUPTED each time.
 */

/** Catch them. A hang-up that is ignored (nohup) stays ignored. @param command  for messages, never released */
void interruption_catch(const char *command);

/** From here on the first signal only asks to stop. @return becomes other than 0 then: the `stop` of an execution */
const volatile int *interruption_watch(void);
