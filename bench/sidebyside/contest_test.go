package sidebyside

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/golden"
)

// threeRounds is a contest whose second peer fails in the second round.
func threeRounds() (*contest, map[string]int) {
	runs := map[string]int{}
	figures := map[string][]float64{"ours": {100, 200, 110}, "fast": {90, 190, 99}, "huge": {2000, 2000, 2000}}
	c := &contest{
		Name: "story", Measure: "what it takes", Unit: "ns", Setting: "three rounds", beside: []string{"calls/s"},
		Entrants: []*entrant{
			{Name: "ours", Version: "go1.26"}, {Name: "fast", Version: "v1.2.3", Note: "in a hurry"},
			{Name: "broken", Version: "v0.0.1"}, {Name: "huge", Version: "v9"},
		},
		run: func(_ context.Context, e *entrant) (sample, error) {
			n := runs[e.Name]
			runs[e.Name]++
			if e.Name == "broken" {
				if n == 1 {
					return sample{}, errors.New("the server ended: signal: segmentation fault\nwith much to say")
				}
				return sample{value: 1, beside: []float64{1}}, nil
			}
			return sample{value: figures[e.Name][n], over: e.Name == "huge", beside: []float64{float64(1000 * n)}}, nil
		},
		goals: func(c *contest) []goal {
			return []goal{c.times("fast takes no less", "fast", 1), c.atLeast("broken is measured", "broken", 1)}
		},
	}
	return c, runs
}

// Every entrant runs once a round; one that fails is out, with what it had.
func TestRounds(t *testing.T) {
	c, runs := threeRounds()
	if err := hold(context.Background(), "test", 3, []*contest{c}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"ours": 3, "fast": 3, "huge": 3, "broken": 2} {
		if runs[name] != want {
			t.Errorf("%s ran %d times, want %d", name, runs[name], want)
		}
	}
	if c.find("broken") != nil {
		t.Error("a peer that failed still counts")
	}
	if err := c.judge(); err != nil {
		t.Fatal(err)
	}
	r := &bed.Result{}
	c.show(r)
	golden.Check(t, "testdata/story.txt", r.Text())
}

// A reference that fails ends it all, in measuring as in verifying; so does Ctrl-C.
func TestWhatEndsAContest(t *testing.T) {
	fails := func(context.Context, *entrant) error { return errors.New("no luck") }
	c, _ := threeRounds()
	c.verify = fails
	if err := hold(context.Background(), "test", 1, []*contest{c}); err == nil ||
		err.Error() != "story: ours: no luck" {
		t.Errorf("error %v, want the reference's", err)
	}
	c, runs := threeRounds()
	c.verify = func(ctx context.Context, e *entrant) error {
		if e.Name == "ours" {
			return nil
		}
		return fails(ctx, e)
	}
	if err := hold(context.Background(), "test", 1, []*contest{c}); err != nil || runs["fast"] != 0 ||
		runs["ours"] != 1 {
		t.Errorf("error %v, runs %v: want peers that answer wrong to be left out", err, runs)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, _ = threeRounds()
	if err := hold(ctx, "test", 1, []*contest{c}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
}

// A result is JSON whatever the number of rounds, and holds what became of each entrant.
func TestResult(t *testing.T) {
	c, _ := threeRounds()
	if err := hold(context.Background(), "test", 2, []*contest{c}); err != nil {
		t.Fatal(err)
	}
	if err := c.judge(); err != nil {
		t.Fatal(err)
	}
	r := &bed.Result{Case: "story"}
	c.show(r)
	dir := t.TempDir()
	if err := r.Keep(dir); err != nil {
		t.Fatal(err)
	}
	back, err := bed.Load(dir, "story")
	if err != nil || len(back) != 1 || back[0].Text() != r.Text() {
		t.Errorf("read back: %+v, %v", back, err)
	}
	if c.Reference != "ours" || c.Rounds != 2 || c.Entrants[1].Values[1] != 190 || c.Entrants[2].Fault == "" ||
		c.Entrants[2].Values != nil || !c.Entrants[3].Over ||
		math.Abs(c.Goals[0].Estimate.Value-c.Entrants[1].Ratio.Value) > 1e-9 || c.Goals[1].Missing == "" {
		t.Errorf("%+v", c)
	}
	if err := r.Keep(dir + "/no/such/directory"); err == nil {
		t.Error("written nowhere without an error")
	}
}
