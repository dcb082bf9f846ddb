/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ggml, the CPU library of llama.cpp, as a plug-in: the products of its weight types in rows, as model files hold them, and in the layouts
 * that it repacks them to at run time on this CPU (8x8 and the like), GEMV and GEMM.
 *
 *     needs: ggml-cpu.h (libggml-dev)
 *     pkg-config: ggml llama
 *     libraries: -lggml -lggml-base -ldl
 *     variable: LLAMA
 *     checkout: llama.cpp or ggml that is built with shared libraries, cmake -B build -DBUILD_SHARED_LIBS=ON && cmake --build build
 *     headers: ggml/include include
 *     built: libggml.so libggml-base.so
 *
 * Rows: a GEMV is the type's vec_dot() of each row, as ggml_mul_mat() does it for one token; a GEMM is ggml_mul_mat() itself, in a graph of
 * one node computed by one thread, so that whatever the build chose (tinyBLAS …) is what is timed. Repacked: the gemv and gemm that
 * ggml_mul_mat() calls for that layout, by name, since weights that lie elsewhere than in a buffer of ggml's cannot be given
 * to it; tokens beyond the last four go through gemv, as there. Activations are made into ggml's operand before either, timed apart.
 *
 * The threads are Kneepoint's, each with rows or tokens of its own. A thread makes its graph when it first multiplies a type.
 */
#include <ggml-backend.h>
#include <ggml-cpu.h>
#include <ggml.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <utility>

#include "plugins/ggml_types.hpp"

using ggml_types::at;
using ggml_types::type;
using ggml_types::types;

namespace
{

/* ---- the library of the CPU, which may be one of several that ggml loads by itself ---- */

struct library {
    void *handle;
    decltype(&ggml_cpu_init) init;
    decltype(&ggml_get_type_traits_cpu) traits;
    decltype(&ggml_graph_plan) plan;
    decltype(&ggml_graph_compute) compute;
    decltype(&ggml_threadpool_new) new_pool;
    decltype(&ggml_threadpool_free) free_pool;
    decltype(&ggml_cpu_has_avx2) has_avx2, has_avx512, has_neon, has_dotprod, has_matmul_int8, has_sve, get_sve_cnt;
} cpu;

template <class F> bool take(F &function, const char *name)
{
    function = reinterpret_cast<F>(dlsym(cpu.handle, name));
    return function != nullptr;
}

/** The object that the CPU backend's functions are in. */
void *cpu_object()
{
    ggml_backend_reg_t backend = ggml_backend_reg_by_name("CPU");
    if (!backend) {
        ggml_backend_load_all();
        backend = ggml_backend_reg_by_name("CPU");
    }
    void *inside = backend ? ggml_backend_reg_get_proc_address(backend, "ggml_backend_set_n_threads") : nullptr;
    Dl_info found;
    if (!inside || !dladdr(inside, &found))
        return nullptr;
    return dlopen(found.dli_fname, RTLD_NOW | RTLD_LOCAL);
}

bool take_library()
{
    cpu.handle = cpu_object();
    return cpu.handle && take(cpu.init, "ggml_cpu_init") && take(cpu.traits, "ggml_get_type_traits_cpu") &&
           take(cpu.plan, "ggml_graph_plan") && take(cpu.compute, "ggml_graph_compute") &&
           take(cpu.new_pool, "ggml_threadpool_new") && take(cpu.free_pool, "ggml_threadpool_free") &&
           take(cpu.has_avx2, "ggml_cpu_has_avx2") && take(cpu.has_avx512, "ggml_cpu_has_avx512") &&
           take(cpu.has_neon, "ggml_cpu_has_neon") && take(cpu.has_dotprod, "ggml_cpu_has_dotprod") &&
           take(cpu.has_matmul_int8, "ggml_cpu_has_matmul_int8") && take(cpu.has_sve, "ggml_cpu_has_sve") &&
           take(cpu.get_sve_cnt, "ggml_cpu_get_sve_cnt");
}

/* ---- what activations become ---- */

/** A block of Q8_K: a float, 256 codes, and sums of them; ggml has no dequantizer of it. */
enum { Q8_K_COLUMNS = 256, Q8_K_BYTES = 4 + 256 + 32 };

std::vector<float> q8_k_values(const void *operand, std::size_t k)
{
    std::vector<float> a(k);
    for (std::size_t i = 0; i < k; i++) {
        const auto *block = static_cast<const std::uint8_t *>(operand) + i / Q8_K_COLUMNS * Q8_K_BYTES;
        float d;
        std::memcpy(&d, block, sizeof d);
        a[i] = d * static_cast<float>(static_cast<std::int8_t>(block[4 + i % Q8_K_COLUMNS]));
    }
    return a;
}

std::vector<float> operand_values(ggml_type id, const void *operand, std::size_t k)
{
    ggml_to_float_t to_float = ggml_get_type_traits(id)->to_float;
    if (!to_float)
        return q8_k_values(operand, k);
    std::vector<float> a(k);
    to_float(operand, a.data(), static_cast<std::int64_t>(k));
    return a;
}

bool is_known(ggml_type operand)
{
    return ggml_get_type_traits(operand)->to_float ||
           (ggml_blck_size(operand) == Q8_K_COLUMNS && ggml_type_size(operand) == Q8_K_BYTES);
}

/** Over the largest activation: half of what integers of 8 bits are apart and the rounding of their scale; of floats the last bit. */
double operand_error(ggml_type operand)
{
    return operand == GGML_TYPE_F16 ? 0x1p-11 : operand == GGML_TYPE_BF16 ? 0x1p-8 : 0.5 / 127 + 0x1p-11;
}

kernel_row product(const double *weights, const std::vector<float> &a)
{
    kernel_row sum = {};
    for (std::size_t i = 0; i < a.size(); i++) {
        double term = weights[i] * static_cast<double>(a[i]);
        sum.y += term;
        sum.magnitude += term < 0 ? -term : term;
    }
    return sum;
}

/* ---- rows ---- */

constexpr const char *row_types[] = {"f16",    "bf16",  "q8_0",  "q4_0",  "q4_K",  "q5_K",  "q6_K", "q3_K", "q2_K",
                                     "iq4_nl", "iq2_s", "tq1_0", "tq2_0", "mxfp4", "nvfp4", "q1_0", "q2_0"};
constexpr std::size_t ROW_TYPES = std::size(row_types);

ggml_vec_dot_t dots[ROW_TYPES];

/** ggml_mul_mat() of one thread, whose tensors get the shapes and addresses of each call. */
struct graph {
    ggml_context *context;
    ggml_tensor *weights, *activations, *product;
    ggml_cgraph *nodes;
    ggml_threadpool *pool;
    std::vector<std::uint8_t> work;

