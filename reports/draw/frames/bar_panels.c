/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/bar_panels.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "results/files/need.h"

/** Pixels: of the heading of a figure; above a panel, its title and headings; a line of the legend; the letter of a legend or tic. */
enum {
    HEAD = 82,
    NARROW_HEAD = 16,
    TITLE = 34,
    HEADING = 20,
    KEY_ROW = 22,
    LETTER = 8,
    WIDTH = 1080,
    NARROW_WIDTH = 500
};

static struct bar_panel *current(struct bar_panels *panels)
{
    return &panels->panels[panels->panel_count];
}

/* ---- rows of the data ---- */

static const double UNSURE_OPACITY = 0.4;

static double opacity_of(const struct bar *bar)
{
    return bar->unsure ? UNSURE_OPACITY : bar->opacity > 0 ? bar->opacity : 1;
}

/* kind 0, 1 or 100 and more, as the header says */
static void write_row(struct bar_panels *panels, const struct bar *bar, int kind, const char *hover)
{
    const bool bounded = bar->low > 0 && bar->high > 0;
    fprintf(panels->block, "%.4g %.5g %.5g %.5g 0x%06x %.2g %d %.5g ", panels->place, bar->value,
            bounded ? bar->low : bar->value, bounded ? bar->high : bar->value, bar->colour, opacity_of(bar), kind,
            panels->mark);
    gnuplot_write_field(panels->block, bar->text);
    gnuplot_write_row(panels->block, hover, " ");
}

/* The bar that was added last, whose marks are known when the next place is taken. */
static void write_pending(struct bar_panels *panels)
{
    if (panels->block && panels->pending.value > 0)
        write_row(panels, &panels->pending, 0, panels->hover);
    panels->pending.value = panels->mark = 0;
}

/* ---- panels and groups ---- */

static void close_group(struct bar_panels *panels)
{
    write_pending(panels);
    if (panels->tic_count > panels->before[0])
        panels->tics[panels->tic_count - 1].at = (panels->group_at + panels->place) / 2;
}

static void close_heading(struct bar_panels *panels)
{
    if (panels->heading_count > panels->before[1])
        panels->headings[panels->heading_count - 1].at = (panels->heading_at + panels->place) / 2;
}

void bars_leave_out(struct bar_panels *panels)
{
    panels->bars = 0;
}

/* Its block is written if it has a bar; else nothing of it stays but keys, which come with bars. */
static void close_panel(struct bar_panels *panels)
{
    if (!panels->block)
        return;
    close_group(panels);
    close_heading(panels);
    current(panels)->end = panels->place + 0.7;
    need_close(panels->block);
    panels->block = NULL;
    if (panels->bars && panels->panel_count < BAR_PANELS_MOST) {
        fprintf(panels->data,
                "# %s: place, %s, low, high, colour, opacity, kind, mark on it, text above, text on hover\n%s\n\n",
                current(panels)->title, current(panels)->unit, panels->rows);
        panels->panel_count++;
    } else {
        panels->tic_count = panels->before[0];
        panels->heading_count = panels->before[1];
        panels->level_count = panels->before[2];
        panels->key_count = panels->before[3];
        panels->unsure = panels->before[4];
    }
    free(panels->rows);
    panels->rows = NULL;
}

void bars_panel(struct bar_panels *panels, const char *unit, const char *title, ...)
{
    va_list arguments;
    close_panel(panels);
    if (panels->panel_count == BAR_PANELS_MOST)
        return;
    struct bar_panel *panel = current(panels);
    *panel = (struct bar_panel){.least = INFINITY};
    va_start(arguments, title);
    vsnprintf(panel->title, sizeof panel->title, title, arguments);
    va_end(arguments);
    snprintf(panel->unit, sizeof panel->unit, "%s", unit);
    panels->before[0] = panels->tic_count;
    panels->before[1] = panels->heading_count;
    panels->before[2] = panels->level_count;
    panels->before[3] = panels->key_count;
    panels->before[4] = panels->unsure;
    panels->place = 0;
    panels->bars = 0;
    panels->block = need_stream(&panels->rows, &panels->rows_size);
}

