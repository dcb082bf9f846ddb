# SPDX-License-Identifier: BSD-3-Clause
# Decoding on the paper's GPUs, prompts here. envelope_15_16.dat: a block of decoded bars (place, tokens/s, colour, what, why there is
# none), then one of prompts (place, tokens/s, predicted, seconds of a request, percent of the prompt in it, colour, kernel, what).
set multiplot
set style fill solid 0.95 noborder
set grid noxtics ytics
two_lines(text) = text[1:strstrt(text,',')-1]."\n".text[strstrt(text,',')+2:*]
set lmargin at screen from_left(narrow ? room(66) : 81)
set rmargin at screen (narrow ? from_right(8) : 0.36)
set bmargin at screen from_bottom(narrow ? 390 : 120)
set tmargin at screen from_top(headroom+26)
set xrange [0.4:decoded+0.6]
set yrange [0:*]
set offsets 0,0,graph 0.12,0
set boxwidth 0.7
set ylabel 'decoded tokens/s' offset 0.5,0
set xtics scale 0 font font_tiny
unset key
set label 'Llama3-8B, one token after the other' at graph 0,1.06 font font_panel textcolor rgb ink
plot 'envelope_15_16.dat' index 0 using 1:2:3:xtic(two_lines(strcol(4))) with boxes linecolor rgb variable title '', \
     '' index 0 using 1:2:(sprintf('%.3g',$2)) with labels offset 0,0.6 font font_tiny textcolor rgb ink title '', \
     '' index 0 using 1:(0):(strcol(5)) with labels rotate by 90 left offset 0.3,0.5 font font_small textcolor rgb ink title '', \
     '' index 0 using 1:2:(sprintf('%s: %.3g tokens/s',strcol(4),$2)) @hover
unset label
set lmargin at screen (narrow ? from_left(room(66)) : 0.44)
set rmargin at screen from_right(narrow ? 8 : 16)
set bmargin at screen from_bottom(narrow ? 112 : 120)
set tmargin at screen (narrow ? from_bottom(300) : from_top(headroom+26))
set xrange [0:places+1]
set boxwidth 0.9
set ylabel 'tokens of the prompt/s' offset 0.5,0
set xtics ()
do for [i=1:lengths] { set xtics add (sprintf('%g',length[i]) length_at[i]) }
do for [m=1:models] { set label model_title[m] at first model_at[m],graph (narrow ? -0.2 : -0.13) center font font_normal textcolor rgb ink }
set label sprintf('prompts here, %s; below, their tokens',threads(team)) at graph 0,1.06 font font_panel textcolor rgb ink
set key at screen (narrow ? 0.5 : 0.71),from_bottom(12) center bottom horizontal maxcols (narrow ? 3 : 5) samplen 2 font font_normal
request(seconds,share) = seconds > 0 ? sprintf('; 2,048 tokens and 16 in answer take %.3g s, %.0f%% of it for the prompt',seconds,share) : ''
plot 'envelope_15_16.dat' index 1 using 1:2:6 with boxes linecolor rgb variable title '', \
     for [w=1:widths] NaN with boxes linecolor rgb width_colour[w] title width_title[w], \
     '' index 1 using 1:3 with points pointtype 2 pointsize 0.8 linewidth 1.6 linecolor rgb ink title 'predicted', \
     '' index 1 using 1:2:(sprintf('%s: %.4g tokens/s, %s',strcol(8),$2,strcol(7)).request($4,$5)) @hover, \
     '' index 1 using 1:3:(sprintf('%s: predicted %.4g tokens/s',strcol(8),$3)) @hover
unset multiplot
