package pprofweb

import (
	"fmt"
	"net/url"
	"regexp"

	"github.com/gohone/hone/prof"
)

// look reads the parameters of pprof's pages that say what is shown. Notes say which of
// them have no part in this.
func (m *mounted) look(query url.Values) (look prof.ViewOptions, notes []string, err error) {
	column, err := m.shown.SampleIndexByName(query.Get("si"))
	if err != nil {
		return look, nil, err
	}
	look.SampleType = m.shown.SampleType[column].Type
	look.NoInlines = isTrue(query.Get("noinlines"))
	for _, e := range []struct {
		parameter string
		to        **regexp.Regexp
	}{
		{"f", &look.Function}, {"f", &look.Focus}, {"i", &look.Ignore}, {"h", &look.Hide}, {"s", &look.Show}, {"sf", &look.ShowFrom},
	} {
		text := query.Get(e.parameter)
		if text == "" {
			continue
		}
		if *e.to, err = regexp.Compile(text); err != nil {
			return look, nil, fmt.Errorf("parameter %s: %w", e.parameter, err)
		}
	}
	if look.TagFocus, err = prof.ParseTagFilter(query.Get("tf")); err != nil {
		return look, nil, err
	}
	if look.TagIgnore, err = prof.ParseTagFilter(query.Get("ti")); err != nil {
		return look, nil, err
	}
	for _, parameter := range []string{"mean", "prunefrom", "rel"} {
		if query.Get(parameter) != "" {
			notes = append(notes, fmt.Sprintf("The parameter %s changes nothing here.", parameter))
		}
	}
	return look, notes, nil
}

// isTrue reads a truth value as pprof does.
func isTrue(text string) bool {
	switch text {
	case "1", "t", "T", "true", "TRUE", "True", "y", "yes":
		return true
	}
	return false
}
