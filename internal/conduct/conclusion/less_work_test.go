package conclusion

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/record"
)

// habits is what a program does for each request besides answering, in bytes and nanoseconds.
type habits struct {
	written, output, read, stored float64
	cpu, children                 float64
	perSecond                     float64 // bytes that it writes by the clock
	buffer                        float64 // bytes that it writes at once
	flushes                       bool    // what is left of them at its end, too
	late                          bool    // it writes all of them at its end
	left                          float64 // bytes in files at its end
	atStart                       float64 // CPU time before the first request
	grown, shared                 float64 // bytes of memory
	answered                      float64 // in a start; 0 for 10,000
}

// did are six starts of the program that have their noise: of bytes a buffer's, of the clock's, of memory a
// collector's.
func (p habits) did() *timed.Load {
	v := slicesOf(func(s *timed.Sample, _ int) { // as p has it, for 100 answers
		if p.cpu > 0 {
			s.Counters.CPU = time.Duration(100 * p.cpu)
		}
	})
	v.AtOnce = 2
	for i := range 6 {
		n := p.answered
		if n == 0 {
			n = 10_000
		}
		n *= 1 + 0.04*float64(i%3)
		const wall, own = 2 * time.Second, time.Second
		buffered := p.buffer * float64((i*5)%7-3) / 3 // between two moments, one more or less of it
		clock := p.perSecond * wall.Seconds()
		e := &timed.Effects{
			Answered: uint64(n), Wall: wall, Loaded: own, CPU: time.Duration(n * p.cpu),
			Children: time.Duration(n * p.children),
			Timed: timed.BytesMoved{Written: max(0, n*p.written+buffered+clock), Read: n * p.read, Output: n * p.output,
				Stored: n * p.stored},
			Grown:  int64(p.grown + 2e6*float64(i%2)),
			Shared: int64(p.shared) + int64(i)<<12,
		}
		e.Sliced = timed.BytesMoved{Written: n*p.written + n*p.output + clock/2}
		const warmed = 1000
		rest := warmed*p.written - buffered + 50_000 // what hone asks of it
		if p.buffer > 0 && !p.flushes {
			rest -= p.buffer / 2
		}
		if p.late {
			rest += e.Timed.Written
			e.Timed.Written, e.Timed.Stored = 0, 0
		}
		e.Whole = &timed.WholeLife{
			CPU:      e.CPU + time.Duration(warmed*p.cpu+p.atStart) + time.Duration(i%3)*3*time.Millisecond,
			Answered: uint64(n) + warmed,
			Moved: timed.BytesMoved{Written: e.Timed.Written + rest, Output: (n + warmed) * p.output,
				Stored: (n + warmed) * p.stored},
			Left: usage.Files{Count: 1, Bytes: int64((n + warmed) * p.left)},
		}
		v.Effects = append(v.Effects, e)
	}
	v.Effects[5].Whole = nil // it was profiled
	return v
}

