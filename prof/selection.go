package prof

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/quantity"
	"github.com/gohone/hone/prof/internal/sampled"
)

// Selection says which samples and frames of a profile a view shows. The expressions
// mean what the options of go tool pprof with these names mean: they match function
// names, file names and the names of mapped files; nil selects everything.
type Selection struct {
	// SampleType is what is counted, by its name or its number from 0; empty means the profile's own choice, or else
	// its last.
	SampleType string
	// Focus keeps the samples with a frame that matches, Ignore those without one.
	Focus, Ignore *regexp.Regexp
	// Hide drops frames that match, Show those that do not.
	Hide, Show *regexp.Regexp
	// ShowFrom drops the frames above the highest one that matches, and samples without.
	ShowFrom *regexp.Regexp
	// TagFocus keeps the samples with a label that matches, TagIgnore those without.
	TagFocus, TagIgnore profile.TagMatch
	// Granularity is what counts as one place; empty means ByFunction.
	Granularity Granularity
	// NoInlines counts inlined calls for the function that they were inlined into.
	NoInlines bool
}

// selected is a profile of which some samples and frames are left.
type selected struct {
	profile     *profile.Profile
	column      int
	sampleType  string
	unit        string
	total       int64 // that shares relate to, of all samples, also of those that were left out
	granularity Granularity
	noInlines   bool
	unmatched   []string       // options whose expression matched nothing
	values      quantity.Scale // how values are written
}

// Select returns the profile with the samples and frames that the selection leaves. The profile stays as it is.
// Granularity, SampleType and NoInlines have no part in it.
func (s Selection) Select(p *profile.Profile) (*profile.Profile, error) {
	out, err := s.apply(p)
	if err != nil {
		return nil, err
	}
	q := sampled.Shallow(p)
	some := out.profile
	q.Sample, q.Mapping, q.Location, q.Function = some.Sample, some.Mapping, some.Location, some.Function
	return q, nil
}

// apply selects. The profile stays as it is.
func (s Selection) apply(p *profile.Profile) (*selected, error) {
	if err := sampled.Check(p); err != nil {
		return nil, err
	}
	granularity, err := ParseGranularity(string(s.Granularity))
	if err != nil {
		return nil, err
	}
	column, err := p.SampleIndexByName(s.SampleType)
	if err != nil || column < 0 {
		return nil, fmt.Errorf("the profile has no sample type %q; it has %s", s.SampleType,
			strings.Join(typeNames(p), ", "))
	}
	out := &selected{
		column: column, sampleType: p.SampleType[column].Type, unit: p.SampleType[column].Unit,
		granularity: granularity, noInlines: s.NoInlines, total: reference(p, column),
	}
	if s.Hide != nil || s.Show != nil || s.ShowFrom != nil {
		p = p.Copy() // frames are taken out of its locations
	} else {
		p = &profile.Profile{ // only its list of samples is replaced
			SampleType: p.SampleType, Sample: p.Sample, Mapping: p.Mapping, Location: p.Location, Function: p.Function,
		}
	}
	out.profile = p
	out.filter(s)
	return out, nil
}

func (out *selected) filter(s Selection) {
	note := func(option string, asked, matched bool) {
		if asked && !matched {
			out.unmatched = append(out.unmatched, option)
		}
	}
	p := out.profile
	focused, ignored, hidden, shown := p.FilterSamplesByName(s.Focus, s.Ignore, s.Hide, s.Show)
	note("focus", s.Focus != nil, focused)
	note("ignore", s.Ignore != nil, ignored)
	note("hide", s.Hide != nil, hidden)
	note("show", s.Show != nil, shown)
	note("show-from", s.ShowFrom != nil, p.ShowFrom(s.ShowFrom))
	focused, ignored = p.FilterSamplesByTag(s.TagFocus, s.TagIgnore)
	note("tag-focus", s.TagFocus != nil, focused)
	note("tag-ignore", s.TagIgnore != nil, ignored)
}

// reference is what percentages relate to, as in go tool pprof: the sum of the magnitudes of all samples; of the
// difference to a base that is marked, that of the base.
func reference(p *profile.Profile, column int) int64 {
	var all, base uint64
	for _, s := range p.Sample {
		v := magnitude(s.Value[column])
		all += v
		if s.DiffBaseSample() {
			base += v
		}
	}
	return int64(min(cmp.Or(base, all), math.MaxInt64))
}
