/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See mixed.h.
 */
#include "harness/cmd/quantize/quantize_command.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "harness/gguf/mixed_quality.h"
#include "harness/gguf/mixed_stack.h"
#include "harness/gguf/synthetic.h"
#include "micro/quantization/hessian.h"
#include "micro/quantization/mixed_ranges.h"
#include "results/records/record.h"

enum {
    SYNTHETIC_M = 64,
    SYNTHETIC_K = 960 /* 60 groups: thirds of what a tenth and a quarter leave are whole */,
    NAME_SIZE = 192,
    WHY_SIZE = 512,
    VARIANTS_MOST = 9,
    FOUR_BIT_DEFAULT = 25,
    COLUMNS_TO_WAIT_FOR = 2048 /* of which calibration takes seconds, of fewer none to speak of */
};

static const char *const choice_names[] = {[MIXED_OUTLIERS_OF_2_BITS] = "2-bit groups",
                                           [MIXED_OUTLIERS_ANYWHERE] = "all groups",
                                           [MIXED_OUTLIERS_LARGEST] = "largest",
                                           [MIXED_OUTLIERS_LARGEST_OF_2_BITS] = "largest of 2-bit groups"};

/* In the name of a record, whose outliers are chosen in another way. */
static const char *const choice_suffixes[] = {[MIXED_OUTLIERS_OF_2_BITS] = "",
                                              [MIXED_OUTLIERS_ANYWHERE] = "/all",
                                              [MIXED_OUTLIERS_LARGEST] = "/largest",
                                              [MIXED_OUTLIERS_LARGEST_OF_2_BITS] = "/2-bit-largest"};

/* What is compared by default: Table 4's shares between all in 2 and all in 4 bits, outliers as in Figure 6 and section 4.3. */
static const struct mixed_options compared[] = {
    {0, 0, MIXED_OUTLIERS_OF_2_BITS, false},        {0.1, 0, MIXED_OUTLIERS_OF_2_BITS, false},
    {0.25, 0, MIXED_OUTLIERS_OF_2_BITS, false},     {0.25, 0.002, MIXED_OUTLIERS_OF_2_BITS, false},
    {0.25, 0.005, MIXED_OUTLIERS_OF_2_BITS, false}, {0.25, 0.005, MIXED_OUTLIERS_ANYWHERE, false},
    {0.25, 0.005, MIXED_OUTLIERS_LARGEST, false},   {0.25, 0.005, MIXED_OUTLIERS_LARGEST_OF_2_BITS, false},
    {1, 0, MIXED_OUTLIERS_OF_2_BITS, false},
};

static const double stack_shares[] = {0.1, 0.25}, stack_spreads[] = {0, 0.25, 0.5, 1};

static bool is_one(const struct mixed_request *request)
{
    return isfinite(request->four_bit) || isfinite(request->outliers) || request->choice_given;
}

/** The variants asked for. @return how many */
static size_t variants_of(const struct mixed_request *request, struct mixed_options *variant)
{
    size_t count = sizeof compared / sizeof *compared;
    memcpy(variant, compared, sizeof compared);
    if (is_one(request)) {
        count = 1;
        variant[0].four_bit = isfinite(request->four_bit) ? request->four_bit : FOUR_BIT_DEFAULT / 100.;
        variant[0].outliers = isfinite(request->outliers) ? request->outliers : 0;
        variant[0].choice = request->choice;
    }
    for (size_t i = 0; i < count; i++)
        variant[i].error_feedback = request->error_feedback;
    return count;
}

/* ---------------------------------------------------------------- printing */

/** Rows of one table: of matrices, or of a stack. */
struct printing {
    const struct mixed_request *request;
    json_t *rows;
};

/** What a line is of. */
struct row {
    const char *weights;
    const struct mixed_options *options;
    const struct quality *quality;
    size_t layers;
    enum stack_method method;
    double spread;                     /* NaN: one matrix */
    const struct mixed_ranges *ranges; /* of one matrix */
};

