package main

import (
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/gohone/hone/internal/panels"
	"github.com/gohone/hone/internal/report"
)

// live is progress on stderr: panels on a terminal that has room, else lines.
func (a *app) live(title string, quiet bool) *report.Live {
	var size func() panels.Size
	if f, ok := a.stderr.(*os.File); ok && isTerminal(f) {
		size = func() panels.Size {
			width, height, err := term.GetSize(f.Fd())
			if err != nil || os.Getenv("TERM") == "dumb" {
				return panels.Size{} // a line will do
			}
			return panels.Size{Width: width, Height: height}
		}
	}
	return report.NewLive(a.stderr, title, size, panels.Theme{Colour: os.Getenv("NO_COLOR") == ""}, quiet)
}

// title is what a measurement is of, for the panels.
func (f *measureFlags) title() string {
	var names []string
	for _, v := range f.request.Variants {
		name := strings.Join(append([]string{v.Source}, v.Args...), " ")
		if len(f.request.Variants) > 1 {
			name = v.Name + ": " + name
		}
		names = append(names, name)
	}
	return strings.Join(names, "   ")
}
