package load

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Slices that are put together count as they do one by one.
func TestExtendedSlicesTallyTheSame(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var each, joined Tally
		var whole Slice
		for i := range rapid.IntRange(1, 5).Draw(r, "slices") {
			n := func(name string) uint64 { return rapid.Uint64Range(0, 50).Draw(r, name) }
			s := Slice{
				Counts: Counts{Scheduled: n("scheduled"), Sent: n("sent"), Answered: n("answered"),
					Unanswered: n("unanswered")},
				Dropped:  n("dropped"),
				Duration: 5, Draining: 2, Silent: 1, Waited: n("waited"), Connections: Connections{Live: int(n("live")),
					Stalled:    int(n("stalled")),
					Reconnects: 1, Renewed: 2}, WorkerTime: WorkerTime{WorkerCPU: 3, WorkerWall: 4, Spin: 1},
			}
			s.Unsent = s.Dropped + n("waiting")
			s.Causes[Timeout] = n("timeouts")
			if rapid.Bool().Draw(r, "answers") {
				s.Service, s.Codes = recordNew(nil, int64(n("service"))), map[int]uint64{200: n("codes")}
			}
			each.Add(s)
			if i == 0 {
				whole = s
				whole.Service, whole.Codes = SumHistograms(nil, s.Service), sumCodes(nil, s.Codes)
			} else {
				whole.Extend(s)
			}
		}
		joined.Add(whole)
		joined.Slices = each.Slices
		if (joined.Service == nil) != (each.Service == nil) ||
			each.Service != nil && !joined.Service.Equals(each.Service) {
			r.Fatal("histograms differ")
		}
		joined.Service, each.Service = nil, nil
		if !reflect.DeepEqual(joined, each) {
			r.Fatalf("joined %+v\neach   %+v", joined, each)
		}
	})
}
