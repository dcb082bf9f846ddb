/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/citation.h"
#include "reports/select/run/testing.h"

#define META(more) "{'kneepoint':'9.8.7','started':'2026-11-22T11:01:44Z','cpu':{'name':'CPU X'}" more "}"
#define CITED                                                                                                          \
    "{'type':'machine','cpu':'CPU X','cores':2},{'type':'clock','name':'cpu0','core_hz':{'median':2.5e9,"              \
    "'grade':'pmu'}},{'type':'gamma','name':'a','gamma':{'median':1,'grade':'wall'}},"                                 \
    "{'type':'end','samples':41215,'rejected':{'interrupt':1000,'sibling':167}}"

static const struct figure of_a_run = {.name = "one"}, of_runs = {.name = "more", .of_runs = true},
                           of_platforms = {.name = "no", .platforms_alone = true};

TEST(a_citation_has_machine_clock_grades_samples_version_and_run)
{
    char text[CITATION_MAX];
    MADE_RUN_OF(run, META(""), CITED);
    citation_of(&of_a_run, &run.view, text, sizeof text);
    assert_string_equal(text,
                        "CPU X, 2 cores, core clock 2.5 GHz; cycles graded pmu and wall; 41,215 samples, 1,167 of "
                        "them rejected; kneepoint 9.8.7, run run of 2026-11-22");
}

TEST(what_a_run_does_not_know_is_left_out)
{
    char text[CITATION_MAX], few[24];
    MADE_RUN(run, "{'type':'machine','cpu':'CPU X'}");
    citation_of(&of_a_run, &run.view, text, sizeof text);
    assert_string_equal(text, "CPU X; run run");
    citation_of(&of_platforms, &run.view, text, sizeof text);
    assert_string_equal(text, "described machines only, nothing measured here");
    remake_run(&run, META(",'synthetic':true"), CITED);
    citation_of(&of_a_run, &run.view, few, sizeof few);
    assert_string_equal(few, "SYNTHETIC, not measured");
}

TEST(of_several_runs_each_is_named)
{
    char text[CITATION_MAX];
    MADE_RUN_OF(run, META(""), CITED);
    const struct view both[] = {run.view, run.view};
    struct view view = run.view;
    view.runs = both;
    view.run_count = 2;
    citation_of(&of_runs, &view, text, sizeof text);
    assert_string_equal(text,
                        "CPU X, 2 cores; kneepoint 9.8.7, run run of 2026-11-22; CPU X, 2 cores; kneepoint 9.8.7, "
                        "run run of 2026-11-22");
}

RUN_TESTS(NULL, NULL)
