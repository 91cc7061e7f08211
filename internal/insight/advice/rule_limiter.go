package advice

import (
	"fmt"
	"path"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

var rateLimited = &Rule{
	Name: "rate-limited", Title: "a wait for a limiter of the program's own",
	Looks: "time that requests wait for a limiter of a library, a ticker, a channel of tokens, or a sleep until a time: " +
		"what keeps a rate, as the source says",
	Thresholds: latencyThreshold,
	Remedy: Remedy{
		Change: "This wait is by design: the limiter lets so many pass in a second, and no work is done meanwhile. Ask " +
			"whether the rate is still what is behind it can take. If it is, answer at once when it is used up (Allow, 429), " +
			"or put the work into a queue and answer before it is done.",
		Before: "limiter.Wait(ctx)",
		After:  "if !limiter.Allow() {\n\thttp.Error(w, \"try again\", http.StatusTooManyRequests)\n\treturn\n}",
	},
	Find: func(v *search, r *Rule) []*found {
		var all []*found
		for _, behind := range []bool{false, true} {
			of := map[code.Place]*code.Limiter{}
			for _, f := range v.waitsAt(r, behind, func(w facts.Wait) string {
				l := v.limits(w)
				if l == nil || behind != (v.LimiterOf(w.Own) == nil) {
					return ""
				}
				of[w.Place(behind)] = l
				return "requests wait for a rate limiter: " + l.Name
			}) {
				all = v.withLimiter(all, f, of[f.Place])
			}
		}
		return all
	},
}

// twiceLimited is for a limiter for which one request waits twice.
var twiceLimited = Remedy{
	Change: "Each wait takes a turn of the limiter, so that requests get half of the rate that it is set to. Wait in " +
		"one place, as near to what is limited as can be, and take the other wait out.",
	Before: "func (c *client) Get(ctx context.Context) { c.limit.Wait(ctx); c.send(ctx) }\n" +
		"func (c *client) send(ctx context.Context) { c.limit.Wait(ctx); ... }",
	After: "func (c *client) Get(ctx context.Context) { c.send(ctx) }\n" +
		"func (c *client) send(ctx context.Context) { c.limit.Wait(ctx); ... }",
}

// limits is the limiter for which requests wait, at once or by way of another goroutine that waits for it: who holds a
// lock, or does the work. nil if there is none.
func (v *search) limits(w facts.Wait) *code.Limiter {
	if l := v.LimiterOf(w.Own); l != nil || w.Behind == nil {
		return l
	}
	if w.Own.State == walltime.Channel && w.Behind.State == walltime.Channel {
		return nil // a pipeline, whose pace is not known
	}
	return v.LimiterOf(*w.Behind)
}

// withLimiter adds a finding of a wait for a limiter to those before it: waits of the same requests for one limiter, at
// several lines, are one finding.
func (v *search) withLimiter(all []*found, f *found, l *code.Limiter) []*found {
	for _, old := range all {
		if l.Variable != nil && old.limiter == l.Variable && old.Share() == f.Share() {
			old.Evidence = append(old.Evidence, Evidence{Source: "also", Text: f.Place.String() + ": " + f.also()})
			old.Cost, old.Gain = min(1, old.Cost+f.Cost), min(1, old.Gain+f.Gain)
			old.Lines = append(old.Lines, f.Lines...)
			return all
		}
	}
	f.limiter = l.Variable
	v.aboutLimiter(f, l)
	return append(all, f)
}

// aboutLimiter adds to a finding of a limiter what the source says of it.
func (v *search) aboutLimiter(f *found, l *code.Limiter) {
	file := v.File(f.Place.File)
	for i, made := range file.MadeOf(l.Pace) {
		word := "its rate: "
		if i > 0 {
			word = "called or set by "
		}
		text := word + made.Text + ", " + lineOfFile(made.Place)
		f.Evidence = append(f.Evidence, Evidence{Source: "source", Text: text})
	}
	passes, twice := file.Passes(l, int(f.Place.Line))
	var at []string
	for _, p := range passes {
		at = append(at, lineOfFile(p))
	}
	switch lines := strings.Join(at, " and "); {
	case twice:
		f.Title = fmt.Sprintf("each request waits twice for the same rate limiter: %s", l.Name)
		f.Remedy = twiceLimited
		f.Evidence = append(f.Evidence, Evidence{Source: "source",
			Text: "one request passes it in " + lines + ", by calls from one to the other"})
	case len(at) > 1:
		f.Evidence = append(f.Evidence, Evidence{Source: "source",
			Text: "it is passed in " + lines + ": a request that comes by several of them takes several turns"})
	}
	if file.InLoop(int(f.Place.Line)) {
		if _, overData := file.DataLoop(int(f.Place.Line)); overData {
			f.Title += ", for each element of a loop"
		}
	}
}

func lineOfFile(p code.Place) string { return fmt.Sprintf("%s:%d", path.Base(p.File), p.Line) }
