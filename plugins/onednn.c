/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oneDNN as a plug-in: matmul of the activations of one token or several with the transposed weights, in f32, bf16 and
 * int8, to stand beside our kernels.
 *
 *     needs: oneapi/dnnl/dnnl.h (libdnnl-dev)
 *     pkg-config: dnnl
 *     libraries: -ldnnl -fopenmp
 *
 * The weights stay rows, as models store them: oneDNN may not reorder them, since its blocked layouts are opaque and a
 * format must say what every byte means.
 *
 * The threads are Kneepoint's: each member of a team calls matmul with rows or tokens of its own, and tells OpenMP that it has
 * one thread. A primitive is made when a thread first meets a shape, which is in the verification before any sample.
 */
#include <oneapi/dnnl/dnnl.h>

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/half.h"
#include "micro/plugin.h"

#if DNNL_VERSION_MAJOR != 2
#error "this plug-in is written for the C interface of oneDNN 2"
#endif

/* ---- one matmul of a thread ---- */

enum { SHAPES_KEPT = 64, SRC = 0, WEIGHTS = 1, DST = 2, OPERANDS = 3 };

/** Types of the operands, and what tells one product of a thread from another. */
struct product {
    dnnl_data_type_t in, out;
    size_t rows, k, row_bytes;
    size_t tokens, in_stride, out_stride; /* strides in elements */
    dnnl_primitive_t primitive;
    dnnl_memory_t memory[OPERANDS];
};

/** What a thread has; freed when it ends. */
struct thread {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    struct product product[SHAPES_KEPT];
    unsigned next; /* to be replaced */
};

static pthread_key_t key;

static void forget(struct product *product)
{
    for (int i = 0; i < OPERANDS; i++) {
        if (product->memory[i])
            dnnl_memory_destroy(product->memory[i]);
    }
    if (product->primitive)
        dnnl_primitive_destroy(product->primitive);
    *product = (struct product){0};
}

static void end_thread(void *context)
{
    struct thread *thread = context;
    for (int i = 0; i < SHAPES_KEPT; i++)
        forget(&thread->product[i]);
    dnnl_stream_destroy(thread->stream);
    dnnl_engine_destroy(thread->engine);
    free(thread);
}

/** A failure here is no result that could be compared: the process that checks ends, and says so. */
static void demand(dnnl_status_t status)
{
    if (status != dnnl_success)
        abort();
}

static struct thread *this_thread(void)
{
    struct thread *thread = pthread_getspecific(key);
    if (thread)
        return thread;
    thread = calloc(1, sizeof *thread);
    if (!thread)
        abort();
    omp_set_num_threads(1);
    demand(dnnl_engine_create(&thread->engine, dnnl_cpu, 0));
    demand(dnnl_stream_create(&thread->stream, thread->engine, dnnl_stream_default_flags));
    pthread_setspecific(key, thread);
    return thread;
}

/** [tokens x K] times [K x rows], of which the columns lie row_bytes apart. */
static void make(const struct thread *thread, struct product *product)
{
    dnnl_dim_t k = (dnnl_dim_t)product->k, rows = (dnnl_dim_t)product->rows;
    dnnl_dim_t apart = (dnnl_dim_t)(product->row_bytes / dnnl_data_type_size(product->in));
    dnnl_dim_t tokens = (dnnl_dim_t)product->tokens;
    const dnnl_dims_t dims[OPERANDS] = {{tokens, k}, {k, rows}, {tokens, rows}};
    const dnnl_dims_t strides[OPERANDS] = {
        {(dnnl_dim_t)product->in_stride, 1}, {1, apart}, {(dnnl_dim_t)product->out_stride, 1}};
    dnnl_memory_desc_t description[OPERANDS];
    dnnl_matmul_desc_t operation;
    dnnl_primitive_desc_t primitive;
    for (int i = 0; i < OPERANDS; i++) {
        dnnl_data_type_t type = i == DST ? product->out : product->in;
        demand(dnnl_memory_desc_init_by_strides(&description[i], 2, dims[i], type, strides[i]));
        demand(dnnl_memory_create(&product->memory[i], &description[i], thread->engine, DNNL_MEMORY_NONE));
    }
    demand(dnnl_matmul_desc_init(&operation, &description[SRC], &description[WEIGHTS], NULL, &description[DST]));
    demand(dnnl_primitive_desc_create(&primitive, &operation, NULL, thread->engine, NULL));
    demand(dnnl_primitive_create(&product->primitive, primitive));
    demand(dnnl_primitive_desc_destroy(primitive));
}

