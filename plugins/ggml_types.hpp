/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLUGINS_GGML_TYPES_HPP
#define PLUGINS_GGML_TYPES_HPP

/**
 * What adapters of ggml and of libraries that come of it share: a weight type of theirs as a format here. Such a type is
 * blocks of `columns` weights in `bytes` bytes of a row, or of several rows interleaved; what they mean is said by the library's
 * dequantizer. A type that Kneepoint has as well (the same bytes, as model files hold them) is Kneepoint's format, so that
 * its kernels and the library's stand beside each other; any other is a format of the plug-in.
 *
 * Functions of formats and kernels get only their operands, so each type has functions of its own: templates on
 * its place in a table. Include after the library's ggml.h.
 */
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "micro/plugin.h"

namespace ggml_types
{

struct type {
    std::string format;                 /* the name, as here; empty: the library does not have it */
    ggml_type id, operand;              /* the type of the weights, and what its products take of activations */
    std::size_t columns = 0, bytes = 0; /* of a block of one row */
    unsigned rows = 1;                  /* that are interleaved */
    ggml_to_float_t to_float = nullptr;
    ggml_from_float_t prepare = nullptr;
};

enum { MOST = 48, POOL = 64 };

inline std::array<type, MOST> &types()
{
    static std::array<type, MOST> all;
    return all;
}

/** Whether the tool that this is built with has a format of that name: scripts/build_plugin. */
inline bool is_kneepoints(const std::string &name)
{
    return std::string(" " KNEEPOINT_FORMATS " ").find(" " + name + " ") != std::string::npos;
}

/** Of a type that Kneepoint does not have: the library's name before it, since other plug-ins may have one of that name. */
inline std::string format_name(const char *library, const std::string &type)
{
    return is_kneepoints(type) ? type : library + ("_" + type);
}

inline std::string lower(std::string text)
{
    for (char &c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/** Types are found by name, since their numbers come and go. GGML_TYPE_COUNT: none. */
inline ggml_type find(const char *name)
{
    for (int i = 0; i < GGML_TYPE_COUNT; i++) {
        const char *there = ggml_type_name(static_cast<ggml_type>(i));
        if (there && std::strcmp(there, name) == 0)
            return static_cast<ggml_type>(i);
    }
    return GGML_TYPE_COUNT;
}

/** Bytes of all rows of a panel: blocks, and what some types have before them. */
inline std::size_t panel_bytes(const type &t, std::size_t k)
{
    return t.rows * ggml_row_size(t.id, static_cast<std::int64_t>(k));
}

inline bool is_uniform(const type &t)
{
    return panel_bytes(t, t.columns) == t.rows * t.bytes;
}

/** ggml_quantize_chunk(), which in some of these libraries takes settings more. */
template <class F> void quantize_by(F chunk, const type &t, const float *w, std::int64_t k, void *panel)
{
    if constexpr (requires { chunk(t.id, w, panel, 0, t.rows, k, nullptr); })
        chunk(t.id, w, panel, 0, t.rows, k, nullptr);
    else
        chunk(t.id, w, panel, 0, t.rows, k, nullptr, nullptr);
}

inline void quantize(const type &t, const float *w, std::size_t k, void *panel)
{
    quantize_by(&ggml_quantize_chunk, t, w, static_cast<std::int64_t>(k), panel);
}

inline std::uint32_t next(std::uint64_t *random)
{
    *random = *random * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(*random >> 33);
}

/** Of a normal spread, nearly: as weights are. */
inline std::vector<float> some_weights(std::size_t count, std::uint64_t *random)
{
    std::vector<float> w(count);
    for (float &x : w)
        x = (static_cast<float>(next(random)) + static_cast<float>(next(random)) - 0x1p31F) * 0x1p-36F;
    return w;
}

/** Whether the library quantizes with a codebook that takes it long to index: such types are made of random codes alone. */
inline bool is_codebook(const type &t)
{
    std::string name = ggml_type_name(t.id);
    return name.starts_with("iq1_s") || name.starts_with("iq1_m") || name.starts_with("iq2_") ||
           name.starts_with("iq3_");
}

/** Blocks that begin with a scale of 16 bits for each row, as those of codebooks do: all else may be anything. */
inline void random_blocks(const type &t, std::uint8_t *blocks, std::uint64_t *random)
{
    for (std::size_t i = 0; i < t.rows * t.bytes; i++)
        blocks[i] = static_cast<std::uint8_t>(next(random));
    for (unsigned row = 0; row < t.rows; row++) {
        auto scale = static_cast<std::uint16_t>(0x1400 + (next(random) & 0x3ff)); /* 2^-10 to 2^-9 */
        std::memcpy(blocks + row * sizeof scale, &scale, sizeof scale);
    }
}

/** Quantizing is slow: random matrices are made of a few steps that were. */
inline const std::vector<std::uint8_t> &pool(const type &t)
{
    static std::array<std::vector<std::uint8_t>, MOST> pools;
    static std::mutex lock;
    std::lock_guard<std::mutex> held(lock);
    std::vector<std::uint8_t> &made = pools[static_cast<std::size_t>(&t - types().data())];
    if (made.empty()) {
        std::uint64_t random = 1;
        made.resize(POOL * t.rows * t.bytes);
        for (std::size_t i = 0; i < POOL; i++) {
            if (is_codebook(t))
                random_blocks(t, &made[i * t.rows * t.bytes], &random);
            else
                quantize(t, some_weights(t.rows * t.columns, &random).data(), t.columns, &made[i * t.rows * t.bytes]);
        }
    }
    return made;
}

inline void fill(const type &t, std::uint8_t *panel, std::size_t k, std::uint64_t *random)
{
    if (!is_uniform(t)) {
        quantize(t, some_weights(t.rows * k, random).data(), k, panel);
        return;
    }
    const std::vector<std::uint8_t> &steps = pool(t);
    for (std::size_t step = 0, bytes = t.rows * t.bytes; step < k / t.columns; step++)
        std::memcpy(panel + step * bytes, &steps[next(random) % POOL * bytes], bytes);
}

inline std::vector<float> panel_weights(const type &t, const std::uint8_t *panel, std::size_t k)
{
    std::vector<float> w(t.rows * k);
    t.to_float(panel, w.data(), static_cast<std::int64_t>(t.rows * k));
    return w;
}

/** The format and the operand of the type at place I of the table. */
template <std::size_t I> struct at {
    static const type &self()
    {
        return types()[I];
    }

    static std::size_t panel(std::size_t k)
    {
        return panel_bytes(self(), k);
    }
    static void random(std::uint8_t *panel, std::size_t k, std::uint64_t *random)
    {
        fill(self(), panel, k, random);
    }
    static void pack(const float *w, std::size_t k, std::uint8_t *panel)
    {
        quantize(self(), w, k, panel);
    }

    static void row_weights(const std::uint8_t *panel, std::size_t k, std::uint32_t row, double *weights)
    {
        std::vector<float> w = panel_weights(self(), panel, k);
        std::copy_n(w.begin() + static_cast<std::ptrdiff_t>(row * k), k, weights);
    }

    static std::size_t operand_bytes(std::size_t k)
    {
        return ggml_row_size(self().operand, static_cast<std::int64_t>(k));
    }

    static void prepare(const void *activations, std::size_t k, void *prepared)
    {
        self().prepare(static_cast<const float *>(activations), prepared, static_cast<std::int64_t>(k));
    }

    /** One token is a group. */
    static void prepare_many(const void *activations, std::size_t stride, std::size_t k, std::size_t tokens,
                             void *prepared)
    {
        (void)stride, (void)tokens;
        prepare(activations, k, prepared);
    }
};

/** The format of the type at place I: only its name where it is Kneepoint's. */
template <std::size_t I> format format_of()
{
    const type &t = types()[I];
    format f = {};
    f.name = t.format.c_str();
    if (is_kneepoints(t.format))
        return f;
    f.bits = 8 * static_cast<double>(t.bytes) / static_cast<double>(t.columns);
    f.rows_per_panel = t.rows;
    f.k_per_step = f.k_multiple = static_cast<std::uint32_t>(t.columns);
    if (is_uniform(t))
        f.step_bytes = static_cast<std::uint32_t>(t.rows * t.bytes);
    else
        f.panel_bytes = at<I>::panel;
    f.max_k = 1U << 20;
    f.pack = is_codebook(t) ? nullptr : at<I>::pack;
    f.fill = at<I>::random;
    f.row_weights = at<I>::row_weights;
    return f;
}

/** A kernel of it that takes f32 and has no products yet. */
template <std::size_t I> kernel kernel_of(const char *name, const char *sequence, const format *f)
{
    kernel made = {};
    made.name = name;
    made.sequence = sequence;
    made.isa = "reference"; /* the library chooses for itself */
    made.format = f;
    made.takes = KERNEL_TAKES_F32;
    made.gives = KERNEL_GIVES_F32;
    made.prepared_bytes = at<I>::operand_bytes;
    made.prepare = at<I>::prepare;
    made.gemm.prepare_many = at<I>::prepare_many;
    made.gemm.prepared_bytes = at<I>::operand_bytes;
    made.gemm.tokens_per_group = 1;
    return made;
}

/** What a plug-in's init() fills, and its description points to. */
struct lists {
    std::array<format, MOST + 1> format_at;
    std::array<kernel, MOST + 1> kernel_at;
    std::array<std::string, MOST + 1> name_at;
    std::array<const format *, MOST + 1> formats; /* that are not Kneepoint's */
    std::array<const kernel *, MOST + 1> kernels;
    std::size_t format_count, kernel_count;

    void add(std::size_t place)
    {
        if (format_at[place].rows_per_panel)
            formats[format_count++] = &format_at[place];
        kernels[kernel_count++] = &kernel_at[place];
    }
};

} // namespace ggml_types

#endif
