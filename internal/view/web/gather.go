package web

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
)

// mostPacked is how many bytes the packed profiles and sources of a report may have, before base64 adds a third: a
// report can be mailed.
const mostPacked = 1_100_000

// profileOrder are the kinds of profiles in the order in which they find room in a report.
var profileOrder = []string{"cpu", "wait", "allocs", "heap", "mutex", "block", "goroutine"}

// RunReport gathers what a file about one run shows.
func RunReport(lib *page.Library, id string) (Report, error) {
	r, err := lib.Run(id)
	if err != nil {
		return Report{}, err
	}
	g := gathering{lib: lib, answers: map[string]any{}}
	g.answers[page.RunPath(r.ID)] = r
	if err := g.profiles(r.Profiles); err != nil {
		return Report{}, err
	}
	return Report{Title: r.Title, First: page.RunPath(r.ID), Summary: texts([]model.Statement{r.Check.Statement}),
		Answers: g.answers}, nil
}

// ComparisonReport gathers what a file about a comparison shows: its page, and those of its runs.
func ComparisonReport(lib *page.Library, id string) (Report, error) {
	c, err := lib.Comparison(id)
	if err != nil {
		return Report{}, err
	}
	g := gathering{lib: lib, answers: map[string]any{page.ComparisonPath(c.ID): c}}
	for _, v := range c.Variants {
		if v.Run == "" {
			continue
		}
		r, err := lib.Run(v.Run)
		if err != nil {
			return Report{}, err
		}
		g.answers[page.RunPath(r.ID)] = r
	}
	if err := g.profiles(c.Profiles); err != nil {
		return Report{}, err
	}
	return Report{Title: c.Title, First: page.ComparisonPath(c.ID),
		Summary: texts(append(slices.Clone(c.Verdicts), c.Check.Statement)), Answers: g.answers}, nil
}

func texts(all []model.Statement) []string {
	var lines []string
	for _, s := range all {
		lines = append(lines, s.Text)
	}
	return lines
}

// gathering are the answers of a report while it grows.
type gathering struct {
	lib     *page.Library
	answers map[string]any
	size    int
}

// profiles adds profiles as long as there is room: a kind of all runs at a time, since a difference needs both.
func (g *gathering) profiles(refs []page.ProfileRef) error {
	for _, kind := range profileOrder {
		group := map[string]any{}
		for _, ref := range refs {
			if ref.Kind != kind {
				continue
			}
			p, err := g.lib.Profile(ref.Run, ref.Kind, ref.Cohort)
			if err != nil {
				return fmt.Errorf("the %s profile of run %s: %w", ref.Kind, ref.Run, err)
			}
			group[ref.Path] = p
		}
		if err := g.add(group); err != nil {
			return err
		}
	}
	for _, kind := range profileOrder {
		for _, ref := range refs {
			if _, there := g.answers[ref.Path]; ref.Kind != kind || !there {
				continue
			}
			if err := g.add(g.lib.SourcesFor(ref.Run, ref.Kind)); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds answers if there is room for all of them.
func (g *gathering) add(group map[string]any) error {
	size, err := packedSize(group)
	if err != nil || g.size+size > mostPacked {
		return err
	}
	g.size += size
	for address, answer := range group {
		g.answers[address] = answer
	}
	return nil
}

// packedSize is about what answers take in a report.
func packedSize(group map[string]any) (int, error) {
	var n counter
	z := gzip.NewWriter(&n)
	for _, answer := range group {
		text, err := json.Marshal(answer)
		if err != nil {
			return 0, err
		}
		if _, err := z.Write(text); err != nil {
			return 0, err
		}
	}
	err := z.Close()
	return int(n), err
}

// counter counts what is written to it.
type counter int

var _ io.Writer = (*counter)(nil)

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