static bool is_like(const struct product *kept, const struct product *wanted)
{
    return kept->primitive && kept->in == wanted->in && kept->rows == wanted->rows && kept->k == wanted->k &&
           kept->row_bytes == wanted->row_bytes && kept->tokens == wanted->tokens &&
           kept->in_stride == wanted->in_stride && kept->out_stride == wanted->out_stride;
}

static struct product *product_of(struct thread *thread, const struct product *wanted)
{
    for (int i = 0; i < SHAPES_KEPT; i++) {
        if (is_like(&thread->product[i], wanted))
            return &thread->product[i];
    }
    struct product *product = &thread->product[thread->next++ % SHAPES_KEPT];
    forget(product);
    *product = *wanted;
    make(thread, product);
    return product;
}

static void multiply(const struct product *wanted, const void *activations, const void *weights, void *out)
{
    struct thread *thread = this_thread();
    struct product *product = product_of(thread, wanted);
    const void *const handle[OPERANDS] = {activations, weights, out};
    for (int i = 0; i < OPERANDS; i++)
        demand(dnnl_memory_set_data_handle(product->memory[i], (void *)(uintptr_t)handle[i]));
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, product->memory[SRC]},
                                         {DNNL_ARG_WEIGHTS, product->memory[WEIGHTS]},
                                         {DNNL_ARG_DST, product->memory[DST]}};
    demand(dnnl_primitive_execute(product->primitive, thread->stream, OPERANDS, arguments));
    demand(dnnl_stream_wait(thread->stream));
}

static void multiply_one(const struct gemv_slice *slice, const void *activations, dnnl_data_type_t in)
{
    const struct product wanted = {.in = in,
                                   .out = dnnl_f32,
                                   .rows = slice->panels,
                                   .k = slice->k,
                                   .row_bytes = slice->panel_bytes,
                                   .tokens = 1,
                                   .in_stride = slice->k,
                                   .out_stride = slice->panels};
    multiply(&wanted, activations, slice->weights, slice->out);
}

static void multiply_many(const struct gemm_slice *slice, const void *activations, size_t stride, dnnl_data_type_t in)
{
    const struct product wanted = {.in = in,
                                   .out = dnnl_f32,
                                   .rows = slice->panels,
                                   .k = slice->k,
                                   .row_bytes = slice->panel_bytes,
                                   .tokens = slice->tokens,
                                   .in_stride = stride,
                                   .out_stride = slice->out_stride};
    multiply(&wanted, activations, slice->weights, slice->out);
}

/* ---- f32 ---- */

static void gemv_f32(const struct gemv_slice *slice)
{
    multiply_one(slice, slice->activations_f32, dnnl_f32);
}

static void gemm_f32(const struct gemm_slice *slice)
{
    multiply_many(slice, slice->activations_f32, slice->activations_stride, dnnl_f32);
}

static const struct format f32 = {.name = "f32"};
static const struct kernel f32_onednn = {
    .name = "f32.onednn.reference",
    .sequence = "onednn",
    .isa = "reference", /* it chooses for itself */
    .format = &f32,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .gemv = gemv_f32,
    .gemm = {.run = gemm_f32},
};

/* ---- bf16: the activations, too ---- */

static void to_bf16(const void *activations, size_t k, void *prepared)
{
    for (size_t i = 0; i < k; i++)
        ((uint16_t *)prepared)[i] = bfloat_from_float(((const float *)activations)[i]);
}

static struct kernel_row row_bf16(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    (void)row;
    for (size_t i = 0; i < k; i++) {
        uint16_t w;
        memcpy(&w, panel + i * sizeof w, sizeof w);
        double term = (double)bfloat_to_float(w) * (double)bfloat_to_float(((const uint16_t *)prepared)[i]);
        sum.y += term;
        sum.magnitude += term < 0 ? -term : term;
    }
    return sum;
}

static void gemv_bf16(const struct gemv_slice *slice)
{
    multiply_one(slice, slice->prepared, dnnl_bf16);
}

