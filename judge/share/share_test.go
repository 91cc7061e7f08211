package share

import (
	"errors"
	"math"
	"testing"

	"github.com/gohone/hone/judge"
)

// Holm: what one contest has shown leaves more of the level to the others.
func TestHolmRaisesTheLevelOfTheRest(t *testing.T) {
	contests := []*Contest{{}, {}, {}}
	needs := []float64{0.05 / 2, 0.05 / 3, 0.05} // the level from which on a difference shows
	var asked [3][]float64
	err := Holm(contests, 0.05, func(i int, alpha float64) (judge.Verdict, error) {
		asked[i] = append(asked[i], alpha)
		if alpha >= needs[i] {
			return judge.Verdict{Word: judge.Slower}, nil
		}
		return judge.Verdict{Word: judge.Undecided}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range contests {
		if !c.Shown() {
			t.Errorf("contest %d is %v after levels %v, want slower", i, c.Verdict.Word, asked[i])
		}
	}
	if asked[2][0] != 0.05/2 && asked[2][0] != 0.05/3 {
		t.Errorf("the last one was first asked at %v", asked[2][0])
	}
}

func TestHolmKeepsTheLevelWhereNothingIsShown(t *testing.T) {
	contests := []*Contest{{}, {}, {}, {}}
	err := Holm(contests, 0.04, func(i int, alpha float64) (judge.Verdict, error) {
		switch {
		case math.Abs(alpha-0.01) > 1e-15:
			t.Errorf("contest %d is asked at %v, want 0.01", i, alpha)
		case i == 0:
			return judge.Verdict{}, judge.ErrNotObserved
		case i == 1:
			return judge.Verdict{Word: judge.Same}, nil
		}
		return judge.Verdict{Word: judge.Undecided}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if contests[0].Known || !contests[1].Decided || contests[1].Shown() || contests[2].Decided {
		t.Errorf("contests %+v %+v %+v", contests[0], contests[1], contests[2])
	}
	fault := errors.New("fault")
	if err := Holm(contests, 0.04, func(int, float64) (judge.Verdict, error) { return judge.Verdict{}, fault }); !errors.Is(err, fault) {
		t.Errorf("error %v, want the fault", err)
	}
}
