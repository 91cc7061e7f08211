package threshold

import "strings"

// example is a threshold that hints show.
const example = "p99>300ms, errors>0.1% or rate<1000"

// Parse reads METRIC OP VALUE, with or without spaces between them. OP is one of < <= >
// >=. VALUE is a duration for latencies (ns, us, ms, s), a share for errors and
// unanswered (0.1% or 0.001), a rate for rate (1000, 1k, 50/1s), and a number for
// requests. Errors are *fail.Error of kind BadInput and name the column, from 1.
func Parse(text string) (Threshold, error) {
	p := Cut("threshold", text)
	if err := p.Check("metric", Names(), example); err != nil {
		return Threshold{}, err
	}
	metric, err := metricOf(p.Name.Text)
	if err != nil {
		return Threshold{}, p.At(p.Name, err)
	}
	number, err := valueOf(metric, p.Value.Text)
	if err != nil {
		return Threshold{}, p.At(p.Value, err)
	}
	return Threshold{Metric: metric, Op: Op(p.Op.Text), Value: number, Text: strings.TrimSpace(text)}, nil
}
