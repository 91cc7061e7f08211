package load

// Extend adds the slice that follows s in the same stage of the same stretch: counters
// and times add up, gauges are those of next. s keeps its own histograms; next's are not
// changed.
func (s *Slice) Extend(next Slice) {
	gauges := next.Counts
	s.Counts.Add(next.Counts)
	s.Dropped += next.Dropped
	s.Unanswered, s.Unsent = gauges.Unanswered, s.Dropped+gauges.Unsent-next.Dropped
	s.Duration += next.Duration
	s.Draining += next.Draining
	s.Silent += next.Silent
	s.Service = SumHistograms(s.Service, next.Service)
	s.Response = SumHistograms(s.Response, next.Response)
	s.Lag = SumHistograms(s.Lag, next.Lag)
	s.Age = SumHistograms(s.Age, next.Age)
	s.FailedLatency = SumHistograms(s.FailedLatency, next.FailedLatency)
	s.Codes = sumCodes(s.Codes, next.Codes)
	s.Waited += next.Waited
	s.Live = min(s.Live, next.Live)
	s.Stalled = max(s.Stalled, next.Stalled)
	s.Reconnects += next.Reconnects
	s.Renewed += next.Renewed
	s.WorkerCPU += next.WorkerCPU
	s.WorkerWall += next.WorkerWall
	s.Spin += next.Spin
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
