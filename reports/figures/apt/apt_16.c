/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/machines/tuned.h"
#include "reports/select/papers/schemes.h"
#include "results/files/need.h"

/** COLUMNS: problems, the shapes with each number of tokens; ROWS: what computes the same, such as W1A2. */
enum { COLUMNS = 24, ROWS = 20, CHOICES = 8 };

/* Colours of choices; one that is not among the first eight is grey. */
static const unsigned colours[CHOICES + 1] = {0x009e73, 0xe69f00, 0x56b4e9, 0xcc79a7, 0xd55e00,
                                              0x0072b2, 0xf0e442, 0x8f6fb0, 0x999999};

struct map {
    const struct tuning_cell *cell[ROWS][COLUMNS]; /* NULL: not tuned */
    const struct tuning_cell *column[COLUMNS];     /* any of it */
    char row[ROWS][2 * TUNING_WORD];
    char choice[CHOICES + 1][2 * TUNING_WORD];
    size_t rows, columns, choices; /* choices: of the legend; beyond CHOICES, one of all that are grey */
};

/* "W1A2" of planes, else the format. */
static void name_of(const struct tuning_cell *cell, char *name, size_t size)
{
    char sequence[TUNING_NAME];
    const char *dot = strchr(cell->kernel, '.');
    snprintf(sequence, sizeof sequence, "%s", dot ? dot + 1 : "");
    json_auto_t *record = json_pack("{s:s, s:s}", "format", cell->problem.format, "sequence", sequence);
    struct scheme_bits bits;
    if (record && scheme_bits_of(record, &bits))
        snprintf(name, size, "W%uA%u", bits.weights, bits.activations);
    else
        snprintf(name, size, "%s", cell->problem.format);
}

/* What was chosen, as in "r16t4", "GEMV": the kernel's own where it has no variants. */
static void choice_of(const struct tuning_cell *cell, char *choice, size_t size)
{
    snprintf(choice, size, "%s", cell->variant[0] ? cell->variant : cell->gemm ? "default block" : "GEMV");
}

static bool is_same_problem(const struct tuning_cell *one, const struct tuning_cell *other)
{
    const struct tuning_problem *a = &one->problem, *b = &other->problem;
    return a->m == b->m && a->k == b->k && a->n == b->n && a->threads == b->threads && a->cold == b->cold;
}

static int by_problem(const void *left, const void *right)
{
    const struct tuning_problem *a = &(*(const struct tuning_cell *const *)left)->problem;
    const struct tuning_problem *b = &(*(const struct tuning_cell *const *)right)->problem;
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    if (a->m * a->k != b->m * b->k)
        return a->m * a->k < b->m * b->k ? -1 : 1;
    if (a->m != b->m)
        return a->m < b->m ? -1 : 1;
    return (a->threads > b->threads) - (a->threads < b->threads);
}

static int by_name(const void *left, const void *right)
{
    return strcmp(left, right);
}

/* The problems and rows of all cells that are the best of their problem. */
static void find_places(const struct tuning_table *table, struct map *map)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct tuning_cell *cell = &table->cell[i];
        char name[2 * TUNING_WORD];
        size_t column = 0, row = 0;
        name_of(cell, name, sizeof name);
        while (column < map->columns && !is_same_problem(map->column[column], cell))
            column++;
        while (row < map->rows && strcmp(map->row[row], name) != 0)
            row++;
        if (!cell->best || column == COLUMNS || row == ROWS)
            continue;
        if (column == map->columns)
            map->column[map->columns++] = cell;
        if (row == map->rows)
            strcpy(map->row[map->rows++], name);
    }
    qsort(map->column, map->columns, sizeof *map->column, by_problem);
    qsort(map->row, map->rows, sizeof *map->row, by_name);
}

static void place_cells(const struct tuning_table *table, struct map *map)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct tuning_cell *cell = &table->cell[i];
        char name[2 * TUNING_WORD];
        name_of(cell, name, sizeof name);
        for (size_t row = 0; cell->best && row < map->rows; row++) {
            for (size_t column = 0; column < map->columns; column++) {
                if (strcmp(map->row[row], name) == 0 && is_same_problem(map->column[column], cell))
                    map->cell[row][column] = cell;
            }
        }
    }
}

