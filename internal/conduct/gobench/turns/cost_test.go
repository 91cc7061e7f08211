package turns

import (
	"math"
	"testing"
	"time"
)

func TestTheLengthOfATurnFollowsItsCosts(t *testing.T) {
	ms := func(f float64) float64 { return f * 1e6 }
	none := math.Inf(1)
	for _, c := range []struct {
		name  string
		cost  Cost
		asked time.Duration
		want  time.Duration
		why   string
	}{
		{"nothing beside", Cost{Op: 100, between: none}, 0, shortTurn, ""},
		{"as asked", Cost{Op: 100, between: none, fixed: ms(0.5)}, 7 * time.Millisecond, 7 * time.Millisecond, ""},
		{"preparations", Cost{Op: 100, between: none, base: Turn{Wall: 9 * time.Millisecond}}, 0, 9 * time.Millisecond, ""},
		{"timed preparations", Cost{Op: 100, between: none, fixed: ms(0.2)}, 0, 10 * time.Millisecond, ""},
		{"a collector", Cost{Op: 100, between: ms(6), collect: ms(1)}, 0, 9 * time.Millisecond, ""},
		{"a seldom one", Cost{Op: 100, between: ms(40), collect: ms(1)}, 0, LongTurn, ""},
		{"a cheap one", Cost{Op: 100, between: ms(40), collect: ms(0.2)}, 0, shortTurn, ""},
		{"a long operation", Cost{Op: ms(60), between: none}, 0, 0, "one operation takes 60ms"},
		{"long preparations", Cost{Op: 100, between: none, base: Turn{Wall: 80 * time.Millisecond}}, 0, 0,
			"the preparations of a turn take 80ms"},
		{"long timed ones", Cost{Op: 100, between: none, fixed: ms(30)}, 0, 0, "preparations that are timed take 30ms"},
	} {
		got, process, why := Length([2]Cost{{Op: 100, between: none}, c.cost}, c.asked)
		if (got-c.want).Abs() > time.Microsecond || why != c.why || process > longProcess {
			t.Errorf("%s: %v, %v, %q", c.name, got, process, why)
		}
	}
}
