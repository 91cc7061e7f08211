package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

var smallPool = &Rule{
	Name: "small-pool", Title: "a pool of connections or workers that is too small",
	Looks: "time that requests wait for a connection of database/sql or net/http, or for a slot or a worker, while " +
		"others have them", Thresholds: latencyThreshold,
	Remedy: Remedy{
		Change: "Let as many be in use as requests come at the same time and what is behind them takes: the length of the " +
			"semaphore, the number of workers. If what is behind them is the limit, a queue in front of it is right, and then " +
			"its length is to be bounded.",
		Before: "slots := make(chan struct{}, 2)",
		After:  "slots := make(chan struct{}, 32)",
	},
	Find: func(v *search, r *Rule) []*found {
		all := v.waitsAt(r, false, func(w facts.Wait) string {
			if !v.queues(w) || v.limits(w) != nil || v.foundIn(w.Own.Function, "client-per-call") {
				return ""
			}
			text := "requests wait for " + poolOf(w).what
			if w.Own.Limit > 0 {
				text += fmt.Sprintf(" (MaxOpenConns is %d)", w.Own.Limit)
			}
			if b := w.Behind; b != nil && poolOf(w).in == "database/sql" && b.Function != "" &&
				!strings.HasPrefix(b.Outer, "database/sql.") {
				text += ", which is held across " + facts.Short(b.Function)
			}
			return text
		})
		for _, f := range all {
			for _, p := range pools {
				if strings.HasPrefix(f.Title, "requests wait for "+p.what) && p.Change != "" {
					f.Remedy = p.Remedy
				}
			}
		}
		return all
	},
}

// transportPool waits for a connection: for a new one, or for one that others have.
const transportPool = "net/http.(*Transport).getConn"

// slotTakers are functions of libraries that wait for a slot of the user's.
var slotTakers = []string{"runtime.*", "sync.*", "internal/sync.*", "golang.org/x/sync/*", "context.*", "reflect.*",
	"github.com/jackc/puddle/*", "github.com/panjf2000/ants/*", "github.com/alitto/pond/*"}

// pool is a kind of pool, by the package whose functions wait for it.
type pool struct {
	in, what string
	Remedy
}

var pools = []pool{
	{
		in: "database/sql", what: "a connection of the pool of database/sql",
		Remedy: Remedy{
			Change: "Let as many be in use as requests come at the same time and the database takes, and keep them: " +
				"db.SetMaxOpenConns and SetMaxIdleConns. Do other work, such as a call of another service, before a transaction " +
				"or after it: meanwhile it holds its connection. A database that is a file, such as SQLite, takes one writer at " +
				"a time: shorter transactions help there, and a pool of its own for readers.",
			Before: "db.SetMaxOpenConns(2)",
			After:  "db.SetMaxOpenConns(32)\ndb.SetMaxIdleConns(32)",
		},
	},
	{
		in: transportPool, what: "a connection of net/http's transport",
		Remedy: Remedy{
			Change: "Let as many be in use as requests come at the same time and the backend takes, and keep them: " +
				"MaxConnsPerHost (0 means any number) and MaxIdleConnsPerHost of the http.Transport.",
			Before: "&http.Transport{MaxConnsPerHost: 2}",
			After:  "&http.Transport{MaxConnsPerHost: 64, MaxIdleConnsPerHost: 64}",
		},
	},
	{what: "a free slot"},
}

func poolOf(w facts.Wait) pool {
	for _, p := range pools {
		if strings.Contains(w.Own.Library+" "+w.Own.Outer, p.in) {
			return p
		}
	}
	return pools[len(pools)-1]
}

// queues says whether a wait is for something that other requests have: a channel or a condition of the user's, or a
// pool of a library, while the other goroutine works for another request. A channel that the request itself made is for
// an answer.
func (v *search) queues(w facts.Wait) bool {
	if w.Own.State != walltime.Channel || w.Own.Function == "" {
		return false
	}
	switch poolOf(w).in {
	case "":
	case transportPool:
		return v.SetsField("MaxConnsPerHost") // else it waits until a connection is there, however long that takes
	default:
		return true
	}
	if l := (&facts.Frame{Function: w.Own.Library}); l.Function != "" && !l.Is(slotTakers...) {
		return false // a channel of the library's own
	}
	if w.Behind == nil || strings.Contains(w.Own.Library+w.Own.Outer, "singleflight") ||
		v.File(w.Own.File).WaitsForReply(w.Own.Line) {
		return false
	}
	switch w.Behind.State {
	case walltime.Network, walltime.Sleep, walltime.Channel:
		return w.Behind.Function != w.Own.Function || w.Behind.Line != w.Own.Line
	}
	return false
}
