/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/gamma/device.h"

#include "harness/cells/device_gamma/device_gamma.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/device_table.h"
#include "harness/cmd/console/instead.h"
#include "harness/cmd/console/options/device_option.h"

struct task {
    const char *command;
    const struct gamma_device_request *request;
    struct device device;
};

static const struct table_column columns[] = {
    {"kernel", "kernel", .left = true},
    {"gamma ns", "vector_s", TABLE_NUMBER, .scale = 1e9, .digits = 3, .rank = 1},
    {"+-", "vector_s", TABLE_HALF, .scale = 1e9, .digits = 3, .rank = 4},
    {"bytes", "bytes_per_vector", TABLE_NUMBER, .digits = -1, .rank = 2},
    {"knee GB/s", "knee_bytes_per_s", TABLE_NUMBER, .scale = 1e-9, .digits = 1, .rank = 1},
    {"timers", "timers_agree", .text = device_timers_text, .rank = 3},
    {"n", "vector_s", TABLE_KEPT, .rank = 6},
    {"variant", "variant", .rank = 5, .left = true},
};

const struct table gamma_device_table = {"device_gamma", "Gamma on a device", columns,
                                         .count = sizeof columns / sizeof *columns};

static void print_head(const void *given)
{
    device_table_head(&((const struct task *)given)->device);
}

static int add_cells(const void *given, const struct session *session, struct cells *cells)
{
    const struct task *task = given;
    int error = 0;
    (void)session;
    for (const struct device_kernel *kernel = device_kernels; !error && kernel->name; kernel++) {
        if (device_kernel_is_named(kernel, task->request->names))
            error = device_gamma_add(cells, &task->device, kernel);
    }
    return error;
}

static const struct instead gamma_device = {
    .option = "--device",
    .shows = "device_gamma",
    .kind = &cell_kind_device_gamma,
    .table = &gamma_device_table,
    .add = add_cells,
    .head = print_head,
    .legend =
        "\ngamma: the time in which a compute unit up-converts and multiplies 32 weights that are in registers, while all "
        "units do so;\nmedian and half the 95% interval. bytes: of 32 packed weights. knee: what memory would have to give "
        "for this to be\nthe limit. variant: the fastest.\n" DEVICE_TIMERS_LEGEND,
};

static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct task *task = given;
    const struct instead_request instead = {.given = task,
                                            .samples = task->request->measuring->samples,
                                            .json = task->request->measuring->json,
                                            .run = task->request->run,
                                            .view = task->request->view};
    return instead_measure(task->command, &gamma_device, &instead, session, cells);
}

int gamma_device_run(const char *command, const struct gamma_device_request *request)
{
    struct task task = {.command = command, .request = request};
    const char *of_cores = request->measuring->threads_given               ? "--threads"
                           : request->measuring->request.plugins.count > 0 ? "--plugin"
                                                                           : request->of_cores;
    if (of_cores)
        return device_option_refuse(command, of_cores);
    int code = device_kernel_names_check(command, request->names);
    if (!code)
        code = device_option_find(command, request->device, &task.device);
    return code ? code : command_session_run(command, &request->measuring->request, measure, &task);
}