static double gap_of(const struct bar_panels *panels)
{
    return panels->gap > 0 ? panels->gap : 1;
}

static void add_text(struct bar_text *texts, size_t *count, size_t panel, const char *text)
{
    if (*count == BAR_TEXTS_MOST)
        return;
    texts[*count].panel = panel;
    snprintf(texts[(*count)++].text, sizeof texts->text, "%s", text);
}

void bars_heading(struct bar_panels *panels, const char *text, ...)
{
    char said[BAR_TEXT];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(said, sizeof said, text, arguments);
    va_end(arguments);
    write_pending(panels);
    close_heading(panels);
    panels->place += panels->place > 0; /* besides the gap of a group */
    panels->heading_at = panels->place + 1 + (panels->place > 0 ? gap_of(panels) : 0);
    add_text(panels->headings, &panels->heading_count, panels->panel_count, said);
}

void bars_group(struct bar_panels *panels, const char *tic, ...)
{
    char said[BAR_TEXT], text[BAR_TEXT];
    size_t length = 0;
    va_list arguments;
    va_start(arguments, tic);
    vsnprintf(said, sizeof said, tic, arguments);
    va_end(arguments);
    for (const char *at = said; *at && length < sizeof text - 2; text[length++] = *at++) {
        if (*at == '%') /* gnuplot takes a tic for a format */
            text[length++] = '%';
    }
    text[length] = 0;
    close_group(panels);
    panels->place += panels->place > 0 ? gap_of(panels) : 0;
    panels->group_at = panels->place + 1;
    add_text(panels->tics, &panels->tic_count, panels->panel_count, text);
}

/* ---- bars, marks, levels ---- */

static void add_key(struct bar_panels *panels, const struct bar_key *key, const char *title)
{
    for (size_t i = 0; title && i < panels->key_count; i++) {
        if (strcmp(panels->keys[i].title, title) == 0)
            return;
    }
    if (!title || panels->key_count == BAR_KEYS_MOST)
        return;
    panels->keys[panels->key_count] = *key;
    snprintf(panels->keys[panels->key_count++].title, sizeof key->title, "%s", title);
}

static void reach(struct bar_panel *panel, double value)
{
    panel->least = fmin(panel->least, value);
    panel->most = fmax(panel->most, value);
}

static void take_place(struct bar_panels *panels)
{
    write_pending(panels);
    panels->place++;
}

void bars_key(struct bar_panels *panels, const char *title, unsigned colour, double opacity)
{
    add_key(panels, &(struct bar_key){BAR_KEY_BAR, "", colour, opacity, 1}, title);
}

void bars_add(struct bar_panels *panels, const struct bar *bar, const char *hover, ...)
{
    va_list arguments;
    take_place(panels);
    if (!(bar->value > 0) || !panels->block)
        return;
    va_start(arguments, hover);
    vsnprintf(panels->hover, sizeof panels->hover, hover, arguments);
    va_end(arguments);
    panels->pending = *bar;
    reach(current(panels), bar->value);
    if (bar->high > 0)
        reach(current(panels), bar->high);
    panels->bars++;
    panels->texts |= *bar->text;
    panels->two_lines |= strchr(bar->text, '|') != NULL;
    add_key(panels, &(struct bar_key){BAR_KEY_BAR, "", bar->colour, bar->unsure ? 1 : opacity_of(bar), 1}, bar->key);
    panels->unsure += bar->unsure;
}

void bars_note(struct bar_panels *panels, const char *text)
{
    struct bar note = {.value = 0};
    take_place(panels);
    snprintf(note.text, sizeof note.text, "%s", text);
    if (panels->block)
        write_row(panels, &note, 1, text);
}

