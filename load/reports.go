package load

import "time"

// reports puts the shards' reports of a stretch together into slices.
type reports struct {
	cuts   cuts
	paced  bool // an open loop
	done   chan report
	spares []chan spare // by shard, which takes one for each report

	first   int      // the number of the slice in front of sums
	sums    []summed // slices that some shard has still to report
	latest  []report // by shard; cut is -1 before its first
	running int      // shards that have not ended
}

// summed is a slice that is being put together.
type summed struct {
	Slice
	heard, end time.Time // the latest of all shards
}

const (
	// sparesAhead is how many empty stores each shard has waiting: one is taken at each
	// report, and made up for when the report is read.
	sparesAhead = 2
	// reportsAhead is how many reports may wait for a slow reader before shards begin to
	// leave out cuts.
	reportsAhead = 64
)

// newReports takes the number of connections of each shard.
func newReports(sizes []int, c cuts, paced bool) *reports {
	shards := len(sizes)
	r := &reports{
		cuts: c, paced: paced, running: shards,
		// Two places for each shard are kept free for its last report, see crowded.
		done:   make(chan report, reportsAhead+2*shards),
		spares: make([]chan spare, shards), latest: make([]report, shards),
	}
	for i := range shards {
		r.latest[i] = report{cut: -1, live: sizes[i]}
		r.spares[i] = make(chan spare, sparesAhead)
		r.spares[i] <- newSpare(paced)
	}
	return r
}

// crowded says that a shard should keep a report of a cut to itself, because the reader
// is too slow. Others may report at the same time; their places are kept free.
func crowded(done chan<- report) bool { return cap(done)-len(done) < reportsAhead/2 }

// open says that some shard has not ended yet.
func (r *reports) open() bool { return r.running > 0 }

// take adds a report and returns the slices that are whole now.
func (r *reports) take(p report) []Slice {
	// A shard that left out cuts still has its gauges in them.
	for cut := max(r.first, r.latest[p.shard].cut+1); cut < p.cut; cut++ {
		r.sum(cut).gauges(r.latest[p.shard])
	}
	r.sum(p.cut).add(p)
	r.latest[p.shard] = p
	if p.last {
		r.running--
	} else {
		r.refill(p.shard)
	}
	return r.whole()
}

// refill makes up for the store that shard i took.
func (r *reports) refill(i int) {
	select {
	case r.spares[i] <- newSpare(r.paced):
	default:
	}
}

// sum returns the slice of a cut, which has not been handed over yet.
func (r *reports) sum(cut int) *summed {
	for len(r.sums) <= cut-r.first {
		r.sums = append(r.sums, summed{})
	}
	return &r.sums[cut-r.first]
}

// whole takes off the slices that every shard has gone beyond, or ended before.
func (r *reports) whole() (out []Slice) {
	for len(r.sums) > 0 {
		for _, l := range r.latest {
			if l.cut < r.first && !l.last {
				return out
			}
		}
		s := &r.sums[0]
		for _, l := range r.latest {
			if l.last && l.cut < r.first {
				s.gauges(l) // it ended earlier: used up its share
			}
		}
		if s.Service != nil { // else every shard left this cut out
			s.Offset, s.Stage = r.cuts.offset(r.first), r.cuts.stage(r.first)
			out = append(out, s.Slice)
		}
		r.sums = r.sums[1:]
		r.first++
	}
	return out
}

// gauges adds what stays true of a shard that does not report.
func (s *summed) gauges(p report) {
	s.Unsent += uint64(p.unsent)
	s.Unanswered += uint64(p.unanswered)
	s.Live += p.live
	s.Stalled += p.stalled
}

// add adds one shard's report.
func (s *summed) add(p report) {
	s.Dropped += p.dropped
	s.Counts.Add(p.Counts)
	s.Unsent += p.dropped
	s.gauges(p)
	s.Waited += p.waited
	s.Reconnects += p.reconnects
	s.Renewed += p.renewed
	s.Service = merge(s.Service, p.service)
	s.Response = merge(s.Response, p.response)
	s.Lag = merge(s.Lag, p.lag)
	s.FailedLatency = merge(s.FailedLatency, p.failed)
	s.Age = merge(s.Age, p.age)
	s.FirstByte = merge(s.FirstByte, p.streams.firstByte)
	s.Gaps = merge(s.Gaps, p.streams.gaps)
	s.MessageAge = merge(s.MessageAge, p.streams.age)
	s.Targets = addTargets(s.Targets, p.targets)
	s.addCodes(p.codes)
	wall := time.Duration(p.end - p.start)
	if start := p.base.Add(time.Duration(p.start)); s.Start.IsZero() || start.Before(s.Start) {
		s.Start = start
	}
	s.Duration = max(s.Duration, wall)
	s.Draining = max(s.Draining, time.Duration(p.drained))
	s.silence(p)
	s.WorkerWall += wall * time.Duration(p.threads)
	s.WorkerCPU += p.cpu
	s.Spin += p.spin
}

// silence sets Silent by one more report: the time from the last bytes that any shard read
// to the end of the one that ended last, as far as it was draining.
func (s *summed) silence(p report) {
	if heard := p.base.Add(time.Duration(p.heard)); heard.After(s.heard) {
		s.heard = heard
	}
	if end := p.base.Add(time.Duration(p.end)); end.After(s.end) {
		s.end = end
	}
	s.Silent = min(s.end.Sub(s.heard), s.Draining)
}

func (s *summed) addCodes(codes *[MaxCode]uint64) {
	for code, n := range codes {
		if n == 0 || code == 0 {
			continue
		}
		if s.Codes == nil {
			s.Codes = map[int]uint64{}
		}
		s.Codes[code] += n
	}
}
