/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "results/schema/record_schema.h"
#include "results/schema/schema_testing.h"
#include "unit_test.h"

/* JSON in single quotes. */
static json_t *json(const char *text)
{
    char copy[2048];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    json_error_t error;
    json_t *value = json_loads(copy, JSON_DECODE_ANY, &error);
    if (!value)
        fail_msg("%s: %s", copy, error.text);
    return value;
}

static int validate(const char *schema_text, const char *value_text, enum schema_missing missing,
                    struct schema_violation *violation)
{
    char why[256];
    json_t *schema = json(schema_text), *value = json(value_text);
    if (schema_check(schema, why, sizeof why) != 0)
        fail_msg("%s", why);
    *violation = (struct schema_violation){0};
    int error = schema_validate(schema, schema, value, missing, violation);
    json_decref(schema);
    json_decref(value);
    return error;
}

struct judgement {
    const char *schema, *value;
    const char *path; /* NULL: fits */
    const char *reason;
};

TEST(each_keyword_takes_what_fits_and_names_what_does_not)
{
    static const struct judgement table[] = {
        {"true", "1", NULL, NULL},
        {"false", "1", "", "must not be here"},
        {"{'type':'number'}", "1.5", NULL, NULL},
        {"{'type':'number'}", "'1'", "", "is \"1\", but must be number"},
        {"{'type':'integer'}", "2.0", NULL, NULL},
        {"{'type':'integer'}", "2.5", "", "is 2.5, but must be integer"},
        {"{'type':'boolean'}", "false", NULL, NULL},
        {"{'type':['object','null']}", "null", NULL, NULL},
        {"{'type':['object','null']}", "[]", "", "is [], but must be object or null"},
        {"{'const':1}", "1.0", NULL, NULL},
        {"{'const':1}", "2", "", "is 2, but must be 1"},
        {"{'enum':['a',null]}", "null", NULL, NULL},
        {"{'enum':['a','b']}", "'c'", "", "is \"c\", but must be one of \"a\", \"b\""},
        {"{'minimum':0}", "0", NULL, NULL},
        {"{'minimum':0}", "-0.5", "", "is -0.5, but must be 0 or more"},
        {"{'minimum':0}", "'x'", NULL, NULL},
        {"{'maximum':1048576}", "1048577", "", "is 1048577, but must be 1048576 or less"},
        {"{'maximum':3}", "3", NULL, NULL},
        {"{'exclusiveMinimum':0}", "0", "", "is 0, but must be above 0"},
        {"{'exclusiveMinimum':0}", "1e-9", NULL, NULL},
        {"{'minLength':1}", "''", "", "must not be empty"},
        {"{'minLength':1}", "'x'", NULL, NULL},
        {"{'required':['a','b']}", "{'a':1}", "b", "is missing"},
        {"{'required':['a']}", "7", NULL, NULL},
        {"{'dependentRequired':{'a':['b']}}", "{'c':1}", NULL, NULL},
        {"{'dependentRequired':{'a':['b']}}", "{'a':1}", "b", "is missing beside \"a\""},
        {"{'properties':{'a':{'properties':{'b':{'type':'null'}}}}}", "{'a':{'b':1}}", "a.b", "is 1, but must be null"},
        {"{'properties':{'a':false}}", "{'b':1}", NULL, NULL},
        {"{'properties':{'a':true},'additionalProperties':false}", "{'a':1,'z':2}", "z", "is not a known field"},
        {"{'additionalProperties':{'type':'string'}}", "{'a':'x','b':2}", "b", "is 2, but must be string"},
        {"{'minProperties':1}", "{}", "", "is empty; leave it out where nothing is known"},
        {"{'minProperties':1}", "{'a':1}", NULL, NULL},
        {"{'items':{'items':{'minimum':1}}}", "[[1],[2,0]]", "[1][1]", "is 0, but must be 1 or more"},
        {"{'properties':{'a':{'items':{'required':['b']}}}}", "{'a':[{'b':1},{}]}", "a[1].b", "is missing"},
        {"{'minItems':2}", "[1]", "", "has 1 items, but must have at least 2"},
        {"{'maxItems':1}", "[1,2]", "", "has 2 items, but must have at most 1"},
        {"{'minItems':2,'maxItems':2}", "[1,2]", NULL, NULL},
        {"{'contains':{'const':3}}", "[1,3]", NULL, NULL},
        {"{'contains':{'const':3}}", "[1]", "", "has no item of the kind it must have"},
        {"{'not':{'required':['a']}}", "{'b':1}", NULL, NULL},
        {"{'not':{'required':['a']}}", "{'a':1}", "a", "must not be here"},
        {"{'not':{'const':1}}", "1", "", "is of a kind that must not be here"},
        {"{'allOf':[{'minimum':1},{'maximum':2}]}", "3", "", "is 3, but must be 2 or less"},
        {"{'anyOf':[{'const':1},{'const':2}]}", "2", NULL, NULL},
        {"{'anyOf':[{'const':1},{'const':2}]}", "3", "", "is 3, but must be 2"},
        {"{'if':{'const':1},'then':{'type':'string'}}", "1", "", "is 1, but must be string"},
        {"{'if':{'const':1},'then':{'type':'string'}}", "2", NULL, NULL},
        {"{'if':{'const':1},'else':{'const':5}}", "2", "", "is 2, but must be 5"},
        {"{'$ref':'#/$defs/p','$defs':{'p':{'minimum':0}}}", "-1", "", "is -1, but must be 0 or more"},
        {"{'$defs':{'p':{'minimum':0},'q':{'$ref':'#/$defs/p'}},'properties':{'a':{'$ref':'#/$defs/q'}}}", "{'a':-1}",
         "a", "is -1, but must be 0 or more"},
        {"{'$schema':'x','$id':'y','title':'z','description':'w'}", "1", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct schema_violation violation;
        int error = validate(table[i].schema, table[i].value, SCHEMA_MISSING_IS_WRONG, &violation);
        if (error != (table[i].path ? -EINVAL : 0))
            fail_msg("%s of %s: %d %s", table[i].schema, table[i].value, error, violation.reason);
        if (error && (strcmp(violation.path, table[i].path) != 0 || strcmp(violation.reason, table[i].reason) != 0))
            fail_msg("%s of %s: '%s' '%s'", table[i].schema, table[i].value, violation.path, violation.reason);
    }
}

TEST(a_reader_may_forgive_what_is_missing_but_not_what_is_wrong)
{
    struct schema_violation violation;
    const char *schema = "{'required':['a'],'dependentRequired':{'b':['c']},'properties':{'a':{'type':'number'}}}";
    assert_int_equal(validate(schema, "{'b':1}", SCHEMA_MISSING_IS_FINE, &violation), 0);
    assert_int_equal(validate(schema, "{'a':'x'}", SCHEMA_MISSING_IS_FINE, &violation), -EINVAL);
    assert_string_equal(violation.path, "a");
}

TEST(a_schema_that_is_not_understood_is_refused)
{
    static const struct {
        const char *schema, *why;
    } table[] = {
        {"{'pattern':'^a'}", "schema #: \"pattern\" is a keyword this tool does not know"},
        {"{'properties':{'a':{'oneOf':[]}}}", "/properties/a: \"oneOf\" is a keyword"},
        {"{'allOf':[{'minimun':1}]}", "/allOf: \"minimun\""},
        {"{'$defs':{'x':{'format':'date'}}}", "/$defs/x: \"format\""},
        {"{'$ref':'#/$defs/x'}", "\"$ref\" leads nowhere"},
        {"{'$ref':'http://elsewhere'}", "\"$ref\" leads nowhere"},
        {"{'minimum':'0'}", "\"minimum\" has an operand of the wrong kind"},
        {"{'required':'a'}", "\"required\" has an operand"},
        {"{'required':[1]}", "\"required\" has an operand"},
        {"{'dependentRequired':{'a':'b'}}", "\"dependentRequired\" has an operand"},
        {"{'type':7}", "\"type\" has an operand"},
        {"{'properties':[]}", "\"properties\" must hold schemas by name"},
        {"{'allOf':{}}", "\"allOf\" must be a list of schemas"},
        {"{'items':3}", "is no schema"},
        {"{'properties':{'a':3}}", "is no schema"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        char why[256] = "";
        json_t *schema = json(table[i].schema);
        assert_int_equal(schema_check(schema, why, sizeof why), -ENOTSUP);
        if (!strstr(why, table[i].why))
            fail_msg("'%s' does not say '%s'", why, table[i].why);
        json_decref(schema);
    }
}

TEST(long_paths_and_values_are_cut_and_never_overrun)
{
    char schema[1024] = "", value[1024] = "";
    for (int i = 0; i < 30; i++) {
        strcat(schema, "{'properties':{'abcdefgh':");
        strcat(value, "{'abcdefgh':");
    }
    strcat(schema, "{'const':1}");
    strcat(value, "'a text that is far longer than what a complaint in one line ought to show to anybody'");
    for (int i = 0; i < 30; i++) {
        strcat(schema, "}}");
        strcat(value, "}");
    }
    struct schema_violation violation;
    assert_int_equal(validate(schema, value, SCHEMA_MISSING_IS_WRONG, &violation), -EINVAL);
    assert_true(strlen(violation.path) < sizeof violation.path);
    assert_non_null(strstr(violation.reason, "..."));
}

TEST(records_are_checked_by_their_type)
{
    static const struct {
        const char *record, *path; /* NULL: fits */
    } table[] = {
        {"{'type':'sync','name':'barrier','threads':2,'time_s':{'median':1,'min':1,'mad':0,'ci95':[1,1],'n':3,"
         "'rejected':0,'unit':'s','grade':'wall'}}",
         NULL},
        {"{'type':'sync','name':'barrier','threads':2,'time_s':null}", NULL},
        {"{'type':'sync','name':'barrier','threads':2,'time_s':null,'extra':[]}", NULL},
        {"{'type':'unheard-of','name':'x','threads':'many'}", NULL},
        {"{'type':'sync','threads':2,'time_s':null}", "name"},
        {"{'name':'x'}", "type"},
        {"[]", ""},
        {"{'type':'sync','name':'barrier','time_s':null}", "threads"},
        {"{'type':'sync','name':'barrier','threads':0,'time_s':null}", "threads"},
        {"{'type':'sync','name':'barrier','threads':2,'time_s':1e-6}", "time_s"},
        {"{'type':'sync','name':'barrier','threads':2,'time_s':{'median':'fast','min':1,'mad':0,'ci95':[1,1],'n':3,"
         "'rejected':0,'unit':'s','grade':'wall'}}",
         "time_s.median"},
        {"{'type':'sync','name':'barrier','threads':2,'time_s':{'median':1,'min':1,'mad':0,'ci95':[1],'n':3,"
         "'rejected':0,'unit':'s','grade':'wall'}}",
         "time_s.ci95"},
        {"{'type':'sync','name':'barrier','threads':2,'time_s':{'median':1,'min':1,'mad':0,'ci95':[1,1],'n':3,"
         "'rejected':0,'unit':'s','grade':'felt'}}",
         "time_s.grade"},
    };
    json_t *schema = record_schema();
    assert_non_null(schema);
    for (size_t i = 0; i < COUNT(table); i++) {
        struct schema_violation by_type = {0}, by_list = {0};
        json_t *record = json(table[i].record);
        int error = record_check(schema, record, SCHEMA_MISSING_IS_WRONG, &by_type);
        if (error != (table[i].path ? -EINVAL : 0) || (error && strcmp(by_type.path, table[i].path) != 0))
            fail_msg("%s: %d '%s' %s", table[i].record, error, by_type.path, by_type.reason);
        assert_int_equal(schema_validate(schema, schema, record, SCHEMA_MISSING_IS_WRONG, &by_list), error);
        assert_string_equal(by_list.path, by_type.path);
        json_decref(record);
    }
    json_decref(schema);
}

/* Every definition of a type is in the list, and the list names no other: the short way is the long way. */
TEST(the_list_of_types_is_complete)
{
    json_t *schema = record_schema();
    char why[256];
    if (schema_check(schema, why, sizeof why) != 0)
        fail_msg("%s", why);
    const char *name;
    json_t *definition;
    size_t types = 0;
    json_object_foreach(json_object_get(schema, "$defs"), name, definition)
    {
        if (strncmp(name, "record_", 7) == 0)
            types++;
    }
    const json_t *list = json_object_get(schema, "allOf");
    assert_int_equal(json_array_size(list), types);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *type = NULL, *reference = NULL;
        assert_int_equal(json_unpack(json_array_get(list, i), "{s:{s:{s:{s:s}}},s:{s:s}}", "if", "properties", "type",
                                     "const", &type, "then", "$ref", &reference),
                         0);
        assert_int_equal(strncmp(reference, "#/$defs/record_", 15), 0);
        assert_string_equal(reference + 15, type);
        assert_non_null(schema_at(schema, reference));
    }
    json_decref(schema);
}

RUN_TESTS(NULL, NULL)
