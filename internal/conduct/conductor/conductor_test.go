package conductor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
)

// steps notes what it is called for.
type steps struct {
	pace   *compare.Pace
	enough int // blocks
	fails  string
	said   []string
}

var errStep = errors.New("it fails")

func (s *steps) step(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	s.said = append(s.said, text)
	if text == s.fails {
		return errStep
	}
	return nil
}

func (s *steps) Sample(_ context.Context, block int) (time.Duration, error) {
	return time.Nanosecond, s.step("sample %d", block)
}

func (s *steps) Look(perBlock time.Duration) (over bool, err error) {
	blocks := 0
	for _, text := range s.said {
		if text[:2] == "sa" {
			blocks++
		}
	}
	err = s.pace.Look(blocks, perBlock, func(last bool) error {
		over = last || blocks >= s.enough
		return nil
	})
	return over, errors.Join(err, s.step("look at %d", blocks))
}

func (s *steps) Finish(_ context.Context, last bool) error { return s.step("finish %v", last) }

func TestConduct(t *testing.T) {
	for name, c := range map[string]struct {
		most, first, enough int
		fails               string
		want                []string
	}{
		"one block": {most: 1, first: 1, want: []string{"sample 0", "look at 1", "finish true"}},
		"looks when due": {first: 2, enough: 2,
			want: []string{"sample 0", "finish false", "sample 1", "look at 2", "finish true"}},
		"no more than most": {most: 2, first: 9, enough: 9,
			want: []string{"sample 0", "finish false", "sample 1", "look at 2", "finish true"}},
		"a fault of a sample": {most: 3, first: 9, fails: "sample 1",
			want: []string{"sample 0", "finish false", "sample 1"}},
		"a fault of a look":     {most: 1, first: 1, fails: "look at 1", want: []string{"sample 0", "look at 1"}},
		"a fault of the finish": {most: 2, first: 9, fails: "finish false", want: []string{"sample 0", "finish false"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &steps{pace: compare.NewPace(0, c.most, c.first), enough: c.enough, fails: c.fails}
			err := Conduct(t.Context(), s.pace, s)
			if errors.Is(err, errStep) != (c.fails != "") || !slices.Equal(s.said, c.want) {
				t.Errorf("%v after %q, want %q", err, s.said, c.want)
			}
		})
	}
}
