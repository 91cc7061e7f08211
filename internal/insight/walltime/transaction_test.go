package walltime

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/sqltrace"
)

func elsewhere(d time.Duration) { time.Sleep(d) }

// Between its first write and its end a transaction holds what it wrote. What comes before the write, statements, the
// COMMIT, and what comes after it do not count as idle.
func TestTransactions(t *testing.T) {
	const ms = time.Millisecond
	h := traced(t, func() {
		call(sqltrace.Call, begin, ms, "")
		call(sqltrace.Call, "SELECT n FROM stock", ms, "")
		elsewhere(30 * ms)
		call(sqltrace.Call, "update stock set n = ?", 5*ms, "")
		elsewhere(10 * ms)
		time.Sleep(2 * ms)
		call(sqltrace.Call, "SELECT n FROM sales", ms, "")
		call(sqltrace.Call, commit, 8*ms, "")
		elsewhere(50 * ms)
		call(sqltrace.Call, "INSERT INTO log VALUES (?)", ms, "") // in none
		elsewhere(50 * ms)
		call(sqltrace.Call, begin, ms, "") // at another line
		elsewhere(50 * ms)
		call(sqltrace.Call, rollback, ms, "")
	})
	var seen int
	for _, s := range ofOneRequest(t, h) {
		one := s.Transaction
		if one == nil {
			continue
		}
		seen++
		if s.Text != begin || one.Wrote != "update stock set n = ?" {
			t.Errorf("%+v wrote %q", s, one.Wrote)
		}
		// a busy machine makes sleeps longer, and never shorter
		if one.Idle < float64(12*ms) || one.Held < one.Idle+float64(6*ms) || one.Held > float64(h.to-h.from)-float64(140*ms) {
			t.Errorf("held %v, idle %v", time.Duration(one.Held), time.Duration(one.Idle))
		}
		if m := one.Meanwhile; m.State != Sleep || m.Line == 0 || !strings.HasSuffix(m.Function, "TestTransactions.func1") &&
			!strings.HasSuffix(m.Function, "elsewhere") {
			t.Errorf("meanwhile %+v", m)
		}
	}
	if seen != 1 {
		t.Errorf("%d statements begin transactions that write", seen)
	}
}