    explicit graph(const type &t)
    {
        context = ggml_init({ggml_tensor_overhead() * 8 + ggml_graph_overhead_custom(8, false), nullptr, true});
        auto k = static_cast<std::int64_t>(t.columns);
        weights = ggml_new_tensor_2d(context, t.id, k, 1);
        activations = ggml_new_tensor_2d(context, t.operand, k * ggml_blck_size(t.operand), 1);
        activations->ne[0] = k;
        product = ggml_mul_mat(context, weights, activations);
        nodes = ggml_new_graph_custom(context, 8, false);
        ggml_build_forward_expand(nodes, product);
        ggml_threadpool_params one = ggml_threadpool_params_default(1);
        pool = cpu.new_pool(&one);
        if (!context || !product || !nodes || !pool)
            std::abort();
    }
    graph(const graph &) = delete;
    graph &operator=(const graph &) = delete;
    ~graph()
    {
        cpu.free_pool(pool);
        ggml_free(context);
    }
};

void shape(ggml_tensor *tensor, const void *data, std::size_t columns, std::size_t rows, std::size_t row_bytes)
{
    tensor->data = const_cast<void *>(data);
    tensor->ne[0] = static_cast<std::int64_t>(columns);
    tensor->ne[1] = static_cast<std::int64_t>(rows);
    tensor->nb[1] = row_bytes;
    tensor->nb[2] = tensor->nb[3] = row_bytes * rows;
}

void multiply(graph &g, const gemm_slice *slice, std::size_t operand_bytes)
{
    shape(g.weights, slice->weights, slice->k, slice->panels, slice->panel_bytes);
    shape(g.activations, slice->prepared, slice->k, slice->tokens, operand_bytes);
    shape(g.product, slice->out, slice->panels, slice->tokens, slice->out_stride * sizeof(float));
    ggml_cplan plan = cpu.plan(g.nodes, 1, g.pool);
    if (g.work.size() < plan.work_size)
        g.work.resize(plan.work_size);
    plan.work_data = g.work.data();
    plan.threadpool = g.pool;
    if (cpu.compute(g.nodes, &plan) != GGML_STATUS_SUCCESS)
        std::abort();
}

template <std::size_t I> struct rows_of : at<I> {
    static void gemv(const gemv_slice *slice)
    {
        ggml_vec_dot_t dot = dots[I];
        for (std::size_t p = 0; p < slice->panels; p++)
            dot(static_cast<int>(slice->k), slice->out_f32 + p, 0, slice->weights + p * slice->panel_bytes, 0,
                slice->prepared, 0, 1);
    }

    static void gemm(const gemm_slice *slice)
    {
        thread_local std::unique_ptr<graph> mine;
        if (!mine)
            mine = std::make_unique<graph>(types()[I]);
        multiply(*mine, slice, at<I>::operand_bytes(slice->k));
    }

    static kernel_row row(const std::uint8_t *panel, std::size_t k, std::uint32_t row, const void *prepared)
    {
        std::vector<double> weights(k);
        at<I>::row_weights(panel, k, row, weights.data());
        return product(weights.data(), operand_values(types()[I].operand, prepared, k));
    }
};

bool find_row_type(std::size_t i, const char *name)
{
    type &t = types()[i];
    ggml_type id = ggml_types::find(name);
    const ggml_type_traits_cpu *traits = id == GGML_TYPE_COUNT ? nullptr : cpu.traits(id);
    if (!traits || !traits->vec_dot || !ggml_get_type_traits(id)->to_float)
        return false;
    t.id = id;
    t.operand = traits->vec_dot_type;
    t.format = ggml_types::format_name("ggml", ggml_types::lower(name));
    t.columns = static_cast<std::size_t>(ggml_blck_size(id));
    t.bytes = ggml_type_size(id);
    t.to_float = ggml_get_type_traits(id)->to_float;
    t.prepare = cpu.traits(t.operand)->from_float;
    dots[i] = traits->vec_dot;
    return t.prepare && is_known(t.operand);
}

/* ---- repacked ---- */

/** `bytes` of each row's block from byte `from` on, in chunks that the rows take turns in, with some bits turned over. */
struct part {
    unsigned from, bytes, chunk;
    std::uint8_t turned;
};

/**
 * A layout: blocks of some rows in parts, or where `six` is not 0, its part of this many bytes as the scales and minima of Q4_K and Q5_K are
 * repacked.
 */
struct layout {
    const char *name, *row_type;
    unsigned rows;
    const char *functions, *operand; /* ggml_gemv_<functions>, ggml_gemm_<functions>, ggml_quantize_mat_<operand> */
    std::vector<part> parts;
    unsigned six;
    bool (*is_chosen)(); /* by ggml, on this CPU */
};

bool x86()
{
    return cpu.has_avx2() != 0;
}

bool arm()
{
    return cpu.has_neon() && cpu.has_dotprod();
}

bool arm_int8()
{
    return cpu.has_neon() && cpu.has_matmul_int8();
}

bool arm_dot()
{
    return arm() && !cpu.has_matmul_int8();
}

/** Vectors of this many bytes; ggml says 0 of a library that was built without SVE. */
bool sve_of(int bytes)
{
    return cpu.has_sve() && cpu.get_sve_cnt() == bytes;
}

const layout layouts[] = {
    {"q4_0_8x8",
     "q4_0",
     8,
     "q4_0_8x8_q8_0",
     "q8_0_4x8",
     {{0, 2, 2, 0}, {2, 16, 8, 0x88}},
     0,
     [] { return x86() || (arm_int8() && sve_of(32)); }},
    {"q4_0_4x8", "q4_0", 4, "q4_0_4x8_q8_0", "q8_0_4x8", {{0, 2, 2, 0}, {2, 16, 8, 0x88}}, 0, arm_int8},
    {"q4_0_4x4", "q4_0", 4, "q4_0_4x4_q8_0", "q8_0_4x4", {{0, 2, 2, 0}, {2, 16, 4, 0x88}}, 0, arm_dot},
    {"iq4_nl_8x8", "iq4_nl", 8, "iq4_nl_8x8_q8_0", "q8_0_4x8", {{0, 2, 2, 0}, {2, 16, 8, 0}}, 0, x86},
    {"iq4_nl_4x4",
     "iq4_nl",
     4,
     "iq4_nl_4x4_q8_0",
     "q8_0_4x4",
     {{0, 2, 2, 0}, {2, 16, 4, 0}},
     0,
     arm},
    {"mxfp4_4x4", "mxfp4", 4, "mxfp4_4x4_q8_0", "q8_0_4x4", {{0, 1, 1, 0}, {1, 16, 4, 0}}, 0, arm},
    {"mxfp4_8x8", "mxfp4", 8, "mxfp4_8x8_q8_0", "q8_0_4x8", {{0, 1, 1, 0}, {1, 16, 8, 0}}, 0, x86},
    {"q8_0_4x8", "q8_0", 4, "q8_0_4x8_q8_0", "q8_0_4x8", {{0, 2, 2, 0}, {2, 32, 8, 0}}, 0, arm_int8},
    {"q8_0_4x4", "q8_0", 4, "q8_0_4x4_q8_0", "q8_0_4x4", {{0, 2, 2, 0}, {2, 32, 4, 0}}, 0, arm_dot},
    {"q2_k_8x8",
     "q2_K",
     8,
     "q2_K_8x8_q8_K",
     "q8_K_4x8",
     {{80, 2, 2, 0}, {82, 2, 2, 0}, {0, 16, 2, 0}, {16, 64, 8, 0}},
     0,
     [] { return cpu.has_avx512() != 0; }},
    {"q4_k_8x8",
     "q4_K",
     8,
     "q4_K_8x8_q8_K",
     "q8_K_4x8",
     {{0, 2, 2, 0}, {2, 2, 2, 0}, {4, 12, 12, 0}, {16, 128, 8, 0}},
     12,
     [] { return x86() || arm_int8(); }},
    {"q4_k_8x4",
     "q4_K",
     8,
     "q4_K_8x4_q8_K",
     "q8_K_4x4",
     {{0, 2, 2, 0}, {2, 2, 2, 0}, {4, 12, 12, 0}, {16, 128, 4, 0}},
     12,
     arm_dot},
    {"q5_k_8x8",
     "q5_K",
     8,
     "q5_K_8x8_q8_K",
     "q8_K_4x8",
     {{0, 2, 2, 0}, {2, 2, 2, 0}, {4, 12, 12, 0}, {16, 32, 8, 0}, {48, 128, 8, 0}},
     12,
     arm_int8},
    {"q5_k_8x4",
     "q5_K",
     8,
     "q5_K_8x4_q8_K",
     "q8_K_4x4",
     {{0, 2, 2, 0}, {2, 2, 2, 0}, {4, 12, 12, 0}, {16, 32, 4, 0}, {48, 128, 4, 0}},
     12,
     arm_dot},
    {"q6_k_8x8",
     "q6_K",
     8,
     "q6_K_8x8_q8_K",
     "q8_K_4x8",
     {{208, 2, 2, 0}, {192, 16, 1, 0}, {0, 128, 8, 0}, {128, 64, 8, 0}},
     0,
     arm_int8},
    {"q6_k_8x4",
     "q6_K",
     8,
     "q6_K_8x4_q8_K",
     "q8_K_4x4",
     {{208, 2, 2, 0}, {192, 16, 1, 0}, {0, 128, 4, 0}, {128, 64, 4, 0}},
     0,
     arm_dot},
};
constexpr std::size_t LAYOUTS = std::size(layouts);
static_assert(ROW_TYPES + LAYOUTS <= ggml_types::MOST);

using multiply_function = void (*)(int, float *, std::size_t, const void *, const void *, int, int);
using quantize_function = void (*)(const float *, void *, std::int64_t);
struct repacked {
    multiply_function gemv, gemm;
    quantize_function quantize;
} repacked_at[LAYOUTS];

/** Entry i of the eight pairs of 6 bits that Q4_K keeps in 12 bytes: get (put is false) or put scale and minimum. */
void six_bits(std::uint8_t *bytes, unsigned i, std::uint8_t pair[2], bool put)
{
    for (unsigned second = 0; second < 2; second++) {
        std::uint8_t &low = bytes[(i < 4 ? i : i + 4)], &whole = bytes[i % 4 + 4 * second];
        unsigned shift = 4 * second;
        if (!put && i < 4)
            pair[second] = whole & 63;
        else if (!put)
            pair[second] = static_cast<std::uint8_t>((low >> shift & 15) | (whole >> 6 << 4));
        else if (i < 4)
            whole = static_cast<std::uint8_t>((whole & 192) | pair[second]);
        else {
            low = static_cast<std::uint8_t>((low & ~(15 << shift)) | (pair[second] & 15) << shift);
            whole = static_cast<std::uint8_t>((whole & 63) | pair[second] >> 4 << 6);
        }
    }
}

/** The scales of Q4_K: those of a panel are, for each group of columns in turn, the pairs of all rows packed as a row packs its groups'. */
void move_six(std::uint8_t *panel, std::uint8_t *block, unsigned row, bool interleave)
{
    for (unsigned group = 0; group < 8; group++) {
        std::uint8_t pair[2];
        six_bits(interleave ? block : panel + 12 * group, interleave ? group : row, pair, false);
        six_bits(interleave ? panel + 12 * group : block, interleave ? row : group, pair, true);
    }
}

/** One row's block into a step of a panel, or out of it. */
void move(const layout &l, std::uint8_t *step, std::uint8_t *block, unsigned row, bool interleave)
{
    for (const part &p : l.parts) {
        if (l.six && p.chunk == l.six)
            move_six(step, block + p.from, row, interleave);
        else {
            for (unsigned i = 0; i < p.bytes; i++) {
                std::uint8_t &there = step[(i / p.chunk * l.rows + row) * p.chunk + i % p.chunk],
                             &here = block[p.from + i];
                (interleave ? there : here) = static_cast<std::uint8_t>((interleave ? here : there) ^ p.turned);
            }
        }
        step += l.rows * p.bytes;
    }
}

/** Repacked layout J, whose type is at place I = ROW_TYPES + J of the table. */
template <std::size_t J> struct repacked_of : at<ROW_TYPES + J> {
    static const type &self()
    {
        return types()[ROW_TYPES + J];
    }
    static std::size_t step_bytes()
    {
        return self().rows * self().bytes;
    }

    static void row_weights(const std::uint8_t *panel, std::size_t k, std::uint32_t row, double *weights)
    {
        std::vector<std::uint8_t> blocks(k / self().columns * self().bytes);
        std::vector<float> w(k);
        for (std::size_t i = 0; i < k / self().columns; i++)
            move(layouts[J], const_cast<std::uint8_t *>(panel + i * step_bytes()), &blocks[i * self().bytes], row,
                 false);
        self().to_float(blocks.data(), w.data(), static_cast<std::int64_t>(k));
        std::copy(w.begin(), w.end(), weights);
    }

    static void interleave(const std::uint8_t *rows, std::size_t k, std::uint8_t *panel)
    {
        std::size_t blocks = k / self().columns;
        std::vector<std::uint8_t> block(self().bytes);
        for (std::size_t i = 0; i < blocks * self().rows; i++) {
            std::memcpy(block.data(), rows + i * self().bytes, self().bytes);
            move(layouts[J], panel + i % blocks * step_bytes(), block.data(), static_cast<unsigned>(i / blocks), true);
        }
    }

    static void pack(const float *w, std::size_t k, std::uint8_t *panel)
    {
        std::vector<std::uint8_t> rows(k / self().columns * step_bytes());
        ggml_types::quantize(self(), w, k, rows.data());
        interleave(rows.data(), k, panel);
    }

    static void random(std::uint8_t *panel, std::size_t k, std::uint64_t *random)
    {
        std::vector<std::uint8_t> rows(k / self().columns * step_bytes());
        ggml_types::fill(self(), rows.data(), k, random);
        interleave(rows.data(), k, panel);
    }

    static kernel_row row(const std::uint8_t *panel, std::size_t k, std::uint32_t row, const void *prepared)
    {
        std::vector<double> weights(k);
        row_weights(panel, k, row, weights.data());
        return product(weights.data(), operand_values(self().operand, prepared, k));
    }

    static void gemv(const gemv_slice *slice)
    {
        std::size_t rows = slice->panels * self().rows;
        repacked_at[J].gemv(static_cast<int>(slice->k), slice->out_f32, rows, slice->weights, slice->prepared, 1,
                            static_cast<int>(rows));
    }

    /** Of four tokens: their blocks interleaved; of fewer: one token after the other. */
    static std::size_t group_bytes(std::size_t k)
    {
        return 4 * at<ROW_TYPES + J>::operand_bytes(k);
    }

    static void prepare_many(const void *activations, std::size_t stride, std::size_t k, std::size_t tokens,
                             void *prepared)
    {
        const auto *a = static_cast<const float *>(activations);
        if (tokens == 4 && stride == k) {
            repacked_at[J].quantize(a, prepared, static_cast<std::int64_t>(k));
            return;
        }
        std::vector<float> together;
        for (std::size_t token = 0; token < tokens; token++) {
            if (tokens == 4)
                together.insert(together.end(), a + token * stride, a + token * stride + k);
            else
                self().prepare(a + token * stride,
                               static_cast<std::uint8_t *>(prepared) + token * at<ROW_TYPES + J>::operand_bytes(k),
                               static_cast<std::int64_t>(k));
        }
        if (tokens == 4)
            repacked_at[J].quantize(together.data(), prepared, static_cast<std::int64_t>(k));
    }

    static void gemm(const gemm_slice *slice)
    {
        std::size_t rows = slice->panels * self().rows, fours = slice->tokens / 4 * 4;
        auto k = static_cast<int>(slice->k);
        if (fours)
            repacked_at[J].gemm(k, slice->out, slice->out_stride, slice->weights, slice->prepared,
                                static_cast<int>(fours), static_cast<int>(rows));
        for (std::size_t token = fours; token < slice->tokens; token++)
            repacked_at[J].gemv(k, slice->out + token * slice->out_stride, rows, slice->weights,
                                static_cast<const std::uint8_t *>(slice->prepared) +
                                    token * at<ROW_TYPES + J>::operand_bytes(slice->k),
                                1, static_cast<int>(rows));
    }
};

bool find_layout(std::size_t j)
{
    const layout &l = layouts[j];
    std::string functions = l.functions, operand = l.operand;
    repacked &r = repacked_at[j];
    type &t = types()[ROW_TYPES + j];
    if (!l.is_chosen() || !take(r.gemv, ("ggml_gemv_" + functions).c_str()) ||
        !take(r.gemm, ("ggml_gemm_" + functions).c_str()) ||
        !take(r.quantize, ("ggml_quantize_mat_" + operand).c_str()))
        return false;
    for (std::size_t i = 0; i < ROW_TYPES; i++) {
        if (std::strcmp(row_types[i], l.row_type) == 0 && !types()[i].format.empty()) {
            t = types()[i];
            t.format = ggml_types::format_name("ggml", l.name);
            t.rows = l.rows;
            return true;
        }
    }
    return false;
}

/* ---- what there is ---- */

ggml_types::lists all;

template <std::size_t I, class Products> void add(Products)
{
    all.name_at[I] = types()[I].format + ".ggml.reference";
    all.format_at[I] = ggml_types::format_of<I>();
    kernel &k = all.kernel_at[I] = ggml_types::kernel_of<I>(all.name_at[I].c_str(), "ggml", &all.format_at[I]);
    k.error_bound = operand_error(types()[I].operand);
    k.row = Products::row;
    k.gemv = Products::gemv;
    k.gemm.run = Products::gemm;
    all.add(I);
}

template <std::size_t J> void add_repacked()
{
    constexpr std::size_t I = ROW_TYPES + J;
    using products = repacked_of<J>;
    if (!find_layout(J))
        return;
    add<I>(products());
    format &f = all.format_at[I];
    if (f.rows_per_panel) {
        f.row_weights = products::row_weights;
        f.pack = products::pack;
        f.fill = products::random;
    }
    kernel_gemm &gemm = all.kernel_at[I].gemm;
    gemm.prepare_many = products::prepare_many;
    gemm.prepared_bytes = products::group_bytes;
    gemm.tokens_per_group = 4;
}

template <std::size_t... I> void add_rows(std::index_sequence<I...>)
{
    ((find_row_type(I, row_types[I]) ? add<I>(rows_of<I>()) : (void)(types()[I].format.clear())), ...);
}

template <std::size_t... J> void add_layouts(std::index_sequence<J...>)
{
    (add_repacked<J>(), ...);
}

int init(char *why, std::size_t size)
{
    if (!take_library()) {
        std::snprintf(why, size,
                      "ggml's CPU backend, %s, is not there or lacks a function that llama.cpp b4500 and later have",
                      cpu.handle ? "libggml-cpu.so" : "which libggml.so loads");
        return -1;
    }
    cpu.init();
    add_rows(std::make_index_sequence<ROW_TYPES>());
    add_layouts(std::make_index_sequence<LAYOUTS>());
    if (all.kernel_count == 0)
        std::snprintf(why, size, "ggml has none of the types that this adapter knows");
    return all.kernel_count == 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT,
                    .unused = 0,
                    .name = "ggml",
                    .version = PEER_VERSION,
                    .formats = all.formats.data(),
                    .kernels = all.kernels.data(),
                    .sequences = nullptr,
                    .init = init};
