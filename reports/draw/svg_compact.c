/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/svg_compact.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"

/** The two colours that the page exchanges, and nothing else is drawn below. */
static const char ink[] = "#1a1a1a", grid[] = "#d9d9d9";

enum { DEPTH = 32, COLOUR = 24, NUMBER = 12, ATTRIBUTES = 160, LAYERS = 24 };

/* What a group says for all that is in it. */
struct style {
    char stroke[COLOUR], colour[COLOUR], width[NUMBER];
    bool crisp; /* boxes without a border, whose edges are not smoothed */
};

enum group { GROUP_STYLE, GROUP_NOTHING, GROUP_KEPT };

/* Lines of one look. */
struct layer {
    struct style style;
    char attributes[ATTRIBUTES];
    char *data;
    size_t size;
    FILE *stream;
};

struct compact {
    FILE *out;
    const char *all;
    struct style styles[DEPTH]; /* of the groups that are open in the drawing */
    enum group groups[DEPTH];
    size_t depth;
    struct style open; /* of the group that is open in what is written */
    bool is_open;
    struct layer layers[LAYERS]; /* lines that wait for others of their look */
    size_t layer_count;
    char *texts; /* that wait with them */
    size_t texts_size;
    FILE *texts_stream;
};

static bool begins(const char *at, const char *text)
{
    return strncmp(at, text, strlen(text)) == 0;
}

struct part {
    const char *at;
    size_t length;
};

/* ` name='…'`, ` name="…"` or ` name = '…'` in a tag. at NULL: it has none. */
static struct part attribute(const char *tag, const char *name)
{
    const char *end = tag + strcspn(tag, ">");
    for (const char *at = tag; (at = strstr(at, name)) && at < end; at++) {
        const char *value = at + strlen(name) + strspn(at + strlen(name), " ");
        if (at == tag || !isspace((unsigned char)at[-1]) || *value != '=')
            continue;
        value += 1 + strspn(value + 1, " ");
        const char *close = *value == '\'' || *value == '"' ? strchr(value + 1, *value) : NULL;
        return close ? (struct part){value + 1, (size_t)(close - value) - 1} : (struct part){NULL, 0};
    }
    return (struct part){NULL, 0};
}

static bool is(struct part part, const char *text)
{
    return part.at && part.length == strlen(text) && begins(part.at, text);
}

/* "#0072b2" of "rgb(  0, 114, 178)"; what is written otherwise as it is. */
static void colour_of(struct part part, char text[COLOUR])
{
    unsigned red, green, blue;
    if (part.at && sscanf(part.at, "rgb( %u , %u , %u )", &red, &green, &blue) == 3)
        snprintf(text, COLOUR, "#%02x%02x%02x", red & 255, green & 255, blue & 255);
    else
        snprintf(text, COLOUR, "%.*s", part.length < COLOUR ? (int)part.length : 0, part.at ? part.at : "");
}

/* "1.2" of "1.20". */
static void number_of(struct part part, char text[NUMBER])
{
    snprintf(text, NUMBER, "%.*s", part.length < NUMBER ? (int)part.length : 0, part.at ? part.at : "");
    size_t length = strlen(text);
    while (strchr(text, '.') && length && (text[length - 1] == '0' || text[length - 1] == '.')) {
        bool done = text[length - 1] == '.';
        text[--length] = 0;
        if (done)
            break;
    }
}

static bool same_style(const struct style *a, const struct style *b)
{
    return strcmp(a->stroke, b->stroke) == 0 && strcmp(a->colour, b->colour) == 0 && strcmp(a->width, b->width) == 0 &&
           a->crisp == b->crisp;
}

static void close_style(struct compact *compact)
{
    if (compact->is_open)
        fputs("</g>", compact->out);
    compact->is_open = false;
}

static void open_style(struct compact *compact, const struct style *style)
{
    if (compact->is_open && same_style(&compact->open, style))
        return;
    close_style(compact);
    fputs("<g", compact->out);
    if (style->crisp)
        fputs(" class=\"boxes\"", compact->out);
    if (*style->stroke)
        fprintf(compact->out, " stroke=\"%s\"", style->stroke);
    if (*style->colour)
        fprintf(compact->out, " color=\"%s\"", style->colour);
    if (*style->width)
        fprintf(compact->out, " stroke-width=\"%s\"", style->width);
    fputc('>', compact->out);
    compact->open = *style;
    compact->is_open = true;
}

