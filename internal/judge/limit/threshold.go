package limit

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/gohone/hone/internal/text/fail"
)

// Threshold is one condition on a load test. The zero value stands for no condition.
type Threshold struct {
	Metric Metric
	Op     Op
	// Value is in the unit of the metric's kind: nanoseconds, a fraction, 1/s or a number.
	Value float64
	// Text is the condition as the user wrote it; empty if it was not typed.
	Text string
}

// Holds says whether a measured value, in the unit of the metric's kind, meets the
// condition. NaN meets none.
func (t Threshold) Holds(value float64) bool { return t.Op.Holds(value, t.Value) }

// Measured looks the metric up and says whether the condition holds. Where get has no
// such value it returns an error, *fail.Error of kind BadInput: the test cannot say
// whether the condition holds, and silence would read as a pass.
func (t Threshold) Measured(get func(Metric) (float64, bool)) (value float64, holds bool, err error) {
	value, ok := get(t.Metric)
	if ok {
		return value, t.Holds(value), nil
	}
	none := fail.New(fail.BadInput, "threshold %q: this test has no %s", t, t.Metric)
	switch t.Metric.Prefix {
	case Headline:
		if t.Metric.OfProgram() {
			none = none.WithHint("this needs hone's probe in the program; growth needs four garbage collections, too: measure longer with -d")
			break
		}
		none = none.WithHint("nothing was answered; look at the errors first")
	case Response, Lag:
		none = none.WithHint("only an open loop has it: add --rate, or write %s for the service time",
			Metric{Kind: t.Metric.Kind, Percentile: t.Metric.Percentile})
	case FirstByte, Gap, MessageAge:
		none = none.WithHint("only streams have it: answers of the type text/event-stream, calls of gRPC that answer with a stream, or all with --set stream")
	default:
		none = none.WithHint("nothing was answered; look at the errors first")
	}
	return 0, false, none
}

// String writes the condition as the user did, or else in a form that ParseThreshold reads back.
func (t Threshold) String() string {
	if t.Text != "" {
		return t.Text
	}
	value := strconv.FormatFloat(t.Value, 'f', -1, 64)
	switch {
	case t.Metric.Latency(), t.Metric.Kind == Start:
		value += "ns"
	case t.Metric.Kind == Growth:
		value += "B"
	}
	return t.Metric.String() + string(t.Op) + value
}

// MarshalText writes the condition's text; in JSON it is a string.
func (t Threshold) MarshalText() ([]byte, error) {
	text := t.String()
	if _, err := ParseThreshold(text); err != nil {
		return nil, errors.Join(fmt.Errorf("write threshold: it was not made by ParseThreshold"), err)
	}
	return []byte(text), nil
}

// UnmarshalText is the inverse of MarshalText.
func (t *Threshold) UnmarshalText(text []byte) error {
	got, err := ParseThreshold(string(text))
	if err != nil {
		return err
	}
	*t = got
	return nil
}
