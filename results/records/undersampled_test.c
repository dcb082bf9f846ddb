/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "results/records/undersampled.h"
#include "results/schema/record_schema.h"
#include "unit_test.h"

/* "median" of a quantity of n samples, as older runs have it */
#define OF(n) "{'median':2,'min':1,'mad':0,'ci95':[1,3],'n':" #n ",'rejected':1,'unit':'s','grade':'wall'}"
#define FEW                                                                                                            \
    "{'median':null,'min':null,'mad':null,'ci95':null,'n':5,'rejected':1,'unit':'s','grade':'wall',"                   \
    "'why':'5 kept, 6 needed'}"

static json_t *json(const char *text)
{
    char *quoted = strdup(text);
    for (char *at = quoted; *at; at++) {
        if (*at == '\'')
            *at = '"';
    }
    json_t *value = json_loads(quoted, 0, NULL);
    if (!value)
        fail_msg("no JSON: %s", text);
    free(quoted);
    return value;
}

static void assert_becomes(const char *before, const char *after)
{
    json_t *record = json(before), *expected = json(after);
    assert_int_equal(null_undersampled(record), 0);
    if (!json_equal(record, expected)) {
        char *text = json_dumps(record, JSON_COMPACT);
        fail_msg("%s became %s", before, text);
    }
    struct schema_violation wrong;
    json_t *schema = record_schema();
    if (record_check(schema, record, SCHEMA_MISSING_IS_FINE, &wrong))
        fail_msg("%s: %s", wrong.path, wrong.reason);
    json_decref(schema);
    json_decref(record);
    json_decref(expected);
}

TEST(few_samples_are_no_number_any_more)
{
    assert_becomes("{'type':'sync','name':'barrier','threads':2,'time_s':" OF(5) "}",
                   "{'type':'sync','name':'barrier','threads':2,'time_s':" FEW "}");
    assert_becomes("{'type':'sync','name':'barrier','threads':2,'time_s':" OF(6) "}",
                   "{'type':'sync','name':'barrier','threads':2,'time_s':" OF(6) "}");
}

TEST(what_was_derived_from_them_goes_too)
{
    assert_becomes("{'type':'gamma','name':'x','gamma':" OF(5) ",'knee':4,'bound':'ports','claimed':1.25}",
                   "{'type':'gamma','name':'x','gamma':" FEW ",'knee':null,'bound':null,'claimed':1.25}");
    assert_becomes("{'type':'gamma','name':'x','gamma':" OF(5) ",'best':true}",
                   "{'type':'gamma','name':'x','gamma':" FEW ",'best':false}");
    assert_becomes("{'type':'gemv','name':'x','time_s':" OF(9) ",'roof_fraction':" OF(5) ",'roof_bytes_per_s':" OF(
                       5) ",'predicted_s':2,'residual':0.1,'above_roof':true,'prepare_share':0.1}",
                   "{'type':'gemv','name':'x','time_s':" OF(
                       9) ",'roof_fraction':" FEW ",'roof_bytes_per_s':" FEW
                          ",'predicted_s':null,'residual':null,'above_roof':false,'prepare_share':0.1}");
    assert_becomes("{'type':'gemv','name':'x','time_s':" OF(5) ",'residual':0.1,'predicted_s':2,'prepare_share':0.1}",
                   "{'type':'gemv','name':'x','time_s':" FEW ",'residual':null,'predicted_s':2,'prepare_share':null}");
    assert_becomes("{'type':'knee','name':'x','gamma':" OF(5) ",'e_bw':" OF(7) ",'knee':4,'distance':1}",
                   "{'type':'knee','name':'x','gamma':" FEW ",'e_bw':" OF(7) ",'knee':null,'distance':null}");
}

/* Cycles that no clock counted are a number, and no more than that. */
TEST(a_gamma_of_grade_wall_is_no_best_one)
{
    assert_becomes("{'type':'gamma','name':'x','gamma':" OF(9) ",'best':true,'bound':'ports','knee':4}",
                   "{'type':'gamma','name':'x','gamma':" OF(9) ",'best':false,'bound':null,'knee':4}");
    assert_becomes("{'type':'knee','name':'x','gamma':" OF(9) ",'knee':4}",
                   "{'type':'knee','name':'x','gamma':" OF(9) ",'knee':4}");
}

/* One whose quantity was null already says of what its other numbers are. */
TEST(a_record_of_today_stays_as_it_is)
{
    static const char today[] =
        "{'type':'gemv','name':'x','time_s':" FEW ",'roof_bytes_per_s':" FEW ",'predicted_s':2,'n':1}";
    assert_becomes(today, today);
}

RUN_TESTS(NULL, NULL)
