package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/gohone/hone/bench/results"
)

// readPublic reads the section that is written by hand; none if there is no such file.
func readPublic(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the section on public services: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// write makes the document from the records.
func write(w io.Writer, records []record, public string) {
	some := last(records)
	fmt.Fprint(w, head)
	results.Origin(w, joined(records))
	fmt.Fprint(w, "\nOf a trial that several sessions measured, the last result counts. A version without a number does not say\n"+
		"whether hone was built anew between sessions.\n")
	writeGoals(w, some)
	writeTable(w, some)
	writeControls(w, some)
	writeCosts(w, some)
	writeMisses(w, some)
	if public != "" {
		fmt.Fprintf(w, "\n%s\n", public)
	}
}

// joined leaves out the heads of sessions that only went on where the one before was interrupted.
func joined(records []record) (some []record) {
	var last *results.Session
	for _, r := range records {
		if s := r.Session; s != nil {
			if last != nil && s.Command == last.Command && s.Hone == last.Hone {
				continue
			}
			last = s
		}
		some = append(some, r)
	}
	return some
}

const head = `# hone tail on services whose causes are known

Made by ` + "`make tail`" + ` (bench/tail) from its results. Each service has one planted cause of its slow requests or
of its typical ones, two, or none. It stamps the time around the planted statement and around the whole handler of every
request during the trace. At the end it writes the mean of both for the typical requests (45th to 55th percentile of the
time in the handler) and for the slow ones (from the 99th on).

Each is loaded by ` + "`hone run`" + ` in an open loop, at a low rate and at 60 % of what it reaches in a closed loop
(at most 2,000 per second). Then ` + "`hone tail RUN --json`" + ` is judged:

- **first** is right if hone's first cause has the state, the function and the line of the planted statement. The
  collector needs no line: its own worker has none. For a service whose typical request waits, it is the largest part
  of the typical request. Where two causes are planted, both have to be the first two. In errgroup and singleflight,
  which wait for goroutines that wait for a backend, the wait may be called a channel, a lock or the network.
- **share** is the planted statement's share of the time between a typical and a slow request (or of the typical
  request), by hone and by the service's own stamps. hone's has all that it found at that line, in any state, and all
  that waited for it, because stamps do not tell the one from the other. The stamps' is of the latency that the client
  saw, or of the time in the handler if that is longer.
- **holder** says whether hone named the statement that kept the resource meanwhile.
- **not explained** is hone's own figure for the judged request.
- A measurement is **disturbed** if the handlers of the slow requests saw less than three quarters of the time that the
  client saw: the machine or the generator stood still meanwhile. It is taken again, up to twice, whatever hone says.
- A control fails if a lock, a channel, the network or a sleep has 10 % or more of the difference.

`

// score adds up what the goals are about.
type score struct {
	first, shares, controls results.Share
}

func add(s *results.Share, ok bool) {
	s.N++
	if ok {
		s.Of++
	}
}

func scoreOf(some []record) (s score) {
	for _, r := range some {
		if shapeOf(r) == control {
			add(&s.controls, r.Judgement.Right)
			continue
		}
		add(&s.first, r.Judgement.Right)
		for _, one := range r.Judgement.Shares {
			add(&s.shares, one.held())
		}
	}
	return s
}

// shapeOf is that of a record's trial; last knows only records of trials.
func shapeOf(r record) shape {
	for _, t := range trials {
		if t.name() == r.Trial {
			return t.Shape
		}
	}
	return someSlow
}

func writeGoals(w io.Writer, some []record) {
	s := scoreOf(some)
	fmt.Fprint(w, "\n## Goals\n\nIn brackets: 95 % intervals (Wilson). ")
	fmt.Fprintf(w, "There are %d trials at %d rates; %d of these %d are measured.\n\n", len(trials), len(paces), len(some),
		len(trials)*len(paces))
	results.TableHead(w, "goal", "measured", "")
	row := func(goal string, s results.Share, least float64) { results.TableRow(w, goal, of(s), verdict(s, least)) }
	row(fmt.Sprintf("first cause right in at least %.0f %%", 100*rightGoal), s.first, rightGoal)
	row(fmt.Sprintf("every share within %.0f points of the stamps", 100*shareGoal), s.shares, 1)
	row("no cause in any control", s.controls, 1)
}

func of(s results.Share) string {
	if s.N == 0 {
		return "-"
	}
	low, high := s.Wilson()
	return fmt.Sprintf("%d of %d, %.0f %% (%.0f ... %.0f)", s.Of, s.N, 100*s.Value(), 100*low, 100*high)
}

func verdict(s results.Share, goal float64) string {
	switch {
	case s.N == 0:
		return "not measured"
	case s.Value() >= goal:
		return "held"
	}
	return "missed"
}

func writeTable(w io.Writer, some []record) {
	fmt.Fprint(w, "\n## Services with a cause\n\n")
	results.TableHead(w, "trial", "rate, 1/s", "typical", "slow", "planted", "first", "share: hone, stamps", "holder",
		"not explained")
	for _, r := range some {
		if shapeOf(r) == control {
			continue
		}
		j := r.Judgement
		results.TableRow(w, named(r), rate(r), latency(r, "typical"), latency(r, "slow"), "`"+j.Planted+"`", word(j.Right),
			shares(j.Shares), holder(j.Behind), percent(j.Unexplained))
	}
	fmt.Fprint(w, "\nNo share stands where the service cannot stamp its cause: requests wait before the handler begins.\n")
}

func writeControls(w io.Writer, some []record) {
	fmt.Fprint(w, "\n## Controls\n\n")
	results.TableHead(w, "trial", "rate, 1/s", "typical", "slow", "none named", "largest", "not explained")
	for _, r := range some {
		if shapeOf(r) != control {
			continue
		}
		j := r.Judgement
		largest := "-"
		if j.Named != "" {
			largest = "`" + j.Named + "`"
		}
		results.TableRow(w, named(r), rate(r), latency(r, "typical"), latency(r, "slow"), word(j.Right), largest,
			percent(j.Unexplained))
	}
}

// writeMisses shows what hone said where it was wrong.
func writeMisses(w io.Writer, some []record) {
	wrong := 0
	for _, r := range some {
		if r.Judgement.Right {
			continue
		}
		if wrong++; wrong == 1 {
			fmt.Fprint(w, "\n## What was wrong\n")
		}
		fmt.Fprintf(w, "\n%s at %s per second: %s. hone said:\n\n```\n", r.Trial, rate(r), r.Judgement.Why)
		for _, c := range r.Digest.Causes {
			fmt.Fprintf(w, "%5.1f %% %8v  %v\n", 100*c.Share, duration(c.Nanos), c.place)
		}
		fmt.Fprintln(w, "```")
	}
}

func named(r record) string {
	text := r.Trial
	if r.Disturbed {
		text += " (disturbed)"
	}
	if r.Invalid {
		text += " (hone distrusts the run)"
	}
	return text
}

func rate(r record) string { return fmt.Sprintf("%.0f", r.RateHz) }

func latency(r record, name string) string { return duration(r.Digest.cohort(name).Latency).String() }

func percent(fraction float64) string { return fmt.Sprintf("%.0f %%", 100*fraction) }

func word(right bool) string {
	if right {
		return "right"
	}
	return "**wrong**"
}

func holder(named *bool) string {
	if named == nil {
		return "-"
	}
	return map[bool]string{true: "named", false: "not named"}[*named]
}

func shares(all []share) string {
	text := ""
	for _, s := range all {
		if text != "" {
			text += "; "
		}
		text += percent(s.Hone) + ", " + percent(s.Truth)
		if !s.held() {
			text += " **off**"
		}
	}
	if text == "" {
		return "-"
	}
	return text
}
