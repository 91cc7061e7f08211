package accesslog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// mostNamed is how many endpoints a sentence names.
const mostNamed = 4

// Words say what load the requests of the log were, a line each.
func (f *Fit) Words() []string {
	taken := 0
	for _, e := range f.Endpoints {
		if e.Taken > 0 {
			taken++
		}
	}
	line := fmt.Sprintf("%s in %s: %s a second", units.Plural(f.Requests, "request"), units.Seconds(f.Span),
		units.Digits(f.MeanHz))
	if f.RateHz > 1.2*f.MeanHz {
		line += fmt.Sprintf(", %s without the pauses", units.Digits(f.RateHz))
	}
	line += fmt.Sprintf(", %s in the busiest", units.Count(uint64(f.Busiest)))
	if f.AtOnce >= 0 {
		line += fmt.Sprintf(", %s at a time by Little's law", units.Digits(f.AtOnce))
	}
	line += ", " + units.Plural(taken, "endpoint")
	if f.Clients > 0 {
		line += ", " + units.Plural(f.Clients, map[bool]string{true: "connection",
			false: "client"}[f.PerConnection > 0])
	}
	lines := []string{line}
	if f.Durations != "" {
		lines = append(lines, "durations are read from "+printable.Line(f.Durations))
	}
	if f.Dispersion > 3 {
		lines = append(lines,
			fmt.Sprintf("requests come in bursts: counts of seconds vary %s times as much as by chance; hone load --set traffic=replay sends them so", units.Digits(f.Dispersion)))
	}
	if n := f.ShortLived(); n > 0 {
		lines = append(lines, fmt.Sprintf("as in the log, whose clients have ports, a connection is closed after %s",
			units.Plural(int(n), "request")))
	}
	return append(append(lines, f.bodyWords()...), f.statusWords()...)
}

// bodyWords say which endpoints need a body, and how long those are that are sent.
func (f *Fit) bodyWords() (lines []string) {
	var missing []string
	all := 0
	for _, e := range f.Endpoints {
		all += e.Requests
	}
	for _, e := range f.Endpoints {
		name := printable.Line(e.Method + " " + e.Path)
		switch {
		case e.NeedsBody && e.Taken < e.Requests:
			missing = append(missing, fmt.Sprintf("%s (%s %%)", name,
				units.Digits(100*float64(e.Requests)/float64(all))))
		case e.NeedsBody && e.BodyBytes >= 0 && e.SentBytes >= 0 && len(lines) < mostNamed:
			lines = append(lines, fmt.Sprintf("bodies of %s: %s in the log, %s in the load (medians)", name,
				units.Bytes(float64(e.BodyBytes)), units.Bytes(float64(e.SentBytes))))
		}
	}
	if n := len(missing); n > 0 {
		if n > mostNamed {
			missing = append(missing[:mostNamed], fmt.Sprintf("and %d more", n-mostNamed))
		}
		verb := "need"
		if n == 1 {
			verb = "needs"
		}
		lines = append(lines, fmt.Sprintf("%s %s a body that the log does not have: %s; --body or --openapi gives it",
			units.Plural(n, "endpoint"), verb, strings.Join(missing, ", ")))
	}
	return lines
}

func (f *Fit) statusWords() []string {
	expected := f.Expected()
	if len(expected) == 0 {
		return nil
	}
	return []string{"as in the log, answers with " + strings.Join(expected, ", ") + " are right, too"}
}

// Expected are the statuses from 400 to 499 that are right answers to the requests of the log.
func (f *Fit) Expected() (all []string) {
	for _, status := range slices.Sorted(maps.Keys(f.Statuses)) {
		all = append(all, fmt.Sprint(status))
	}
	return all
}

// The bounds of what is taken from a log.
const (
	// leastRequests is how many requests an open loop of the log's rate has to have: a measurement of fewer says
	// little.
	leastRequests = 500
	// usualSeconds is how long a request is taken to last where the log does not say it.
	usualSeconds = 0.01
	// mostConnections bounds the connections of an open loop, and mostGuessed those of a closed loop whose number is a
	// guess.
	mostConnections = 1000
	mostGuessed     = 100
	// mostlyIdle is how many requests are under way at most in a program that is idle for half of the time.
	mostlyIdle = 0.5
	// longLived is the number of requests of a connection from which on opening it is a small part of their work.
	longLived = 50
	// usualHead is what the headers of an answer have at most, as a rule, in bytes.
	usualHead = 500
	// leastConnections keep an open loop from waiting for a free connection.
	leastConnections = 10
)

// Closed is how many connections make a closed loop with as many requests at a time as the log.
func (f *Fit) Closed() (connections int, words string) {
	if f.AtOnce >= 0 {
		n := max(1, int(math.Round(f.AtOnce)))
		return n, fmt.Sprintf("the load: a closed loop of %s, as many requests at a time as in the log",
			units.Plural(n, "connection"))
	}
	n := min(max(1, int(math.Round(f.RateHz*usualSeconds))), mostGuessed)
	return n, fmt.Sprintf("the load: a closed loop of %s; the log has no durations, and so many would be under way if a request took 10 ms", units.Plural(n, "connection"))
}

// Open is how many connections an open loop needs: one for each client of the busiest minute that keeps its own, and
// four times as many as requests are under way on average.
func (f *Fit) Open() (connections int) {
	kept := f.Active
	if f.ShortLived() > 0 {
		kept = 0
	}
	return min(max(leastConnections, kept, int(math.Ceil(4*f.AtOnce))), mostConnections)
}

// After compares a load that was sent with the log, a line each: the bytes of its answers, headers included, and how
// often it went through the requests of the log.
func (f *Fit) After(answered, received uint64) (lines []string) {
	if answered == 0 {
		return nil
	}
	if mean := float64(received) / float64(answered); f.AnswerBytes >= 0 {
		line := fmt.Sprintf("answers have %s on average in the log, and %s in the load, headers included",
			units.Bytes(f.AnswerBytes), units.Bytes(mean))
		if mean > 2*f.AnswerBytes+usualHead {
			line += "; if production packs them, ask for it: -H 'Accept-Encoding: gzip'"
		}
		lines = append(lines, line)
	}
	if times := float64(answered) / float64(max(1, f.Kept)); times >= 2 {
		lines = append(lines,
			fmt.Sprintf("the load went through the log %.0f times: what production asks for once came again, and caches answer more of it; a longer log or a lower --rate shows whether that matters", math.Floor(times)))
	}
	return lines
}

// OpenFor is the rate of an open loop that lasts so many seconds: the log's, or a higher one that makes enough
// requests. Not ok: at that rate more requests would be under way than in the log, and the program would hardly ever be
// idle between them.
func (f *Fit) OpenFor(seconds float64) (rateHz float64, ok bool) {
	least := leastRequests / seconds
	if f.RateHz >= least {
		return f.RateHz, true
	}
	mean := usualSeconds
	if f.AtOnce >= 0 {
		mean = f.AtOnce / f.RateHz
	}
	return least, least*mean <= max(f.AtOnce, mostlyIdle)
}

// Scattered says that requests came as by chance, or in bursts, and not evenly.
func (f *Fit) Scattered() bool { return f.Dispersion > 0.5 }

// ShortLived is after how many requests a connection is closed, as the log's are; 0: after so many that it costs
// little, or the log does not say it.
func (f *Fit) ShortLived() uint64 {
	if f.PerConnection == 0 || f.PerConnection >= longLived {
		return 0
	}
	return uint64(max(1, math.Round(f.PerConnection)))
}
