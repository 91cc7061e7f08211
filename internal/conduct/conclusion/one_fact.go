package conclusion

import (
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// FindOneFact decides on throughput and median latency of a closed loop together. Such a load has as many requests
// under way at any time, which is throughput times mean latency (Little 1961, "A proof for the queuing formula L =
// lambda W", Operations Research 9(3)): half the latency is twice the throughput. So if one of the two is shown to
// differ and the interval of the other, which is undecided, holds what follows, that differs, too. The two are one fact
// then, as they are where their words agree.
func FindOneFact(c *record.Contest) {
	on := func(key string) int {
		return slices.IndexFunc(c.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == key })
	}
	i, j := on(measure.Throughput.Key), on("p50")
	if i < 0 || j < 0 {
		return
	}
	rate, median := &c.Verdicts[i], &c.Verdicts[j]
	follow(median, *rate)
	follow(rate, *median)
	alike := !rate.Word.Different() || follows(*median, *rate) || follows(*rate, *median)
	c.OneFact = rate.Word == median.Word && alike
}

// follow gives what has no word of its own the word of a difference that it follows from.
func follow(v *judge.Verdict, from judge.Verdict) {
	if v.Word == judge.Same || v.Word.Different() || !from.Word.Different() || !follows(*v, from) {
		return
	}
	v.Word, v.Need, v.Excluded = from.Word, nil, 0
	v.Reason = "it follows from " + from.Measure.Name + ": in a closed loop both together are the number of connections"
}

// follows says that the interval of one of the two holds what the other comes to.
func follows(v, from judge.Verdict) bool {
	return v.Bounded() && v.Low*from.Ratio <= 1 && 1 <= v.High*from.Ratio
}
