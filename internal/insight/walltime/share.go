package walltime

// busy is the share of a latency from which on waits for a processor are said apart: a closed loop of many
// connections fills the processors, and what the program does is the rest. The less it does, the shorter the queue
// gets.
const busy = 0.5

// Queued is the time of a cohort's requests in which they wait for a processor.
func (c *Cohort) Queued() (sum float64) {
	for _, p := range c.Parts {
		if p.State == Runnable {
			sum += p.Nanos
		}
	}
	return sum
}

// Busy says that requests spend most of their time in waits for a processor.
func (c *Cohort) Busy() bool { return c.Queued() >= busy*c.LatencyNanos }

// Whole is the latency that shares of statements are of: without waits for a processor where those are most of it
// (Busy).
func (c *Cohort) Whole() float64 {
	if c.Busy() {
		return c.LatencyNanos - c.Queued()
	}
	return c.LatencyNanos
}

// Part is the time of Whole that a statement takes: a mean of all requests of the cohort.
func (c *Cohort) Part(s *Statement) float64 {
	if c.Busy() {
		return s.Nanos - s.Queued
	}
	return s.Nanos
}

// Share is Part of Whole, 0 to 1.
func (c *Cohort) Share(s *Statement) float64 {
	if c.Whole() <= 0 {
		return 0
	}
	return min(1, c.Part(s)/c.Whole())
}

// Callers is the part of a cohort's requests that call a statement, 0 to 1; 1 where that is not known.
func (c *Cohort) Callers(s *Statement) float64 {
	found := c.Requests - c.Unjoined
	if s.Requests <= 0 || found <= 0 {
		return 1
	}
	return min(1, float64(s.Requests)/float64(found))
}

// allCallers is the part of the requests from which on all of them are said to call a statement: a few may lie
// outside of a trace.
const allCallers = 0.98

// AllCall says that all requests of a cohort call a statement.
func (c *Cohort) AllCall(s *Statement) bool { return c.Callers(s) >= allCallers }

// CallsEach is how often a request that calls a statement does so.
func (c *Cohort) CallsEach(s *Statement) float64 { return s.Calls / c.Callers(s) }

// Repeated is how many calls of one statement in one request are taken for a statement in a loop: 5, as in other
// tools (Sentry's N+1 detector counts five spans).
const Repeated = 5

// Repeats says that requests that call a statement do so again and again.
func (c *Cohort) Repeats(s *Statement) bool { return c.CallsEach(s) >= Repeated }

// PerCall is what one call has of a time that all requests of a cohort spend on a statement in the mean. Without a
// call, as of one that was under way when its request began, it is all of it.
func (s *Statement) PerCall(nanos float64) float64 {
	if s.Calls <= 0 {
		return nanos
	}
	return nanos / s.Calls
}
