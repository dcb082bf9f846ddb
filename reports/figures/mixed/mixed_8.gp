# SPDX-License-Identifier: BSD-3-Clause
# Speed-ups of orders over buffering, one panel in registers and one from memory. mixed_8.dat: a block for each (place, times as fast, low, high,
# what it takes, colour, order, name).
key_rows = narrow ? 5 : 3
set multiplot layout (narrow ? panels : 1),(narrow ? 1 : panels) margins from_left(narrow ? room(64) : 81),from_right(narrow ? 10 : 24),from_bottom(46+key_row*key_rows),from_top(headroom+26) spacing (narrow ? 0 : 0.08),(narrow ? 66.0/height : 0)
set xrange [0:widths]
set boxwidth 0.8/orders
set grid noxtics ytics
set xtics scale 0 ()
do for [w=1:widths] { set xtics add (width_title[w] w-0.5) }
do for [w=1:widths] { if (w % 2) { set object w rectangle from first w-1,graph 0 to first w,graph 1 behind fillcolor rgb grid fillstyle solid 0.28 noborder } }
unset key
do for [p=1:panels] {
    if (p > 1) { unset label 901; unset label 902 }
    set label 1 panel_title[p] at graph 0,1.05 left font font_panel textcolor rgb ink
    set yrange [0:axis_end(1.12*panel_most[p])]
    if (narrow || p == 1) { set ylabel 'times as fast as buffered' offset 0.5,0 } else { unset ylabel }
    plot 'mixed_8.dat' index p-1 using 1:2:6 with boxes fillstyle solid 0.85 noborder linecolor rgb variable title '', \
         stated with lines linewidth 1.8 dashtype 2 linecolor rgb '#b8860b' title '', \
         1 with lines linewidth 1 linecolor rgb ink title '', \
         '' index p-1 using 1:3:(0):($4-$3) with vectors nohead linewidth 1.4 linecolor rgb ink title '', \
         '' index p-1 using 1:4:(sprintf($5 < 10 ? '%.2f' : $5 < 100 ? '%.1f' : '%.0f',$5)) with labels center offset 0,0.7 font font_tiny textcolor rgb ink title '', \
         '' index p-1 using 1:2:(sprintf('%s: %.3g times as fast, %.4g %s, %s',strcol(7),$2,$5,panel_unit[p],strcol(8))) @hover
}
unset border
unset tics
unset grid
unset object
unset label
unset ylabel
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen from_bottom(key_row*key_rows+14)
set bmargin at screen 0
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols (narrow ? 1 : 3) samplen 2 font font_normal
plot for [o=1:orders] NaN with boxes fillstyle solid 0.85 noborder linecolor rgb order_colour[o] title order_title[o], \
     NaN with lines linewidth 1.8 dashtype 2 linecolor rgb '#b8860b' title 'the most on a GPU, in the paper'
unset multiplot
