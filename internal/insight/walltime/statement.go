package walltime

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/gohone/hone/internal/program/sqltrace"
)

// Statement is what requests of a cohort spend on one statement of SQL at one line of the user's: in calls of the
// driver, and in waits for rows. What other goroutines do counts where the request started them: their calls, and their
// time while it waits for them.
type Statement struct {
	// Text has no values (package statement). A statement that is only prepared begins with PREPARE.
	Text string `json:"text"`
	// Function, File and Line are the innermost frame of the user's module that called; Function is empty if there is
	// none.
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	// Nanos and Calls are means of all requests of the cohort whose work was found in the trace, Queued the part of
	// Nanos in which they waited for a processor.
	Nanos  float64 `json:"ns"`
	Queued float64 `json:"queued_ns,omitempty"`
	Calls  float64 `json:"calls"`
	// Requests is how many of them call it, 0 in digests of an earlier hone; Most is the most calls in one of them.
	Requests int `json:"requests,omitempty"`
	Most     int `json:"most_calls"`
	// Quick is the time of a call that is faster than nine of ten in the trace, with its waits for rows but without
	// what so many rows take (perRow): what the database does until it has them, where no other call is in its way.
	Quick float64 `json:"quick_ns"`
	// Inside says that no call waited for the network: the database runs in the program.
	Inside bool `json:"inside,omitempty"`
	// Transaction is what the transactions do that the statement begins; nil of others, and where none writes.
	Transaction *Transaction `json:"transaction,omitempty"`
}

// perRow is what a row takes at most that an index finds, in nanoseconds, decoded and sent over the network.
const perRow = 20e3

// workID names a statement at a stack; 0 stands for no statement.
type workID int32

// work is a statement at a stack.
type work struct {
	text  string
	stack stackID
}

// worked is a stretch of time in which a goroutine worked on a statement.
type worked struct {
	from, to int64
	on       workID
	// rows: it read rows of a call before; count is how many the call had, if this was the last of them and it is
	// known.
	rows  bool
	count int32
}

// works are the statements of a trace, each once for each stack.
type works struct {
	all   []work
	known map[work]workID
	// rows are the statements of the rows that were returned, by their address.
	rows map[string]workID
	// limits are MaxOpenConns of the pools that were waited for, by the stack of the wait.
	limits map[stackID]int
}

func newWorks() *works {
	return &works{all: make([]work, 1), known: map[work]workID{}, rows: map[string]workID{}, limits: map[stackID]int{}}
}

func (w *works) intern(one work) workID {
	id, ok := w.known[one]
	if !ok {
		id = workID(len(w.all))
		w.all = append(w.all, one)
		w.known[one] = id
	}
	return id
}

// callLengths are how long the calls of each statement took, with the waits for their rows, and without what so many
// rows take.
func (h *history) callLengths() map[workID][]int64 {
	all := map[workID][]int64{}
	for i := range h.goroutines {
		last := map[workID]int{}
		for _, one := range h.goroutines[i].worked {
			if one.to == 0 {
				continue
			}
			if at, ok := last[one.on]; ok && one.rows {
				all[one.on][at] = max(0, all[one.on][at]+one.to-one.from-int64(one.count)*perRow)
			} else if !one.rows {
				last[one.on] = len(all[one.on])
				all[one.on] = append(all[one.on], one.to-one.from)
			}
		}
	}
	return all
}

