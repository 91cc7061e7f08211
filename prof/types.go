package prof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/sampled"
)

// Accumulates says whether a sample type is a cost, which adds up while a program runs, and not a state at one moment.
// Of profiles of other tools (the kind is empty) the name tells it.
func Accumulates(kind, sampleType string) bool {
	for _, k := range Kinds {
		if kind != "" && k.Name != kind {
			continue
		}
		if t, err := k.SampleType(sampleType); err == nil {
			return t.Accumulates
		}
	}
	return kind == "" && !strings.HasPrefix(sampleType, "inuse") && !strings.Contains(sampleType, "live")
}

// typeList writes the sample types of a profile with their units.
func typeList(p *profile.Profile) string {
	all := make([]string, len(p.SampleType))
	for i, t := range p.SampleType {
		all[i] = t.Type + "/" + t.Unit
	}
	return strings.Join(all, ", ")
}

// usualType is the sample type that is shown of a capture when none is asked for.
func (c Capture) usualType() string {
	if k, err := KindNamed(c.Kind); err == nil {
		return k.Default
	}
	if i, err := c.Profile.SampleIndexByName(""); err == nil && i >= 0 && i < len(c.Profile.SampleType) {
		return c.Profile.SampleType[i].Type
	}
	return ""
}

// hasType says whether a capture has a sample type.
func (c Capture) hasType(name string) bool {
	return slices.ContainsFunc(c.Profile.SampleType, func(t *profile.ValueType) bool { return t.Type == name })
}

// SharedType is the sample type by which two captures are compared: the one that is asked for, else the usual one of
// either, else the last that both have.
func SharedType(a, b Capture, asked string) (string, error) {
	for _, c := range []Capture{a, b} {
		if err := sampled.Check(c.Profile); err != nil {
			return "", err
		}
	}
	wanted := []string{asked}
	if asked == "" {
		wanted = []string{a.usualType(), b.usualType()}
		for _, t := range slices.Backward(a.Profile.SampleType) {
			wanted = append(wanted, t.Type)
		}
	}
	for _, name := range wanted {
		if !a.hasType(name) || !b.hasType(name) {
			continue
		}
		i, _ := sampled.Column(a.Profile, name)
		j, _ := sampled.Column(b.Profile, name)
		if a.Profile.SampleType[i].Unit != b.Profile.SampleType[j].Unit {
			return "", fmt.Errorf("%s has two units: A has %s; B has %s", name, typeList(a.Profile),
				typeList(b.Profile))
		}
		return name, nil
	}
	missing := "no sample type is in both"
	if asked != "" {
		missing = fmt.Sprintf("sample type %q is not in both", asked)
	}
	return "", fmt.Errorf("%s: A has %s; B has %s", missing, typeList(a.Profile), typeList(b.Profile))
}

// UsualBasis is what the costs of two sides are divided by when nothing is asked for: requests if it is known how many
// there were, else the time, else nothing. A state at one moment is divided by nothing.
func UsualBasis(a, b []Capture, sampleType string) Basis {
	if len(a) == 0 || len(b) == 0 {
		return PerRequest
	}
	name, err := SharedType(a[0], b[0], sampleType)
	if err != nil {
		return PerRequest
	}
	if !Accumulates(a[0].Kind, name) || !Accumulates(b[0].Kind, name) {
		return Raw
	}
	for _, basis := range []Basis{PerRequest, PerSecond} {
		unknown := func(c Capture) bool { _, err := c.Divisor(basis); return err != nil }
		if !slices.ContainsFunc(a, unknown) && !slices.ContainsFunc(b, unknown) {
			return basis
		}
	}
	return Raw
}
