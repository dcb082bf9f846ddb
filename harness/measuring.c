/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measuring.h"

#include "harness/command.h"
#include "harness/console.h"

int measuring_run(const char *command, const struct session_request *request, measuring *measure, const void *options)
{
    struct session *session;
    char why[SESSION_WHY];
    if (session_open(request, &session, why, sizeof why))
        return complain(EXIT_USAGE, command, "%s", why);
    struct plan plan = {0};
    int code = measure(options, session, &plan);
    plan_release(&plan);
    session_close(session);
    return code;
}
