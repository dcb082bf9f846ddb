/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/cpu/emulator.h"
#include "results/records/record.h"
#include "results/text/text_escape.h"

enum { CELL_TEXT = 512, GAP = 1, NOTE_GAP = 2, INDENT = 4, PROSE_COLUMNS = 100, ROWS_TOLD_APART = 128 };

struct table_cell {
    char text[CELL_TEXT];
    double value; /* to sort by; NAN: by its text */
};

struct table_row {
    const json_t *record;
    struct table_cell *cells;
    char note[1024];
};

struct layout {
    const struct table *table;
    const struct table_style *style;
    struct table_row *rows;
    size_t count;
    struct table_cell *cells;
    size_t *wanted, *widths; /* of each column: what its texts take, and what they get */
    bool *shown;
};

/* ---- cells ---- */

static double number_of(const json_t *record, const struct table_column *column)
{
    const json_t *value = json_object_get(record, column->field);
    double scale = column->scale != 0 ? column->scale : 1;
    struct summary summary;
    bool of_interval = column->value == TABLE_HALF || column->value == TABLE_LOW || column->value == TABLE_HIGH;
    const json_t *end = of_interval ? json_array_get(value, column->value == TABLE_HIGH) : value;
    if (json_is_number(end))
        return scale * json_number_value(end);
    if (!json_is_object(value) || record_quantity_read(record, column->field, &summary))
        return (double)NAN;
    return scale * (column->value == TABLE_HALF   ? (summary.ci95[1] - summary.ci95[0]) / 2
                    : column->value == TABLE_LOW  ? summary.ci95[0]
                    : column->value == TABLE_HIGH ? summary.ci95[1]
                                                  : summary.median);
}

static void text_of(const json_t *value, char *text, size_t size)
{
    if (json_is_string(value))
        text_escape(json_string_value(value), text, size);
    else if (json_is_integer(value))
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, size, "%g", json_real_value(value));
    else if (json_is_boolean(value))
        snprintf(text, size, "%s", json_is_true(value) ? "yes" : "no");
    else
        snprintf(text, size, "-");
}