// quick is the tenth percentile of the lengths of some statements.
func quick(lengths map[workID][]int64, of []workID) float64 {
	var all []int64
	for _, on := range of {
		all = append(all, lengths[on]...)
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return float64(all[len(all)/10])
}

// region notes that a goroutine begins or ends work on a statement.
func (r *reader) region(ev trace.Event, t int64) {
	text, ours := strings.CutPrefix(ev.Region().Type, sqltrace.Call)
	if !ours || ev.Goroutine() == trace.NoGoroutine || r.spans >= mostSpans {
		return
	}
	g := &r.goroutines[r.place(ev.Goroutine())]
	if ev.Kind() == trace.EventRegionEnd {
		if g.calling > 0 {
			g.calling--
		}
		if n := len(g.worked); g.calling == 0 && n > 0 {
			g.worked[n-1].to = t
		}
		return
	}
	if g.calling++; g.calling > 1 {
		return // a driver that uses database/sql itself
	}
	if rest, prepared := strings.CutPrefix(ev.Region().Type, sqltrace.Prepare); prepared {
		text = "PREPARE " + rest
	}
	g.worked = append(g.worked, worked{from: t, on: r.works.intern(work{text, r.stacks.intern(ev.Stack())})})
	r.spans++
}

// said notes what database/sql says of rows and pools.
func (r *reader) said(ev trace.Event, t int64) {
	l := ev.Log()
	if ev.Goroutine() == trace.NoGoroutine || r.spans >= mostSpans {
		return
	}
	g := &r.goroutines[r.place(ev.Goroutine())]
	switch l.Category {
	case sqltrace.Rows:
		if n := len(g.worked); n > 0 && g.calling > 0 {
			r.works.rows[l.Message] = g.worked[n-1].on
		}
	case sqltrace.Next:
		rows, rest, _ := strings.Cut(l.Message, " ")
		took, read, _ := strings.Cut(rest, " ")
		nanos, err := strconv.ParseInt(took, 10, 64)
		count, noCount := strconv.ParseUint(read, 10, 31)
		if on := r.works.rows[rows]; on != 0 && err == nil && noCount == nil && nanos > 0 && g.calling == 0 {
			g.worked = append(g.worked, worked{from: max(t-nanos, r.from), to: t, on: on, rows: true,
				count: int32(count)})
			r.spans++
		}
	case sqltrace.Pool:
		if most, err := strconv.Atoi(l.Message); err == nil && most > 0 {
			r.works.limits[r.stacks.intern(ev.Stack())] = most
		}
	}
}

// at is the stretch of work that covers t, or else the next one.
func (g *goroutine) workAt(t int64) int {
	return sort.Search(len(g.worked), func(i int) bool { return g.worked[i].to == 0 || g.worked[i].to > t })
}

// onStatement says what goroutines work on at t, the first that works on something, and until when that holds, to at
// the latest.
func (w *walker) onStatement(by []place, t, to int64) (on workID, until int64) {
	for _, p := range by {
		g := &w.goroutines[p]
		i := g.workAt(t)
		if i == len(g.worked) {
			continue
		}
		one := &g.worked[i]
		if one.from > t {
			to = min(to, one.from)
			continue
		}
		if one.to != 0 {
			to = min(to, one.to)
		}
		return one.on, to
	}
	return 0, to
}

// limit is MaxOpenConns of the pool that is waited for on a stack with these frames, the user's innermost first; 0 if
// it is not known.
func (l *labeller) limit(frames []Frame) int {
	for at, most := range l.works.limits {
		said := l.stacks.framesOf(at)
		if user := l.userFrame(said); slices.Equal(said[user:], frames) {
			return most
		}
	}
	return 0
}

// lastCalls is how many calls before a moment rowsOf looks at: rows are read soon after they were asked for.
const lastCalls = 8

// rowsOf is the statement whose rows a goroutine reads at a stack: waits that are too short to be in the trace by
// themselves. Of its last calls it is the one that shares most callers with the stack; of those the one that the same
// function made, and of those the last.
func (w *walker) rowsOf(g *goroutine, at stackID, t int64) (on workID) {
	most := 0
	next := sort.Search(len(g.worked), func(i int) bool { return g.worked[i].from >= t })
	for i := next - 1; i >= max(0, next-lastCalls); i-- {
		call := w.works.all[g.worked[i].on].stack
		n := 2 * w.stacks.shared(at, call)
		if frames := w.stacks.callers(call); n/2 < len(frames) &&
			strings.HasPrefix(w.stacks.frames[frames[len(frames)-1-n/2]].Function, "database/sql.") {
			n++
		}
		if n > most {
			on, most = g.worked[i].on, n
		}
	}
	return on
}

// countCalls counts the statements that a goroutine began between two moments, and those of goroutines that it started
// meanwhile, and so on, so many deep.
func (w *walker) countCalls(by place, from, to int64, deep int) {
	g := &w.goroutines[by]
	i := sort.Search(len(g.worked), func(i int) bool { return g.worked[i].from >= from })
	for ; i < len(g.worked) && g.worked[i].from < to; i++ {
		if !g.worked[i].rows {
			w.calls[g.worked[i].on]++
		}
	}
	for _, one := range g.wakesIn(from, max(from, to)) {
		if deep > 0 && w.goroutines[one.who].born == one.at {
			w.countCalls(one.who, one.at, to, deep-1)
		}
	}
}

// statements adds up the work of a cohort's requests by text and line.
type statements struct {
	*labeller
	byKey map[Statement]*Statement
	order []*Statement
	works map[*Statement][]workID
	// calls are those of the request under way.
	calls    map[*Statement]int
	idle     map[idleAt]int64
	requests int
}

func newStatements(l *labeller) *statements {
	return &statements{labeller: l, byKey: map[Statement]*Statement{}, works: map[*Statement][]workID{},
		calls: map[*Statement]int{}, idle: map[idleAt]int64{}}
}

func (s *statements) of(on workID) *Statement {
	one := s.labeller.works.all[on]
	c := s.call(one.stack, kindWait)
	key := Statement{Text: one.text, Function: c.Function, File: c.File, Line: c.Line}
	known := s.byKey[key]
	if known == nil {
		known = &Statement{Text: key.Text, Function: key.Function, File: key.File, Line: key.Line, Inside: true}
		s.byKey[key] = known
		s.order = append(s.order, known)
	}
	if !slices.Contains(s.works[known], on) {
		s.works[known] = append(s.works[known], on)
	}
	return known
}

// request adds one request whose work was found.
func (s *statements) request(pieces []piece, calls map[workID]int) {
	s.requests++
	for _, p := range pieces {
		if p.on == 0 {
			continue
		}
		one, nanos := s.of(p.on), float64(p.to-p.from)
		one.Nanos += nanos
		switch s.own(p.chain).kind {
		case kindRunnable:
			one.Queued += nanos
		case kindNetwork:
			one.Inside = false
		}
	}
	s.transactions(pieces)
	clear(s.calls)
	for on, n := range calls {
		s.calls[s.of(on)] += n
	}
	for one, n := range s.calls {
		one.Calls += float64(n)
		one.Requests++
		one.Most = max(one.Most, n)
	}
}

// perRequest are the statements of a request, those that take most first.
func (s *statements) perRequest() (all []Statement) {
	n := float64(s.requests)
	for _, one := range s.order {
		one.Nanos, one.Queued, one.Calls = one.Nanos/n, one.Queued/n, one.Calls/n
		one.Quick = quick(s.lengths, s.works[one])
		one.Inside = one.Inside && one.Nanos > 0
		s.transaction(one, n)
		all = append(all, *one)
	}
	slices.SortFunc(all, func(a, b Statement) int {
		return cmp.Or(cmp.Compare(b.Nanos, a.Nanos), cmp.Compare(a.Text, b.Text), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line))
	})
	return all
}
