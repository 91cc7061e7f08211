package prof

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"text/tabwriter"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/quantity"
)

// View is one way to look at a profile. Its numbers are those of go tool pprof, where
// that has the same view.
type View struct {
	// Name is what it is called in commands, Summary one line for their help.
	Name, Summary string
	// OfFunctions says that it shows the functions that ViewOptions.Function matches.
	OfFunctions bool

	show func(*selected, ViewOptions) (Document, error)
}

// Views are all views, in the order in which they are listed.
var Views = []*View{
	topView, listView, flameView,
}

// ViewNamed returns the view of that name.
func ViewNamed(name string) (*View, error) {
	for _, v := range Views {
		if v.Name == name {
			return v, nil
		}
	}
	return nil, fmt.Errorf("unknown view %q", name)
}

// ViewOptions say what of a profile to show and how closely. The zero value shows all of it.
type ViewOptions struct {
	Selection
	// Function matches the names of the functions to show, for views of functions.
	Function *regexp.Regexp
	// Nodes is how many places are shown at most; 0 means all.
	Nodes int
	// NodeShare leaves out places whose cum is under this share of the total; 0 ... 1.
	NodeShare float64
	// ByCum orders by cum instead of flat.
	ByCum bool
	// MaxBytes is how much text a document holds at most, about; 0 is 32 MiB. What is the
	// least important is left out, and Head.Cut says so.
	MaxBytes int
	// Unit is what values are written in, such as "ms" or "kB"; empty chooses one by size.
	Unit string
	// Sources finds source files, for list; without it only line numbers are shown.
	Sources Sources
}

// Document is a view of one profile. It marshals to JSON with all values in the unit of
// its head; WriteText writes it for people.
type Document interface {
	WriteText(w io.Writer) error
}

// Head says what a document shows.
type Head struct {
	Schema     string `json:"schema"`
	SampleType string `json:"sample_type"`
	Unit       string `json:"unit"`
	// Total is what percentages relate to: the sum of the magnitudes of all samples, or of those of the base of a
	// difference. Shown is the sum over those that are shown.
	Total int64 `json:"total"`
	Shown int64 `json:"shown"`
	// Dropped is how many places were left out as too small.
	Dropped int `json:"dropped,omitempty"`
	// Cut says that more was left out than was asked for, because of ViewOptions.MaxBytes.
	Cut bool `json:"cut,omitempty"`
	// Unmatched names the options whose expression matched nothing.
	Unmatched []string `json:"unmatched,omitempty"`

	values quantity.Scale
}

// Show looks at a profile, which stays as it is. Errors say what is wrong with the
// profile or what was asked of it.
func (v *View) Show(p *profile.Profile, l ViewOptions) (Document, error) {
	if v.OfFunctions && l.Function == nil {
		return nil, fmt.Errorf("show %s: which function? give an expression that matches its name", v.Name)
	}
	s, err := l.apply(p)
	if err != nil {
		return nil, fmt.Errorf("show %s: %w", v.Name, err)
	}
	if s.values, err = quantity.In(s.unit, l.Unit); err != nil {
		return nil, fmt.Errorf("show %s: %w", v.Name, err)
	}
	d, err := v.show(s, l)
	if err != nil {
		return nil, fmt.Errorf("show %s: %w", v.Name, err)
	}
	return d, nil
}

// head describes what a view shows of the selection.
func (s *selected) head(view string, shown int64, dropped int) Head {
	return Head{
		Schema: "hone.profile-" + view + "/1", SampleType: s.sampleType, Unit: s.unit, values: s.values,
		Total: s.total, Shown: shown, Dropped: dropped, Unmatched: s.unmatched,
	}
}

// order is the one asked for.
func (l ViewOptions) order() func(x, y *node) int {
	if l.ByCum {
		return byCum
	}
	return byFlat
}

// write writes what the document shows, in two lines at most, and then its body.
func (h Head) write(w io.Writer, body func(*bufio.Writer)) error {
	text := fmt.Sprintf("%s: %s of %s", h.SampleType, h.values.Text(h.Shown), h.values.Text(h.Total))
	if h.Total != 0 {
		text += fmt.Sprintf(" (%s)", quantity.Share(h.Shown, h.Total))
	}
	if h.Dropped > 0 {
		text += fmt.Sprintf(", %d places left out", h.Dropped)
	}
	if h.Cut {
		text += "\nnote: the rest is left out for lack of room: --max-output allows more, --focus and --node-share choose " +
			"what is shown"
	}
	for _, option := range h.Unmatched {
		text += fmt.Sprintf("\nnote: the expression of --%s matched nothing", option)
	}
	b := bufio.NewWriter(w) // keeps the first error
	fmt.Fprintln(b, text)
	body(b)
	return b.Flush()
}

// Columns are a table of a document.
func Columns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}