static bool is_of_axes(const struct layer *layer)
{
    return strstr(layer->attributes, ink) || strstr(layer->attributes, grid);
}

static void write_layer(struct compact *compact, struct layer *layer)
{
    need_close(layer->stream);
    if (layer->data && *layer->data) {
        open_style(compact, &layer->style);
        fprintf(compact->out, "<path%s d=\"%s\"/>", layer->attributes, layer->data);
    }
    free(layer->data);
}

/* What waits, gridlines first and texts last. */
static void flush(struct compact *compact)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < compact->layer_count; i++) {
            if (!strstr(compact->layers[i].attributes, grid) == (pass == 1))
                write_layer(compact, &compact->layers[i]);
        }
    }
    compact->layer_count = 0;
    if (!compact->texts_stream)
        return;
    need_close(compact->texts_stream);
    compact->texts_stream = NULL;
    if (compact->texts && *compact->texts) {
        if (!compact->is_open)
            open_style(compact, &compact->styles[compact->depth]);
        fputs(compact->texts, compact->out);
    }
    free(compact->texts);
    compact->texts = NULL;
}

/* Where lines of this look wait. Lines of axes wait side by side, since it does not matter which is first; others only for their
 * like, before anything else is drawn. NULL: no memory */
static FILE *layer_for(struct compact *compact, const struct layer *wanted)
{
    bool axes = is_of_axes(wanted);
    for (size_t i = 0; i < compact->layer_count; i++) {
        const struct layer *layer = &compact->layers[i];
        if (same_style(&layer->style, &wanted->style) && strcmp(layer->attributes, wanted->attributes) == 0)
            return layer->stream;
    }
    if (compact->layer_count == LAYERS || !axes || (compact->layer_count && !is_of_axes(compact->layers)))
        flush(compact);
    struct layer *layer = &compact->layers[compact->layer_count];
    *layer = *wanted;
    layer->stream = need_stream(&layer->data, &layer->size);
    compact->layer_count += layer->stream != NULL;
    return layer->stream;
}

/* An attribute but for its colour as it is, shortened. */
static void add_number(struct part part, const char *name, char *attributes)
{
    size_t length = strlen(attributes);
    char number[NUMBER];
    number_of(part, number);
    if (*number)
        snprintf(attributes + length, ATTRIBUTES - length, " %s=\"%s\"", name, number);
}

static void add_text(const char *text, const char *name, char *attributes)
{
    size_t length = strlen(attributes);
    if (*text)
        snprintf(attributes + length, ATTRIBUTES - length, " %s=\"%s\"", name, text);
}

static void write_path(struct compact *compact, const char *tag)
{
    struct layer layer = {.style = compact->styles[compact->depth]};
    char colour[COLOUR];
    struct part data = attribute(tag, "d"), dash = attribute(tag, "stroke-dasharray"),
                opacity = attribute(tag, "stroke-opacity");
    colour_of(attribute(tag, "stroke"), colour);
    add_text(colour, "stroke", layer.attributes);
    if (dash.at && dash.length < ATTRIBUTES / 2) {
        char text[ATTRIBUTES / 2];
        snprintf(text, sizeof text, "%.*s", (int)dash.length, dash.at);
        add_text(text, "stroke-dasharray", layer.attributes);
    }
    add_number(opacity, "stroke-opacity", layer.attributes);
    if (opacity.at)
        flush(compact);
    FILE *stream = layer_for(compact, &layer);
    if (stream)
        svg_path_write(data.at ? data.at : "", data.length, stream);
}

/* A filled box or area as a path. */
static void write_polygon(struct compact *compact, const char *tag)
{
    char attributes[ATTRIBUTES] = "", colour[COLOUR];
    struct part points = attribute(tag, "points");
    flush(compact);
    open_style(compact, &compact->styles[compact->depth]);
    colour_of(attribute(tag, "fill"), colour);
    add_text(colour, "fill", attributes);
    add_number(attribute(tag, "fill-opacity"), "fill-opacity", attributes);
    fprintf(compact->out, "<path%s d=\"", attributes);
    svg_path_write(points.at ? points.at : "", points.length, compact->out);
    fputs("z\"/>", compact->out);
}

