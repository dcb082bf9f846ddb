# SPDX-License-Identifier: BSD-3-Clause
# Tokens a second over the context. context.dat: a block a curve: positions, tokens a second, those of the model, percent of the time that attention takes.
set multiplot layout 2,1 margins from_left(narrow ? room(66) : 90),from_right(16),from_bottom(narrow ? 62 : 64),from_top(headroom+26) spacing 0.09
colour(i) = word('#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9',1+(i-1)%6)
array marks[6] = [7, 5, 9, 13, 11, 15]
set logscale x 2
set xrange [x_min/1.15:x_max*1.15]
set yrange [0:*]
set offsets 0,0,graph 0.12,0
set format x ''
set ylabel 'tokens per second'
unset key
plot for [i=1:curves] 'context.dat' index i-1 using 1:2 with linespoints pointtype marks[i] linewidth 1.6 linecolor rgb colour(i) title '', \
     for [i=1:curves] '' index i-1 using 1:3 with lines linewidth 1.4 dashtype 2 linecolor rgb colour(i) title '', \
     for [i=1:curves] '' index i-1 using 1:2:(sprintf('%s, context of %g: %.2f tokens/s, attention %.1f%% of the time',curve_title[i],$1,$2,$4)) @hover
unset label
set key inside left top vertical Left reverse samplen 2 font font_small # attention grows to the right
set format x '%.0f'
set xlabel 'positions that the token attends to'
set ylabel 'attention, %'
plot for [i=1:curves] 'context.dat' index i-1 using 1:4 with linespoints pointtype marks[i] linewidth 1.6 linecolor rgb colour(i) title curve_title[i], \
     NaN with lines linewidth 1.4 dashtype 2 linecolor rgb colour(1) title (predicted ? 'model' : ''), \
     for [i=1:curves] '' index i-1 using 1:4:(sprintf('%s, context of %g: attention %.1f%% of the time',curve_title[i],$1,$4)) @hover
unset multiplot
