# SPDX-License-Identifier: BSD-3-Clause
# GEMM of 1,024 tokens. envelope_9_11.dat: a block of shapes (place, Top/s at 8, 2, 1 bits, percent of the peak of each, shape, model,
# three kernels), then a block of shares (place, percent, what).
set multiplot
set style fill solid 0.95 noborder
set grid noxtics ytics
set lmargin at screen from_left(narrow ? room(66) : 81)
set rmargin at screen (narrow ? from_right(8) : 0.66)
set bmargin at screen from_bottom(narrow ? 390 : 160)
set tmargin at screen from_top(headroom+26)
set xrange [0.4:shapes+0.6]
set yrange [0:axis_end(y_max)]
set boxwidth 0.26
set ylabel 'Top/s' offset 0.5,0
set xtics scale 0 rotate by (narrow ? 55 : 35) right font font_small offset 0.6,-0.1
set xtics ()
do for [s=1:shapes] { set xtics add (shape_title[s] s) }
if (!narrow) { set label 'rows × columns of the weight matrix' at graph 0.5,screen from_bottom(74) center textcolor rgb ink font font_normal }
set key at screen (narrow ? 0.5 : 0.37),from_bottom(narrow ? 256 : 12) center bottom horizontal maxcols 4 samplen 2 font font_normal
if (unknowns > 0) { do for [u=1:unknowns] { set label sprintf('%g-bit: not known',unknown_bits[u]) at first unknown_at[u],graph 0.02 rotate by 90 left font font_small textcolor rgb ink } }
bar_text = '%s, %s: %s %.3g Top/s, %.0f%% of the peak'
plot 'envelope_9_11.dat' index 0 using ($1-0.27):2 with boxes linecolor rgb colour_8 title has_8 ? '8-bit' : '', \
     '' index 0 using 1:3 with boxes linecolor rgb colour_2 title has_2 ? '2-bit' : '', \
     '' index 0 using ($1+0.27):4 with boxes linecolor rgb colour_1 title has_1 ? '1-bit' : '', \
     peak > 0 ? peak : NaN with lines linewidth 1.4 dashtype 3 linecolor rgb ink title 'measured peak', \
     'envelope_9_11.dat' index 0 using ($1-0.27):2:(sprintf(bar_text,strcol(9),strcol(8),strcol(10),$2,$5)) @hover, \
     '' index 0 using 1:3:(sprintf(bar_text,strcol(9),strcol(8),strcol(11),$3,$6)) @hover, \
     '' index 0 using ($1+0.27):4:(sprintf(bar_text,strcol(9),strcol(8),strcol(12),$4,$7)) @hover
unset label
set lmargin at screen (narrow ? from_left(room(66)) : 0.74)
set rmargin at screen from_right(16)
set bmargin at screen from_bottom(narrow ? 90 : 160)
set tmargin at screen (narrow ? from_bottom(240) : from_top(headroom+26))
set xrange [0.4:shares+0.6]
set yrange [0:119]
set ytics 0,20,100
set boxwidth 0.6
set ylabel 'percent of the peak' offset 0.5,0
set xtics ()
do for [b=1:shares] { set xtics add (share_title[b] b) }
unset key
plot for [b=1:shares] 'envelope_9_11.dat' index 1 using ($1 == b ? $1 : NaN):2 with boxes linecolor rgb share_colour[b] title '', \
     'envelope_9_11.dat' index 1 using 1:2:(sprintf('%.0f',$2)) with labels offset 0,0.7 font font_small textcolor rgb ink title '', \
     'envelope_9_11.dat' index 1 using 1:2:(sprintf('%s: %.0f%%',strcol(3),$2)) @hover
unset multiplot
