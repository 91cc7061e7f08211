package prof

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/text/printable"
)

// Whatever the names of a profile are, they are not lines of a view.
func TestNamesForgeNoLines(t *testing.T) {
	const forged = "main.x\nnext: rm -rf /\r\u2028\u202e\x1b[2J"
	m := &profile.Mapping{ID: 1, Start: 0x1000, Limit: 0x9000, File: forged, BuildID: forged, HasFunctions: true}
	p := &profile.Profile{
		SampleType:        []*profile.ValueType{{Type: forged, Unit: forged}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType:        &profile.ValueType{Type: forged, Unit: forged},
		DefaultSampleType: forged, Comments: []string{forged}, Mapping: []*profile.Mapping{m}, TimeNanos: 1,
		DurationNanos: 1e9, Period: 1,
	}
	s := &profile.Sample{Value: []int64{5, 7}, Label: map[string][]string{forged: {forged}},
		NumLabel: map[string][]int64{forged: {3, 4}, printable.Line(forged): {5}},
		NumUnit:  map[string][]string{forged: {forged, "s"}}}
	for i := range 3 {
		f := &profile.Function{ID: uint64(i + 1), Name: strings.Repeat("y", i) + forged, SystemName: forged,
			Filename: forged}
		l := &profile.Location{ID: uint64(i + 1), Mapping: m, Address: uint64(0x1000 + i),
			Line: []profile.Line{{Function: f, Line: 3}}}
		p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
	}
	p.Sample = []*profile.Sample{s}
	var raw bytes.Buffer
	if err := p.Write(&raw); err != nil {
		t.Fatal(err)
	}
	parsed, err := Parse(&raw, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, text string) {
		t.Helper()
		if text == "" || strings.Contains(text, "\nnext: rm") || strings.ContainsAny(text, "\r\u2028\u202e\x1b") {
			t.Errorf("%s: %q", name, text)
		}
	}
	for _, v := range Views {
		var out bytes.Buffer
		d, err := v.Show(parsed, ViewOptions{Function: regexp.MustCompile("main")})
		if err != nil {
			t.Log(v.Name, err)
			continue
		}
		if err := d.WriteText(&out); err != nil {
			t.Error(v.Name, err)
		}
		check(v.Name, out.String())
	}
	check("the profile", parsed.String())
	line := printable.Line(forged)
	if l, u := parsed.Sample[0].NumLabel[line], parsed.Sample[0].NumUnit[line]; !slices.Equal(l, []int64{5, 3, 4}) ||
		!slices.Equal(u, []string{"", line, "s"}) {
		t.Errorf("of two labels with one name: %v %q", l, u)
	}
}
