/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What formats lose of a matrix, or of the tensors of a model: quantize_command.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/quantize/quantize_command.h"
#include "harness/command/command.h"
#include "harness/gguf/quality.h"
#include "harness/plugin/name_argument.h"
#include "harness/plugin/name_filter.h"
#include "micro/format_kind.h"
#include "results/text/words.h"

enum { NAME_SIZE = 512, REASON_SIZE = NPY_REASON, FLOAT_BITS = 16 };

static const char *const default_formats[] = {"q2_k", "iq2_s_standin", "cb2_4", "cb2_16", "cb3", "q4_0", "iq4_nl"};
static const char *const bipolar_names[] = {"w2", "w3", "w4", "w5", "w6", "w7", "w8"};

/* ---------------------------------------------------------------- the table */

/** "64/4096", or how many there are if all were taken. */
static const char *rows_text(const json_t *record, char *text, size_t size)
{
    const json_t *taken = json_object_get(record, "rows"), *of = json_object_get(record, "rows_of");
    if (!taken)
        return "";
    if (json_equal(taken, of))
        snprintf(text, size, "%lld", (long long)json_integer_value(of));
    else
        snprintf(text, size, "%lld/%lld", (long long)json_integer_value(taken), (long long)json_integer_value(of));
    return text;
}

static const char *note_text(const json_t *record, char *text, size_t size)
{
    const char *why = json_string_value(json_object_get(record, "reason"));
    const bool any = json_is_number(json_object_get(record, "weighted_error"));
    snprintf(text, size, "%s%s", why ? any ? "of " : "none: " : "", why ? why : "");
    return text;
}

static const struct table_column columns[] = {
    {"weights", "weights", .left = true, .clips = 12},
    {"type", "tensor_type", .left = true, .optional = true, .rank = 5},
    {"rows", "rows", .text = rows_text, .optional = true, .rank = 6},
    {"format", "format", .left = true},
    {"bits", "bits", TABLE_NUMBER, .digits = 3, .rank = 1},
    {"weighted error", "weighted_error", TABLE_NUMBER, .format = "%.3e", .rank = 3},
    {"output error", "output_error", TABLE_NUMBER, .format = "%.3e", .rank = 2},
    {"dB/bit", "db_per_bit", TABLE_NUMBER, .digits = 2, .rank = 4},
};

const struct table losses_table = {"quantized", "What formats lose", columns, sizeof columns / sizeof *columns,
                                   .note = note_text};

/* ---------------------------------------------------------------- which formats */

static int refuse_format(const char *command, const char *name)
{
    struct nearest_name nearest = nearest_name_begin(name);
    char hint[160], names[2048] = "";
    for (const struct format *const *format = format_all(); *format; format++) {
        if (!(*format)->pack)
            continue;
        nearest_name_consider(&nearest, (*format)->name, strlen((*format)->name));
        words_add(names, sizeof names, "%s", (*format)->name);
    }
    return complain(EXIT_USAGE, command, "no format '%s' can be quantized to; these can: w2 to w8, %s%s", name, names,
                    name_argument_suggest(&nearest, hint, sizeof hint));
}

/** Whether it arranges what another, of the beginning of its name, holds. */
static bool is_rearranged(const struct format *format)
{
    for (const struct format *const *other = format_all(); *other; other++) {
        if (*other != format && (*other)->pack && (*other)->bits == format->bits &&
            strncmp(format->name, (*other)->name, strlen((*other)->name)) == 0)
            return true;
    }
    return false;
}

/** Narrow formats that scale what they quantize, each once. */
static bool is_quantizer(const struct format *format)
{
    return format->pack && format->bits < FLOAT_BITS && !is_rearranged(format) &&
           format_kind(format) != FORMAT_INTEGERS;
}

static size_t find_every(const char **name)
{
    size_t count = sizeof bipolar_names / sizeof *bipolar_names;
    memcpy(name, bipolar_names, sizeof bipolar_names);
    for (const struct format *const *format = format_all(); *format && count < LOSSES_MOST; format++) {
        if (is_quantizer(*format))
            name[count++] = (*format)->name;
    }
    return count;
}

int losses_settle(const char *command, const char *every, const char **format, size_t *formats)
{
    if (!*formats && every)
        *formats = find_every(format);
    for (size_t i = 0; !*formats && i < sizeof default_formats / sizeof *default_formats; i++)
        format[i] = default_formats[i];
    if (!*formats)
        *formats = sizeof default_formats / sizeof *default_formats;
    for (size_t i = 0; i < *formats; i++) {
        struct quantizes_to to;
        if (!quality_find(format[i], &to))
            return refuse_format(command, format[i]);
    }
    return EXIT_DONE;
}

/* ---------------------------------------------------------------- records */

static json_t *record_of(const char *format, const char *weights, const struct quality *quality)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "quantized/%s/%s", format, weights);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s}", "type", "quantized", "name", name, "format", format, "weights", weights);
    field_set_number(record, "bits", quality->bits);
    field_set_number(record, "weighted_error", quality->weighted_error);
    field_set_number(record, "output_error", quality->output_error);
    field_set_number(record, "db_per_bit", quality->db_per_bit); /* of a matrix that nothing is lost of: null */
    return record;
}

