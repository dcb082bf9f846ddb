# SPDX-License-Identifier: BSD-3-Clause
# A panel a GPU. envelope_16.dat: a block each: place, tokens/s at most, at the bandwidth read, observed, colour, width, model, why there
# is none, GB of weights, launches of a token.
set multiplot
set style fill solid 0.95 noborder
set grid noxtics ytics
set xrange [0.4:8.6]
set boxwidth 0.8
set xtics scale 0 font font_small
panel_height = (height-headroom-(narrow ? 70.0 : 60.0))/(narrow ? gpus : 1)
panel_width = (width-16.0)/(narrow ? 1 : gpus)
unset key
do for [g=1:gpus] {
    row = narrow ? g-1 : 0
    column = narrow ? 0 : g-1
    set lmargin at screen from_left(column*panel_width+(narrow ? room(66) : 81))
    set rmargin at screen from_left((column+1)*panel_width-4)
    set tmargin at screen from_top(headroom+row*panel_height+30)
    set bmargin at screen from_top(headroom+(row+1)*panel_height-50)
    set yrange [0:axis_end(axis[g])]
    set ylabel 'tokens/s' offset 0.5,0
    set xtics ()
    if (g > 1) { unset label }
    set label gpu_title[g] at graph 0,1.06 font font_panel textcolor rgb ink
    set label 'Falcon3-1B' at first 1.5,screen from_top(headroom+(row+1)*panel_height-14) center font font_normal textcolor rgb ink
    set label 'MobileLLM-1.5B' at first 4.5,screen from_top(headroom+(row+1)*panel_height-14) center font font_normal textcolor rgb ink
    set label 'Llama3-8B' at first 7.5,screen from_top(headroom+(row+1)*panel_height-14) center font font_normal textcolor rgb ink
    if (g == gpus) { set key at screen 0.53,from_bottom(12) center bottom horizontal maxcols (narrow ? 2 : 4) samplen 2 font font_normal }
    what(width,model) = model.', '.width
    plot 'envelope_16.dat' index g-1 using 1:2:5:xtic(6) with boxes linecolor rgb variable title '', \
         '' index g-1 using 1:2:(sprintf($2 < 100 ? '%.3g' : '%.0f',$2)) with labels offset 0,0.6 font font_tiny textcolor rgb ink title '', \
         '' index g-1 using 1:(0):(strcol(8)) with labels rotate by 90 left offset 0.3,0.5 font font_small textcolor rgb ink title '', \
         '' index g-1 using 1:3 with points pointtype 2 pointsize 0.9 linewidth 1.4 linecolor rgb ink title 'at the bandwidth read', \
         '' index g-1 using 1:4 with points pointtype 13 pointsize 1.2 linecolor rgb ink title 'decoded in the paper', \
         '' index g-1 using 1:2:(sprintf('%s: at most %.4g tokens/s, %.3g GB, %g launches',what(strcol(6),strcol(7)),$2,$9,$10)) @hover, \
         '' index g-1 using 1:3:(sprintf('%s: %.4g tokens/s at the bandwidth that was read',what(strcol(6),strcol(7)),$3)) @hover, \
         '' index g-1 using 1:4:(sprintf('%s: %.3g tokens/s decoded in the paper',what(strcol(6),strcol(7)),$4)) @hover
}
unset multiplot
