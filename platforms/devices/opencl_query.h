/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "platforms/devices/opencl.h"
#include "platforms/devices/opencl_entries.h"

/**
 * Load the first of the libraries. PoCL writes compiled kernels into a folder, and into none for NULL.
 * @return as library_open(); -ENOMEM
 */
int opencl_load(const char *const *libraries, const char *folder, struct opencl_functions *opencl, char *why,
                size_t size);

/**
 * Ask every driver that the loader has for its devices. For the child process.
 * @return 0 with platforms and devices in the listing, which was all 0, and the handles of these devices; -ENOMEM; or the error of OpenCL in *error and -EIO
 */
int opencl_query(const struct opencl_functions *opencl, struct opencl_listing *listing, void *handles[OPENCL_DEVICES],
                 int32_t *error);
