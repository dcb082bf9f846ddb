# SPDX-License-Identifier: BSD-3-Clause
# One panel per machine. envelope_12_14.dat: one block per panel: place, ideal, with the GEMVs' own gain, observed, colour, label.
set multiplot layout panels,1 margins from_left(narrow ? room(62) : 74),from_right(narrow ? 6 : 15),from_bottom(narrow ? 134 : 128),from_top(headroom+14) spacing 82.0/height
set xrange [0.3:8.7]
set yrange [0:12]
set ytics 2
set grid noxtics ytics
set boxwidth 0.36
set xtics scale 0
two_lines(text) = text[1:strstrt(text,',')-1]."\n".text[strstrt(text,',')+2:*]
unset key
do for [p=1:panels] {
    set ylabel 'speed-up' offset 0.5,0
    if (p > 1) { unset label }
    set label panel_title[p] at graph 0,1.1 font font_panel textcolor rgb ink
    if (p == panels) { set key at screen 0.53,10.0/height center bottom horizontal maxcols (narrow ? 1 : 3) samplen 2 font font_normal }
    plot 'envelope_12_14.dat' index p-1 using ($1-0.2):2:5 with boxes fillstyle solid 0.35 noborder linecolor rgb variable title '', \
         '' index p-1 using ($1+0.2):3:5 with boxes fillstyle solid 0.95 noborder linecolor rgb variable title '', \
         '' index p-1 using 1:4:xtic(two_lines(strcol(6))) with points pointtype 13 pointsize 1.1 linecolor rgb ink title 'observed in the paper', \
         '' index p-1 using ($1-0.2):2:(sprintf('%.1f',$2)) with labels offset 0,0.6 font font_tiny textcolor rgb ink title '', \
         '' index p-1 using ($1+0.2):3:(sprintf('%.1f',$3)) with labels offset 0,0.6 font font_tiny textcolor rgb ink title '', \
         NaN with boxes fillstyle solid 0.35 noborder linecolor rgb ink title 'ideal, x = 16/bits', \
         NaN with boxes fillstyle solid 0.95 noborder linecolor rgb ink title 'with the GEMVs’ modelled or measured gain', \
         '' index p-1 using ($1-0.2):2:(sprintf('%s: ideal %.2f',strcol(6),$2)) @hover, \
         '' index p-1 using ($1+0.2):3:(sprintf('%s: %.2f, the GEMVs %.2f times as fast as with 16 bits',strcol(6),$3,$8)) @hover, \
         '' index p-1 using 1:4:(sprintf('%s: observed %g',strcol(6),$4)) @hover
}
unset multiplot
