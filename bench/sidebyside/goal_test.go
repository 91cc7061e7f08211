package sidebyside

import "testing"

func six(x float64, last float64) []float64 { return []float64{x, x, x, x, x, last} }

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name      string
		goal      goal
		values    []float64
		met, sure bool
	}{
		{"above", goal{Limit: 2, AtLeast: true}, six(3, 3), true, true},
		{"on the limit", goal{Limit: 2, AtLeast: true}, six(2, 2), true, true},
		{"below", goal{Limit: 2, AtLeast: true}, six(1, 1), false, true},
		{"above, once below", goal{Limit: 2, AtLeast: true}, six(3, 1), true, false},
		{"below, once above", goal{Limit: 2, AtLeast: true}, six(1, 3), false, false},
		{"at most, below", goal{Limit: 2}, six(1, 1), true, true},
		{"at most, above", goal{Limit: 2}, six(3, 3), false, true},
		{"one round", goal{Limit: 2}, []float64{1}, true, false},
		{"not measured", goal{Missing: "no measurement of x"}, nil, false, false},
	} {
		c.goal.values = c.values
		if err := c.goal.judge(); err != nil {
			t.Fatal(err)
		}
		if c.goal.Met != c.met || c.goal.Sure != c.sure {
			t.Errorf("%s: met %t, for sure %t (%v)", c.name, c.goal.Met, c.goal.Sure, c.goal.Estimate)
		}
	}
}

// entered is an entrant with values.
func entered(name string, values ...float64) *entrant {
	return &entrant{Name: name, Values: values}
}

// A goal among peers is about the best of those that were measured, round by round.
func TestGoalsOfAContest(t *testing.T) {
	out := entered("out")
	c := &contest{Entrants: []*entrant{entered("ours", 1, 2), entered("a", 5, 6), entered("b", 3, 4), out}}
	if got := c.best("a", "b", "out", "absent"); got != "b" {
		t.Errorf("best is %q, want b", got)
	}
	if got := c.best("out", "absent"); got != "" {
		t.Errorf("best of none is %q", got)
	}
	if g := c.times("", "b", 2); g.Missing != "" || g.values[0] != 3 || g.values[1] != 2 {
		t.Errorf("times: %+v", g)
	}
	if g := c.atMost("", "ours", 2); g.AtLeast || g.values[1] != 2 {
		t.Errorf("at most: %+v", g)
	}
	if g := c.atLeast("", "out", 2); g.Missing == "" || g.Met {
		t.Errorf("a goal on what failed: %+v", g)
	}
}

// The goals of framed, with figures that meet one and miss the other.
func TestFramedGoals(t *testing.T) {
	c := &contest{Entrants: []*entrant{
		entered(nameReactor, six(100, 100)...), entered(nameGnet, six(110, 110)...),
		entered(nameNbio, six(105, 105)...), entered(nameEpoll, six(80, 80)...),
	}}
	goals := framedGoals(c)
	for i, want := range []bool{true, false} {
		if err := goals[i].judge(); err != nil {
			t.Fatal(err)
		}
		if goals[i].Met != want || !goals[i].Sure {
			t.Errorf("%s: met %t, for sure %t", goals[i].Text, goals[i].Met, goals[i].Sure)
		}
	}
	if want := "the best Go peer takes no less (nbio)"; goals[0].Text != want {
		t.Errorf("goal %q, want %q", goals[0].Text, want)
	}
}
