/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int2 x BF16 -> BF16 of [envelope, III-E]: a piece is 16 columns, a word a row, as format.c draws them. bf16_operand.h says what tokens are and
 * what a result is.
 *
 *     FINDS     work-groups find max|a| of their tokens themselves, in local memory; else a kernel before wrote it at a token's head
 *     PASS 2    activations were quantized by that kernel, too; else work-items do, in registers or on their way to local memory
 */
#define SUMS            2 /* of u q, u = w + 2; and of q, in one lane */
#define RESULTS         WIDTH
#define PIECE_COLUMNS   16
#define ROW_OF(item, r) ((item)*WIDTH + (r))
#define FINISH(all, t)  rounded_to_bf16((float)(all)*scale_of(LARGEST(t)))
#define STATE(t)        factor_of(LARGEST(t))
#define OPERAND_HEAD    (64 / sizeof(ACTIVATION))
#if FINDS
#define LARGEST(t) as_float(found[t])
#else
#define LARGEST(t) (*(global const float *)GIVEN(t))
#endif
#if WIDTH == 1
#define FIRST(v) (v)
#else
#define FIRST(v) (v).s0
#endif

float widened(ushort bits)
{
    return as_float((uint)bits << 16);
}

/** To nearest even; of numbers. */
ushort rounded_to_bf16(float value)
{
    const uint bits = as_uint(value);
    return (ushort)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/** a / b, rounded once: a quotient of the device's own may be off by more. */
float quotient(float a, float b)
{
    const float near = 1 / b, inverse = fma(fma(-b, near, 1.0f), near, near), q = a * inverse;
    return fma(fma(-q, b, a), inverse, q);
}

float factor_of(float most)
{
    return most >= 0x1p-120f ? quotient(127, most) : 0;
}

float scale_of(float most)
{
    return most >= 0x1p-120f ? quotient(most, 127) : 0;
}

char4 quantized(ushort4 bits, float factor)
{
    return max(convert_char4_sat_rte(as_float4(convert_uint4(bits) << 16) * factor), (char4)-127);
}

/** Of the elements first, first + step, ... */
float largest(global const ushort *values, uint columns, uint first, uint step)
{
    float most = 0;
    for (uint i = first; i < columns; i += step)
        most = fmax(most, fabs(widened(values[i])));
    return most;
}

piece_t load(global const uchar *panel, uint piece, uint item)
{
    return READ((global const uint *)panel + piece * LANES + item * WIDTH);
}

/** Four neighbouring fields of a byte to four bytes. */
vector spread(vector fields)
{
    const vector pairs = (fields | fields << 12) & 0x000f000fu;
    return (pairs | pairs << 6) & 0x03030303u;
}

#if STAGED && PASS != 2
#define STAGE(from, factor) as_uint(quantized(vload4(0, from), factor))
typedef char taken_t;
enum { TAKEN_HEAD = 0 };
#else
typedef ACTIVATION taken_t;
enum { TAKEN_HEAD = OPERAND_HEAD };
#endif
#if STAGED || PASS == 2
#define FOUR(at, factor) (*(OPERAND const uint *)(at))
#else
#define FOUR(at, factor) as_uint(quantized(vload4(0, at), factor))
#endif

void multiply(piece_t words, uint piece, OPERAND const taken_t *activations, float factor, sum_t *sum)
{
    OPERAND const taken_t *x = activations + TAKEN_HEAD + piece * PIECE_COLUMNS;
    const vector u = words ^ 0xaaaaaaaau;
#pragma unroll
    for (uint i = 0; i < 4; i++) {
        const uint q = FOUR(x + 4 * i, factor);
        sum[0] += dot_all(spread(u >> 8 * i & 255u), q);
        FIRST(sum[1]) += (int)(char)q + (char)(q >> 8) + (char)(q >> 16) + (char)(q >> 24);
    }
}

void results(const sum_t *sum, int *y)
{
    WRITE(sum[0] - 2 * FIRST(sum[1]), y);
}

#if PASS
/** The kernel before, of [envelope, III-E]: a group a token. Where activations are quantized, `made` has 64 bytes and then K of them a token. */
kernel __attribute__((reqd_work_group_size(PASS_GROUP, 1, 1))) void
pass(global ushort *given, const uint stride, const uint columns, global uchar *made, const uint made_bytes)
{
    const uint here = get_local_id(0);
    global const ushort *const from = given + get_group_id(0) * (size_t)stride + 32;
    global uchar *const to = made + get_group_id(0) * (size_t)made_bytes;
    local uint found;
    if (here == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_max(&found, as_uint(largest(from, columns, here, PASS_GROUP)));
    barrier(CLK_LOCAL_MEM_FENCE);
    const float most = as_float(found), factor = factor_of(most);
    if (here == 0)
        *(global float *)to = most;
#if PASS == 2
    for (uint i = here; i < columns / 4; i += PASS_GROUP)
        vstore4(as_uchar4(quantized(vload4(i, from), factor)), i, to + 64);
#endif
}
#endif