/* "translate(12,3.5)scale(7.3)" of "translate(12.00,3.50) scale(7.30)". */
static void write_transform(struct part transform, FILE *out)
{
    for (const char *at = transform.at, *end = at + transform.length; at < end;) {
        char *after;
        double number = isdigit((unsigned char)*at) || *at == '-' ? strtod(at, &after) : (after = (char *)at, 0);
        if (after != at) {
            svg_number_write(number, out);
            at = after;
            continue;
        }
        if (*at != ' ' || (at > transform.at && at[-1] != ')' && at[-1] != ','))
            fputc(*at, out);
        at++;
    }
}

/* Whether another symbol of this colour follows: a group for both says it once. */
static bool next_is_of(const char *tag, const char *colour)
{
    char other[COLOUR];
    const char *next = tag + strcspn(tag, ">");
    next += *next == '>';
    next += strspn(next, " \t\n");
    if (!*colour || !begins(next, "<use "))
        return false;
    colour_of(attribute(next, "color"), other);
    return strcmp(colour, other) == 0;
}

static void write_use(struct compact *compact, const char *tag)
{
    struct part href = attribute(tag, "xlink:href"), transform = attribute(tag, "transform"), x = attribute(tag, "x"),
                y = attribute(tag, "y");
    struct style style = compact->styles[compact->depth], coloured = style;
    char attributes[ATTRIBUTES] = "", colour[COLOUR];
    flush(compact);
    colour_of(attribute(tag, "color"), colour);
    if (*colour)
        snprintf(coloured.colour, COLOUR, "%s", colour);
    bool has_group = compact->is_open && same_style(&compact->open, &coloured);
    if (!has_group && !next_is_of(tag, colour)) {
        add_text(colour, "color", attributes);
        coloured = style;
    }
    open_style(compact, &coloured);
    fprintf(compact->out, "<use href=\"%.*s\"%s", (int)href.length, href.at ? href.at : "", attributes);
    if (transform.at) {
        fputs(" transform=\"", compact->out);
        write_transform(transform, compact->out);
        fputc('"', compact->out);
    }
    if (x.at && y.at)
        fprintf(compact->out, " x=\"%.*s\" y=\"%.*s\"", (int)x.length, x.at, (int)y.length, y.at);
    fputs("/>", compact->out);
}

/* <g class="value"><title>…</title>target</g>: the target with the title in it. @return past it, NULL if it is no such group */
static const char *write_value(struct compact *compact, const char *group)
{
    static const char opening[] = "<g class=\"value\"><title>", closing[] = "</title>";
    const char *title = group + sizeof opening - 1, *title_end = begins(group, opening) ? strstr(title, closing) : NULL;
    const char *target = title_end ? title_end + sizeof closing - 1 : NULL,
               *end = target ? strstr(target, "</g>") : NULL;
    double x, y, size, height;
    if (!end)
        return NULL;
    target += strspn(target, " \t\n");
    struct part place = attribute(target, "transform");
    bool round =
        begins(target, "<use") && place.at && sscanf(place.at, "translate(%lf,%lf) scale(%lf)", &x, &y, &size) == 3;
    if (!round && sscanf(target, "<rect x='%lf' y='%lf' width='%lf' height='%lf'", &x, &y, &size, &height) != 4)
        return NULL;
    flush(compact);
    close_style(compact);
    const char *names[] = {round ? " cx=\"" : " x=\"", round ? "\" cy=\"" : "\" y=\"",
                           round ? "\" r=\"" : "\" width=\"", "\" height=\""};
    const double numbers[] = {x, y, size, round ? 0 : height};
    fprintf(compact->out, round ? "<circle class=\"value\"" : "<rect class=\"value\"");
    for (size_t i = 0; i < (round ? 3U : 4U); i++) {
        fputs(names[i], compact->out);
        svg_number_write(numbers[i], compact->out);
    }
    fprintf(compact->out, "\"><title>%.*s</title></%s>", (int)(title_end - title), title, round ? "circle" : "rect");
    return end + strlen("</g>");
}

