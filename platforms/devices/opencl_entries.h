/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "platforms/process/library.h"

/**
 * What we ask of libOpenCL.so.1: entry points, parameters and values of the OpenCL 3.0 specification and of its registry of
 * extensions, so that a build needs no headers. Handles are pointers; every function returns 0 or a negative error, or has a parameter
 * for it.
 */

int32_t clGetPlatformIDs(uint32_t room, void **platforms, uint32_t *count);
int32_t clGetPlatformInfo(void *platform, uint32_t what, size_t room, void *value, size_t *bytes);
int32_t clGetDeviceIDs(void *platform, uint64_t types, uint32_t room, void **devices, uint32_t *count);
int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *bytes);

/* of a device at work */
void *clCreateContext(const intptr_t *properties, uint32_t count, void *const *devices,
                      void (*notify)(const char *, const void *, size_t, void *), void *data, int32_t *error);
void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int32_t *error);
void *clCreateProgramWithSource(void *context, uint32_t count, const char **texts, const size_t *lengths,
                                int32_t *error);
int32_t clBuildProgram(void *program, uint32_t count, void *const *devices, const char *options,
                       void (*notify)(void *, void *), void *data);
int32_t clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t room, void *value, size_t *bytes);
void *clCreateKernel(void *program, const char *name, int32_t *error);
int32_t clSetKernelArg(void *kernel, uint32_t index, size_t bytes, const void *value);
void *clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host, int32_t *error);
int32_t clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions, const size_t *offset,
                               const size_t *items, const size_t *group, uint32_t waits, void *const *wait,
                               void **event);
int32_t clEnqueueWriteBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset, size_t bytes,
                             const void *host, uint32_t waits, void *const *wait, void **event);
int32_t clEnqueueReadBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset, size_t bytes, void *host,
                            uint32_t waits, void *const *wait, void **event);
void *clEnqueueMapBuffer(void *queue, void *buffer, uint32_t blocking, uint64_t flags, size_t offset, size_t bytes,
                         uint32_t waits, void *const *wait, void **event, int32_t *error);
int32_t clFlush(void *queue);
int32_t clFinish(void *queue);
int32_t clGetEventProfilingInfo(void *event, uint32_t what, size_t room, void *value, size_t *bytes);
int32_t clReleaseEvent(void *event);

#define OPENCL_FUNCTIONS(X)                                                                                            \
    X(clGetPlatformIDs)                                                                                                \
    X(clGetPlatformInfo)                                                                                               \
    X(clGetDeviceIDs)                                                                                                  \
    X(clGetDeviceInfo)                                                                                                 \
    X(clCreateContext)                                                                                                 \
    X(clCreateCommandQueue)                                                                                            \
    X(clCreateProgramWithSource)                                                                                       \
    X(clBuildProgram)                                                                                                  \
    X(clGetProgramBuildInfo)                                                                                           \
    X(clCreateKernel)                                                                                                  \
    X(clSetKernelArg)                                                                                                  \
    X(clCreateBuffer)                                                                                                  \
    X(clEnqueueNDRangeKernel)                                                                                          \
    X(clEnqueueWriteBuffer)                                                                                            \
    X(clEnqueueReadBuffer)                                                                                             \
    X(clEnqueueMapBuffer)                                                                                              \
    X(clFlush)                                                                                                         \
    X(clFinish)                                                                                                        \
    X(clGetEventProfilingInfo)                                                                                         \
    X(clReleaseEvent)
struct opencl_functions {
    OPENCL_FUNCTIONS(LIBRARY_FUNCTION)
};

enum opencl_error {
    OPENCL_DEVICE_NOT_FOUND = -1,
    OPENCL_BUILD_FAILED = -11,
    OPENCL_PLATFORM_NOT_FOUND = -1001, /* of cl_khr_icd: the loader has no driver */
};

enum opencl_platform_fact {
    PLATFORM_VERSION = 0x0901, /* text */
    PLATFORM_NAME = 0x0902,    /* text */
};

enum opencl_device_fact {
    DEVICE_TYPE = 0x1000,                       /* 64 bits: enum opencl_type */
    DEVICE_MAX_COMPUTE_UNITS = 0x1002,          /* 32 bits */
    DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,        /* size_t, work-items */
    DEVICE_MAX_CLOCK_FREQUENCY = 0x100C,        /* 32 bits, MHz */
    DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,         /* 64 bits, bytes */
    DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,      /* 64 bits, bytes */
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

enum { QUEUE_PROFILING = 2 };              /* of clCreateCommandQueue */
enum { MEMORY_ANY = 1, MEMORY_HOST = 16 }; /* of clCreateBuffer: read and written; memory that the host can map */
enum { MAP_TO_WRITE = 2 };                 /* of clEnqueueMapBuffer */
enum { PROGRAM_BUILD_LOG = 0x1183 };       /* text */
enum { PROFILING_START = 0x1282, PROFILING_END = 0x1283 }; /* 64 bits, ns */
