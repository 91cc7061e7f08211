package stats

import "fmt"

// Seen is what one look of a group-sequential test saw.
type Seen struct {
	// Values are those of all units so far, in the order in which they came. Noise is the variance
	// of what each was estimated with; nil: all alike.
	Values, Noise []float64
	// Spent is as in Look.
	Spent float64
}

// RevisedSignFlip is SequentialSignFlip where more is observed of a unit that earlier looks saw
// already, so that its value is another one at later looks. The pattern of signs goes over the
// units: what was observed of a unit at any look changes its sign with it. So the test is exact,
// too, if all that is ever observed of a unit may as well have the other sign.
//
// A look has no fewer units than the one before, and no less spent.
func RevisedSignFlip(looks []Seen) (SequentialResult, error) {
	if err := checkRevised(looks); err != nil {
		return SequentialResult{}, fmt.Errorf("flip signs in turn: %w", err)
	}
	return revisedTest(looks).result(), nil
}

// RevisedDiffers is Rejected of RevisedSignFlip, in a fraction of the time that the interval takes.
func RevisedDiffers(looks []Seen) (bool, error) {
	if err := checkRevised(looks); err != nil {
		return false, fmt.Errorf("flip signs in turn: %w", err)
	}
	_, _, rejected := revisedTest(looks).at(0)
	return rejected, nil
}

// RevisedEquivalence is to RevisedSignFlip what SequentialEquivalence is to SequentialSignFlip.
func RevisedEquivalence(looks []Seen) (low, high float64, err error) {
	if err := checkRevised(looks); err != nil {
		return 0, 0, fmt.Errorf("flip signs in turn: %w", err)
	}
	doubled := make([]Seen, len(looks))
	for i, l := range looks {
		doubled[i] = Seen{l.Values, l.Noise, min(1, 2*l.Spent)}
	}
	r := revisedTest(doubled).result()
	return r.Low, r.High, nil
}

func checkRevised(looks []Seen) error {
	if len(looks) == 0 {
		return fmt.Errorf("there is no look")
	}
	last := Seen{}
	for i, k := range looks {
		if err := checkSequential(k.Values, k.Noise, []Look{{N: len(k.Values), Spent: k.Spent}}); err != nil {
			return fmt.Errorf("look %d: %w", i, err)
		}
		if len(k.Values) < len(last.Values) || k.Spent < last.Spent {
			return fmt.Errorf("look %d has %d values and %v spent after %d and %v, want no less", i, len(k.Values),
				k.Spent, len(last.Values), last.Spent)
		}
		last = k
	}
	return nil
}

func revisedTest(looks []Seen) *sequentialTest {
	last := looks[len(looks)-1]
	return &sequentialTest{d: last.Values, noise: last.Noise, looks: looks, flips: newFlips(len(last.Values))}
}
