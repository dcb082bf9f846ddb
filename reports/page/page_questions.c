/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything below the first screen, a folded section a question, in the order in which a reader asks them.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/run/remedy.h"
#include "results/files/need.h"

enum { TABLES_MAX = 5 };

typedef void write_table(const struct view *, FILE *);

struct question {
    enum figure_section section;
    const char *id, *title;
    int type;            /* of records that it cannot do without */
    const char *missing; /* what those say; NULL: none are needed */
    write_table *tables[TABLES_MAX];
    const char *folded; /* what its tables are */
};

static const struct question questions[] = {
    {FIGURE_MEMORY,
     "memory",
     "What does memory give?",
     VIEW_BETA,
     "β, the read bandwidth",
     {page_write_beta, page_write_devices},
     "Every read stream"},
    {FIGURE_SEQUENCES,
     "sequences",
     "What does up-converting cost?",
     VIEW_GAMMA,
     "γ, the cost of the up-convert sequences",
     {page_write_gamma},
     "Every sequence"},
    {FIGURE_GEMV,
     "gemv",
     "How fast is a matrix times a vector?",
     VIEW_GEMV,
     "GEMV, the kernels on the shapes of models",
     {page_write_kernels, page_write_gemv, page_write_steps, page_write_repack},
     "Every kernel and cell"},
    {FIGURE_GEMM,
     "gemm",
     "How fast are several tokens at once?",
     VIEW_GEMM,
     "GEMM, several tokens at once",
     {page_write_gemm},
     "Every width and number of tokens"},
    {FIGURE_TOKENS,
     "tokens",
     "How many tokens per second?",
     VIEW_DECODE,
     "a whole model, token by token",
     {page_write_tokens},
     "Every pass"},
    {FIGURE_MODEL,
     "model",
     "Does the model hold?",
     VIEW_KNEE,
     "the knee, sequences as streams from every level",
     {page_write_residuals, page_write_knee},
     "Every kernel and stream against the model"},
    {FIGURE_PAPERS, "papers", "Which claims of the papers hold here?", 0, NULL, {NULL}, ""},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static void section_begin(const char *id, const char *title, FILE *html)
{
    fprintf(html, "<details class=\"question\" id=\"%s\"><summary><h2>%s</h2></summary>\n", id, title);
}

static void write_missing(const struct view *view, const struct question *question, FILE *html)
{
    enum view_type type = (enum view_type)question->type;
    if (!question->missing || view->of[type].count)
        return;
    char remedy[512];
    fprintf(html, "<p class=\"absent\">Not measured in this run: %s. <code>", question->missing);
    markup_text(html, remedy_of(view, view_type_command(type), remedy, sizeof remedy));
    fputs("</code> measures it", html);
    if (remedy_budget(view, type, remedy, sizeof remedy))
        fprintf(html, "; so does <code>%s</code>, in a new run", remedy);
    fputs(".</p>\n", html);
}

static bool stands_in(const struct page_figure *slot, const struct question *question)
{
    return slot->figure->section == question->section;
}

/* The first that was drawn is seen, the others unfold. */
static void write_figures(const struct view *view, const struct page *page, const struct question *question, FILE *html)
{
    char id[48], line[64];
    size_t drawn = 0, shown = 0;
    for (size_t i = 0; i < page->figure_count; i++)
        drawn += stands_in(&page->figures[i], question) && page->figures[i].svg;
    for (size_t i = 0; i < page->figure_count; i++) {
        if (!stands_in(&page->figures[i], question) || !page->figures[i].svg)
            continue;
        if (shown == 1) {
            snprintf(id, sizeof id, "%s-figures", question->id);
            snprintf(line, sizeof line, "%zu more figure%s", drawn - 1, drawn == 2 ? "" : "s");
            html_fold_begin(html, id, line);
        }
        page_write_figure(&page->figures[i], view, 1, html);
        shown++;
    }
    if (shown > 1)
        html_fold_end(html);
}

static void write_undrawn(const struct page *page, const struct question *question, FILE *html)
{
    char id[48], line[96];
    size_t undrawn = 0;
    for (size_t i = 0; i < page->figure_count; i++)
        undrawn += stands_in(&page->figures[i], question) && !page->figures[i].svg;
    if (!undrawn)
        return;
    snprintf(id, sizeof id, "%s-undrawn", question->id);
    snprintf(line, sizeof line, "%zu figure%s without data in this run, and how to measure %s", undrawn,
             undrawn == 1 ? "" : "s", undrawn == 1 ? "it" : "them");
    html_fold_begin(html, id, line);
    fputs("<ul class=\"undrawn\">\n", html);
    for (size_t i = 0; i < page->figure_count; i++) {
        const struct page_figure *slot = &page->figures[i];
        if (!stands_in(slot, question) || slot->svg)
            continue;
        fprintf(html, "<li id=\"figure-%s\"><strong>", slot->figure->name);
        markup_text(html, slot->figure->title);
        fputs("</strong>: ", html);
        html_prose(html, slot->why);
        fputs("</li>\n", html);
    }
    fputs("</ul>\n", html);
    html_fold_end(html);
}

/* Tables into a fold of their own; nothing where they are empty. */
static void write_tables(const struct view *view, const struct question *question, FILE *html)
{
    char *text = NULL, id[48];
    size_t length;
    FILE *tables = need_stream(&text, &length);
    for (size_t i = 0; tables && i < TABLES_MAX && question->tables[i]; i++)
        question->tables[i](view, tables);
    if (tables && need_close(tables) == 0 && length) {
        snprintf(id, sizeof id, "%s-tables", question->id);
        html_fold_begin(html, id, question->folded);
        fputs(text, html);
        html_fold_end(html);
    }
    free(text);
}

static void write_question(const struct view *view, const struct page *page, const struct question *question,
                           const struct finding *findings, size_t count, FILE *html)
{
    section_begin(question->id, question->title, html);
    write_missing(view, question, html);
    for (size_t i = 0; i < count; i++) {
        if (findings[i].section == question->section)
            page_write_finding(&findings[i], html);
    }
    write_figures(view, page, question, html);
    write_tables(view, question, html);
    write_undrawn(page, question, html);
    fputs("</details>\n", html);
}

static void write_validity(const struct view *view, FILE *html)
{
    section_begin("validity", "Can I believe it?", html);
    page_write_notices(view, html);
    page_write_validity(view, html);
    page_write_bias(view, html);
    html_fold_begin(html, "provenance", "Where and how it was measured");
    page_write_provenance(view, html);
    html_fold_end(html);
    fputs("</details>\n", html);
}

void page_write_questions(const struct view *view, const struct page *page, FILE *html)
{
    struct finding *findings = need(FINDINGS_MAX, sizeof *findings);
    size_t count = findings ? findings_collect(view, findings, FINDINGS_MAX) : 0;
    if (!count)
        fputs("<p class=\"notice\">This run holds no summaries yet.</p>\n", html);
    for (size_t i = 0; i < QUESTIONS; i++)
        write_question(view, page, &questions[i], findings, count, html);
    write_validity(view, html);
    free(findings);
}
