package headlines

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// show makes the table and the claims of a section.
func (s part) show(r *bed.Result) {
	t := r.Table(s.Title, "what", "published", "published ratio", "here", "ratio here", "note")
	t.Say("%s", strings.TrimSpace(s.About))
	if s.Err != nil {
		t.Say("FAILED, so that rows are missing: %v", s.Err)
	}
	for _, r := range s.Rows {
		published := ""
		if r.PublishedRatio > 0 {
			published = figures.Number(r.PublishedRatio, r.PublishedRatio)
		}
		t.Row(r.What, r.Published, published, r.Here, r.Ratio.String(),
			strings.ReplaceAll(joined(agreement(r.PublishedRatio, r.Ratio), r.Note), "\n", " "))
	}
	var same bed.Share
	for _, one := range s.Rows {
		if here, published := one.Ratio, one.PublishedRatio; here.Bounded() && published > 0 {
			same.Add(here.Has(published) || published > 1 && here.Low > 1 || published < 1 && here.High < 1)
		}
	}
	if same.N > 0 {
		r.Share(s.Title+": published changes that go the same way here", same)
	}
	t.Say("Took %s. %s", s.Took.Round(time.Second), meanwhile(s.Disturbed, s.CPUs))
	for _, said := range s.Repeated {
		t.Say("Taken again, as hone called it invalid: %s", said)
	}
}

// joined puts notes behind each other.
func joined(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(n string) bool { return n == "" }), "; ")
}

// agreement says whether what was measured goes the way of what was published.
func agreement(published float64, here figures.Ratio) string {
	switch {
	case published == 0 || here.Value == 0:
		return ""
	case !here.Bounded():
		return "too few rounds for an interval"
	case here.Has(published) && here.Has(1) && published != 1:
		return "undecided: no change is in the interval, too"
	case here.Has(published):
		return "fits the published ratio"
	case published > 1 && here.High < 1, published < 1 && here.Low > 1:
		return "the opposite of what was published"
	case here.Has(1):
		return "no difference shown here"
	case published == 1:
		return "a difference here, none published"
	case math.Abs(math.Log(here.Value)) > math.Abs(math.Log(published)):
		return "the same way, by more"
	}
	return "the same way, by less"
}
