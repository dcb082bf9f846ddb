/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices of a model file, for what quantizes: quantize_command.h.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/quantize/quantize_command.h"
#include "harness/command/command.h"
#include "harness/gguf/quality.h"
#include "harness/gguf/synthetic.h"
#include "harness/gguf/tensor_rows.h"
#include "results/text/text_escape.h"

enum {
    NAME_SIZE = 256,
    REFUSAL = 512,
    ROWS_DEFAULT = 64,
    WEIGHTS_MOST = 1 << 23 /* of all tensors by default: minutes with every quantizer */
};

struct visit {
    const struct tensors_request *request;
    const struct model_file *file;
    size_t *chosen, count; /* tensors, by index */
    char passed[REFUSAL];  /* why the first one that was named is no matrix; "": there is none */
    size_t passed_count;
};

static const char *name_of(const struct gguf_tensor *tensor, char *name, size_t size)
{
    char raw[NAME_SIZE];
    size_t length = tensor->name.length < sizeof raw ? tensor->name.length : sizeof raw - 1;
    for (size_t i = 0; i < length; i++) /* names are ASCII; what is not could not be written as JSON */
        raw[i] = (signed char)tensor->name.at[i] < 0 ? '?' : tensor->name.at[i];
    raw[length] = 0;
    return text_escape(raw, name, size);
}

/** Of every tensor that is named: matrices, whose weights can be read. */
static int choose(struct visit *visit)
{
    const char *pattern = visit->request->pattern;
    size_t named = 0;
    for (size_t i = 0; i < visit->file->tensor_count; i++) {
        char name[NAME_SIZE], why[REFUSAL / 2];
        const struct gguf_tensor *tensor = visit->file->tensors[i].tensor;
        name_of(tensor, name, sizeof name);
        if (pattern && fnmatch(pattern, name, 0) != 0)
            continue;
        named++;
        if (tensor_is_matrix(tensor, why, sizeof why) == 0) {
            visit->chosen[visit->count++] = i;
            continue;
        }
        visit->passed_count++;
        if (!visit->passed[0])
            snprintf(visit->passed, sizeof visit->passed, "%s %s", name, why);
    }
    if (!named)
        return complain(EXIT_USAGE, visit->request->command,
                        "%s: no tensor of its %zu is named like '%s'; `kneepoint model %s` lists them",
                        visit->request->path, visit->file->tensor_count, pattern ? pattern : "*", visit->request->path);
    if (!visit->count)
        return complain(EXIT_USAGE, visit->request->command, "%s: %s%s; `kneepoint model %s` lists its matrices",
                        visit->request->path, visit->passed,
                        visit->passed_count > 1 ? ", and others that are named are no better" : "",
                        visit->request->path);
    return EXIT_DONE;
}

/** Rows of each tensor: as asked, or 64, and 16 of very many. */
static size_t rows_of(const struct visit *visit)
{
    double columns = 0;
    for (size_t i = 0; i < visit->count; i++)
        columns += (double)visit->file->tensors[visit->chosen[i]].tensor->size[0];
    if (visit->request->all_rows)
        return SIZE_MAX;
    if (visit->request->rows)
        return visit->request->rows;
    size_t rows = (size_t)(WEIGHTS_MOST / columns) / TENSOR_RUN * TENSOR_RUN;
    return rows > ROWS_DEFAULT ? ROWS_DEFAULT : rows < TENSOR_RUN ? TENSOR_RUN : rows;
}

static int visit_one(const struct visit *visit, const struct model_tensor *tensor, uint64_t seed, tensors_do *what,
                     void *context, struct losses_sum *sum)
{
    char name[NAME_SIZE];
    struct matrix matrix = {0};
    const size_t k = (size_t)tensor->tensor->size[0];
    float *x = malloc(QUALITY_TOKENS * k * sizeof *x);
    int code = EXIT_DONE;
    name_of(tensor->tensor, name, sizeof name);
    if (!x || tensor_sample(tensor, rows_of(visit), &matrix))
        code = complain(EXIT_USAGE, visit->request->command, "no memory for the weights of %s", name);
    if (!code) {
        synthetic_activations(QUALITY_TOKENS, k, seed + SYNTHETIC_KINDS, x);
        const struct lossy lossy = {name, &matrix, x, tensor->tensor->type->name, tensor->tensor->size[1]};
        code = what(context, &lossy, sum);
    }
    free(matrix.w);
    free(x);
    return code;
}

int tensors_visit(const struct tensors_request *request, uint64_t seed, tensors_do *what, void *context,
                  struct losses_sum *sum)
{
    struct model_file file;
    char why[1024], text[1024];
    if (model_file_open(request->path, &file, why, sizeof why))
        return complain(EXIT_USAGE, request->command, "%s", text_escape(why, text, sizeof text));
    struct visit visit = {.request = request, .file = &file, .chosen = calloc(file.tensor_count + 1, sizeof(size_t))};
    int code = visit.chosen ? choose(&visit) : complain(EXIT_USAGE, request->command, "no memory");
    if (!code && visit.passed_count)
        complain(0, request->command, "%zu tensor%s left out: %s%s", visit.passed_count,
                 visit.passed_count == 1 ? " is" : "s are", visit.passed, visit.passed_count > 1 ? ", …" : "");
    for (size_t i = 0; i < visit.count && !code; i++)
        code = visit_one(&visit, &file.tensors[visit.chosen[i]], seed, what, context, sum);
    free(visit.chosen);
    model_file_close(&file);
    return code;
}

void tensors_print_explanation(void)
{
    console_print_text(
        "rows: of the tensor, in runs of 16 that are spread over it. Weights are those that the file's "
        "own type stands for: of a\nquantized file, errors are of quantizing a second time. In all: "
        "means over the weights of the tensors. w2 to w8: bipolar\nintegers, a scale and a zero a row. mixed24 is not calibrated.\n");
}