// What a variant does less of, or elsewhere, stands beside its verdict, and what only takes less stays plain.
func TestEffects(t *testing.T) {
	audited := habits{written: 104, output: 30, read: 3, stored: 104, left: 104, cpu: 60e3, grown: 2e6}
	with := func(change func(p *habits)) habits {
		p := audited
		change(&p)
		return p
	}
	for _, c := range []struct {
		name string
		a, b habits
		want string // caveats; those of less work have a !
	}{
		// Honest ones.
		{"a faster algorithm", audited, with(func(p *habits) { p.cpu, p.answered = 6e3, 25_000 }), ""},
		{"fewer allocations, in less memory", audited, with(func(p *habits) { p.cpu, p.grown = 50e3, 1e6 }), ""},
		{"writes that are buffered", audited,
			with(func(p *habits) { p.cpu, p.buffer, p.flushes = 50e3, 64<<10, true }), ""},
		{"two requests that share an fsync", with(func(p *habits) { p.stored = 4200 }),
			with(func(p *habits) { p.cpu, p.stored = 50e3, 2000 }),
			record.CaveatDurable + ": it has 52 % fewer bytes on disk when it answers"},
		{"a start that costs 30 ms more, and a third of the work", audited,
			with(func(p *habits) { p.cpu, p.atStart = 20e3, 30e6 }), ""},
		{"a table that is made at the start, and a third of the work", audited,
			with(func(p *habits) { p.cpu, p.atStart = 20e3, 100e6 }),
			record.CaveatOutside + ": it works more outside of its slices (100 ms more"},
		{"a buffer whose end is lost", audited, with(func(p *habits) { p.cpu, p.buffer, p.left = 50e3, 64<<10, 101 }),
			""},
		{"a buffer that is larger than what a start writes", audited,
			with(func(p *habits) { p.cpu, p.late = 50e3, true }), ""},
		{"a cache of answers", audited, with(func(p *habits) { p.cpu, p.grown, p.answered = 20e3, 9e6, 20_000 }), ""},
		{"statistics each second, and twice the requests", habits{perSecond: 40_000, cpu: 60e3},
			habits{perSecond: 40_000, cpu: 30e3, answered: 20_000}, ""},
		{"lines of a log that are shorter by a digit", audited, with(func(p *habits) { p.output = 29.6 }), ""},
		{"a little more at its start", audited, with(func(p *habits) { p.cpu, p.atStart = 50e3, 30e6 }), ""},
		{"bytes that wake the runtime", habits{written: 5, cpu: 60e3}, habits{written: 2, cpu: 50e3}, ""},
		// Less is done.
		{"an audit that is gone", audited, with(func(p *habits) { p.written, p.stored, p.left = 0, 0, 0 }),
			record.CaveatWrites + "!: it writes 100 % fewer bytes to files (0 B per request, A 104 B)"},
		{"an audit without fsync", with(func(p *habits) { p.stored = 4200 }), audited,
			record.CaveatDurable + "!: it has 98 % fewer bytes on disk when it answers"},
		{"an audit without fsync, in a buffer", with(func(p *habits) { p.stored = 4200 }),
			with(func(p *habits) { p.cpu, p.buffer, p.flushes = 50e3, 64<<10, true }),
			record.CaveatDurable + "!: it has 98 % fewer bytes on disk when it answers"},
		{"an audit to nowhere", audited, with(func(p *habits) { p.stored, p.left = 0.4, 0 }),
			record.CaveatStores + "!: it stores 100 % fewer bytes on disk"},
		{"an audit to nowhere, of files in memory", with(func(p *habits) { p.stored = 0 }),
			with(func(p *habits) { p.stored, p.left = 0, 3 }),
			record.CaveatLeaves + "!: it leaves 97 % fewer bytes in its files"},
		{"one record of 20 skipped", audited, with(func(p *habits) {
			p.written, p.stored, p.left = 0.95*104, 0.95*104, 0.95*104
		}), record.CaveatWrites + "!: it writes 5 % fewer bytes to files"},
		{"a batch that is dropped now and then", with(func(p *habits) { p.buffer = 32 << 10 }),
			with(func(p *habits) { p.buffer, p.written = 32<<10, 80 }), record.CaveatWrites + "!: it writes 2"},
		{"an upstream call gone", habits{written: 180, read: 900, cpu: 60e3}, habits{written: 0, read: 0, cpu: 30e3},
			record.CaveatWrites + "!: it writes 100 % fewer bytes to files and other programs"},
		{"four lines of five gone", audited, with(func(p *habits) { p.output = 6 }),
			record.CaveatLogs + "!: it writes 80 % fewer bytes to its output"},
		{"a hook that is not run", with(func(p *habits) { p.children = 500e3 }), audited,
			record.CaveatChildren + "!: its short-lived children use 100 % less CPU time"},
		{"a file that is kept", with(func(p *habits) { p.read = 5000 }), audited,
			record.CaveatReads + ": it reads 100 % fewer bytes"},
		// Or elsewhere.
		{"work before the first slice", audited, with(func(p *habits) { p.cpu, p.atStart = 20e3, 400e6 }),
			record.CaveatOutside + "!: it works more outside of its slices (400 ms more of CPU time in each start " +
				"than A, from exec to exit; counted in, a request costs"},
		{"work that is kept for ever", audited, with(func(p *habits) { p.cpu, p.grown = 20e3, 40e6 }),
			record.CaveatKeeps + ": its memory grows under load (by 38.0 MB more than A's in each start, 3.65 kB per " +
				"request)"},
		{"answers that are kept on the disk", audited, with(func(p *habits) { p.left = 10_000 }),
			record.CaveatFills + ": it leaves more in its files (114 MB"},
		{"files in memory", audited, with(func(p *habits) { p.shared = 600e6 }),
			record.CaveatMemory + ": it takes shared memory (600 MB"},
	} {
		var got []string
		for _, one := range Caveats(c.a.did(), c.b.did(), &record.Contest{}) {
			less := ""
			if one.Open {
				less = "!"
			}
			got = append(got, one.Name+less+": "+one.Text+" ("+one.Detail+")")
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A program that works while the other one is loaded shows by how many of the other's slices lie between two of its
// own: what it does after its own answers is in all.
func TestWorkInTheOtherVariant(t *testing.T) {
	turns := func(of *timed.Load, first bool, idle func(between int) time.Duration) *timed.Load {
		last := 0
		for i := range of.Samples {
			s := &of.Samples[i]
			s.Turn = (i*i/3 + i) % 2 // both orders, and all of their successions
			if !first {
				s.Turn = 1 - s.Turn
			}
			after := 1 - last // slices of the other one after the last of this one
			if between := after + s.Turn; i > 0 {
				s.Idle = idle(between)
			}
			last = s.Turn
		}
		return of
	}
	own := func(between int) time.Duration { return 2 * time.Millisecond }
	serves := func(between int) time.Duration { return own(0) + time.Duration(between)*4*time.Millisecond }
	plain := func(first bool, idle func(int) time.Duration) *timed.Load { return turns(slicesOf(nil), first, idle) }
	if c := otherCaveat(plain(true, serves), plain(false, own)); c == nil ||
		!strings.HasPrefix(c.Detail, "40.0 us of CPU time for each of its requests") {
		t.Errorf("A serves B: %+v", c)
	}
	if c := otherCaveat(plain(true, own), plain(false, own)); c != nil {
		t.Errorf("both work on after their answers: %+v", c)
	}
	if c := otherCaveat(plain(true, serves), plain(false, serves)); c != nil {
		t.Errorf("both work all the time: %+v", c)
	}
}
