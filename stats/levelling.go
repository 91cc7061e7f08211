package stats

import (
	"errors"
	"math"
)

// LevellingResult compares how fast a size rises in the second half of points with how fast it rises in the first.
type LevellingResult struct {
	// Ratio is the later rise over the earlier one: 1 for a line, and less for what fills up. Low ... High is its
	// interval.
	Ratio, Low, High, Conf float64
}

// LevelsOff says that the interval excludes that the size rises on as it did: the later rise is the smaller one.
// That it does not say so excludes little: what has room for more than it was given until now looks like a line.
func (r LevellingResult) LevelsOff() bool { return r.High < 1 }

// Levelling fits a line to each half of points, in the order of x, and compares their rises. A size that approaches
// an end as 1 - exp(-x/n), such as a cache of n entries that random keys fill, rises exp(-d/n) times as fast in the
// later half, whose middle is d further. The interval is that of Fieller (1954, "Some problems in interval
// estimation", J. R. Stat. Soc. B 16) for the ratio of two independent estimates. It takes three points in each
// half, and an earlier rise that is shown.
func Levelling(x, y []float64, conf float64) (LevellingResult, error) {
	half := len(x) / 2
	if len(x) != len(y) || half < 3 {
		return LevellingResult{}, errors.New("stats: to see whether a size levels off takes six points at least")
	}
	early, err := Slope(x[:half], y[:half], conf)
	if err != nil {
		return LevellingResult{}, err
	}
	late, err := Slope(x[half:], y[half:], conf)
	if err != nil {
		return LevellingResult{}, err
	}
	if early.Low <= 0 {
		return LevellingResult{}, errors.New("stats: it is not shown that the size rises in the first half")
	}
	// The ratios r for which late - r early is within its own interval of 0: a r^2 - 2 b r + c <= 0.
	widthE, widthL := early.High-early.Value, late.High-late.Value
	a := early.Value*early.Value - widthE*widthE
	b := early.Value * late.Value
	c := late.Value*late.Value - widthL*widthL
	root := math.Sqrt(max(0, b*b-a*c))
	return LevellingResult{Ratio: late.Value / early.Value, Low: (b - root) / a, High: (b + root) / a, Conf: conf}, nil
}
