/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info/info_command.h"

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
