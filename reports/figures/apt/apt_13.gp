# SPDX-License-Identifier: BSD-3-Clause
# Models, over f16 (two panels above) and int4 (below). apt_13.dat: a block a panel (place, times as fast, ms, 1 if known to be of the fastest
# kernels, colour, what).
columns = narrow ? 1 : 2
set multiplot layout panels/columns,columns margins from_left(narrow ? room(66) : 76),from_right(narrow ? 8 : 16),from_bottom(narrow ? 4*key_row+60 : 2*key_row+52),from_top(headroom+26) spacing (narrow ? 0 : 0.065),(narrow ? 64.0/height : 74.0/height)
set style fill solid 0.95 noborder
set grid noxtics ytics
set boxwidth 0.9
set xrange [-1:places]
set xtics scale 0 font font_small
unset key
pale(colour,known) = known > 0 ? colour : 0x90000000+int(colour)
larger(a,b) = a > b ? a : b
do for [p=1:panels] {
    if (p > 1) { unset label 901; unset label 902 }
    set label 1 panel_title[p] at graph 0,1.07 left font font_panel textcolor rgb ink
    set label 2 (panel_most[p] > 0 ? '' : 'not measured on all shapes') at graph 0.5,0.12 center font font_small textcolor rgb ink
    set ylabel (p % columns == (columns == 1 ? 0 : 1) ? 'times as fast' : '') offset (narrow ? 1.2 : 0.5),0
    set yrange [0:1.14*larger(panel_most[p],paper_most[p])]
    set xtics ()
    do for [m=1:models] { set xtics add (model_title[m] model_at[m]) }
    plot 'apt_13.dat' index p-1 using 1:($2 > 0 ? $2 : NaN):(pale($5,$4)) with boxes linecolor rgb variable title '', \
         1 with lines linewidth 1 linecolor rgb ink title '', \
         paper_mean[p] with lines linewidth 1.4 dashtype 2 linecolor rgb ink title '', \
         paper_most[p] with lines linewidth 1.4 dashtype 3 linecolor rgb ink title '', \
         'apt_13.dat' index p-1 using 1:($2 > 0 ? $2 : NaN):(sprintf($2 < 9.95 ? '%.1f' : '%.0f',$2)) with labels offset 0,0.5 font font_tiny textcolor rgb ink title '', \
         '' index p-1 using 1:($2 > 0 ? $2 : NaN):(strcol(6)) @hover
}
unset label
unset border
unset tics
unset grid
unset ylabel
set lmargin at screen from_left(16)
set rmargin at screen from_right(16)
set tmargin at screen from_bottom(narrow ? 4*key_row+14 : 2*key_row+10)
set bmargin at screen from_bottom(0)
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols (narrow ? 3 : 6) samplen 2 font font_normal
plot for [b=1:bars] NaN with boxes linecolor rgb bar_colour[b] title bar_title[b], \
     NaN with lines linewidth 1.4 dashtype 2 linecolor rgb ink title 'the paper''s mean', \
     NaN with lines linewidth 1.4 dashtype 3 linecolor rgb ink title 'the paper''s most'
unset multiplot
