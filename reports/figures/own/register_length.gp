# SPDX-License-Identifier: BSD-3-Clause
# Look-ups against the length of registers, one line per length of the table. register_length.dat: one block per line
# (bits of the register, cycles per look-up, cycles per ternary weight, weights per index, name).
array colours[6] = [0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9]
colour(i) = colours[(i-1)%6+1]
mark(i) = int(word('7 5 9 13 11 15',(i-1)%6+1))
set multiplot
set logscale xy
set xtics (128,256,512) font font_normal
set xrange [110:600]
set xlabel 'bits of a register' font font_normal offset 0,0.3
key_columns = 2
key_font = narrow ? font_small : font_normal
key_rows = (lines+key_columns-1)/key_columns
set bmargin at screen from_bottom((narrow ? 76 : 78)+key_row*key_rows)
set tmargin at screen from_top(headroom+34)
unset key
plot_width = (width-2*(66+14))/2.0
do for [p=1:2] {
    begin = (p-1)*width/2.0+66
    set lmargin at screen from_left(begin)
    set rmargin at screen from_left(begin+plot_width)
    set yrange [(p == 1 ? look_up_low : weight_low):(p == 1 ? look_up_high : weight_high)]
    set ytics font font_normal
    set format y '%g'
    set ytics ()
    do for [d=-4:2] { do for [m in '1 2 5'] { set ytics add (sprintf('%g',m*10**d) m*10**d) } }
    if (p > 1) { unset label }
    set label 5 (narrow ? '' : 'core ').(p == 1 ? 'cycles per look-up' : 'cycles per ternary weight') at graph (narrow ? -0.08 : 0),1.07 left font (narrow ? font_small : font_panel) textcolor rgb ink
    plot for [i=1:lines] 'register_length.dat' index i-1 using 1:1+p with linespoints linewidth 2 pointtype mark(i) pointsize 1.1 linecolor rgb colour(i) title '', \
         for [i=1:lines] 'register_length.dat' index i-1 using 1:1+p:(sprintf('%s: %.4f cycles per look-up, %.4f per weight, %g weights per index',strcol(5),$2,$3,$4)) @hover
}
# the legend, below both
unset label
unset border
unset tics
unset grid
unset xlabel
unset logscale
set lmargin at screen from_left(16)
set rmargin at screen from_right(16)
set tmargin at screen from_bottom(key_row*key_rows+14)
set bmargin at screen from_bottom(4)
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols key_columns samplen 2 font key_font
plot for [i=1:lines] NaN with linespoints linewidth 2 pointtype mark(i) pointsize 1.1 linecolor rgb colour(i) title line_title[i]
unset multiplot
