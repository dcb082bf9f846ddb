/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables on standard output, as wide as it is.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/table.h"
#include "harness/command/command.h"
#include "results/text/words.h"

enum { OPTION_WIDE = 0x700, OPTION_SORT };

static const struct argp_option option_table[] = {
    {"wide", OPTION_WIDE, NULL, 0,
     "Show every column whatever the terminal width (default when output is not a terminal)", 2},
    {"sort", OPTION_SORT, "COLUMN", 0, "Sort rows by a column of the table; -COLUMN: largest first", 2},
    {0},
};

static void check_sort(const struct table_view *view, struct argp_state *state)
{
    char names[1024] = "";
    for (const struct table *const *table = view->tables; *table; table++) {
        if (table_column_find(*table, view->sort))
            return;
        for (size_t c = 0; c < (*table)->count; c++) {
            const struct table_column *column = &(*table)->columns[c];
            if (table_has(*table, column))
                words_add(names, sizeof names, "%s", column->heading);
        }
    }
    argp_error(state, "--sort: no column '%s'; the columns are %s", view->sort + (*view->sort == '-'), names);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct table_view *view = state->input;
    switch (key) {
    case OPTION_WIDE: view->wide = true; return 0;
    case OPTION_SORT: view->sort = argument; return 0;
    case ARGP_KEY_END:
        if (view->sort)
            check_sort(view, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp table_argp = {.options = option_table, .parser = parse};

size_t console_columns(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
        return 0;
    return size.ws_col;
}

int table_show(const char *command, const struct table *table, const json_t *records, const struct table_view *view)
{
    const struct table_style style = {
        .width = view->wide ? 0 : console_columns(), .colour = console_colour(), .sort = view->sort};
    return table_write(stdout, table, records, &style) ? complain(EXIT_USAGE, command, "no memory") : EXIT_DONE;
}

int table_print_records(const char *command, const struct table *table, const json_t *records, bool json,
                        const struct table_view *view)
{
    json_t *record;
    size_t i;
    if (!json)
        return table_show(command, table, records, view);
    json_array_foreach((json_t *)(uintptr_t)records, i, record)
    {
        if (print_record(command, json_incref(record)))
            return EXIT_USAGE;
    }
    return EXIT_DONE;
}

int table_take(const char *command, json_t *rows, bool json, json_t *record)
{
    if (json)
        return print_record(command, record);
    return record && json_array_append_new(rows, record) == 0 ? EXIT_DONE : complain(EXIT_USAGE, command, "no memory");
}

/** One paragraph, its line ends being blanks. */
static void print_paragraph(const char *text, size_t length, size_t width)
{
    size_t used = 0;
    for (const char *end = text + length; text < end;) {
        size_t word = 0;
        while (text + word < end && text[word] != ' ' && text[word] != '\n')
            word++;
        if (used && used + 1 + word > width) {
            putchar('\n');
            used = 0;
        }
        used += (size_t)printf("%s%.*s", used ? " " : "", (int)word, text);
        text += word;
        while (text < end && (*text == ' ' || *text == '\n'))
            text++;
    }
    putchar('\n');
}

static bool is_too_wide(const char *text, size_t width)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        if (strcspn(text, "\n") > width)
            return true;
    }
    return false;
}

static void print_broken(const char *text, size_t width)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        if (*text == '\n') {
            putchar('\n');
            text++;
            continue;
        }
        print_paragraph(text, length - (length && text[length - 1] == '\n'), width);
        text += length + (text[length] == '\n');
    }
}

void console_print_hanging(size_t indent, const char *text)
{
    size_t width = console_columns(), used = indent;
    bool first = true;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (width && !first && used + 1 + word > width) {
            printf("\n%*s", (int)indent, "");
            used = indent;
            first = true;
        }
        used += (size_t)printf("%s%.*s", first ? "" : " ", (int)word, text);
        first = false;
        text += word + (text[word] == ' ');
    }
    putchar('\n');
}

void console_print_text(const char *text)
{
    size_t width = console_columns();
    if (width && is_too_wide(text, width))
        print_broken(text, width);
    else
        fputs(text, stdout);
}

void console_print_prose(const char *text)
{
    enum { COLUMNS = 100 };
    size_t width = console_columns();
    print_broken(text, width && width < COLUMNS ? width : COLUMNS);
}
