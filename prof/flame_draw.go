package prof

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/gohone/hone/prof/internal/quantity"
	"github.com/gohone/hone/prof/internal/svg"
	"github.com/gohone/hone/prof/symbol"
)

// WriteSVG draws the flame graph, the root on top, as a picture that needs nothing else:
// each frame is as wide as its value, and its tooltip has the numbers.
func (f *Flame) WriteSVG(w io.Writer, title string) error {
	var body strings.Builder
	scale := svg.Width / max(1, math.Abs(float64(f.Root.Value)))
	bottom := svg.DrawTree(&body, f.Root, svg.TitleHeight, func(frame *Frame) svg.Drawing {
		return svg.Drawing{
			Width: scale * float64(frame.Value), Colour: flameColour(frame.Function), Label: shortPlace(frame.Place),
			Tooltip: fmt.Sprintf("%s\n%s of %s (%s), itself %s", frame.Place, f.values.Text(frame.Value),
				f.values.Text(f.Total), quantity.Share(frame.Value, f.Total), f.values.Text(frame.Self)),
		}
	}, func(frame *Frame) []*Frame { return frame.Children })
	return svg.Write(w, title, bottom, body.String())
}

// shortPlace is a place without the directories of its package.
func shortPlace(p Place) string {
	if p.Function != "" {
		p.Function = symbol.Short(p.Function)
	}
	if p.File != "" {
		p.File = symbol.ShortFile(p.File)
	}
	return p.String()
}

// flameColour tells three kinds of code apart, also for those who see no red or green:
// grey for the runtime, blue for the standard library, orange for all else. Packages of
// a kind differ in lightness.
func flameColour(function string) string {
	path := symbol.PackagePath(function)
	hue, saturation := 30, 85
	switch {
	case path == "" || path == "runtime" || strings.HasPrefix(path, "runtime/") ||
		strings.HasPrefix(path, "internal/runtime/"):
		saturation = 0
	case !symbol.IsUser(function, ""):
		hue, saturation = 205, 55
	}
	var hash uint32 = 2166136261 // FNV-1a
	for _, c := range []byte(path) {
		hash = (hash ^ uint32(c)) * 16777619
	}
	return fmt.Sprintf("hsl(%d %d%% %d%%)", hue, saturation, 66+hash%16)
}
