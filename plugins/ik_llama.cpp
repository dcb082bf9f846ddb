/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ik_llama.cpp as a plug-in: iqk_mul_mat() with weights in rows, as model files hold them, and in its layouts of four and eight rows
 * interleaved (_r4, _r8), GEMV and GEMM.
 *
 *     needs: iqk_mul_mat.h
 *     libraries: -lggml
 *     variable: IK_LLAMA
 *     checkout: ik_llama.cpp that is built with shared libraries, cmake -B build -DBUILD_SHARED_LIBS=ON && cmake --build build
 *     headers: ggml/include ggml/src/iqk
 *     built: libggml.so
 *
 * One call of iqk_mul_mat() is what is timed, as of a library that has one thread. Activations are made into its operand before, by
 * from_float() of that type, timed apart. From 32 tokens on (16 of some types) it requantizes weights of most types to 8 bits
 * before it multiplies; that is part of its product, and the error that it adds part of its bound.
 *
 * The threads are Kneepoint's, each with rows or tokens of its own, rows in whole sixteens, which all its kernels take:
 * of fewer some give wrong results. A thread's buffer for requantized weights is made when it first needs it.
 */
#include <ggml.h>
#include <iqk_mul_mat.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "plugins/ggml_types.hpp"

using ggml_types::at;
using ggml_types::type;
using ggml_types::types;

