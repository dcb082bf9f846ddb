/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM without a multiplication: the sums of six activations of a token, two digits in two tables of 64 bytes, looked up by the indices of 4
 * panels (SELF_4) or of one (SELF_1), which have been unpacked to a byte each. As int1_sextets.lookup, whose 10 uops for
 * indices are no part of the loop: eight look-ups of 256 rows are 64 vpermb, 56 vpaddb and 24 uops to widen, 144 for 12,288
 * products, where vpdpbusd takes 192.
 *
 *   void (const void *indices, const void *tables, size_t steps, void *raw)
 *
 *   indices  [steps][8 look-ups][panels][64]    tables  [steps][8 look-ups][2 digits][64]
 *   raw      [panels][low, high digit][words whole, their upper bytes] registers of 16-bit sums, which are added to
 *
 *   zmm0-15 sums of words   zmm16-23 sums of bytes, low and high of each panel   zmm24, zmm25 tables   zmm26, zmm27 indices
 *   zmm28-31 look-ups
 */
#ifdef __ASSEMBLER__
    .intel_syntax noprefix
    .altmacro

#define LOOK_UPS 8

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

.macro load number
    vmovdqa64 zmm\number, [rcx + \number * 64]
.endm

.macro store number
    vmovdqa64 [rcx + \number * 64], zmm\number
.endm

.macro first index, low, high
    vpermb zmm\low, zmm\index, zmm24
    vpermb zmm\high, zmm\index, zmm25
.endm

.macro next index, low, high, found, found_high
    vpermb zmm\found, zmm\index, zmm24
    vpermb zmm\found_high, zmm\index, zmm25
    vpaddb zmm\low, zmm\low, zmm\found
    vpaddb zmm\high, zmm\high, zmm\found_high
.endm

.macro look_up_panel look, panels, panel
    vmovdqa64 zmm26, [rdi + (\look * \panels + \panel) * 64]
    .if \look
    next 26, %(16 + 2 * \panel), %(17 + 2 * \panel), %(28 + \panel % 2 * 2), %(29 + \panel % 2 * 2)
    .else
    first 26, %(16 + 2 * \panel), %(17 + 2 * \panel)
    .endif
.endm

.macro look_up look, panels
    vmovdqa64 zmm24, [rsi + \look * 128]
    vmovdqa64 zmm25, [rsi + \look * 128 + 64]
    .set at_panel, 0
    .rept \panels
    look_up_panel \look, \panels, %(at_panel)
    .set at_panel, at_panel + 1
    .endr
.endm

.macro widen bytes, whole, upper
    vpaddw zmm\whole, zmm\whole, zmm\bytes
    vpsrlw zmm\bytes, zmm\bytes, 8
    vpaddw zmm\upper, zmm\upper, zmm\bytes
.endm

.macro panels_function symbol, panels
    .text
    .globl \symbol
    .type \symbol, @function
    .balign 64
\symbol:
    endbr64
    .set at, 0
    .rept \panels * 4
    load %(at)
    .set at, at + 1
    .endr
    .balign 64
1:
    .set at_look, 0
    .rept LOOK_UPS
    look_up %(at_look), \panels
    .set at_look, at_look + 1
    .endr
    .set at, 0
    .rept \panels * 2
    widen %(16 + at), %(2 * at), %(2 * at + 1)
    .set at, at + 1
    .endr
    add rdi, LOOK_UPS * \panels * 64
    add rsi, LOOK_UPS * 128
    dec rdx
    jnz 1b
    .set at, 0
    .rept \panels * 4
    store %(at)
    .set at, at + 1
    .endr
    vzeroupper
    ret
    .size \symbol, . - \symbol
.endm

    panels_function JOIN(SELF, _4), 4
    panels_function JOIN(SELF, _1), 1
    .section .note.GNU-stack, "", %progbits
#endif