/** [{"share": 0.9, "rows": 1.3, "columns": 1.1}, ...]; null: every range is 0 */
static json_t *ranges_of(const struct mixed_ranges *ranges)
{
    if (!isfinite(ranges->rows[0] + ranges->columns[0]))
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < MIXED_RANGE_SHARES; i++)
        json_array_append_new(list, json_pack("{s:f, s:f, s:f}", "share", mixed_range_shares[i], "rows",
                                              ranges->rows[i], "columns", ranges->columns[i]));
    return list;
}

static json_t *record_of(const struct row *row)
{
    char name[NAME_SIZE];
    const char *method = stack_method_name(row->method), *of = choice_names[row->options->choice];
    char spread[32] = "";
    if (isfinite(row->spread))
        snprintf(spread, sizeof spread, "/%g", row->spread);
    snprintf(name, sizeof name, "mixed/%s/%s/%g/%g%s%s%s", row->weights, method, row->options->four_bit,
             row->options->outliers, row->options->outliers > 0 ? choice_suffixes[row->options->choice] : "", spread,
             row->options->error_feedback ? "/error_feedback" : "");
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:s, s:f, s:f, s:s, s:b, s:I, s:f, s:f, s:f}", "type", "mixed", "name", name, "weights",
        row->weights, "method", method, "four_bit", row->options->four_bit, "outliers", row->options->outliers,
        "outliers_of", of, "error_feedback", row->options->error_feedback, "layers", (json_int_t)row->layers, "bits",
        row->quality->bits, "weighted_error", row->quality->weighted_error, "output_error", row->quality->output_error);
    field_set_number(record, "db_per_bit", row->quality->db_per_bit);
    if (isfinite(row->spread))
        field_set_number(record, "spread", row->spread);
    else
        field_set(record, "ranges", ranges_of(row->ranges));
    return record;
}

static int print_row(struct printing *printing, const struct row *row)
{
    if (printing->request->run) {
        json_t *record = record_of(row);
        int error = record ? run_append(printing->request->run, record) : -ENOMEM;
        json_decref(record);
        if (error)
            return complain(EXIT_USAGE, printing->request->command, "cannot append to %s: %s", printing->request->into,
                            strerror(-error));
    }
    return table_take(printing->request->command, printing->rows, printing->request->json, record_of(row));
}

static const char *outliers_of_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%s", json_string_value(json_object_get(record, "outliers_of")));
    return record_number_or_nan(record, "outliers") > 0 ? text : "-";
}

/** Of a stack; a matrix has no layers to choose from. */
static const char *method_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%s", json_string_value(json_object_get(record, "method")));
    return json_object_get(record, "spread") ? text : "-";
}

static const struct table_column columns[] = {
    {"weights", "weights", .left = true, .clips = 12},
    {"4-bit", "four_bit", TABLE_NUMBER, .scale = 100, .format = "%.3g%%"},
    {"outliers", "outliers", TABLE_NUMBER, .scale = 100, .format = "%.3g%%"},
    {"outliers of", "outliers_of", .text = outliers_of_text, .rank = 5, .left = true},
    {"method", "method", .text = method_text, .rank = 1, .left = true},
    {"spread", "spread", TABLE_NUMBER, .digits = 2, .rank = 2},
    {"bits", "bits", TABLE_NUMBER, .digits = 3, .rank = 2},
    {"weighted error", "weighted_error", TABLE_NUMBER, .format = "%.3e", .rank = 4},
    {"output error", "output_error", TABLE_NUMBER, .format = "%.3e", .rank = 1},
    {"dB/bit", "db_per_bit", TABLE_NUMBER, .digits = 2, .rank = 3},
};

const struct table mixed_table = {"mixed", "Mixed bits", columns, .count = sizeof columns / sizeof *columns};

/** What was kept, as a table. @return exit code, which code is unless it is done */
static int show_rows(const struct printing *printing, int code)
{
    const struct mixed_request *request = printing->request;
    if (!code && !request->json)
        code = table_show(request->command, &mixed_table, printing->rows, request->view);
    json_decref(printing->rows);
    return code;
}

