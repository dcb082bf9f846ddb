/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info/info_command.h"

#include <stdbool.h>
#include <stdio.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/table.h"

void info_title(const char *text)
{
    printf("%s%-*s%s", console_bold(), INFO_TITLE_COLUMNS, text, console_plain());
}

void info_heading(const char *text)
{
    printf("\n%s%s%s\n", console_bold(), text, console_plain());
}

void info_print_behind(size_t indent, const char *text)
{
    printf("%*s", (int)indent, "");
    console_print_hanging(indent, text);
}

const char *info_spread_list(const char *list, char *text, size_t size)
{
    size_t length = 0;
    for (; *list && length + 2 < size; list++) {
        text[length++] = *list;
        if (*list == ',' && list[1] != ' ')
            text[length++] = ' ';
    }
    text[length] = '\0';
    return text;
}

const char *info_bytes(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    unsigned unit = 0;
    for (; value >= 1024 && unit < 4; unit++)
        value /= 1024;
    bool whole = value == (double)(uint64_t)value;
    snprintf(text, size, "%.*f %s", whole || value >= 100 ? 0 : 1, value, units[unit]);
    return text;
}
