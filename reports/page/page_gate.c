/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For who gates changes: the smallest loss that this machine can tell, and the commands.
 */
#include "reports/draw/markup.h"
#include "reports/page/page_sections.h"
#include "reports/select/run/least_loss.h"
#include "results/files/need.h"

static void say_by(const struct least_loss *least, enum compare_class class, FILE *html)
{
    static const char *const where[] = {
        [COMPARE_CORE] = "In the core and its own caches", [COMPARE_MEMORY] = "In memory and the cache that cores share"};
    fprintf(html, "<li>%s a loss counts from <strong>%.2g%%</strong>, ", where[class], 100 * least->loss[class]);
    switch (least->by[class]) {
    case LEAST_LOSS_THRESHOLD:
        fprintf(html, "the least that counts on a %s host", least->sharing.shared[class] ? "shared" : "quiet");
        break;
    case LEAST_LOSS_LAYOUT: fputs("1.5 times what a change of layout alone does", html); break;
    case LEAST_LOSS_NOISE:
        fprintf(html, "1.5 times the noise of a typical kernel between %zu processes", least->processes);
        break;
    }
    fputs(".</li>\n", html);
}

static void say_least(const struct least_loss *least, FILE *html)
{
    fputs("<p>The smallest loss that <code>kneepoint compare</code> can tell here, with this run as BASE:</p>\n<ul>\n",
          html);
    say_by(least, COMPARE_CORE, html);
    say_by(least, COMPARE_MEMORY, html);
    fputs("</ul>\n", html);
    if (blocks_is_shared(&least->sharing)) {
        fputs("<p>The host counts as shared: ", html);
        markup_text(html, least->sharing.why);
        fputs(".</p>\n", html);
    }
    if (!least->processes)
        fputs("<p>Most cells of this run have too few blocks to fail in a comparison, and how they scatter is not in "
              "these numbers: a noisy kernel needs a larger loss.</p>\n",
              html);
}

void page_write_gate(const struct view *view, FILE *html)
{
    static const char run[] = "\"$(kneepoint characterize --for=compare)\""; /* it prints the path of its run */
    struct least_loss least;
    int error = need_result(least_loss_of(view, &least));
    fputs("<section id=\"gate\">\n<h2>Did a change make it slower?</h2>\n", html);
    if (!error)
        say_least(&least, html);
    else
        fputs("<p class=\"absent\">The smallest loss that this machine can tell is not known: this run has no "
              "samples.</p>\n",
              html);
    fputs("<pre><code># before the change\nkneepoint baseline save before ", html);
    if (!error && least.processes)
        markup_text(html, view->path);
    else
        fputs(run, html);
    fprintf(html, "\n# after it\nkneepoint compare before %s\n</code></pre>\n</section>\n", run);
}
