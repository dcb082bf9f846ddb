# SPDX-License-Identifier: BSD-3-Clause
# One panel per machine, the host last if host is 1. envelope_12_14.dat: one block per panel: place, ideal, with the GEMVs' own gain,
# observed, colour, label; of the host place, tokens/s, bound, Amdahl, colour, label, alpha, model.
set multiplot layout panels,1 margins from_left(narrow ? room(62) : 74),from_right(narrow ? 6 : 15),from_bottom(narrow ? 134 : 128),from_top(headroom+14) spacing 82.0/height
set xrange [0.3:8.7]
set yrange [0:12]
set ytics 2
set grid noxtics ytics
set boxwidth 0.36
set xtics scale 0
two_lines(text) = text[1:strstrt(text,',')-1]."\n".text[strstrt(text,',')+2:*]
unset key
do for [p=1:panels-host] {
    set ylabel 'speed-up' offset 0.5,0
    if (p > 1) { unset label }
    set label panel_title[p] at graph 0,1.1 font font_panel textcolor rgb ink
    if (p == panels-host) { set key at screen 0.53,10.0/height center bottom horizontal maxcols (narrow ? 1 : 3) samplen 2 font font_normal }
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
if (host) {
    unset label
    unset key
    set label panel_title[panels] at graph 0,1.1 font font_panel textcolor rgb ink
    set ylabel 'tokens/s' offset 0.5,0
    set xrange [0.3:20.7]
    set yrange [0:*]
    set ytics autofreq
    set boxwidth 0.8
    set xtics () font font_tiny
    set offsets 0,0,graph 0.12,0
    two_words(text) = strstrt(text,', ') ? text[1:strstrt(text,',')-1]."\n".text[strstrt(text,',')+2:*] : text
    set label '1B' at 3.5,graph -0.34 center font font_normal textcolor rgb ink
    set label '1.5B' at 10.5,graph -0.34 center font font_normal textcolor rgb ink
    set label '8B' at 17.5,graph -0.34 center font font_normal textcolor rgb ink
    plot 'envelope_12_14.dat' index panels-1 using 1:2:5:xtic(two_words(strcol(6))) with boxes fillstyle solid 0.95 noborder linecolor rgb variable title '', \
         '' index panels-1 using 1:3:5 with boxes fillstyle solid 0.3 noborder linecolor rgb variable title '', \
         '' index panels-1 using 1:4 with points pointtype 2 pointsize 1.1 linewidth 2 linecolor rgb ink title '', \
         '' index panels-1 using 1:2:(sprintf('%.3g',$2)) with labels offset 0,0.6 font font_tiny textcolor rgb ink title '', \
         '' index panels-1 using 1:2:(sprintf('%s, %s: %.4g tokens/s, α %.2f',strcol(8),strcol(6),$2,$7)) @hover, \
         '' index panels-1 using 1:3:(sprintf('%s, %s, not decoded: at most %.4g tokens/s by its GEMVs',strcol(8),strcol(6),$3)) @hover, \
         '' index panels-1 using 1:4:(sprintf('%s, %s: %.4g tokens/s by Amdahl',strcol(8),strcol(6),$4)) @hover
}
unset multiplot
