/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "reports/draw/figure.h"
#include "reports/select/kernels/cells.h"

/** One finding, and what the files that make findings share: the facts that they read, and the words they use. */

struct finding {
    char title[96];
    enum figure_section section; /* the question that it answers */
    char text[2048];             /* one statement per line, in none more than three numbers */
    const char *about;           /* what the columns are, where there are rows */
    const char *const *headings; /* up to NULL; one that begins with '#' is of numbers */
    char rows[16384];            /* a row a line, cells separated by tabs */
};

/** Fraction of the read roof from which memory is said to limit a kernel. */
#define FINDINGS_MEMORY_BOUND 0.85

enum { FINDINGS_TEAMS = 64, FINDINGS_FAMILIES = 32, FINDINGS_SHAPES = 1024 };

struct facts {
    const struct view *view;
    unsigned teams[FINDINGS_TEAMS];
    size_t team_count;
    const json_t *families[FINDINGS_FAMILIES]; /* best gamma record of each */
    size_t family_count;
    struct cell_shape shapes[FINDINGS_SHAPES]; /* of the GEMV cells */
    size_t shape_count;
    struct finding *out;
    size_t count, capacity;
};

/** Begin a finding; NULL when there is no room. */
struct finding *finding_begin(struct facts *facts, enum figure_section section, const char *title);

/** Say what its table has. */
void finding_table(struct finding *finding, const char *const *headings, const char *about);

/** Append to the rows: "\t" ends a cell, "\n" a row. What does not fit is cut. */
__attribute__((format(printf, 2, 3))) void say_row(struct finding *finding, const char *format, ...);

/** Append to a finding; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) void say(struct finding *finding, const char *format, ...);

/** A family within a sentence, into text: "our 2-bit", "the papers' 2-bit", "8-bit". @return text */
const char *family_named(const json_t *record, char *text, size_t size);

/** Median memory roof of a team in bytes per cycle and core; NaN if not measured. */
double beta_of(const struct facts *facts, unsigned team);
double knee_of(const json_t *gamma);

/** The questions that a run is asked, one file each, find_<question>.c; a finding is added if the records answer it. */

void find_knee(struct facts *facts);         /* where the knees lie, and on which side this machine is */
void find_memory(struct facts *facts);       /* bandwidth and clock */
void find_memory_bound(struct facts *facts); /* share of the roof that kernels attain */
void find_advantage(struct facts *facts);    /* ours against each paper's, ISA by ISA */
void find_claims(struct facts *facts);       /* the papers' claims measured here */
void find_headlines(struct facts *facts);    /* the papers' headline ratios that are not reproduced here, and why */
void find_planes(struct facts *facts);       /* products of planes against those of integers */
void find_prediction(struct facts *facts);   /* residuals and overlap */
void find_validation(struct facts *facts);   /* sequences as streams against the model, level by level */

/** What a run says, in plain words: the summary on top of the report. Plain text, not HTML.
 * Only valid cells count, and of several kernels on a shape the fastest. */

enum { FINDINGS_MAX = 16 };

/** The findings of a run, those first that matter most; only what the records support. @return how many. */
size_t findings_collect(const struct view *view, struct finding *findings, size_t capacity);
