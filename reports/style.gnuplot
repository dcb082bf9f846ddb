# SPDX-License-Identifier: BSD-3-Clause
# Common to all figures. Reads format, output, heading, subtitle, width, height (pixels). Ink and grid are the two colours that
# the report's style sheet exchanges in the dark; everything else keeps its colour on both grounds.
if (!exists("format")) format = 'svg'
if (!exists("output")) output = figure.'.'.format
ink = '#1a1a1a'
grid = '#d9d9d9'
if (format eq 'svg') set terminal svg size width,height dynamic noenhanced font 'sans,15' linewidth 1.2 background '#ffffff' name figure
if (format eq 'png') set terminal pngcairo size 2*width,2*height noenhanced font 'sans,11' fontscale 2 linewidth 2.4 pointscale 2 background '#ffffff'
if (format eq 'pdf') set terminal pdfcairo size width/96.0,height/96.0 noenhanced font 'sans,11' linewidth 1.2 pointscale 0.6
# Sizes of text are in SVG pixels; the other terminals count points.
size_of(pixels) = sprintf('sans,%g', format eq 'svg' ? pixels : 0.75*pixels)
font_tiny = size_of(11)
font_small = size_of(12)
font_normal = size_of(13)
font_panel = size_of(14)
font_heading = size_of(17)
set output output
set encoding utf8
set border 3 linecolor rgb ink
set tics nomirror textcolor rgb ink
set grid linecolor rgb grid linetype 1 linewidth 0.5
set key at graph 1.03,1 left top vertical maxcols 1 Left reverse samplen 2.2 spacing 1.2 font font_normal textcolor rgb ink
set label 901 heading at screen 16.0/width,1-26.0/height left font font_heading textcolor rgb ink
set label 902 subtitle at screen 16.0/width,1-50.0/height left font font_normal textcolor rgb ink
set tmargin at screen 1-82.0/height
set xlabel textcolor rgb ink
set ylabel textcolor rgb ink
# Values on hover: plot measured points once more with it, x:y:text. The mark is not seen; an SVG has the text as its title.
threads(n) = sprintf('%g thread%s',n,n == 1 ? '' : 's')
hover = "with labels hypertext point pointtype 7 pointsize 1.3 linecolor rgb 0xff000000 title ''"
