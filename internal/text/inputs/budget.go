package inputs

import (
	"context"
	"io"
	"time"
)

// Budget is the most that one reader spends on the bytes of a stranger. Bytes has to be set; Values and Depth of 0
// bound nothing.
type Budget struct {
	// Bytes bounds what is read, counted after it was unpacked. Its names and its next step are those of all errors.
	Bytes Bound
	// Values bounds what is made of the bytes, in the unit of this bound: values, names, objects.
	Values Bound
	// Depth is how many levels of parts may lie in each other.
	Depth int64
	// Within is the longest time; 0: DefaultWithin.
	Within time.Duration
}

// DefaultWithin is the longest time of a reader that has no bound of its own. The largest inputs of the table take less
// than that.
const DefaultWithin = 10 * time.Minute

// Meter counts what one reader has spent of its budget. It belongs to one goroutine. Each of its errors is a *TooLarge,
// or wraps the cause of the context that ended: Ctrl-C ends the reader.
type Meter struct {
	budget Budget
	name   string
	ctx    context.Context
	until  time.Time
	bytes  int64 // that all readers of the meter may still pass on
	values int64 // that were counted
	depth  int64 // that was entered, and not left
	calls  uint  // of Spend
}

// Start begins to count. The name is that of the file or the address, "" for none.
func (b Budget) Start(ctx context.Context, name string) *Meter {
	if b.Within == 0 {
		b.Within = DefaultWithin
	}
	return &Meter{budget: b, name: name, ctx: ctx, until: time.Now().Add(b.Within), bytes: b.Bytes.Most}
}

// Err says whether the time is over, or the user has stopped hone. A loop without reads asks it now and then.
func (m *Meter) Err() error {
	switch {
	case m.ctx.Err() != nil:
		return context.Cause(m.ctx)
	case time.Now().After(m.until):
		return m.over(int64(m.budget.Within/time.Second), Seconds)
	}
	return nil
}

// timeEvery is after how many values the clock is read.
const timeEvery = 1 << 10

// Spend counts n values more.
func (m *Meter) Spend(n int) error {
	if m.values += int64(n); m.budget.Values.Most > 0 && m.values > m.budget.Values.Most {
		return m.over(m.budget.Values.Most, m.budget.Values.Unit)
	}
	if m.calls++; m.calls%timeEvery == 0 {
		return m.Err()
	}
	return nil
}

// Enter goes one level deeper, which Leave takes back.
func (m *Meter) Enter() error {
	if m.depth++; m.budget.Depth > 0 && m.depth > m.budget.Depth {
		return m.over(m.budget.Depth, Levels)
	}
	return nil
}

// Leave takes back Enter.
func (m *Meter) Leave() { m.depth-- }

// Reader passes on what r has, up to the bytes that the budget has left for all readers of the meter together. Each
// Read looks at the time.
func (m *Meter) Reader(r io.Reader) io.Reader {
	return &meteredReader{m, reader{bound: m.budget.Bytes, name: m.name, r: r, left: &m.bytes}}
}

type meteredReader struct {
	m *Meter
	reader
}

func (r *meteredReader) Read(p []byte) (int, error) {
	if err := r.m.Err(); err != nil {
		return 0, err
	}
	return r.reader.Read(p)
}

func (m *Meter) over(most int64, unit Unit) error {
	b := m.budget.Bytes
	b.Most, b.Unit = most, unit
	return b.Beyond(m.name)
}