static void print_explanation(void)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "\n4-bit: share of groups of 16 columns in 4 bits; all others are in 2. within: the share in each layer; first "
        "and best\nlayers: the same share of whole layers. outliers: additional share of weights in 16 bits. bits: per "
        "weight, everything\nincluded. weighted error, output error: as without --mixed, on activations that the "
        "quantizer has not seen. spread:\nstandard deviation of ln(magnitude) of the outputs of the %d layers of a "
        "stack. The paper's perplexities are of models\nthat are not here.\n",
        STACK_LAYERS);
    console_print_text(text);
}

/* ---------------------------------------------------------------- one matrix */

static int print_matrix(struct printing *printing, const char *weights, const struct matrix *matrix,
                        const struct inputs *inputs)
{
    const struct mixed_request *request = printing->request;
    struct mixed_options variant[VARIANTS_MOST];
    const size_t count = variants_of(request, variant);
    struct mixed_ranges ranges;
    if (mixed_ranges_of(matrix->w, matrix->m, matrix->k, &ranges))
        return complain(EXIT_USAGE, request->command, "%s: no memory", weights);
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && !code; i++) {
        char why[NPY_REASON];
        struct quality quality;
        int error = mixed_quality_of(matrix, inputs, &variant[i], &quality, why, sizeof why);
        const struct row row = {weights, &variant[i], &quality, 1, STACK_WITHIN, NAN, &ranges};
        if (error)
            code = complain(EXIT_USAGE, request->command, "%s: %s", weights, error == -EINVAL ? why : strerror(-error));
        else
            code = print_row(printing, &row);
    }
    return code;
}

static int print_drawn(struct printing *printing, const struct inputs *inputs)
{
    const struct mixed_request *request = printing->request;
    struct matrix matrix = {.m = SYNTHETIC_M, .k = inputs->calibration.k};
    int code = EXIT_DONE;
    matrix.w = malloc(matrix.m * matrix.k * sizeof *matrix.w);
    if (!matrix.w)
        return complain(EXIT_USAGE, request->command, "no memory for synthetic weights");
    for (enum synthetic_kind kind = 0; kind < SYNTHETIC_KINDS && !code; kind++) {
        if (strcmp(request->weights, "synthetic") != 0 && synthetic_find(request->weights) != kind)
            continue;
        synthetic_weights(kind, matrix.m, matrix.k, request->seed + kind, matrix.w);
        code = print_matrix(printing, synthetic_name(kind), &matrix, inputs);
    }
    free(matrix.w);
    return code;
}

/* ---------------------------------------------------------------- a stack of layers */

static int print_share(struct printing *printing, const struct stack *stack, const struct mixed_options *options)
{
    struct stack_layers layers;
    int code = EXIT_DONE;
    if (stack_quantize(stack, options, &layers))
        return complain(EXIT_USAGE, printing->request->command, "no memory for a stack of layers");
    for (size_t s = 0; s < sizeof stack_spreads / sizeof *stack_spreads; s++) {
        for (enum stack_method method = 0; method < STACK_METHODS && !code; method++) {
            const struct quality quality = stack_quality(&layers, method, options->four_bit, stack_spreads[s]);
            const struct row row = {"stack", options, &quality, STACK_LAYERS, method, stack_spreads[s], NULL};
            code = print_row(printing, &row);
        }
    }
    return code;
}

static int print_stack(const struct mixed_request *request)
{
    struct stack *stack = stack_open(request->seed);
    struct mixed_options options[VARIANTS_MOST];
    struct printing printing = {request, json_array()};
    int code = EXIT_DONE;
    if (!stack) {
        json_decref(printing.rows);
        return complain(EXIT_USAGE, request->command, "no memory for a stack of layers");
    }
    (void)variants_of(request, options);
    for (size_t i = 0; i < sizeof stack_shares / sizeof *stack_shares && !code; i++) {
        if (!is_one(request))
            options[0].four_bit = stack_shares[i];
        code = print_share(&printing, stack, &options[0]);
        if (is_one(request))
            break;
    }
    stack_close(stack);
    return show_rows(&printing, code);
}