static void write_text(struct compact *compact, const char *group, struct part said, bool keeps_blanks)
{
    struct part transform = attribute(group, "transform"), anchor = attribute(group, "text-anchor");
    double x, y, angle;
    char attributes[ATTRIBUTES] = "", colour[COLOUR];
    FILE *out = compact->texts_stream;
    int places = sscanf(transform.at, "translate(%lf,%lf) rotate(%lf", &x, &y, &angle);
    colour_of(attribute(group, "fill"), colour);
    if (strcmp(colour, ink) != 0)
        add_text(colour, "fill", attributes);
    add_number(attribute(group, "font-size"), "font-size", attributes);
    if (is(attribute(group, "font-weight"), "bold"))
        add_text("bold", "font-weight", attributes);
    if (anchor.at && !is(anchor, "start"))
        add_text(is(anchor, "end") ? "end" : "middle", "text-anchor", attributes);
    if (places == 2) {
        fputs("<text x=\"", out);
        svg_number_write(x, out);
        fputs("\" y=\"", out);
        svg_number_write(y, out);
    } else {
        fputs("<text transform=\"", out);
        write_transform(transform, out);
    }
    fprintf(out, "\"%s%s>%.*s</text>", attributes, keeps_blanks ? " xml:space=\"preserve\"" : "", (int)said.length,
            said.at);
}

/* A group of one text. @return past it, NULL if it is not such a group */
static const char *take_text(struct compact *compact, const char *group)
{
    struct part transform = attribute(group, "transform");
    double x, y;
    const char *text = group + strcspn(group, ">");
    text += *text == '>';
    text += strspn(text, " \t\n");
    const char *said = begins(text, "<text") ? text + strcspn(text, ">") : NULL;
    const char *said_end = said && *said ? strstr(said, "</text>") : NULL;
    const char *end = said_end ? said_end + strlen("</text>") : NULL;
    end = end ? end + strspn(end, " \t\n") : NULL;
    if (!end || !begins(end, "</g>") || !transform.at || sscanf(transform.at, "translate(%lf,%lf)", &x, &y) != 2 ||
        memchr(said + 1, '<', (size_t)(said_end - said - 1)))
        return NULL;
    if (compact->layer_count && !is_of_axes(compact->layers))
        flush(compact);
    if (!compact->texts_stream)
        compact->texts_stream = need_stream(&compact->texts, &compact->texts_size);
    struct part words = {said + 1, (size_t)(said_end - said - 1)};
    if (words.length && compact->texts_stream)
        write_text(compact, group, words, memchr(text, ':', (size_t)(said - text)) != NULL);
    return end + strlen("</g>");
}

static bool is_style(const char *group)
{
    return (attribute(group, "stroke").at || attribute(group, "stroke-width").at) &&
           !attribute(group, "transform").at && !attribute(group, "clip-path").at && !attribute(group, "filter").at &&
           !attribute(group, "opacity").at;
}

/* What a group says besides what those around it say. */
static struct style style_of(const char *group, const struct style *around)
{
    struct style style = *around;
    struct part stroke = attribute(group, "stroke"), colour = attribute(group, "color");
    if (is(attribute(group, "shape-rendering"), "crispEdges") && is(stroke, "none")) {
        style = (struct style){.crisp = true};
        return style;
    }
    style.crisp = false;
    if (stroke.at)
        colour_of(is(stroke, "currentColor") ? (struct part){"", 0} : stroke, style.stroke);
    if (colour.at)
        colour_of(is(colour, "black") ? (struct part){"", 0} : colour, style.colour);
    if (attribute(group, "stroke-width").at)
        number_of(attribute(group, "stroke-width"), style.width);
    return style;
}

static void push(struct compact *compact, enum group group, const struct style *style)
{
    compact->depth++;
    compact->groups[compact->depth] = group;
    compact->styles[compact->depth] = *style;
}

/* As it is: nothing is known of it, so it ends what waits. @return past it */
static const char *keep(struct compact *compact, const char *tag)
{
    size_t length = strcspn(tag, ">");
    flush(compact);
    close_style(compact);
    fwrite(tag, 1, length + (tag[length] == '>'), compact->out);
    return tag + length + (tag[length] == '>');
}

