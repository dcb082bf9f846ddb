# SPDX-License-Identifier: BSD-3-Clause
# Bars of each format on the shapes of the models, one panel a team. mixed_9.dat: for each panel a block of each format (place, times as fast,
# low, high, us, GB/s, shape, kernel).
key_rows = narrow ? kinds : 1
tick_room = narrow ? 78 : 82
panel_high = (height-headroom-40-key_row*key_rows-24-tick_room-(panels-1)*40)*1.0/panels
set multiplot
set lmargin at screen from_left(narrow ? room(56) : 81)
set rmargin at screen from_right(narrow ? 8 : 16)
set xrange [0.3:places_end]
set yrange [0:axis_end(1.08*ratio_max)]
set boxwidth 0.27
set grid noxtics ytics
set xtics scale 0 rotate by 90 right font font_tiny
set xtics ()
unset key
do for [p=1:panels] {
    if (p > 1) { unset label 901; unset label 902 }
    top = headroom+40+(p-1)*(panel_high+40)
    set tmargin at screen from_top(top)
    set bmargin at screen from_top(top+panel_high)
    set label 1 panel_title[p] at graph 0,1+(narrow ? 24.0 : 26.0)/panel_high left font font_panel textcolor rgb ink
    set xtics ()
    do for [i=1:places] { set xtics add ((p == panels ? place_title[i] : '') place_at[i]) }
    do for [m=1:models] { set label m+10 model_title[m] at model_at[m],graph 1+8.0/panel_high left font (narrow ? font_tiny : font_small) textcolor rgb ink }
    set ylabel 'times as fast as f16' offset (narrow ? 1.2 : 0.5),0
    plot 1 with lines linewidth 1 linecolor rgb ink title '', \
         for [k=1:kinds] 'mixed_9.dat' index (p-1)*kinds+k-1 using 1:2 with boxes fillcolor rgb kind_colour[k] fillstyle solid 0.9 noborder title '', \
         for [k=1:kinds] '' index (p-1)*kinds+k-1 using 1:3:(0):($4-$3) with vectors nohead linewidth 1 linecolor rgb ink title '', \
         for [k=1:kinds] '' index (p-1)*kinds+k-1 using 1:2:(sprintf('%s, %s: %.3g times as fast as f16, %.4g us, %.3g GB/s, %s',kind_title[k],strcol(7),$2,$5,$6,strcol(8))) @hover
}
unset border
unset tics
unset grid
unset label
unset ylabel
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen from_bottom(key_row*key_rows+14)
set bmargin at screen 0
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols (narrow ? 1 : 3) samplen 2 font font_normal
plot for [k=1:kinds] NaN with boxes fillcolor rgb kind_colour[k] fillstyle solid 0.9 noborder title kind_title[k]
unset multiplot