/** Of a token: whole lines. */
static size_t bf16_bytes(size_t k)
{
    return (k * sizeof(uint16_t) + 63) / 64 * 64;
}

static void many_to_bf16(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    (void)stride, (void)tokens; /* a group is one token */
    to_bf16(activations, k, prepared);
}

static void gemm_bf16(const struct gemm_slice *slice)
{
    multiply_many(slice, slice->prepared, bf16_bytes(slice->k) / sizeof(uint16_t), dnnl_bf16);
}

static const struct format bf16 = {.name = "bf16"};
static const struct kernel bf16_onednn = {
    .name = "bf16.onednn.avx512",
    .sequence = "onednn",
    .isa = "avx512", /* what oneDNN needs for bf16 */
    .format = &bf16,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .error_bound = 0x1p-8, /* half of the last of 7 fraction bits */
    .gemv = gemv_bf16,
    .prepared_bytes_per_step = 32 * sizeof(uint16_t),
    .prepare = to_bf16,
    .row = row_bf16,
    .gemm = {.run = gemm_bf16, .prepare_many = many_to_bf16, .tokens_per_group = 1, .prepared_bytes = bf16_bytes},
};

/* ---- int8, row by row: a format of this plug-in ---- */

enum { INT8_STEP = 64 };

static void put_int8(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    (void)row;
    panel[column] = (uint8_t)w;
}

static int32_t get_int8(const uint8_t *panel, uint32_t row, uint32_t column)
{
    (void)row;
    return (int8_t)panel[column];
}

static void gemv_int8(const struct gemv_slice *slice)
{
    multiply_one(slice, slice->activations, dnnl_s8);
}

static void gemm_int8(const struct gemm_slice *slice)
{
    multiply_many(slice, slice->activations, slice->activations_stride, dnnl_s8);
}

static const struct format int8_rows = {
    .name = "int8_rows",
    .bits = 8,
    .rows_per_panel = 1,
    .k_per_step = INT8_STEP,
    .step_bytes = INT8_STEP,
    .weight_min = -128,
    .weight_max = 127,
    .max_k = INT32_MAX / (255 * 127), /* oneDNN makes the signed operand unsigned, and takes that away again */
    .put = put_int8,
    .get = get_int8,
};
static const struct kernel int8_onednn = {
    .name = "int8_rows.onednn.reference",
    .sequence = "onednn",
    .isa = "reference",
    .format = &int8_rows,
    .gives = KERNEL_GIVES_F32, /* its int32 results pass through floats: beyond 2^24 they are no integers' sums */
    .gemv = gemv_int8,
    .gemm = {.run = gemm_int8},
};

/* ---- what there is ---- */

static const struct format *const formats[] = {&int8_rows, NULL};
static const struct kernel *kernels[] = {&bf16_onednn, &f32_onednn, NULL, NULL}; /* init() may add one */
static char version[64];
static bool has_key;

/** Without VNNI it adds two products of bytes in 16 bits, which saturate: random weights give wrong sums. */
static bool saturates(void)
{
    switch (dnnl_get_effective_cpu_isa()) {
    case dnnl_cpu_isa_sse41:
    case dnnl_cpu_isa_avx:
    case dnnl_cpu_isa_avx2:
    case dnnl_cpu_isa_avx512_mic:
    case dnnl_cpu_isa_avx512_mic_4ops:
    case dnnl_cpu_isa_avx512_core: return true;
    default: return false;
    }
}

static int init(char *why, size_t size)
{
    const dnnl_version_t *is = dnnl_version();
    snprintf(version, sizeof version, "%d.%d.%d", is->major, is->minor, is->patch);
    if (is->cpu_runtime != DNNL_RUNTIME_OMP && is->cpu_runtime != DNNL_RUNTIME_SEQ)
        snprintf(why, size,
                 "this oneDNN has another runtime than OpenMP, with threads of its own that cannot be told here");
    else if (pthread_key_create(&key, end_thread) != 0)
        snprintf(why, size, "no key of thread-local data is left");
    else
        has_key = true;
    if (!saturates())
        kernels[2] = &int8_onednn;
    return has_key ? 0 : -1;
}

__attribute__((destructor)) static void unload(void)
{
    if (has_key)
        pthread_key_delete(key);
}

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .name = "onednn",   .version = version,
                    .formats = formats,     .kernels = kernels, .init = init};
