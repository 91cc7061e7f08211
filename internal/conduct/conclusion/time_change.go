package conclusion

import (
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/record"
)

// ExplainTime divides the differences of typical and of slow requests by what they wait for; nil
// where one of the variants has no trace in which the work on its requests was found.
func ExplainTime(a, b *walltime.Digest) []record.TimeChange {
	if a == nil || b == nil || a.Joined == 0 || b.Joined == 0 {
		return nil
	}
	var all []record.TimeChange
	for _, name := range []string{walltime.TypicalName, walltime.SlowName} {
		of, with := a.Cohort(name), b.Cohort(name)
		if of == nil || with == nil {
			continue
		}
		causes := walltime.Changes(of, with)
		all = append(all, record.TimeChange{
			Cohort: name, A: of.LatencyNanos, B: with.LatencyNanos, Causes: causes[:min(mostTimeCauses, len(causes))],
		})
	}
	return all
}

// mostTimeCauses bounds the causes of a change that a comparison keeps.
const mostTimeCauses = 6
