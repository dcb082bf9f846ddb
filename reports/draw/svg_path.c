/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/svg_compact.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"

/** A point may lie this many tenths of a pixel beside the line that is drawn in its place. */
#define BESIDE 0.6

/** Points looked over at once for one straight line. */
enum { STRAIGHT_MOST = 256 };

/* In tenths of a pixel. */
struct point {
    long x, y;
};

struct line {
    struct point *of;
    size_t count;
};

static void write_tenths(long tenths, FILE *out)
{
    unsigned long size = tenths < 0 ? 0UL - (unsigned long)tenths : (unsigned long)tenths;
    fputs(tenths < 0 ? "-" : "", out);
    if (size >= 10 || size == 0)
        fprintf(out, "%lu", size / 10);
    if (size % 10)
        fprintf(out, ".%lu", size % 10);
}

void svg_number_write(double number, FILE *out)
{
    write_tenths(lround(10 * number), out);
}

/* Whether what lies between two points of a line is on the straight one between them, on the way from one to the other. */
static bool is_straight(const struct line *line, size_t from, size_t to)
{
    double dx = (double)(line->of[to].x - line->of[from].x), dy = (double)(line->of[to].y - line->of[from].y);
    double length = hypot(dx, dy), before = 0;
    for (size_t i = from + 1; i < to; i++) {
        double x = (double)(line->of[i].x - line->of[from].x), y = (double)(line->of[i].y - line->of[from].y);
        double along = length > 0 ? (x * dx + y * dy) / length : 0,
               beside = length > 0 ? (x * dy - y * dx) / length : 1;
        if (fabs(beside) > BESIDE || along < before || along > length)
            return false;
        before = along;
    }
    return true;
}

static void write_step(long dx, long dy, FILE *out)
{
    if (!dx || !dy) {
        fputc(dx || !dy ? 'h' : 'v', out);
        write_tenths(dx ? dx : dy, out);
        return;
    }
    fputc('l', out);
    write_tenths(dx, out);
    fputs(dy < 0 ? "" : ",", out);
    write_tenths(dy, out);
}

static void write_line(const struct line *line, FILE *out)
{
    if (line->count < 2)
        return;
    fputc('M', out);
    write_tenths(line->of[0].x, out);
    fputs(line->of[0].y < 0 ? "" : ",", out);
    write_tenths(line->of[0].y, out);
    for (size_t at = 0; at + 1 < line->count;) {
        size_t next = at + 1;
        while (next + 1 < line->count && next - at < STRAIGHT_MOST && is_straight(line, at, next + 1))
            next++;
        write_step(line->of[next].x - line->of[at].x, line->of[next].y - line->of[at].y, out);
        at = next;
    }
}

static bool is_plain(const char *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!strchr("ML0123456789.,- \n\t", data[i]) || !data[i])
            return false;
    }
    return true;
}

void svg_path_write(const char *data, size_t length, FILE *out)
{
    struct line line = {.of = is_plain(data, length) ? need(length / 2 + 1, sizeof *line.of) : NULL};
    const char *at = data, *end = data + length;
    if (!line.of) {
        fwrite(data, 1, length, out);
        return;
    }
    while (at < end) {
        char *after;
        bool starts = *at == 'M';
        if (isspace((unsigned char)*at)) {
            at++;
            continue;
        }
        at += starts || *at == 'L';
        if (starts) {
            write_line(&line, out);
            line.count = 0;
        }
        double x = strtod(at, &after);
        if (after == at || *after != ',') { /* no place: what is_plain() lets pass is not all sense */
            at += at < end;
            continue;
        }
        at = after + 1;
        double y = strtod(at, &after);
        if (after == at)
            continue;
        at = after;
        line.of[line.count++] = (struct point){lround(10 * x), lround(10 * y)};
    }
    write_line(&line, out);
    free(line.of);
}
