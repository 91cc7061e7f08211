package model

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// The parts of memory that changed are a why where memory changed, and nothing else.
func TestWhyMemory(t *testing.T) {
	contest := func(word judge.Word, caveats ...record.Caveat) record.Contest {
		return record.Contest{
			Caveats:  caveats,
			Verdicts: []judge.Verdict{{Measure: measure.Resident, Word: word, A: 50e6, B: 95e6, Ratio: 1.9}},
			WhyMemory: []memory.Change{{Name: memory.LiveHeap, A: 20e6, B: 60e6}, {Name: memory.Stacks, A: 1e6, B: 7e6},
				{Name: memory.FreeSpans, A: 9e6, B: 2e6}},
		}
	}
	want := []string{"why resident memory: live heap 20.0 MB -> 60.0 MB: +40.0 of +45.0 MB",
		"why resident memory: goroutine stacks 1.00 MB -> 7.00 MB: +6.00 of +45.0 MB"}
	for name, c := range map[string]struct {
		record.Contest
		want []string
	}{
		"different": {contest(judge.Slower), want},
		"undecided": {contest(judge.Undecided), nil},
		"a caveat":  {contest(judge.Undecided, record.Caveat{Name: record.CaveatMemory}), want},
		"unknown":   {record.Contest{}, nil},
	} {
		if got := whyMemory(c.Contest); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A run has a row with the largest parts. Names of a stranger's document have no control characters.
func TestMemoryRow(t *testing.T) {
	var r record.Run
	if rows := memoryRows(r); rows != nil {
		t.Errorf("%+v", rows)
	}
	r.ID = "4f2a"
	r.Memory = &memory.Account{Resident: 100e6, Unaccounted: 3e6, Parts: []memory.Part{
		{Name: memory.LiveHeap, Bytes: 60e6}, {Name: "\x1b[31mgarbage", Bytes: 35e6}, {Name: memory.Binary, Bytes: 2e6}}}
	rows := memoryRows(r)
	if len(rows) != 1 || rows[0].Text != "live heap 60 %, \\u001b[31mgarbage 35 %, not accounted for 3.0 %" ||
		rows[0].Note != "hone profile memory 4f2a" {
		t.Errorf("%q", rows)
	}
}