static const char *open_group(struct compact *compact, const char *group)
{
    const char *after = group + strcspn(group, ">"), *taken = write_value(compact, group);
    struct part id = attribute(group, "id");
    after += *after == '>';
    taken = taken ? taken : take_text(compact, group);
    if (taken || compact->depth + 1 == DEPTH)
        return taken ? taken : keep(compact, group);
    const struct style *around = &compact->styles[compact->depth];
    if (is_style(group)) {
        struct style style = style_of(group, around);
        push(compact, GROUP_STYLE, &style);
        return after;
    }
    bool canvas = is(id, "gnuplot_canvas");
    push(compact, id.at && !canvas ? GROUP_NOTHING : GROUP_KEPT, canvas ? &(struct style){.crisp = false} : around);
    if (id.at && !canvas)
        return after;
    if (!canvas)
        return keep(compact, group);
    fputs("<g fill=\"none\" stroke=\"currentColor\">", compact->out);
    return after;
}

static const char *close_group(struct compact *compact, const char *tag)
{
    enum group group = compact->depth ? compact->groups[compact->depth] : GROUP_KEPT;
    const char *after = tag + strlen("</g>");
    if (group == GROUP_KEPT)
        after = keep(compact, tag);
    compact->depth -= compact->depth > 0;
    return after;
}

/* Whether anything refers to it but its own definition. */
static bool is_used(const char *all, struct part id)
{
    char reference[ATTRIBUTES];
    if (!id.at || snprintf(reference, sizeof reference, "#%.*s", (int)id.length, id.at) >= (int)sizeof reference)
        return true;
    for (const char *at = strstr(all, reference); at; at = strstr(at + 1, reference)) {
        if (!isalnum((unsigned char)at[strlen(reference)]))
            return true;
    }
    return false;
}

/* Symbols and filters, of which a drawing uses two or three. @return past them */
static const char *write_definitions(struct compact *compact, const char *definitions)
{
    const char *end = strstr(definitions, "</defs>"), *at = definitions + strlen("<defs>");
    if (!end)
        return keep(compact, definitions);
    flush(compact);
    close_style(compact);
    fputs("<defs>", compact->out);
    while ((at += strspn(at, " \t\n")) < end) {
        const char *close = begins(at, "<filter") ? strstr(at, "</filter>") : strchr(at, '>');
        if (!close || close > end)
            break;
        close += begins(at, "<filter") ? strlen("</filter>") : 1;
        if (is_used(compact->all, attribute(at, "id")))
            fwrite(at, 1, (size_t)(close - at), compact->out);
        at = close;
    }
    fputs("</defs>", compact->out);
    return end + strlen("</defs>");
}

/* @return past the tag and what it took with it */
static const char *take_tag(struct compact *compact, const char *tag)
{
    const char *after = tag + strcspn(tag, ">"), *description = begins(tag, "<desc>") ? strstr(tag, "</desc>") : NULL;
    after += *after == '>';
    if (description)
        return description + strlen("</desc>");
    if (begins(tag, "<defs>"))
        return write_definitions(compact, tag);
    if (begins(tag, "<g ") || begins(tag, "<g>"))
        return open_group(compact, tag);
    if (begins(tag, "</g>"))
        return close_group(compact, tag);
    if (begins(tag, "<path "))
        write_path(compact, tag);
    else if (begins(tag, "<polygon "))
        write_polygon(compact, tag);
    else if (begins(tag, "<use "))
        write_use(compact, tag);
    else
        return keep(compact, tag);
    return after;
}

void svg_compact(const char *svg, FILE *out)
{
    struct compact *compact = need(1, sizeof *compact);
    const char *at = svg;
    if (!compact) {
        fputs(svg, out);
        return;
    }
    compact->out = out;
    compact->all = svg;
    while (*at) {
        if (*at == '<') {
            at = take_tag(compact, at);
            continue;
        }
        size_t length = strcspn(at, "<");
        if (strspn(at, " \t\n") < length) {
            flush(compact);
            fwrite(at, 1, length, out);
        }
        at += length;
    }
    flush(compact);
    close_style(compact);
    free(compact);
}
