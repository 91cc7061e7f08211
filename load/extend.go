package load

// Extend adds the slice that follows s in the same stage of the same stretch: counters
// and times add up, gauges are those of next. s keeps its own histograms and codes; next's
// are not changed.
func (s *Slice) Extend(next Slice) {
	s.gather(next)
	s.Unanswered, s.Unsent = next.Unanswered, s.Dropped+next.Unsent-next.Dropped
	s.Duration += next.Duration
	s.Draining += next.Draining
	s.Silent += next.Silent
	s.Live = min(s.Live, next.Live)
	s.Stalled = max(s.Stalled, next.Stalled)
}

// AddConcurrent adds a slice of another generator that ran at the same time as s. Times are those
// of the longer one. s keeps its own histograms and codes; o's are not changed.
func (s *Slice) AddConcurrent(o Slice) {
	s.gather(o)
	if o.Start.Before(s.Start) {
		s.Start = o.Start
	}
	s.Duration, s.Draining = max(s.Duration, o.Duration), max(s.Draining, o.Draining)
	s.Silent = min(s.Silent, o.Silent) // to the last answer of both
	s.Live += o.Live
	s.Stalled += o.Stalled
}

// gather adds what adds up however the slices lie in time.
func (s *Slice) gather(o Slice) {
	s.Counts.Add(o.Counts)
	s.Dropped += o.Dropped
	s.Waited += o.Waited
	s.Service = SumHistograms(s.Service, o.Service)
	s.Response = SumHistograms(s.Response, o.Response)
	s.Lag = SumHistograms(s.Lag, o.Lag)
	s.Age = SumHistograms(s.Age, o.Age)
	s.FailedLatency = SumHistograms(s.FailedLatency, o.FailedLatency)
	s.FirstByte = SumHistograms(s.FirstByte, o.FirstByte)
	s.Gaps = SumHistograms(s.Gaps, o.Gaps)
	s.MessageAge = SumHistograms(s.MessageAge, o.MessageAge)
	s.Targets = sumTargets(s.Targets, o.Targets)
	s.Codes = sumCodes(s.Codes, o.Codes)
	s.Reconnects += o.Reconnects
	s.Renewed += o.Renewed
	s.WorkerCPU += o.WorkerCPU
	s.WorkerWall += o.WorkerWall
	s.Spin += o.Spin
}

// Bare is s without its histograms, which are large.
func (s Slice) Bare() Slice {
	s.Latencies = Latencies{}
	s.Targets = bareTargets(s.Targets)
	return s
}

// sumCodes adds b to a, which it makes where there is none.
func sumCodes(a, b map[int]uint64) map[int]uint64 {
	for code, n := range b {
		if a == nil {
			a = map[int]uint64{}
		}
		a[code] += n
	}
	return a
}
