/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/verdict/verdict.h"

#include <errno.h>
#include <string.h>

enum verdict_format verdict_format_named(const char *name)
{
    static const char *const names[VERDICT_FORMATS] = {"text", "markdown", "junit", "json", "csv"};
    int format = 0;
    while (format < VERDICT_FORMATS && strcmp(name, names[format]) != 0)
        format++;
    return (enum verdict_format)format;
}

int verdict_write(const struct compare_report *report, enum verdict_format format, FILE *stream)
{
    int error = 0;
    if (format == VERDICT_MARKDOWN)
        verdict_markdown(report, stream);
    else if (format == VERDICT_JUNIT)
        verdict_junit(report, stream);
    else if (format == VERDICT_CSV)
        verdict_csv(report, stream);
    else
        error = verdict_json(report, stream);
    return error ? error : fflush(stream) != 0 || ferror(stream) ? -EIO : 0;
}