namespace
{

enum { ROWS_TOGETHER = 16 };

/** Columns of four blocks of activations, which its operands ..._x4 interleave: what is left over is not right everywhere. */
constexpr std::uint32_t OPERAND_TOGETHER = 128;

/**
 * A type by the library's name, how many rows it interleaves, and its name here where that
 * is another. Left out are types whose dequantizer does not say what its products do (iq2_bn) or writes outside (mxfp4_r8, of August
 * 2026). Q8_0 has no weight of -128 units, which no quantizer makes and these products turn into 128, unlike the format of Kneepoint.
 */
struct known {
    const char *name;
    unsigned rows = 1;
    bool gemv_only = false; /* what it gives for 16 tokens is wrong, as of August 2026 */
    const char *format = nullptr;
};

constexpr known known_types[] = {
    {"f16"},
    {"bf16"},
    {"q8_0", 1, false, "q8_0_127"},
    {"q4_0"},
    {"q4_K"},
    {"q5_K"},
    {"q6_K"},
    {"q3_K"},
    {"q2_K"},
    {"iq4_nl"},
    {"iq2_s"},
    {"mxfp4"},
    {"q1_0_g128", 1, false, "q1_0"},
    {"q4_0_r8", 8},
    {"q8_0_r8", 8},
    {"q2_k_r4", 4},
    {"q3_k_r4", 4},
    {"q4_k_r4", 4},
    {"q5_k_r4", 4},
    {"q6_k_r4", 4},
    {"iq4_nl_r4", 4},
    {"iq2_s_r4", 4, true},
    {"iq2_bn_r4", 4},
};
constexpr std::size_t TYPES = std::size(known_types);
static_assert(TYPES <= ggml_types::MOST);

/** Over the largest activation and weight: 8 bits of either, scales of 8 bits after the point; of floats the last bit. */
double error_of(ggml_type operand)
{
    return operand == GGML_TYPE_F16 ? 0x1p-10 : operand == GGML_TYPE_BF16 ? 0x1p-7 : 2 * 0.5 / 127 + 0x1p-8;
}

bool multiply(const type &t, std::size_t panels, std::size_t panel_bytes, std::size_t k, std::size_t tokens,
              const void *weights, const void *operand, std::size_t operand_bytes, float *out, std::size_t out_stride)
{
    return iqk_mul_mat(static_cast<long>(panels * t.rows), static_cast<long>(tokens), static_cast<long>(k), t.id,
                       weights, static_cast<long>(panel_bytes / t.rows), t.operand, operand,
                       static_cast<long>(operand_bytes), out, static_cast<long>(out_stride), 0, 1);
}

template <std::size_t I> struct products : at<I> {
    static void gemv(const gemv_slice *slice)
    {
        const type &t = types()[I];
        if (!multiply(t, slice->panels, slice->panel_bytes, slice->k, 1, slice->weights, slice->prepared,
                      at<I>::operand_bytes(slice->k), slice->out_f32, slice->panels * t.rows))
            std::abort();
    }

    static void gemm(const gemm_slice *slice)
    {
        if (!multiply(types()[I], slice->panels, slice->panel_bytes, slice->k, slice->tokens, slice->weights,
                      slice->prepared, at<I>::operand_bytes(slice->k), slice->out, slice->out_stride))
            std::abort();
    }
};

/** Whether this build multiplies the type: tried, since it is not said anywhere else. */
bool multiplies(const type &t)
{
    std::size_t k = 256, panels = ROWS_TOGETHER / t.rows, bytes = ggml_types::panel_bytes(t, k);
    std::vector<std::uint8_t> weights(panels * bytes + 64),
        operand(ggml_row_size(t.operand, static_cast<std::int64_t>(k)));
    std::vector<float> activations(k, 1.0F), out(ROWS_TOGETHER);
    t.prepare(activations.data(), operand.data(), static_cast<std::int64_t>(k));
    return multiply(t, panels, bytes, k, 1, weights.data(), operand.data(), operand.size(), out.data(), out.size());
}

bool find_type(std::size_t i)
{
    type &t = types()[i];
    t.id = ggml_types::find(known_types[i].name);
    if (t.id == GGML_TYPE_COUNT)
        return false;
    ggml_type_traits_t traits = ggml_internal_get_type_traits(t.id);
    if (!traits.to_float || traits.vec_dot_type == GGML_TYPE_COUNT)
        return false;
    t.operand = traits.vec_dot_type;
    t.rows = known_types[i].rows;
    t.columns = static_cast<std::size_t>(traits.blck_size);
    t.bytes = traits.type_size;
    t.to_float = traits.to_float;
    t.prepare = ggml_internal_get_type_traits(t.operand).from_float;
    t.format = ggml_types::format_name("iqk", known_types[i].format ? known_types[i].format
                                                                    : ggml_types::lower(known_types[i].name));
    return t.prepare && multiplies(t);
}

/* ---- what there is ---- */

ggml_types::lists all;

template <std::size_t I> void add()
{
    if (!find_type(I))
        return;
    all.name_at[I] = types()[I].format + ".iqk.reference";
    all.format_at[I] = ggml_types::format_of<I>();
    kernel &k = all.kernel_at[I] = ggml_types::kernel_of<I>(all.name_at[I].c_str(), "iqk", &all.format_at[I]);
    k.error_bound = error_of(types()[I].operand);
    k.gemv = products<I>::gemv;
    if (known_types[I].gemv_only)
        k.gemm = {};
    else
        k.gemm.run = products<I>::gemm;
    if (std::string(ggml_type_name(types()[I].operand)).ends_with("_x4"))
        k.k_multiple = std::max(OPERAND_TOGETHER, static_cast<std::uint32_t>(types()[I].columns));
    k.panels_per_call = ROWS_TOGETHER / types()[I].rows;
    all.add(I);
}

template <std::size_t... I> void add_all(std::index_sequence<I...>)
{
    (add<I>(), ...);
}

int init(char *why, std::size_t size)
{
    ggml_free(ggml_init({1024, nullptr, true})); /* fills the library's tables */
    add_all(std::make_index_sequence<TYPES>());
    if (all.kernel_count == 0)
        std::snprintf(
            why, size,
            "this build of ik_llama.cpp multiplies none of the types that this adapter knows: build it for this CPU");
    return all.kernel_count == 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT,
                    .unused = 0,
                    .name = "ik_llama",
                    .version = PEER_VERSION,
                    .formats = all.formats.data(),
                    .kernels = all.kernels.data(),
                    .sequences = nullptr,
                    .init = init};
