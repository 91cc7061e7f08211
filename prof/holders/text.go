package holders

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof/gotypes"
)

func sortBy[T any](all []T, compare func(a, b T) int) { slices.SortFunc(all, compare) }

func compareDown(a, b uint64) int { return cmp.Compare(b, a) }

// Line is what holds the most, in one line.
func (r *Report) Line() string {
	if len(r.Holders) == 0 {
		return fmt.Sprintf("nothing holds more than 5 %% of the heap's %s", amount(r.Bytes))
	}
	return fmt.Sprintf("%s of %s: %s", amount(r.Holders[0].Bytes), amount(r.Bytes), r.Holders[0].String())
}

// String names a holder, its type and place, and what its bytes are.
func (h Holder) String() string {
	nameless := h.Name == "" && h.Goroutines > 1
	text := cmp.Or(h.Name, "a variable without a name")
	switch {
	case nameless:
		text = fmt.Sprintf("%s goroutines of %s", units.Count(h.Goroutines), gotypes.Short(h.Function))
	case h.Type != "" && h.Entries > 0:
		text += fmt.Sprintf(" (%s, %s %s)", h.Type, units.Count(h.Entries), h.Unit)
	case h.Entries > 0:
		text += fmt.Sprintf(" (%s %s)", units.Count(h.Entries), h.Unit)
	case h.Type != "":
		text += fmt.Sprintf(" (%s)", h.Type)
	}
	if !nameless {
		text += h.inFunction()
	}
	text += h.places()
	if len(h.Parts) > 0 && h.Parts[0].Name != "" {
		text += " -> " + h.Parts[0].Name
	}
	return printable.Line(text)
}

// inFunction says which function has the variable of a holder, or of what it is a variable, and where.
func (h Holder) inFunction() (text string) {
	if h.Function != "" {
		text += " in " + gotypes.Short(h.Function)
	}
	if h.Goroutines > 1 {
		text += fmt.Sprintf(" of %s goroutines", units.Count(h.Goroutines))
	}
	if h.File != "" {
		text += fmt.Sprintf(", %s:%d", filepath.Base(h.File), h.Line)
	}
	return text
}

// places says where the goroutines of a holder wait and were started, and where it is filled.
func (h Holder) places() string {
	all := Goroutines{Started: h.Started, Waits: h.Waits}.places()
	if from := h.from(); from != "" {
		all = append(all, from)
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// WriteText writes the holders, at most most of them if most is over 0.
func (r *Report) WriteText(w io.Writer, most int) error {
	fmt.Fprintln(w, r.Line())
	fmt.Fprintf(w, "heap: %s in %s objects; held: %s\n", amount(r.Bytes), units.Count(r.Objects), amount(r.Held))
	if free := r.Bytes - r.Held; float64(free) > leastShare*float64(r.Bytes) {
		fmt.Fprintf(w,
			"%s are held by nothing in the dump: the next collection frees them, unless they are arguments of runtime.AddCleanup\n", amount(
				free))
	}
	if float64(r.Stacks) > leastShare*float64(r.Bytes) {
		fmt.Fprintf(w, "the stacks of goroutines have %s more, outside the heap\n", amount(r.Stacks))
		for _, g := range r.Goroutines {
			fmt.Fprintf(w, "%9s         stacks of %s\n", amount(g.Stacks), g)
		}
	}
	for _, m := range r.Missing {
		fmt.Fprintf(w, "note: %s\n", printable.Line(m))
	}
	shown := r.Holders
	if most > 0 {
		shown = shown[:min(most, len(shown))]
	}
	for i, h := range shown {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%9s  %5s  %s\n", amount(h.Bytes), units.Share(float64(h.Bytes)/float64(r.Bytes)), h)
		for _, p := range h.Parts {
			fmt.Fprintf(w, "%9s         %s: %s objects\n", amount(p.Bytes), printable.Line(cmp.Or(p.Name, "itself")),
				units.Count(p.Objects))
		}
	}
	return nil
}

func amount(n uint64) string { return units.Bytes(float64(n)) }