void bars_mark(struct bar_panels *panels, double value, int type, unsigned colour, const char *key, const char *hover,
               ...)
{
    va_list arguments;
    char text[256];
    if (!(value > 0) || !panels->block)
        return;
    va_start(arguments, hover);
    vsnprintf(text, sizeof text, hover, arguments);
    va_end(arguments);
    write_row(panels, &(struct bar){.value = value, .colour = colour}, 100 + type, text);
    panels->mark = fmax(panels->mark, value);
    reach(current(panels), value);
    add_key(panels, &(struct bar_key){BAR_KEY_MARK, "", colour, 1, type}, key);
}

double bars_stated(const struct bar_panels *panels, const char *column, size_t row)
{
    return papers_column_value(&panels->papers, panels->paper, column, row);
}

void bars_level(struct bar_panels *panels, double value, int dash, const char *key)
{
    if (!(value > 0) || !panels->block || panels->level_count == BAR_LEVELS_MOST)
        return;
    panels->levels[panels->level_count++] = (struct bar_level){value, dash, panels->panel_count};
    reach(current(panels), value);
    add_key(panels, &(struct bar_key){BAR_KEY_LINE, "", 0, 1, dash}, key);
}

/* ---- settings ---- */

static void write_texts(FILE *settings, const char *name, const struct bar_text *texts, size_t count)
{
    char array[32];
    fprintf(settings, "%ss = %zu\n", name, count);
    snprintf(array, sizeof array, "%s_title", name);
    set_texts(settings, array, count, i, "%s", texts[i].text);
    snprintf(array, sizeof array, "%s_at", name);
    set_numbers(settings, array, count, i, texts[i].at);
    snprintf(array, sizeof array, "%s_panel", name);
    set_numbers(settings, array, count, i, (double)(texts[i].panel + 1));
}

/* How many keys stand side by side on so many pixels. */
static size_t key_columns(const struct bar_panels *panels, int width)
{
    size_t longest = 1;
    for (size_t i = 0; i < panels->key_count; i++)
        longest = strlen(panels->keys[i].title) > longest ? strlen(panels->keys[i].title) : longest;
    size_t columns = (size_t)(width - 20) / (64 + LETTER * longest);
    return columns < 1 ? 1 : columns > panels->key_count ? panels->key_count : columns;
}

/* Height of the picture without its heading. */
static size_t height_of(const struct bar_panels *panels, size_t across, size_t key_rows, int tics)
{
    const size_t rows = (panels->panel_count + across - 1) / across;
    const int above = TITLE + (panels->heading_count ? HEADING : 0), between = panels->form->shared ? 12 : tics;
    return rows * (size_t)(above + panels->form->plot_height) + (rows - 1) * (size_t)between + (size_t)tics +
           KEY_ROW * key_rows + 24;
}

/* In a column of a paper many tics of a panel are turned, whether they are long or not. */
static bool is_crowded(const struct bar_panels *panels)
{
    size_t in_panel[BAR_PANELS_MOST + 1] = {0};
    for (size_t i = 0; i < panels->tic_count; i++) {
        if (++in_panel[panels->tics[i].panel] > 12)
            return !panels->form->turned;
    }
    return false;
}

static void write_sizes(const struct bar_panels *panels, FILE *settings)
{
    const int width = panels->form->width ? panels->form->width : WIDTH;
    const size_t across = panels->form->columns < panels->panel_count ? panels->form->columns : panels->panel_count,
                 keys[2] = {key_columns(panels, width), key_columns(panels, NARROW_WIDTH)},
                 rows[2] = {keys[0] ? (panels->key_count + keys[0] - 1) / keys[0] : 0,
                            keys[1] ? (panels->key_count + keys[1] - 1) / keys[1] : 0};
    bool two = false;
    for (size_t i = 0; i < panels->tic_count; i++)
        two |= strchr(panels->tics[i].text, '|') != NULL;
    const bool crowded = is_crowded(panels);
    const int under = panels->form->under ? 22 : 0, level = two ? 44 : 28,
              wide = (panels->form->turned ? 76 : level) + under,
              narrow = (panels->form->turned ? 92
                        : crowded            ? 76
                                             : level) +
                       under;
    fprintf(settings,
            "width = %d\nheight = %zu\nnarrow_height = %zu\ncolumns = %zu\ncrowded = %d\nabove = %d\n"
            "array key_columns[2] = [%zu, %zu]\narray key_rows[2] = [%zu, %zu]\narray below[2] = [%d, %d]\n",
            width, HEAD + height_of(panels, across, rows[0], wide), NARROW_HEAD + height_of(panels, 1, rows[1], narrow),
            across, crowded, TITLE + (panels->heading_count ? HEADING : 0), keys[0], keys[1], rows[0], rows[1], wide,
            narrow);
}

