# SPDX-License-Identifier: BSD-3-Clause
# Measured streams of all sequences on axes on which the model is one curve. Above x = beta gamma/B, y = e_bw gamma/B: solid min(x, 1),
# dashed without overlap x/(1+x). Below the same over the model. Left without, right with software prefetch.
# knee_validation.dat: block 0 without, block 1 with prefetch (x, y, mark, colour, level, threads, beta, B/gamma, e_bw, overlap, sequence).
key_rows = (levels+colours+3+(narrow ? 1 : 3))/(narrow ? 2 : 4)
break(text,at) = strstrt(text,at) ? text[1:strstrt(text,at)]."\n".text[strstrt(text,at)+2:*] : text
wrapped(text) = narrow ? break(break(text,': '),', ') : text
set multiplot layout 2,2 margins from_left(narrow ? room(56) : 73),from_right(narrow ? 8 : 16),from_bottom((narrow ? 84 : 76)+key_row*key_rows),from_top(headroom+(narrow ? 50 : 30)) spacing 0.035,0.045
set logscale x
set xrange [x_low:x_high]
set samples 800
model(x) = x < 1 ? x : 1
serial(x) = x/(1+x)
do for [row=1:2] {
    if (row == 1) {
        set logscale y; set yrange [y_low:y_high]
        set ytics (0.01,0.02,0.05,0.1,0.2,0.3,0.4,0.5,0.6,0.8,1)
        set format x ''
        set xlabel ''
    } else {
        unset logscale y; set yrange [ratio_low:ratio_high]; set ytics 0.1
        set format x '%g'
        set xlabel (narrow ? 'β of the level over the knee' : 'β γ/B: β of the level over the knee of the sequence') offset 0,0.2
    }
    if (narrow) { set xtics (0.01,0.1,1,10,100,1000) } else { set xtics (0.005,0.01,0.02,0.05,0.1,0.2,0.5,1,2,5,10,20,50,100,200,500,1000) }
    do for [p=1:2] {
        low = row == 1 ? y_low : ratio_low
        high = row == 1 ? y_high : ratio_high
        set arrow 1 from 1,low to 1,high nohead linecolor rgb grid linewidth 1.2 back
        set label 1 (narrow ? 'memory' : 'memory binds') at 0.93,low right offset 0,0.7 font font_tiny textcolor rgb ink
        set label 2 (narrow ? 'up-convert' : 'up-convert binds') at 1.07,low left offset 0,0.7 font font_tiny textcolor rgb ink
        if (row == 1) { set title wrapped(panel_title[p]) font font_panel textcolor rgb ink offset 0,-0.6 } else { unset title; unset label 1; unset label 2 }
        if (p == 1) {
            set format y '%g'
            set ylabel (row == 1 ? 'attained of B/γ' : 'attained of the model') offset 0.6,0 textcolor rgb ink
        } else {
            unset ylabel; set format y ''
        }
        if (row == 2 && p == 1) {
            set key at screen from_left(narrow ? 8 : 73),12.0/height left bottom vertical Left reverse maxrows key_rows maxcols 8 samplen 2.6 spacing 1.2 width 1 font font_small
        } else {
            unset key
        }
        plot (row == 1 ? model(x) : 1) with lines linewidth 2 dashtype 1 linecolor rgb ink title 'model: min(β, B/γ)', \
             serial(x)/(row == 1 ? 1 : model(x)) with lines linewidth 1.6 dashtype 2 linecolor rgb ink title 'no overlap: 1/(1/β + γ/B)', \
             NaN with points pointtype 6 linecolor rgb ink title invalid ? 'hollow: not valid' : '', \
             'knee_validation.dat' index p-1 using 1:(row == 1 ? $2 : $2/model($1)):3:4 with points pointsize 0.75 pointtype variable linecolor rgb variable title '', \
             for [i=1:levels] NaN with points pointtype level_mark[i] pointsize 0.9 linecolor rgb ink title level_title[i], \
             for [i=1:colours] NaN with points pointtype 7 pointsize 1.1 linecolor rgb colour_colour[i] title colour_title[i], \
             'knee_validation.dat' index p-1 using (row == 1 && $0 > 0 ? NaN : $1):(row == 1 ? $2 : $2/model($1)):(sprintf('%s, %s, %s: %.2f of β %.2f and B/γ %.2f, %.0f%% of the model', \
                 strcol(11),strcol(5),threads($6),$9,$7,$8,100*$2/model($1))) @hover
        unset label 901; unset label 902
    }
}
unset multiplot
