# SPDX-License-Identifier: BSD-3-Clause
# Tokens per second by model size, one panel per machine. bitnet_1_7.dat: one block per (panel, system), panel by panel:
# place, tokens/s decoded or stated, bound of measured GEMVs, bound partly modelled, of our fastest kernel decoded, its bound, size, context,
# context of ours, shapes on one layer.
set multiplot layout panels,1 margins from_left(narrow ? 64 : 81),from_right(narrow ? 6 : 16),from_bottom(narrow ? 176 : 112),from_top(headroom+22) spacing (narrow ? 56.0 : 62.0)/height
set xrange [0:sizes]
set logscale y
set yrange [0.12:900]
set ytics ('0.2' 0.2, '0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50, '100' 100, '200' 200, '500' 500)
set grid noxtics ytics
set boxwidth 0.8/systems
set errorbars 0
set xtics scale 0 font font_normal
set xtics ()
do for [s=1:sizes] { set xtics add (size_title[s] s-0.5) }
do for [s=1:sizes] { if (s % 2) { set object s rectangle from first s-1,graph 0 to first s,graph 1 behind fillcolor rgb grid fillstyle solid 0.28 noborder } }
key_place = narrow ? 'left' : 'center'
key_shape = narrow ? 'vertical maxcols 2 maxrows 6 width 0' : 'vertical maxcols 4 maxrows 3 width 0'
unset key
do for [p=1:panels] {
    set ylabel 'tokens/s' offset 0.5,0
    if (p > 1) { unset label }
    set label panel_title[p] at graph 0,1.08 font font_panel textcolor rgb ink
    if (p == panels) { set key at screen (narrow ? from_left(10) : 0.53),from_bottom(narrow ? 8 : 12) @key_place bottom @key_shape samplen 2 font font_normal }
    plot for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:2 with boxes fillcolor rgb system_colour[i] fillstyle solid 1.0 noborder title system_title[i], \
         for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:3 with boxes fillcolor rgb system_colour[i] fillstyle solid 0.35 border linecolor rgb system_colour[i] title '', \
         for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:4 with boxes fillcolor rgb system_colour[i] fillstyle solid 0 border linecolor rgb system_colour[i] title '', \
         for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:6:(0.38/systems) with xerrorbars pointtype 0 linewidth 2.2 linecolor rgb 0x999999 title '', \
         for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:5:(0.38/systems) with xerrorbars pointtype 0 linewidth 2.2 linecolor rgb ink title '', \
         for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:2:(sprintf('%s, %s: %.4g tokens/s%s',system_title[i],strcol(7),$2,$8 > 0 ? sprintf(', decoded over %g positions',$8) : '')) @hover, \
         for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:3:(sprintf('%s, %s, not decoded: at most %.4g tokens/s by its measured GEMVs%s',system_title[i],strcol(7),$3,$10 > 0 ? sprintf(' (%g shapes on one layer)',$10) : '')) @hover, \
         for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:4:(sprintf('%s, %s, not decoded: at most %.4g tokens/s, partly the model',system_title[i],strcol(7),$4)) @hover, \
         for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:5:(sprintf('%s, %s, our fastest: %.4g tokens/s, decoded over %g positions',system_title[i],strcol(7),$5,$9)) @hover, \
         for [i=1:systems] 'bitnet_1_7.dat' index (p-1)*systems+i-1 using 1:6:(sprintf('%s, %s, our fastest, not decoded: at most %.4g tokens/s',system_title[i],strcol(7),$6)) @hover, \
         NaN with boxes fillcolor rgb ink fillstyle solid 0.35 border linecolor rgb ink title (any_bound ? 'bound: measured GEMVs' : ''), \
         NaN with boxes fillcolor rgb ink fillstyle solid 0 border linecolor rgb ink title (any_partly ? 'bound, partly the model' : ''), \
         NaN with lines linewidth 2.2 linecolor rgb ink title (any_ours ? 'our fastest kernel' : ''), \
         NaN with lines linewidth 2.2 linecolor rgb 0x999999 title (any_ours_bound ? (any_ours ? 'its bound' : 'bound of our fastest kernel') : '')
}
unset multiplot