static void write_panels(struct bar_panels *panels, FILE *settings)
{
    const size_t count = panels->panel_count;
    double least = INFINITY, most = 0;
    for (size_t p = 0; p < count; p++) {
        least = fmin(least, panels->panels[p].least);
        most = fmax(most, panels->panels[p].most);
    }
    fprintf(
        settings,
        "panels = %zu\nfrom_one = %d\nlogarithmic = %d\nturned = %d\nshared = %d\nupright = %d\ntext_lines = %d\nunder = '%s'\n",
        count, panels->form->from_one, panels->form->logarithmic, panels->form->turned, panels->form->shared,
        panels->form->upright, panels->texts + panels->two_lines, panels->form->under ? panels->form->under : "");
    set_texts(settings, "panel_title", count, p, "%s", panels->panels[p].title);
    set_texts(settings, "panel_unit", count, p, "%s", panels->panels[p].unit);
    set_numbers(settings, "panel_end", count, p, panels->panels[p].end);
    set_numbers(settings, "panel_least", count, p, panels->form->one_axis ? least : panels->panels[p].least);
    set_numbers(settings, "panel_most", count, p, panels->form->one_axis ? most : panels->panels[p].most);
}

int bars_write(struct bar_panels *panels, FILE *settings)
{
    close_panel(panels);
    if (!panels->panel_count)
        return -ENODATA;
    if (panels->unsure)
        bars_key(panels, "pale: may not be the fastest", 0x1a1a1a, UNSURE_OPACITY);
    if (panels->team)
        fprintf(settings, "heading = heading.', %u thread%s'\n", panels->team, plural(panels->team));
    write_panels(panels, settings);
    write_sizes(panels, settings);
    write_texts(settings, "tic", panels->tics, panels->tic_count);
    write_texts(settings, "heading", panels->headings, panels->heading_count);
    fprintf(settings, "levels = %zu\nkeys = %zu\n", panels->level_count, panels->key_count);
    set_numbers(settings, "level_at", panels->level_count, i, panels->levels[i].value);
    set_numbers(settings, "level_dash", panels->level_count, i, panels->levels[i].dash);
    set_numbers(settings, "level_panel", panels->level_count, i, (double)(panels->levels[i].panel + 1));
    set_texts(settings, "key_title", panels->key_count, i, "%s", panels->keys[i].title);
    set_numbers(settings, "key_kind", panels->key_count, i, panels->keys[i].kind);
    set_numbers(settings, "key_style", panels->key_count, i, panels->keys[i].style);
    set_colours(settings, "key_colour", panels->key_count, i, panels->keys[i].colour);
    set_numbers(settings, "key_opacity", panels->key_count, i, panels->keys[i].opacity);
    return 0;
}

static int write(const struct figure *figure, const struct view *view, FILE *settings, FILE *data)
{
    const struct bar_form *form = figure->of;
    struct bar_panels panels = {.form = form, .paper = figure->paper, .view = view, .data = data, .gap = form->gap};
    char why[256];
    int error = figure->paper ? papers_open(figure->paper, &panels.papers, why, sizeof why) : 0;
    if (!error) {
        form->add(&panels);
        error = bars_write(&panels, settings);
    }
    papers_free(&panels.papers);
    return error;
}

const struct frame bar_frame = {.name = "bar_panels", .write = write};
