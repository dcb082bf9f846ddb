/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_DEVICES_OPENCL_ENTRIES_H
#define PLATFORMS_DEVICES_OPENCL_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

#include "platforms/process/library.h"

/**
 * What listing asks of libOpenCL.so.1: entry points, parameters and values of the OpenCL 3.0 specification and of its registry of
 * extensions, so that a build needs no headers. Handles are pointers; every function returns 0 or a negative error.
 */

int32_t clGetPlatformIDs(uint32_t room, void **platforms, uint32_t *count);
int32_t clGetPlatformInfo(void *platform, uint32_t what, size_t room, void *value, size_t *bytes);
int32_t clGetDeviceIDs(void *platform, uint64_t types, uint32_t room, void **devices, uint32_t *count);
int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *bytes);

#define OPENCL_FUNCTIONS(X) X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetDeviceIDs) X(clGetDeviceInfo)
struct opencl_functions {
    OPENCL_FUNCTIONS(LIBRARY_FUNCTION)
};

enum opencl_error {
    OPENCL_DEVICE_NOT_FOUND = -1,
    OPENCL_PLATFORM_NOT_FOUND = -1001, /* of cl_khr_icd: the loader has no driver */
};

enum opencl_platform_fact {
    PLATFORM_VERSION = 0x0901, /* text */
    PLATFORM_NAME = 0x0902,    /* text */
};

enum opencl_device_fact {
    DEVICE_TYPE = 0x1000,                       /* 64 bits: enum opencl_type */
    DEVICE_MAX_COMPUTE_UNITS = 0x1002,          /* 32 bits */
    DEVICE_MAX_CLOCK_FREQUENCY = 0x100C,        /* 32 bits, MHz */
    DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,         /* 64 bits, bytes */
    DEVICE_GLOBAL_MEM_SIZE = 0x101F,            /* 64 bits, bytes */
    DEVICE_LOCAL_MEM_TYPE = 0x1022,             /* 32 bits: 1 its own, 2 in global memory */
    DEVICE_LOCAL_MEM_SIZE = 0x1023,             /* 64 bits, bytes */
    DEVICE_PROFILING_TIMER_RESOLUTION = 0x1025, /* size_t, ns */
    DEVICE_NAME = 0x102B,                       /* text */
    DRIVER_VERSION = 0x102D,                    /* text */
    DEVICE_VERSION = 0x102F,                    /* text */
    DEVICE_EXTENSIONS = 0x1030,                 /* text: names with blanks between */
    DEVICE_MAX_NUM_SUB_GROUPS = 0x105C,         /* 32 bits; 0: there are none */
    DEVICE_WARP_SIZE = 0x4003,                  /* 32 bits, of cl_nv_device_attribute_query */
    DEVICE_WAVEFRONT_WIDTH = 0x4043,            /* 32 bits, of cl_amd_device_attribute_query */
    DEVICE_SUB_GROUP_SIZES = 0x4108,            /* of size_t as many as there are, of cl_intel_required_subgroup_size */
};

enum opencl_type { TYPE_CPU = 2, TYPE_GPU = 4, TYPE_ACCELERATOR = 8, TYPE_CUSTOM = 16 };
static const uint64_t opencl_type_all = 0xFFFFFFFF;

#endif
