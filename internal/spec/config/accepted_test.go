package config

import (
	"strings"
	"testing"
	"time"
)

func TestAcceptedSteps(t *testing.T) {
	doc, err := Parse("hone.yaml", []byte(`version: 1
accepted:
  - {commit: 1a2b3c4, benchmark: "Parse|Read", reason: checks all input, until: 2027-03-31}
  - {commit: abcdef0123, reason: a new format}
`))
	if err != nil {
		t.Fatal(err)
	}
	all := doc.AcceptedSteps()
	if len(all) != 2 || all[0].Commit != "1a2b3c4" || !all[0].Benchmark.MatchString("p.Read") || all[1].Benchmark != nil ||
		!all[1].Until.IsZero() || !all[0].Until.Equal(time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", all)
	}
	for entry, want := range map[string]string{
		`{commit: main, reason: x}`:                    "hone.yaml:3:14: accepted: \"main\" is not a commit",
		`{commit: 1a2b3c4}`:                            "hone.yaml:3:14: accepted: no reason",
		`{reason: x}`:                                  "is not a commit",
		`{commit: 1a2b3c4, reason: x, benchmark: "("}`: "accepted: benchmark: error parsing regexp",
		`{commit: 1a2b3c4, reason: x, until: soon}`:    "accepted: until: \"soon\" is not a day",
		`{commit: 1a2b3c4, reason: x, forever: true}`:  "unknown key \"forever\"",
	} {
		if _, err := Parse("hone.yaml", []byte("version: 1\naccepted:\n  - "+entry+"\n")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", entry, err, want)
		}
	}
}
