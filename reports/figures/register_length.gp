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
set bmargin at screen from_bottom(narrow ? 54 : 76)
set tmargin at screen from_top(headroom+34)
unset key
label_font = narrow ? font_tiny : font_small
room_of_labels = narrow ? 110 : 122
plot_width = (width-2*((narrow ? 66 : 66)+room_of_labels))/2.0
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
    set label 5 p == 1 ? 'core cycles per look-up' : 'core cycles per ternary weight' at graph 0,1.07 left font (narrow ? font_small : font_panel) textcolor rgb ink
    do for [i=1:lines] { set label 10+i line_title[i] at first line_at[i]*(line_at[i] < 512 ? 0.95 : 1.18),first (p == 1 ? look_up_label[i] : weight_label[i]) left font label_font textcolor rgb ink }
    plot for [i=1:lines] 'register_length.dat' index i-1 using 1:1+p with linespoints linewidth 2 pointtype mark(i) pointsize 1.1 linecolor rgb colour(i) title '', \
         for [i=1:lines] 'register_length.dat' index i-1 using 1:1+p:(sprintf('%s: %.4f cycles per look-up, %.4f per weight, %g weights per index',strcol(5),$2,$3,$4)) @hover
}
unset multiplot
