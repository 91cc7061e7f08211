package benchtext

import "testing"

func TestPatternsChooseFunctions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, function string
		chooses, skips    bool
	}{
		{".", "BenchmarkParse", true, true},
		{"Parse", "BenchmarkParse", true, true},
		{"^Parse", "BenchmarkParse", false, false},
		{"^BenchmarkSum64$/^4KB$", "BenchmarkSum64", true, false},
		{"^BenchmarkSum64$/^4KB$", "BenchmarkSum64String", false, false},
		{"Sum/a|Parse", "BenchmarkParse", true, true},
		{"Sum/Parse", "BenchmarkParse", false, false},
		{"Parse|Sum/a", "BenchmarkSum", true, false},
		{"(Sum|Parse)/x", "BenchmarkParse", true, false},
		{"(Sum/x|Parse)", "BenchmarkParse", true, true},
		{"[/|]x", "BenchmarkParse", false, false},
		{`Sum\/x`, "BenchmarkSum", false, false},
		{"Parse(", "BenchmarkSum", true, true},
	} {
		if chooses, skips := Chooses(c.pattern, c.function), Skips(c.pattern, c.function); chooses != c.chooses ||
			skips != c.skips {
			t.Errorf("%s and %s: chooses %v, skips %v; want %v, %v", c.pattern, c.function, chooses, skips, c.chooses, c.skips)
		}
	}
	if Skips("", "BenchmarkParse") {
		t.Error("an empty pattern skips")
	}
}
