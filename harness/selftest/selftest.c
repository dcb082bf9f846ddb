/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/selftest/selftest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "harness/command/exit_code.h"

void selftest_run(const struct selftest_check *check, struct session *session, struct selftest_line *line)
{
    *line = (struct selftest_line){.name = check->name, .claim = check->claim, .value = NAN, .unit = ""};
    const char *emulator = check->timed ? machine_emulator(&session->machine) : "";
    selftest_unavailable(line, "the check said nothing");
    if (emulator[0])
        selftest_unavailable(line, "this machine is emulated by %s, whose times are not those of a core", emulator);
    else
        check->run(session, line);
}

void selftest_judge(struct selftest_line *line, bool pass, double value, const char *unit, const char *format, ...)
{
    va_list arguments;
    line->verdict = pass && !isnan(value) ? SELFTEST_PASS : SELFTEST_FAIL;
    line->value = value;
    line->unit = unit;
    va_start(arguments, format);
    vsnprintf(line->detail, sizeof line->detail, format, arguments);
    va_end(arguments);
}

void selftest_unavailable(struct selftest_line *line, const char *format, ...)
{
    va_list arguments;
    line->verdict = SELFTEST_UNAVAILABLE;
    line->value = NAN;
    va_start(arguments, format);
    vsnprintf(line->detail, sizeof line->detail, format, arguments);
    va_end(arguments);
}

bool selftest_close(double a, double b, double tolerance)
{
    return b != 0 && fabs(a - b) <= tolerance * fabs(b);
}

const char *selftest_verdict_name(enum selftest_verdict verdict)
{
    static const char *const names[] = {"pass", "fail", "unavailable"};
    return names[verdict];
}

int selftest_exit_code(const struct selftest_line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (lines[i].verdict == SELFTEST_FAIL)
            return EXIT_CHECK_FAILED;
    }
    return EXIT_DONE;
}

json_t *selftest_record(const struct selftest_line *line)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:s}", "type", "selftest", "name", line->name, "claim",
                     line->claim, "verdict", selftest_verdict_name(line->verdict), "value",
                     isfinite(line->value) ? json_real(line->value) : json_null(), "unit", line->unit, "detail",
                     line->detail);
}
