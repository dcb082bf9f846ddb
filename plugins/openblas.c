/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenBLAS as a plug-in: sgemv and sgemm on f32 rows, to stand beside our kernels.
 *
 *     needs: openblas_config.h (libopenblas-dev)
 *     pkg-config: openblas
 *     libraries: -ldl
 *
 * The threads are Kneepoint's: each member of a team calls it with rows or tokens of its own. OpenBLAS reads the number of its
 * threads when it is loaded, so it is loaded here, after that is set, and not by the loader.
 */
#include <cblas.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "micro/plugin.h"

typedef __typeof__(cblas_sgemv) sgemv_function;
typedef __typeof__(cblas_sgemm) sgemm_function;
static sgemv_function *sgemv;
static sgemm_function *sgemm;
static char version[128]; /* of the library that is found, and the cores that it is made for */

static void gemv(const struct gemv_slice *slice)
{
    const float *w = (const float *)(const void *)slice->weights;
    sgemv(CblasRowMajor, CblasNoTrans, (int)slice->panels, (int)slice->k, 1, w,
          (int)(slice->panel_bytes / sizeof(float)), slice->activations_f32, 1, 0, slice->out_f32, 1);
}

/** Both matrices have their columns side by side: [tokens][K] times the transposed [rows][K]. */
static void gemm(const struct gemm_slice *slice)
{
    const float *w = (const float *)(const void *)slice->weights;
    sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)slice->tokens, (int)slice->panels, (int)slice->k, 1,
          slice->activations_f32, (int)slice->activations_stride, w, (int)(slice->panel_bytes / sizeof(float)), 0,
          slice->out, (int)slice->out_stride);
}

static const struct format f32 = {.name = "f32"};

static const struct kernel f32_openblas = {
    .name = "f32.openblas.reference",
    .sequence = "openblas",
    .isa = "reference", /* it chooses for itself */
    .format = &f32,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .gemv = gemv,
    .gemm = {.run = gemm},
};

static const struct kernel *const kernels[] = {&f32_openblas, NULL};

static int init(char *why, size_t size)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    const char *(*configuration)(void) =
        library ? (const char *(*)(void))(uintptr_t)dlsym(library, "openblas_get_config") : NULL;
    sgemv = library ? (sgemv_function *)(uintptr_t)dlsym(library, "cblas_sgemv") : NULL;
    sgemm = library ? (sgemm_function *)(uintptr_t)dlsym(library, "cblas_sgemm") : NULL;
    if (configuration)
        snprintf(version, sizeof version, "%s", configuration());
    if (!library)
        snprintf(why, size, "%s", dlerror());
    else if (!sgemv || !sgemm)
        snprintf(why, size, "libopenblas.so.0 has no cblas_sgemv or no cblas_sgemm");
    return sgemv && sgemm ? 0 : -1;
}

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .name = "openblas", .version = version, .kernels = kernels, .init = init};
