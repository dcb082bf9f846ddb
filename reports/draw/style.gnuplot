# SPDX-License-Identifier: BSD-3-Clause
# Common to all figures. Reads format, output, heading, subtitle, width, height (pixels), and for a column of a paper narrow = 1 and
# narrow_height. Ink and grid are the two colours that the report's style sheet exchanges in the dark; everything else keeps its
# colour on both grounds.
set encoding utf8
if (!exists("format")) format = 'svg'
if (!exists("output")) output = figure.'.'.format
if (!exists("narrow")) narrow = 0
ink = '#1a1a1a'
grid = '#d9d9d9'
# A column is 3.5 inches wide: 500 pixels here, so that the smallest letters, of 13 pixels, are 6.5 points there. The text around it has its title.
if (narrow) { width = 500; height = narrow_height }
headroom = narrow ? 16 : 82
shrink = narrow ? 3.5*96/width : 1
if (format eq 'svg') set terminal svg size width,height dynamic noenhanced font 'sans,15' linewidth 1.2 background '#ffffff' name figure
if (format eq 'png') set terminal pngcairo size 2*width,2*height noenhanced font 'sans,11' fontscale 2 linewidth 2.4 pointscale 2 background '#ffffff'
# pdfcairo takes the points of a font for pixels of 96 an inch: 10 of them are 13.3.
if (format eq 'pdf') set terminal pdfcairo size shrink*width/96,shrink*height/96 noenhanced font 'sans,11' fontscale 0.75*shrink linewidth 1.2*shrink pointscale 0.6*shrink
# LaTeX sets the letters of a figure in its own font, all of one size: of 13 pixels.
if (format eq 'tex') set terminal cairolatex pdf input colourtext size shrink*width/96,shrink*height/96 font '' fontscale 0.75*shrink linewidth 1.2*shrink pointscale 0.6*shrink header sprintf('\fontsize{%.2f}{%.2f}\selectfont',9.75*shrink,11.7*shrink)
# Sizes of text are in SVG pixels; the other terminals count points.
size_of(pixels) = sprintf('sans,%g', format eq 'svg' ? pixels : 0.75*pixels)
font_tiny = size_of(narrow ? 13 : 11)
font_small = size_of(narrow ? 13 : 12)
font_normal = size_of(13)
font_panel = size_of(narrow ? 13 : 14)
font_heading = size_of(17)
# Height of a line of a legend in font_small or font_normal: the terminals differ.
key_row = format eq 'svg' ? 21.5 : 18
# Room at the left of a narrow figure for tics and label, which stand further apart in SVG.
room(pixels) = pixels+(format eq 'svg' ? 16 : 0)
# Places on the canvas from pixels: from the left, from the right, from the bottom, from the top.
from_left(pixels) = pixels*1.0/width
from_right(pixels) = 1-pixels*1.0/width
from_bottom(pixels) = pixels*1.0/height
from_top(pixels) = 1-pixels*1.0/height
# The end of an axis that begins at 0, where there may be nothing to show.
axis_end(most) = most > 0 ? most : 1
set output output
set border 3 linecolor rgb ink
set tics nomirror textcolor rgb ink
if (narrow) set tics font font_normal
set grid linecolor rgb grid linetype 1 linewidth 0.5
set key at graph 1.03,1 left top vertical maxcols 1 Left reverse samplen 2.2 spacing 1.2 font font_normal textcolor rgb ink
if (!narrow) set label 901 heading at screen from_left(16),from_top(26) left font font_heading textcolor rgb ink
# A long name of a machine leaves the run to a second line.
line_fits = int((width-32)/7.2)
cut(line) = strlen(line) > line_fits ? line[1:line_fits-1].'…' : line
too_long = strlen(subtitle) > line_fits
subtitle_run = strstrt(subtitle,'  ·  run ')
if (too_long && subtitle_run > 0) { subtitle = cut(subtitle[1:subtitle_run-1])."\n".cut(subtitle[subtitle_run+5:]) }
if (!narrow) set label 902 subtitle at screen from_left(16),from_top(too_long ? 46 : 50) left font font_normal textcolor rgb ink
set tmargin at screen from_top(headroom)
set xlabel textcolor rgb ink
set ylabel textcolor rgb ink
if (narrow) { set xlabel font font_normal; set ylabel font font_normal }
# A kernel in a column goes without its instruction set, <format>.<sequence>: the data beside the picture have the whole name.
second_dot(name) = strstrt(name,'.')+strstrt(name[strstrt(name,'.')+1:],'.')
kernel_name(name) = narrow && second_dot(name) > strstrt(name,'.') ? name[1:second_dot(name)-1] : name
# Values on hover: plot measured points once more with it, x:y:text. The mark is not seen; an SVG has the text as its title.
threads(n) = sprintf('%g thread%s',n,n == 1 ? '' : 's')
hover = "with labels hypertext point pointtype 7 pointsize 1.3 linecolor rgb 0xff000000 title ''"
