# SPDX-License-Identifier: BSD-3-Clause
# Share of speed kept over the outliers, one panel a team. mixed_6.dat: for each panel a block of each way (percent, share, low, high, us, kernel)
# and one of the bytes (percent, share); last the paper's (percent, share).
across = narrow ? 1 : panels
key_rows = narrow ? 4 : 2
mark = 1.3*(format eq 'svg' ? 0.7 : 1)
set multiplot layout (narrow ? panels : 1),across margins from_left(narrow ? room(64) : 81),from_right(narrow ? 10 : 24),from_bottom(78+key_row*key_rows),from_top(headroom+26) spacing (narrow ? 0 : 0.06),(narrow ? 66.0/height : 0)
set xrange [-0.1:3.2]
set yrange [0:1.15]
set xtics 0.5
set ytics 0.2
unset key
do for [p=1:panels] {
    block = (p-1)*(ways+1)
    if (p > 1) { unset label 901; unset label 902 }
    set label 1 panel_title[p] at graph 0,1.05 left font font_panel textcolor rgb ink
    set xlabel (narrow && p < panels ? '' : 'outliers, % of the weights')
    if (narrow || p == 1) { set ylabel 'share of the speed kept' offset 0.5,0; set format y '%g' } else { unset ylabel; set format y '' }
    plot 1 with lines linewidth 1 linecolor rgb ink title '', \
         'mixed_6.dat' index block+ways using 1:2 with lines linewidth 1.6 dashtype 3 linecolor rgb ink title '', \
         for [w=1:ways] '' index block+w-1 using 1:3:(0):($4-$3) with vectors nohead linewidth 1.4 linecolor rgb way_colour[w] title '', \
         for [w=1:ways] '' index block+w-1 using 1:2 with linespoints linewidth 2 pointtype 7 linecolor rgb way_colour[w] title '', \
         '' index panels*(ways+1) using 1:2 with points pointtype 13 pointsize mark linecolor rgb '#b8860b' title '', \
         '' index block+ways using 1:2:(sprintf('bytes alone, %g%% outliers: %.3f',$1,$2)) @hover, \
         for [w=1:ways] '' index block+w-1 using 1:2:(sprintf('%s, %g%% outliers: %.3f of the speed, %.4g us, %s',way_title[w],$1,$2,$5,strcol(6))) @hover, \
         '' index panels*(ways+1) using 1:2:(sprintf('the paper, RTX 3090, %g%% outliers: %.2f of the speed',$1,$2)) @hover
}
unset border
unset tics
unset label
unset xlabel
unset ylabel
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen from_bottom(key_row*key_rows+14)
set bmargin at screen 0
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols (narrow ? 1 : 2) samplen 2.4 font font_normal
plot for [w=1:ways] NaN with linespoints linewidth 2 pointtype 7 linecolor rgb way_colour[w] title 'outliers '.way_title[w], \
     NaN with lines linewidth 1.6 dashtype 3 linecolor rgb ink title 'if bytes alone counted', \
     NaN with points pointtype 13 pointsize mark linecolor rgb '#b8860b' title 'the paper, RTX 3090'
unset multiplot
