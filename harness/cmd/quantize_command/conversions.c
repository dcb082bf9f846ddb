/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See conversions.h.
 */
#include "harness/cmd/quantize_command/conversions.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cmd/console/console.h"
#include "harness/command.h"

enum { NAME_SIZE = 128, BITS_LEAST = 2, BITS_MOST = 8 };

static const char *const default_bits[] = {"w2a2", "w4a4", "w6a6"};

/** "w4a4", in either case. */
static bool parse(const char *name, struct conversion_request *request)
{
    const unsigned w = (unsigned)(name[0] && name[1] ? name[1] - '0' : 0);
    if (tolower(name[0]) != 'w' || w < BITS_LEAST || w > BITS_MOST || tolower(name[2]) != 'a' || !name[3] || name[4])
        return false;
    const unsigned a = (unsigned)(name[3] - '0');
    request->weight_bits = w;
    request->activation_bits = a;
    return a >= BITS_LEAST && a <= BITS_MOST;
}

int conversions_settle(const char *command, const char **bits, size_t *count)
{
    for (size_t i = 0; !*count && i < sizeof default_bits / sizeof *default_bits; i++)
        bits[i] = default_bits[i];
    if (!*count)
        *count = sizeof default_bits / sizeof *default_bits;
    for (size_t i = 0; i < *count; i++) {
        struct conversion_request request;
        if (!parse(bits[i], &request))
            return complain(EXIT_USAGE, command, "--bipolar takes bits from w2a2 to w8a8, not '%s'", bits[i]);
    }
    return EXIT_DONE;
}

/** @param why  NULL, or why there are no numbers */
static json_t *record_of(const struct conversions *of, const struct conversion_request *request,
                         const struct conversion *found, const char *why)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "bipolar/w%ua%u/%s/%s", request->weight_bits, request->activation_bits,
             conversion_type_name(request->type), of->weights);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:i, s:i, s:I, s:s}", "type", "bipolar", "name", name, "weights", of->weights,
                  "weight_bits", (int)request->weight_bits, "activation_bits", (int)request->activation_bits, "group",
                  (json_int_t)(request->group ? request->group : of->matrix->k), "arithmetic",
                  conversion_type_name(request->type));
    field_set_number(record, "output_error_before", found->error_before);
    field_set_number(record, "output_error_after", found->error_after);
    field_set_number(record, "relative_difference", found->difference);
    field_set_number(record, "equal", found->equal);
    field_set_number(record, "largest_ulp", found->ulp);
    field_set_number(record, "largest_ulp_of_largest", found->ulp_of_largest);
    if (why)
        field_set(record, "reason", json_string(why));
    return record;
}

static void print_heading(void)
{
    printf("%s%-12s %-5s %6s %-4s %13s %13s %11s %6s %9s %9s%s\n", console_bold(), "weights", "bits", "group", "type",
           "error before", "error after", "difference", "equal", "ulp", "of most", console_plain());
}

static int print_one(const struct conversions *of, const struct conversion_request *request,
                     const struct conversion *found, const char *why, bool *printed)
{
    if (of->json)
        return print_record(of->command, record_of(of, request, found, why));
    if (!*printed)
        print_heading();
    *printed = true;
    printf("%-12s w%ua%u %7zu %-4s", of->weights, request->weight_bits, request->activation_bits,
           request->group ? request->group : of->matrix->k, conversion_type_name(request->type));
    if (why)
        printf(" none: %s\n", why);
    else
        printf(" %13.6e %13.6e %11.2e %5.1f%% %9.3g %9.3g\n", found->error_before, found->error_after,
               found->difference, 100 * found->equal, found->ulp, found->ulp_of_largest);
    return EXIT_DONE;
}

int conversions_print(const struct conversions *of, bool *printed)
{
    char why[NPY_REASON];
    int code = EXIT_DONE;
    for (size_t i = 0; !code && i < of->bits_count * CONVERSION_TYPES; i++) {
        const char *bits = of->bits[i / CONVERSION_TYPES];
        struct conversion_request request = {.group = of->group, .type = (enum conversion_type)(i % CONVERSION_TYPES)};
        struct conversion found = {NAN, NAN, NAN, NAN, NAN, NAN};
        (void)parse(bits, &request);
        int error = conversion_of(of->matrix, of->x, &request, &found, why, sizeof why);
        if (error && error != -ERANGE)
            code = complain(EXIT_USAGE, of->command, "%s: %s: %s", of->weights, bits,
                            error == -EINVAL ? why : strerror(-error));
        else
            code = print_one(of, &request, &found, error ? why : NULL, printed);
    }
    return code;
}

void conversions_print_explanation(void)
{
    puts(
        "\nThe same integers, signed and bipolar; their scales and zeros, the terms made of them and all sums of terms kept in this "
        "type.\nerror: energy of the output's error over that of the output with the weights and activations as they were, before and "
        "after the\nconversion. difference: of the two outputs, over the output. equal: outputs with the same bits. ulp: largest difference "
        "in units\nin the last place of that output, of most: of the layer's largest. The paper's perplexities are of models that are not "
        "here.");
}
