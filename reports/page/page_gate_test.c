/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/page_sections.h"
#include "reports/select/run/testing.h"
#include "results/blocks/blocks_testing.h"

static char *gate_of(struct run_records *run)
{
    struct view view;
    char *text = NULL;
    size_t length;
    assert_int_equal(view_open("results/<machine>/run", run, &view), 0);
    FILE *html = open_memstream(&text, &length);
    page_write_gate(&view, html);
    fclose(html);
    view_close(&view);
    run_records_free(run);
    return text;
}

static const char again[] = "kneepoint compare before \"$(kneepoint characterize --for=compare)\"\n";

TEST(a_run_to_compare_with_is_the_baseline)
{
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 7);
    freed char *text = gate_of(&run);
    assert_contains(text,
                    "In the core and its own caches a loss counts from <strong>1%</strong>, the least that counts "
                    "on a quiet host.",
                    "1.5 times the noise of a typical kernel between 7 processes",
                    "The host counts as shared: the memory controls of BASE scatter by ",
                    "\nkneepoint baseline save before results/&lt;machine&gt;/run\n", again);
    assert_lacks(text, "too few blocks");
}

TEST(a_run_of_few_blocks_is_not)
{
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 3);
    freed char *text = gate_of(&run);
    assert_contains(text, "<strong>8%</strong>, the least that counts on a shared host.",
                    "Most cells of this run have too few blocks",
                    "\nkneepoint baseline save before \"$(kneepoint characterize --for=compare)\"\n", again);
}

TEST(without_samples_no_loss_is_known)
{
    char *text = gate_of(&(struct run_records){.meta = json_object(), .records = json_array()});
    assert_contains(text, "The smallest loss that this machine can tell is not known: this run has no samples.");
    assert_lacks(text, "%</strong>");
    assert_contains(text, again);
    free(text);
}

RUN_TESTS(NULL, NULL)
