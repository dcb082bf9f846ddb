# SPDX-License-Identifier: BSD-3-Clause
# Look-ups against the entries of the table, one line per register length. register_length.dat: one block per line
# (entries, cycles per look-up, cycles per ternary weight, weights per index, name).
array colours[3] = [0xd55e00, 0x0072b2, 0x009e73]
set multiplot layout 1,2 margins from_left(narrow ? room(66) : 90),from_right(15),from_bottom(narrow ? 60 : 100),from_top(headroom+18) spacing (narrow ? 0.19 : 0.11)
set logscale x 2
set xtics (16,32,64,128)
set xrange [13:190]
set xlabel 'entries of the table'
set yrange [0:axis_end((narrow ? 1.35 : 1)*y_max)]
set key at graph 0.03,0.97 left top font font_normal
if (narrow) { set key at graph 0.02,0.99 font font_small samplen 1 spacing 1 }
set ylabel 'core cycles per look-up' offset 0.5,0
plot for [i=1:lines] 'register_length.dat' index i-1 using 1:2 with linespoints linewidth 2 pointtype 5+2*i pointsize 1 linecolor rgb colours[i] title line_title[i], \
     for [i=1:lines] '' index i-1 using 1:2:(sprintf('%s: %.4f cycles per look-up',strcol(5),$2)) @hover
unset label 901
unset label 902
set yrange [0:*]
set ylabel 'core cycles per ternary weight'
set xrange [13:(narrow ? 260 : 190)]
plot for [i=1:lines] 'register_length.dat' index i-1 using 1:3 with linespoints linewidth 2 pointtype 5+2*i pointsize 1 linecolor rgb colours[i] title '', \
     for [i=1:lines] 'register_length.dat' index i-1 using 1:3:(sprintf('g=%g',$4)) with labels left offset 0.6,0.7 font font_small textcolor rgb ink title '', \
     for [i=1:lines] 'register_length.dat' index i-1 using 1:3:(sprintf('%s: %.4f cycles per weight, %g weights per index',strcol(5),$3,$4)) @hover
unset multiplot
