/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cmd/console/device_kernel_names.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/table.h"
#include "harness/record/run_writer.h"

/** gamma --device: gamma of kernels of an OpenCL device. */
struct gamma_device_request {
    const char *device;
    const struct measuring_options *measuring;
    const struct run_request *run;
    const struct table_view *view;
    const struct device_kernel_names *names;
    const char *of_cores; /* an option that was given and is of this machine's cores; NULL: none */
};

/** @return exit code */
int gamma_device_run(const char *command, const struct gamma_device_request *request);
extern const struct table gamma_device_table;
