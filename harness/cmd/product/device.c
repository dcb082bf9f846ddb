/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv --device and gemm --device: products of an OpenCL device.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/device_gamma/device_gamma.h"
#include "harness/cells/device_gemm/device_gemm.h"
#include "harness/cells/device_roof/device_roof.h"
#include "harness/cells/device_roof/roofs.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/device_kernel_names.h"
#include "harness/cmd/console/device_table.h"
#include "harness/cmd/console/instead.h"
#include "harness/cmd/console/options/device_option.h"
#include "harness/cmd/product/product_command.h"
#include "harness/command/exit_code.h"

struct request {
    const struct product_command *command;
    const struct product_options *options;
    struct device device;
    struct product_job *job; /* its shapes */
    struct device_kernel_names names;
};

/* ---- what is printed ---- */

#define COLUMNS_OF_BOTH                                                                                                \
    {.heading = "kernel", .field = "kernel", .left = true},                                                            \
    {                                                                                                                  \
        .heading = "shape", .field = "m", .text = product_shape_text                                                   \
    }
#define COLUMNS_AFTER                                                                                                  \
    {.heading = "roof", .field = "roof_fraction", .value = TABLE_NUMBER, .digits = 2, .rank = 2},                      \
        {.heading = "limit", .field = "binds", .rank = 2, .left = true},                                               \
        {.heading = "model us", .field = "predicted_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 1, .rank = 4},  \
        {.heading = "timers", .field = "timers_agree", .text = device_timers_text, .rank = 3},                         \
        {.heading = "error", .field = "error", .text = product_error_text, .rank = 6, .left = true},                   \
        {.heading = "n", .field = "time_s", .value = TABLE_KEPT, .rank = 7},                                           \
    {                                                                                                                  \
        .heading = "variant", .field = "variant", .rank = 4, .left = true                                              \
    }

static const struct table_column gemv_columns[] = {
    COLUMNS_OF_BOTH,
    {.heading = "time us", .field = "time_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 1, .rank = 1},
    {.heading = "GB/s", .field = "bytes_per_s", .value = TABLE_NUMBER, .scale = 1e-9, .digits = 2, .rank = 1},
    {.heading = "+-", .field = "bytes_per_s", .value = TABLE_HALF, .scale = 1e-9, .digits = 2, .rank = 5},
    COLUMNS_AFTER,
    {.heading = "omega", .field = "omega", .value = TABLE_NUMBER, .digits = 2, .rank = 5},
};
static const struct table_column gemm_columns[] = {
    COLUMNS_OF_BOTH,
    {.heading = "tokens", .field = "n"},
    {.heading = "time us", .field = "time_s", .value = TABLE_NUMBER, .scale = 1e6, .digits = 1, .rank = 1},
    {.heading = "GOP/s", .field = "operations_per_s", .value = TABLE_NUMBER, .scale = 1e-9, .digits = 1, .rank = 1},
    {.heading = "+-", .field = "operations_per_s", .value = TABLE_HALF, .scale = 1e-9, .digits = 1, .rank = 5},
    COLUMNS_AFTER,
};

const struct table product_device_table = {.type = "device_gemv",
                                           .title = "GEMV on a device",
                                           .columns = gemv_columns,
                                           .count = sizeof gemv_columns / sizeof *gemv_columns};
const struct table product_device_gemm_table = {.type = "device_gemm",
                                                .title = "GEMM on a device",
                                                .columns = gemm_columns,
                                                .count = sizeof gemm_columns / sizeof *gemm_columns};

static void print_head(const void *given)
{
    device_table_head(&((const struct request *)given)->device);
}

/* ---- what is measured ---- */

static int add(const struct request *request, const struct device_kernel *kernel, const struct shape *shape,
               size_t tokens, struct cells *cells)
{
    const struct device *device = &request->device;
    const struct kernel definition = device_kernel_definition(kernel);
    int error = device_gemm_add(cells, device, kernel, shape, tokens);
    if (error)
        return error;
    struct cell *cell = &cells->cell[cells->count - 1];
    cell->left_out = format_accepts(definition.format, shape->m, shape->k, cell->why, sizeof cell->why) != 0;
    if (!cell->left_out && !device_product_bytes(kernel, &device->facts, shape->m, shape->k)) {
        cell->left_out = true;
        snprintf(cell->why, sizeof cell->why, "%.0f MB of weights do not fit into a buffer of %s",
                 1e-6 * (double)format_packed_bytes(definition.format, shape->m, shape->k), device->number);
    }
    return 0;
}

/** What products are held against: memory, launches, and gamma of a GEMV's kernel or of a GEMM's the multiplications alone. */
static int add_roofs(const struct request *request, struct cells *cells)
{
    const struct device *device = &request->device;
    bool wanted[DEVICE_ROOFS + 1] = {[DEVICE_ROOF_READ] = true, [DEVICE_ROOF_LAUNCH] = true};
    int error = 0;
    for (const struct device_kernel *kernel = device_kernels; kernel->name; kernel++)
        wanted[device_gemm_roof(kernel)] |= request->command->sweeps && device_kernel_is_named(kernel, &request->names);
    for (size_t roof = 0; !error && roof < DEVICE_ROOFS; roof++)
        error = wanted[roof] ? device_roof_add(cells, device, roof) : 0;
    for (const struct device_kernel *kernel = device_kernels; !error && kernel->name; kernel++) {
        if (!request->command->sweeps && device_kernel_is_named(kernel, &request->names))
            error = device_gamma_add(cells, device, kernel);
    }
    return error;
}

static int add_shape(const struct request *request, const struct shape *shape, struct cells *cells)
{
    static const size_t usual = 64, none = 0;
    const struct product_options *options = request->options;
    const size_t *tokens = !request->command->sweeps ? &none : options->token_count ? options->tokens : &usual;
    const size_t count = options->token_count ? options->token_count : 1;
    int error = 0;
    for (size_t t = 0; t < count; t++) {
        for (const struct device_kernel *kernel = device_kernels; !error && kernel->name; kernel++) {
            if (device_kernel_is_named(kernel, &request->names))
                error = add(request, kernel, shape, tokens[t], cells);
        }
    }
    return error;
}

static int add_cells(const void *given, const struct session *session, struct cells *cells)
{
    const struct request *request = given;
    (void)session;
    int error = add_roofs(request, cells);
    for (size_t s = 0; !error && s < request->job->shape_count; s++)
        error = add_shape(request, &request->job->shapes[s], cells);
    return error;
}

static const struct instead gemv_device = {
    .option = "--device",
    .shows = "device_gemv",
    .kind = &cell_kind_device_gemm,
    .table = &product_device_table,
    .add = add_cells,
    .head = print_head,
    .legend =
        "\nThe fastest variant of each kernel, its weights from memory: median and half the 95% interval of series of "
        "launches\nby the host's clock. roof: over what the device's memory read attains in the same run.\n"
        "limit: what takes longer, reading or up-converting and multiplying (gamma), both of this run; model: that and a\n"
        "launch. omega: how much of the shorter overlaps the longer.\n" DEVICE_TIMERS_LEGEND,
};

static const struct instead gemm_device = {
    .option = "--device",
    .shows = "device_gemm",
    .kind = &cell_kind_device_gemm,
    .table = &product_device_gemm_table,
    .add = add_cells,
    .head = print_head,
    .legend =
        "\nThe fastest variant of each kernel, its weights from memory: median and half the 95% interval of series of "
        "launches\nby the host's clock; a multiply and an add are two operations.\n"
        "limit: what takes longer at the roofs of this run, reading the weights or multiplying int8 or fp32; model: "
        "that and a\nlaunch; roof: that over the time.\n" DEVICE_TIMERS_LEGEND,
};

static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct request *request = given;
    const struct product_options *options = request->options;
    const struct instead_request instead = {.given = request,
                                            .samples = options->measuring.samples,
                                            .json = options->measuring.json,
                                            .run = &options->run,
                                            .view = &options->view};
    return instead_measure(request->command->name, request->command->sweeps ? &gemm_device : &gemv_device, &instead,
                           session, cells);
}

/* ---- what is refused ---- */

/** Options that mean the cores of this machine. */
static int check_options(const struct product_command *command, const struct product_options *options)
{
    const struct {
        bool given;
        const char *option;
    } of_cores[] = {
        {options->measuring.threads_given, "--threads"},
        {options->cold, "--cold"},
        {options->warm, "--warm"},
        {options->prefetch_given, "--prefetch"},
        {options->tuning != NULL, "--tuning"},
        {options->best, "--best"},
        {options->peers, "--peers"},
        {options->from != NULL, "--from"},
        {options->reads, "--reads"},
        {options->measuring.request.plugins.count > 0, "--plugin"},
        {plan_schedules_any(&options->sharing.schedules), "--schedule"},
    };
    for (size_t i = 0; i < sizeof of_cores / sizeof *of_cores; i++) {
        if (of_cores[i].given)
            return device_option_refuse(command->name, of_cores[i].option);
    }
    return EXIT_DONE;
}

/** Whether any kernel that is asked for takes a shape. @return EXIT_DONE, or EXIT_USAGE after complaining of the first that does not */
static int check_shapes(const struct request *request)
{
    char why[SESSION_WHY], first[SESSION_WHY + 128] = "";
    for (size_t s = 0; s < request->job->shape_count; s++) {
        const struct shape *shape = &request->job->shapes[s];
        for (const struct device_kernel *kernel = device_kernels; kernel->name; kernel++) {
            if (!device_kernel_is_named(kernel, &request->names))
                continue;
            if (!format_accepts(device_kernel_format(kernel), shape->m, shape->k, why, sizeof why))
                return EXIT_DONE;
            if (!first[0])
                snprintf(first, sizeof first, "%s on %zux%zu: %s", kernel->name, shape->m, shape->k, why);
        }
    }
    return complain(EXIT_USAGE, request->command->name, "%s", first);
}

int product_device_run(const struct product_command *command, const struct product_options *options)
{
    struct request request = {.command = command,
                              .options = options,
                              .job = calloc(1, sizeof *request.job),
                              .names = {options->names, options->count, &options->filter}};
    int code =
        request.job ? check_options(command, options) : complain(EXIT_USAGE, command->name, "%s", strerror(ENOMEM));
    if (!code)
        code = device_kernel_names_check(command->name, &request.names);
    if (!code)
        code = product_select_shapes(command, options, request.job);
    if (!code)
        code = check_shapes(&request);
    if (!code)
        code = device_option_find(command->name, options->device, &request.device);
    if (!code)
        code = command_session_run(command->name, &options->measuring.request, measure, &request);
    product_job_free(request.job);
    return code;
}
