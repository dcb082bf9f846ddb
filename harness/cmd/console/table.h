/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * Tables of records. A command says once which columns its records have; they are written as text that fits the
 * terminal, as Markdown, as CSV, and by print_record() as JSON Lines. To write is pure: FILE, records and style decide.
 */

enum table_value {
    TABLE_TEXT,   /* a string, an integer or %g; true and false are yes and no */
    TABLE_NUMBER, /* a number, or the median of a quantity, times scale (0: 1), with this many digits (below 0: %g) */
    TABLE_HALF,   /* half the 95% interval of a quantity's median likewise */
    TABLE_LOW,    /* where that interval, or [low, high], begins */
    TABLE_HIGH,   /* and ends */
    TABLE_CHANGE, /* of a share: "+1.2%"; digits 0: one */
    TABLE_SHARE,  /* "1.2%" */
    TABLE_GRADE,  /* of a quantity */
    TABLE_KEPT,   /* samples of a quantity */
    TABLE_REJECTED,
};

struct table_column {
    const char *heading;
    const char *field;      /* of the records; --sort takes it or the heading */
    enum table_value value; /* what of the field is shown, unless text says it */
    double scale;
    int digits;
    const char *format; /* printf format of the number; NULL: by digits */
    unsigned
        rank; /* 0: what the row is about, always there; else how soon it is left out where room is short, the highest first */
    bool left; /* flush left */
    /** Where room is short, its text is cut to no less than this; 0: it is not. What the row is about stays different from row to row. */
    size_t clips;
    bool limit;           /* what holds the row: in colour on a terminal */
    bool optional;        /* left out where no record has the field, or null in it */
    const char *only;     /* type of the one table that has it; NULL: every table that lists it */
    const char *explains; /* said below the table, after the heading, where the column is shown; NULL: nothing */
    /** The cell as text, "" for nothing; NULL: by value. */
    const char *(*text)(const json_t *record, char *text, size_t size);
};

struct table {
    const char *type; /* of its records */
    const char *title;
    const struct table_column *columns;
    size_t count;
    const char *needs; /* quantity without which a row is its columns of rank 0, and why; NULL: none */
    bool (*stands_out)(const json_t *record); /* rows in bold on a terminal; NULL: none */
    /** What is said at the end of a row, "" for nothing; NULL: nothing is. */
    const char *(*note)(const json_t *record, char *text, size_t size);
};

enum table_form { TABLE_FORM_TEXT, TABLE_FORM_MARKDOWN };

struct table_style {
    enum table_form form;
    size_t width;     /* columns of the terminal; 0: every column of the table is shown */
    bool colour;      /* limits in colour, what stands out in bold */
    const char *sort; /* a column, with '-' before it the largest first; NULL: as the records come */
};

/**
 * Write the records (an array) of the table.
 * @return 0, or -ENOMEM
 */
int table_write(FILE *stream, const struct table *table, const json_t *records, const struct table_style *style);

/** The line that stands before numbers of a record that carries an emulator; a table writes it itself. @return whether it does */
bool table_write_emulated(FILE *stream, const json_t *record);

/**
 * Words after the columns that are used; further lines begin at the indent. Nothing ends the last one.
 * @param width  of a line; 0: it is not broken
 * @return       columns used of the last line
 */
size_t table_write_words(FILE *stream, const char *text, size_t used, size_t indent, size_t width);

/** How many of the records have no number in what the table needs. */
size_t table_rows_lacking(const struct table *table, const json_t *records);

/** Whether a column that the table lists is one of its own. */
bool table_has(const struct table *table, const struct table_column *column);

/** The column that --sort means, NULL if the table has none. */
const struct table_column *table_column_find(const struct table *table, const char *sort);

/** Records of all types as one CSV: a column for each field, of a quantity five. @return 0, or -ENOMEM */
int table_write_csv(FILE *stream, const json_t *records);

/** Records of any type in Markdown, type by type: those of the tables (NULL-terminated, or NULL), the others by their fields. */
int table_write_markdown(FILE *stream, const struct table *const *tables, const json_t *records, const char *sort);

/* ---- as options ---- */

/** --wide and --sort, as an argp child: its input is a struct table_view, of which tables is set before. */
struct table_view {
    const struct table *const *tables; /* NULL-terminated: of the command */
    bool wide;
    const char *sort;
};
extern const struct argp table_argp;

/** Print the records as text on standard output, fitted to it. A table without the sorted column comes as it is. @return exit code */
int table_show(const char *command, const struct table *table, const json_t *records, const struct table_view *view);

/** As table_show, or the records as JSON Lines where these are wanted. @return exit code */
int table_print_records(const char *command, const struct table *table, const json_t *records, bool json,
                        const struct table_view *view);

/** One row more, which is taken: written at once as a line where JSON is wanted, else kept in rows for the table. @return exit code */
int table_take(const char *command, json_t *rows, bool json, json_t *record);

/** Columns of the terminal that standard output is; 0 if it is not a terminal. */
size_t console_columns(void);

/** Print a text as paragraphs broken for the terminal, or to 100 columns elsewhere. */
void console_print_prose(const char *text);

/** Print words after the columns of the line that are already used; further lines start at the same column. */
void console_print_hanging(size_t indent, const char *text);

/** Print text that was laid out for a wide page: on a terminal its paragraphs are broken anew where they are too wide. */
void console_print_text(const char *text);