/* The number of a choice among those of the legend; CHOICES: it has no colour of its own. */
static size_t index_of(struct map *map, const char *choice)
{
    size_t index = 0;
    while (index < map->choices && index < CHOICES && strcmp(map->choice[index], choice) != 0)
        index++;
    if (index == map->choices)
        snprintf(map->choice[map->choices++], sizeof map->choice[0], "%s", index < CHOICES ? choice : "another block");
    return index;
}

static void write_cell(struct map *map, size_t row, size_t column, FILE *data)
{
    const struct tuning_cell *cell = map->cell[row][column];
    char choice[2 * TUNING_WORD], what[512];
    double gain = cell->default_time_s / cell->time_s;
    choice_of(cell, choice, sizeof choice);
    snprintf(
        what, sizeof what,
        "%s, %zux%zu, %zu token%s: %s, %s, prefetch %zu bytes, %s shared; %.4g us, %.2f times as fast as its default",
        map->row[row], cell->problem.m, cell->problem.k, cell->problem.n, cell->problem.n == 1 ? "" : "s", cell->kernel,
        choice, cell->prefetch_bytes, cell->shares_tokens ? "tokens" : "rows", 1e6 * cell->time_s, gain);
    fprintf(data, "%zu %zu 0x%06x %.4g %zu ", column + 1, map->rows - row, colours[index_of(map, choice)],
            gain > 0 ? gain : 0, cell->prefetch_bytes);
    gnuplot_write_field(data, choice);
    gnuplot_write_row(data, what, " ");
}

static void write_settings(const struct map *map, FILE *settings)
{
    fprintf(settings, "columns = %zu\nrows = %zu\nchoices = %zu\nwidth = 1080\nheight = %zu\nnarrow_height = %zu\n",
            map->columns, map->rows, map->choices, 230 + 52 * map->rows, 230 + 40 * map->rows);
    set_texts(settings, "column_title", map->columns, c, "%zu×%zu", map->column[c]->problem.m,
              map->column[c]->problem.k);
    set_numbers(settings, "column_tokens", map->columns, c, (double)map->column[c]->problem.n);
    set_texts(settings, "row_title", map->rows, r, "%s", map->row[map->rows - 1 - r]);
    set_texts(settings, "choice_title", map->choices, c, "%s", map->choice[c]);
    set_colours(settings, "choice_colour", map->choices, c, colours[c]);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct tuning_table table;
    struct map *map = need(1, sizeof *map);
    if (!map)
        return -ENOMEM;
    int error = tuned_open(view, &table) ? -ENODATA : 0;
    if (!error)
        find_places(&table, map);
    if (!error && !map->columns)
        error = -ENODATA;
    if (!error) {
        place_cells(&table, map);
        fputs("# column, row from below, colour, times as fast as the default, bytes of prefetch, choice, what\n",
              data);
        for (size_t row = 0; row < map->rows; row++) {
            for (size_t column = 0; column < map->columns; column++) {
                if (map->cell[row][column])
                    write_cell(map, row, column, data);
            }
        }
        write_settings(map, settings);
    }
    tuning_release(&table);
    free(map);
    return error;
}

const struct figure figure_apt_16 = {
    .name = "apt_16",
    .title = "Configurations that a search chose [apt-llm, Fig. 16]",
    .caption =
        "For each product, the settings that ran fastest on this machine, from its tuning table: the register block "
        "(r16t8: 16 rows times 8 tokens; k2048: columns cut there), or the GEMV for one token, and below it the "
        "prefetch distance in bytes. The number is how many times as fast that is as the kernel's default, measured "
        "again after the choice: near 1 the default is as good, and below 1 the search was misled by noise. Where "
        "neighbours share a colour, one configuration serves them all, and a table gains little; on a GPU the paper "
        "needs many.",
    .units = "times as fast as the kernel's default",
    .lacking = "tuning table in tuning/ beside runs/",
    .measured_by =
        "kneepoint tune w1 w2 w3 --threads=1 --tokens=1,64 --shape=4096x4096,1024x4096,14336x4096,4096x14336",
    .rank = 74,
    .section = FIGURE_PAPERS,
    .write = write,
};