/* ---------------------------------------------------------------- inputs */

static int complain_of_inputs(const struct mixed_request *request, int error, size_t k)
{
    const char *from = request->calibration ? request->calibration : "what is drawn to calibrate with";
    if (error == -EINVAL)
        return complain(EXIT_USAGE, request->command, "%s: %zu columns, of which calibration takes %d at most", from, k,
                        HESSIAN_K_MOST);
    if (error == -ENODATA)
        return complain(
            EXIT_USAGE, request->command,
            "%s calibrates nothing: it takes two rows of activations, and one before the last that is not zero", from);
    return complain(EXIT_USAGE, request->command, "%s: %s", from, strerror(-error));
}

/** @param k  columns that the weights have; 0: as many as the file, or as are drawn by default */
static int open_inputs(const struct mixed_request *request, size_t k, struct inputs *inputs)
{
    struct matrix x = {.k = k ? k : SYNTHETIC_K};
    char why[NPY_REASON];
    int code = EXIT_DONE;
    if (request->calibration && npy_read(request->calibration, &x, why))
        return complain(EXIT_USAGE, request->command, "%s %s", request->calibration, why);
    const size_t wide = x.k;
    if (k && wide != k)
        code = complain(EXIT_USAGE, request->command,
                        "%s has activations of %zu columns, %s has %zu: they must be as many", request->calibration,
                        wide, request->weights, k);
    else if (wide % MIXED_GROUP)
        code = complain(EXIT_USAGE, request->command, "%s: %zu columns are no multiple of %d",
                        k ? request->weights : request->calibration, wide, MIXED_GROUP);
    if (code) {
        free(x.w);
        return code;
    }
    if (wide >= COLUMNS_TO_WAIT_FOR && wide <= HESSIAN_K_MOST)
        complain(0, request->command, "calibrating for %zu columns first, which takes seconds to minutes", wide);
    int error =
        request->calibration ? inputs_take(&x, inputs) : inputs_draw(wide, request->seed + SYNTHETIC_KINDS, inputs);
    return error ? complain_of_inputs(request, error, wide) : EXIT_DONE;
}

/** A matrix that is given, or each that is drawn. */
static int print_matrices(const struct mixed_request *request, const struct matrix *given)
{
    struct inputs inputs = {0};
    struct printing printing = {request, json_array()};
    int code = open_inputs(request, given->w ? given->k : 0, &inputs);
    if (!code)
        code = given->w ? print_matrix(&printing, request->weights, given, &inputs) : print_drawn(&printing, &inputs);
    inputs_free(&inputs);
    return show_rows(&printing, code);
}

static int print_all(const struct mixed_request *request, const struct matrix *given)
{
    const bool stack = strcmp(request->weights, "stack") == 0;
    const bool both = strcmp(request->weights, "synthetic") == 0 && !request->calibration;
    int code = EXIT_DONE;
    if (!stack)
        code = print_matrices(request, given);
    if (!code && both && !request->json)
        putchar('\n');
    if (!code && (stack || both))
        code = print_stack(request);
    if (!code && !request->json)
        print_explanation();
    return code;
}

int mixed_print(const struct mixed_request *request, const struct matrix *given)
{
    struct mixed_request into = *request;
    char why[WHY_SIZE];
    if (strcmp(request->weights, "stack") == 0 && request->calibration)
        return complain(EXIT_USAGE, request->command,
                        "--weights=stack draws activations of each layer: leave out --calibration");
    if (request->into && run_reopen(request->into, &into.run, why, sizeof why) != 0)
        return complain(EXIT_USAGE, request->command, "%s", why);
    int code = print_all(&into, given);
    run_close(into.run);
    return code;
}