/** What is shown as it stands in the record; NULL: the value is a number that is made of it. */
static const json_t *member_of(const json_t *record, const struct table_column *column)
{
    const json_t *value = json_object_get(record, column->field);
    switch (column->value) {
    case TABLE_TEXT: return value ? value : json_null();
    case TABLE_GRADE: value = json_object_get(value, "grade"); break;
    case TABLE_KEPT: value = json_object_get(value, "n"); break;
    case TABLE_REJECTED: value = json_object_get(value, "rejected"); break;
    default: return NULL;
    }
    return value ? value : json_null();
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void fill_cell(const json_t *record, const struct table_column *column, struct table_cell *cell)
{
    const json_t *member = member_of(record, column);
    cell->value = !member                  ? number_of(record, column)
                  : json_is_number(member) ? json_number_value(member)
                                           : (double)NAN;
    if (column->text) {
        char text[CELL_TEXT];
        snprintf(cell->text, sizeof cell->text, "%s", column->text(record, text, sizeof text));
    } else if (member) {
        text_of(member, cell->text, sizeof cell->text);
    } else if (!isfinite(cell->value)) {
        strcpy(cell->text, "-");
    } else if (column->format) {
        snprintf(cell->text, sizeof cell->text, column->format, cell->value);
    } else if (column->value == TABLE_CHANGE) {
        snprintf(cell->text, sizeof cell->text, "%+.*f%%", column->digits ? column->digits : 1, 100 * cell->value);
    } else if (column->value == TABLE_SHARE) {
        snprintf(cell->text, sizeof cell->text, "%.1f%%", 100 * cell->value);
    } else if (column->digits < 0) {
        snprintf(cell->text, sizeof cell->text, "%g", cell->value);
    } else {
        snprintf(cell->text, sizeof cell->text, "%.*f", column->digits, cell->value);
    }
}
#pragma GCC diagnostic pop

/** Columns of rank 0, and why there are no others. */
static bool lacks(const struct table *table, struct table_row *row)
{
    struct summary summary = {0};
    if (!table->needs || !record_quantity_read(row->record, table->needs, &summary))
        return false;
    snprintf(row->note, sizeof row->note, "%zu of %zu samples kept, %d needed", summary.n, summary.n + summary.rejected,
             STATS_KEPT_LEAST);
    return true;
}

size_t table_rows_lacking(const struct table *table, const json_t *records)
{
    size_t lacking = 0;
    for (size_t i = 0; i < json_array_size(records); i++) {
        struct table_row row = {.record = json_array_get(records, i)};
        lacking += lacks(table, &row);
    }
    return lacking;
}

static void fill_row(const struct table *table, struct table_row *row)
{
    bool few = lacks(table, row);
    char note[sizeof row->note];
    for (size_t c = 0; c < table->count; c++) {
        if (few && table->columns[c].rank)
            row->cells[c] = (struct table_cell){.text = "-", .value = (double)NAN};
        else
            fill_cell(row->record, &table->columns[c], &row->cells[c]);
    }
    if (!few && table->note)
        snprintf(row->note, sizeof row->note, "%s", table->note(row->record, note, sizeof note));
}

/* ---- order ---- */

bool table_has(const struct table *table, const struct table_column *column)
{
    return !column->only || strcmp(column->only, table->type) == 0;
}

const struct table_column *table_column_find(const struct table *table, const char *sort)
{
    const char *name = sort + (*sort == '-');
    for (size_t c = 0; c < table->count; c++) {
        const struct table_column *column = &table->columns[c];
        bool named = strcmp(column->heading, name) == 0 || (column->field && strcmp(column->field, name) == 0);
        if (named && table_has(table, column))
            return column;
    }
    return NULL;
}

struct order {
    size_t column;
    bool largest_first;
};

/** What has no number is last in either direction. */
static int compare_rows(const void *one, const void *other, void *context)
{
    const struct order *order = context;
    const struct table_row *rows[2] = {one, other};
    const struct table_cell *a = &rows[0]->cells[order->column], *b = &rows[1]->cells[order->column];
    bool known[2] = {strcmp(a->text, "-") != 0, strcmp(b->text, "-") != 0};
    int sign = order->largest_first ? -1 : 1;
    if (known[0] != known[1])
        return known[0] ? -1 : 1;
    if (isfinite(a->value) && isfinite(b->value))
        return a->value < b->value ? -sign : a->value > b->value ? sign : 0;
    return sign * strverscmp(a->text, b->text);
}

/** qsort is not stable; what is equal stays as it came. */
static void sort_rows(struct layout *layout)
{
    const char *sort = layout->style->sort;
    const struct table_column *column = sort ? table_column_find(layout->table, sort) : NULL;
    if (!column)
        return;
    struct order order = {.column = (size_t)(column - layout->table->columns), .largest_first = *sort == '-'};
    for (size_t i = 1; i < layout->count; i++) {
        struct table_row row = layout->rows[i];
        size_t at = i;
        for (; at && compare_rows(&row, &layout->rows[at - 1], &order) < 0; at--)
            layout->rows[at] = layout->rows[at - 1];
        layout->rows[at] = row;
    }
}

/* ---- which columns ---- */

/** Terminal columns of UTF-8 text of which no character is wide. */
static size_t columns_of(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

static void measure_widths(struct layout *layout)
{
    for (size_t c = 0; c < layout->table->count; c++) {
        layout->shown[c] = true;
        layout->widths[c] = columns_of(layout->table->columns[c].heading);
        for (size_t r = 0; r < layout->count; r++) {
            size_t width = columns_of(layout->rows[r].cells[c].text);
            layout->widths[c] = width > layout->widths[c] ? width : layout->widths[c];
        }
        layout->wanted[c] = layout->widths[c];
    }
}

static size_t total_width(const struct layout *layout)
{
    size_t width = 0;
    for (size_t c = 0; c < layout->table->count; c++)
        width += layout->shown[c] ? layout->widths[c] + (width ? GAP : 0) : 0;
    return width;
}

/** Bytes of the first so many columns of a text. */
static size_t bytes_of(const char *text, size_t columns)
{
    size_t at = 0;
    for (; text[at]; at++) {
        bool starts = ((unsigned char)text[at] & 0xc0) != 0x80;
        if (starts && !columns)
            break;
        columns -= starts;
    }
    return at;
}

/** The text, or as much of it as there is room for beside two dots: of a name both ends, of several words the beginning. */
static const char *cut_to(const char *text, size_t width, char cut[CELL_TEXT + 4])
{
    size_t all = columns_of(text), room = width > 2 ? width - 2 : 0, tail = strchr(text, ' ') ? 0 : room / 2;
    if (all <= width)
        return text;
    if (text[bytes_of(text, all - tail)] == '.') /* beside two dots a third one misleads */
        tail--;
    size_t head = bytes_of(text, room - tail);
    head -= head && text[head - 1] == '.';
    snprintf(cut, CELL_TEXT + 4, "%.*s..%s", (int)head, text, text + bytes_of(text, all - tail));
    return cut;
}

/** Whether texts of a column that differ are the same once they are cut; of very many rows that is not looked for. */
static bool is_ambiguous(const struct layout *layout, size_t c, size_t width)
{
    char cuts[2][CELL_TEXT + 4];
    for (size_t i = 0; layout->count <= ROWS_TOLD_APART && i < layout->count; i++) {
        const char *one = layout->rows[i].cells[c].text;
        for (size_t j = 0; j < i; j++) {
            const char *other = layout->rows[j].cells[c].text;
            if (strcmp(one, other) != 0 && strcmp(cut_to(one, width, cuts[0]), cut_to(other, width, cuts[1])) == 0)
                return true;
        }
    }
    return false;
}

/** Of a column that may be cut, its least width and so much more; no more than it takes. */
static void clip(struct layout *layout, size_t c, size_t more)
{
    size_t least = layout->table->columns[c].clips;
    if (!least || layout->wanted[c] <= least)
        return;
    layout->widths[c] = layout->wanted[c] < least + more ? layout->wanted[c] : least + more;
    while (!layout->table->columns[c].rank && layout->widths[c] < layout->wanted[c] &&
           is_ambiguous(layout, c, layout->widths[c]))
        layout->widths[c]++;
}

/** The most important column that is not shown and would fit. @return its index, or the number of columns */
static size_t next_that_fits(const struct layout *layout)
{
    const struct table_column *columns = layout->table->columns;
    size_t used = total_width(layout), found = layout->table->count;
    for (size_t c = 0; c < layout->table->count; c++) {
        if (!layout->shown[c] && used + GAP + layout->widths[c] <= layout->style->width &&
            (found == layout->table->count || columns[c].rank < columns[found].rank))
            found = c;
    }
    return found;
}

/** Show what the rows are about, and of the other columns those that fit, the most important first. @return how many do not */
static size_t fit(struct layout *layout)
{
    size_t count = layout->table->count, left_out = 0;
    if (!layout->style->width || total_width(layout) <= layout->style->width)
        return 0;
    for (size_t c = 0; c < count; c++) {
        clip(layout, c, 0);
        layout->shown[c] = layout->table->columns[c].rank == 0;
    }
    for (size_t next; (next = next_that_fits(layout)) < count;)
        layout->shown[next] = true;
    for (size_t c = 0; c < count; c++) {
        size_t used = total_width(layout), spare = layout->style->width > used ? layout->style->width - used : 0;
        if (layout->shown[c])
            clip(layout, c, spare);
        left_out += !layout->shown[c];
    }
    return left_out;
}

/* ---- as text ---- */

static void pad(FILE *stream, size_t columns)
{
    fprintf(stream, "%*s", (int)columns, "");
}

/** Reading in blue, latency in magenta, computing in yellow; the word is there in any case. */
static const char *colour_of(const char *limit)
{
    if (strcmp(limit, "-") == 0)
        return "";
    if (strstr(limit, "read") || strstr(limit, "memory") || strstr(limit, "beta") || strstr(limit, "bytes"))
        return "\033[34m";
    return strstr(limit, "latency") ? "\033[35m" : "\033[33m";
}

size_t table_write_words(FILE *stream, const char *text, size_t used, size_t indent, size_t width)
{
    while (*text) {
        size_t length = strcspn(text, " "), columns = 0;
        for (size_t i = 0; i < length; i++)
            columns += ((unsigned char)text[i] & 0xc0) != 0x80;
        bool breaks = width && used && used + 1 + columns > width;
        fputs(breaks ? "\n" : used ? " " : "", stream);
        pad(stream, breaks ? indent : 0);
        used = breaks ? indent : used + (used != 0);
        fprintf(stream, "%.*s", (int)length, text);
        used += columns;
        text += length;
        text += strspn(text, " ");
    }
    return used;
}

static bool fits_after(const struct layout *layout, const char *note)
{
    size_t width = layout->style->width;
    return !width || total_width(layout) + NOTE_GAP + columns_of(note) <= width;
}

/** The note of a row; of the headings "notes" if one follows its row and is not on separate lines. */
static const char *note_of(const struct layout *layout, const struct table_row *row)
{
    for (size_t r = 0; !row && r < layout->count; r++) {
        if (layout->rows[r].note[0] && fits_after(layout, layout->rows[r].note))
            return "notes";
    }
    return row ? row->note : "";
}

/** If it does not fit after the row, on separate lines. @param spare  columns from the last text to the end of its column */
static void write_note(FILE *stream, const struct layout *layout, const char *note, size_t spare)
{
    if (*note && fits_after(layout, note)) {
        pad(stream, spare + NOTE_GAP);
        fputs(note, stream);
    } else {
        table_write_words(stream, note, layout->style->width, INDENT, layout->style->width);
    }
}

static void write_cells(FILE *stream, const struct layout *layout, const struct table_row *row)
{
    const struct table *table = layout->table;
    const struct table_style *style = layout->style;
    bool bold = style->colour && row && table->stands_out && table->stands_out(row->record);
    size_t gap = 0;
    fputs(bold || (style->colour && !row) ? "\033[1m" : "", stream);
    for (size_t c = 0; c < table->count; c++) {
        if (!layout->shown[c])
            continue;
        const struct table_column *column = &table->columns[c];
        const char *text = row ? row->cells[c].text : column->heading;
        char cut[CELL_TEXT + 4];
        text = cut_to(text, layout->widths[c], cut);
        size_t space = layout->widths[c] - columns_of(text);
        const char *colour = style->colour && row && column->limit ? colour_of(text) : "";
        pad(stream, gap + (column->left ? 0 : space)); /* nothing at the end of a line */
        fprintf(stream, "%s%s%s%s", colour, text, *colour ? "\033[0m" : "", *colour && bold ? "\033[1m" : "");
        gap = GAP + (column->left ? space : 0);
    }
    fputs(bold || (style->colour && !row) ? "\033[0m" : "", stream);
    write_note(stream, layout, note_of(layout, row), gap > GAP ? gap - GAP : 0);
    fputc('\n', stream);
}

static void write_left_out(FILE *stream, const struct layout *layout, size_t left_out)
{
    size_t named = 0, used = 0;
    if (!left_out)
        return;
    used = (size_t)fprintf(stream, "Not shown in %zu columns:", layout->style->width);
    for (size_t c = 0; c < layout->table->count; c++) {
        const char *heading = layout->table->columns[c].heading;
        if (layout->shown[c])
            continue;
        if (used + columns_of(heading) + 2 > layout->style->width)
            used = (size_t)fprintf(stream, "\n   ") - 1;
        used += (size_t)fprintf(stream, " %s%s", heading, ++named < left_out ? "," : "");
    }
    fputs(used + 22 > layout->style->width ? ".\n    --wide shows them.\n" : ". --wide shows them.\n", stream);
}

/** What the columns mean that are shown. */
static void write_explained(FILE *stream, const struct layout *layout)
{
    size_t used = 0, width = layout->style->width ? layout->style->width : PROSE_COLUMNS;
    for (size_t c = 0; c < layout->table->count; c++) {
        const struct table_column *column = &layout->table->columns[c];
        char text[CELL_TEXT];
        if (!layout->shown[c] || !column->explains)
            continue;
        snprintf(text, sizeof text, "%s: %s.", column->heading, column->explains);
        fputs(used ? "" : "\n", stream);
        used = table_write_words(stream, text, used, 0, width);
    }
    fputs(used ? "\n" : "", stream);
}

static void write_text(FILE *stream, struct layout *layout)
{
    size_t left_out = fit(layout);
    write_cells(stream, layout, NULL);
    for (size_t r = 0; r < layout->count; r++)
        write_cells(stream, layout, &layout->rows[r]);
    write_left_out(stream, layout, left_out);
    if (layout->count)
        write_explained(stream, layout);
}

/* ---- as Markdown ---- */

/** A bar would end the cell. */
static void write_markdown_cell(FILE *stream, const char *text)
{
    fputs("| ", stream);
    for (; *text; text++) {
        if (*text == '|')
            fputc('\\', stream);
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
    fputc(' ', stream);
}

static void write_markdown(FILE *stream, const struct layout *layout)
{
    const struct table *table = layout->table;
    bool notes = false;
    for (size_t r = 0; r < layout->count; r++)
        notes = notes || layout->rows[r].note[0];
    for (size_t c = 0; c < table->count; c++)
        write_markdown_cell(stream, table->columns[c].heading);
    fputs(notes ? "| notes |\n" : "|\n", stream);
    for (size_t c = 0; c < table->count; c++)
        fputs(table->columns[c].left ? "|:--" : "|--:", stream);
    fputs(notes ? "|:--|\n" : "|\n", stream);
    for (size_t r = 0; r < layout->count; r++) {
        for (size_t c = 0; c < table->count; c++)
            write_markdown_cell(stream, layout->rows[r].cells[c].text);
        if (notes)
            write_markdown_cell(stream, layout->rows[r].note);
        fputs("|\n", stream);
    }
}

/* ---- a table ---- */

bool table_write_emulated(FILE *stream, const json_t *record)
{
    const char *emulator = json_string_value(json_object_get(record, "emulated"));
    if (emulator)
        fprintf(stream, "EMULATED by %s: " EMULATOR_NO_SPEED "\n", emulator);
    return emulator;
}

/** Once, as the first record that carries it says. Markdown takes lines that follow each other for one paragraph. */
static void write_emulated(FILE *stream, const json_t *records, enum table_form form)
{
    for (size_t r = 0; r < json_array_size(records); r++) {
        if (table_write_emulated(stream, json_array_get(records, r))) {
            fputs(form == TABLE_FORM_MARKDOWN ? "\n" : "", stream);
            return;
        }
    }
}

/** Of a table that has every column that it lists. */
static int write_table(FILE *stream, const struct table *table, const json_t *records, const struct table_style *style)
{
    struct layout layout = {.table = table, .style = style, .count = json_array_size(records)};
    layout.rows = calloc(layout.count + 1, sizeof *layout.rows);
    layout.cells = calloc(layout.count * table->count + 1, sizeof *layout.cells);
    layout.widths = calloc(table->count + 1, sizeof *layout.widths);
    layout.wanted = calloc(table->count + 1, sizeof *layout.wanted);
    layout.shown = calloc(table->count + 1, sizeof *layout.shown);
    bool memory = layout.rows && layout.cells && layout.widths && layout.wanted && layout.shown;
    for (size_t r = 0; memory && r < layout.count; r++) {
        layout.rows[r].record = json_array_get(records, r);
        layout.rows[r].cells = &layout.cells[r * table->count];
        fill_row(table, &layout.rows[r]);
    }
    if (memory) {
        write_emulated(stream, records, style->form);
        sort_rows(&layout);
        measure_widths(&layout);
        if (style->form == TABLE_FORM_MARKDOWN)
            write_markdown(stream, &layout);
        else
            write_text(stream, &layout);
    }
    free(layout.rows);
    free(layout.cells);
    free(layout.widths);
    free(layout.wanted);
    free(layout.shown);
    return memory ? 0 : -ENOMEM;
}

static bool is_missing(const struct table_column *column, const json_t *records)
{
    for (size_t r = 0; r < json_array_size(records); r++) {
        const json_t *value = json_object_get(json_array_get(records, r), column->field);
        if (value && !json_is_null(value))
            return false;
    }
    return column->optional;
}

int table_write(FILE *stream, const struct table *table, const json_t *records, const struct table_style *style)
{
    struct table_column *columns = calloc(table->count + 1, sizeof *columns);
    struct table own = *table;
    own.columns = columns;
    own.count = 0;
    for (size_t c = 0; columns && c < table->count; c++) {
        if (table_has(table, &table->columns[c]) && !is_missing(&table->columns[c], records))
            columns[own.count++] = table->columns[c];
    }
    int error = columns ? write_table(stream, &own, records, style) : -ENOMEM;
    free(columns);
    return error;
}