static void add_to(struct losses_sum *sum, size_t format, const struct lossy *lossy, const struct quality *quality)
{
    const double weights = (double)lossy->rows * (double)lossy->matrix->k;
    sum->of[format].tensors++;
    sum->of[format].weights += weights;
    sum->of[format].bits += weights * quality->bits;
    sum->of[format].weighted_error += weights * quality->weighted_error;
    sum->of[format].output_error += weights * quality->output_error;
}

/** What a format loses of a tensor, of which some rows were taken, with the bits that all of them have. */
static int quality_of_all(const struct quantizes_to *to, const struct lossy *lossy, struct quality *quality, char *why)
{
    int error = quality_of(to, lossy->matrix, lossy->x, quality, why, REASON_SIZE);
    if (lossy->rows && (!error || error == -EINVAL)) {
        quality->bits = quality_bits(to, lossy->rows, lossy->matrix->k);
        quality->db_per_bit = -10 * log10(quality->weighted_error) / quality->bits;
    }
    return error;
}

/** One format. @param index  of it */
static int print_one(const struct losses *losses, const struct lossy *lossy, size_t index, struct losses_sum *sum)
{
    char why[REASON_SIZE] = "";
    struct quality quality = {NAN, NAN, NAN, NAN};
    struct quantizes_to to;
    (void)quality_find(losses->format[index], &to);
    int error = quality_of_all(&to, lossy, &quality, why);
    if (error && (error != -EINVAL || !sum))
        return complain(EXIT_USAGE, losses->command, "%s: %s: %s", lossy->weights, to.name,
                        error == -EINVAL ? why : strerror(-error));
    json_t *record = record_of(to.name, lossy->weights, &quality);
    if (lossy->type) {
        field_set(record, "tensor_type", json_string(lossy->type));
        field_set(record, "rows", json_integer((json_int_t)lossy->matrix->m));
        field_set(record, "rows_of", json_integer((json_int_t)lossy->rows));
    }
    if (error)
        field_set(record, "reason", json_string(why));
    else if (sum)
        add_to(sum, index, lossy, &quality);
    return table_take(losses->command, losses->rows, losses->json, record);
}

/** The formats by ascending bits; those of as many as they are. */
static void order_by(const double *bits, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && bits[order[at - 1]] > bits[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

int losses_print(const struct losses *losses, const struct lossy *lossy, struct losses_sum *sum)
{
    int code = EXIT_DONE;
    double bits[LOSSES_MOST] = {0};
    size_t order[LOSSES_MOST];
    for (size_t i = 0; sum && i < losses->formats; i++) {
        struct quantizes_to to;
        (void)quality_find(losses->format[i], &to);
        bits[i] = quality_bits(&to, lossy->rows, lossy->matrix->k);
    }
    order_by(bits, losses->formats, order);
    if (sum)
        sum->tensors++;
    for (size_t i = 0; i < losses->formats && !code; i++)
        code = print_one(losses, lossy, order[i], sum);
    return code;
}

/** The means of a format. */
static struct quality mean_of(const struct losses_sum *sum, size_t format)
{
    const double all = sum->of[format].weights; /* of none: not a number */
    struct quality quality = {sum->of[format].bits / all, sum->of[format].weighted_error / all,
                              sum->of[format].output_error / all, NAN};
    quality.db_per_bit = -10 * log10(quality.weighted_error) / quality.bits;
    return quality;
}

int losses_print_sum(const struct losses *losses, const char *pattern, const struct losses_sum *sum)
{
    int code = EXIT_DONE;
    double bits[LOSSES_MOST] = {0};
    size_t order[LOSSES_MOST];
    char weights[NAME_SIZE], why[REASON_SIZE];
    snprintf(weights, sizeof weights, "in all%s%s", pattern ? " " : "", pattern ? pattern : "");
    for (size_t i = 0; i < losses->formats; i++)
        bits[i] = mean_of(sum, i).bits;
    order_by(bits, losses->formats, order);
    for (size_t i = 0; i < losses->formats && !code; i++) {
        const size_t tensors = sum->of[order[i]].tensors;
        const struct quality quality = mean_of(sum, order[i]);
        json_t *record = record_of(losses->format[order[i]], weights, &quality);
        field_set(record, "tensors", json_integer((json_int_t)tensors));
        if (tensors < sum->tensors) {
            snprintf(why, sizeof why, "%zu of %zu tensors", tensors, sum->tensors);
            field_set(record, "reason", json_string(why));
        }
        code = table_take(losses->command, losses->rows, losses->json, record);
    }
    return code;
}

void losses_print_explanation(void)
{
    console_print_text(
        "\nbits: per weight, scales included. weighted error: energy of the error over that of the weights, columns "
        "weighted with\nthe mean square of their activations. output error: that of the product with 64 such "
        "activations. dB/bit: what one bit\ngains in weighted error, 6.02 at most.\n");
}
