package page

import (
	"slices"
	"time"

	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/store/record"
)

// memoryIn is the account of memory over time: its parts on top of each other, then what is not accounted for, and the
// resident memory as a line that the areas add up to. An interval shows the moment in it that had most in memory: parts
// of different moments would not add up. It is empty where nothing was read, or in a program without the probe.
func memoryIn(moments []record.Moment, intervals []interval) []TimeSeries {
	accounts := make([]*memory.Account, len(intervals))
	in := &momentsOf{moments: moments}
	for i := range intervals {
		var most *record.Moment
		in.overlap(&intervals[i], func(m *record.Moment, _ time.Duration) {
			if m.Memory != nil && (most == nil || m.Memory.Resident > most.Memory.Resident) {
				most = m
			}
		})
		if most != nil {
			accounts[i] = most.Account()
		}
	}
	if !slices.ContainsFunc(accounts, func(a *memory.Account) bool { return a != nil }) {
		return nil
	}
	var all []TimeSeries
	add := func(name string, stacked bool, of func(a *memory.Account) uint64) {
		s := TimeSeries{Name: name, Group: "memory", Unit: "B", Stacked: stacked, Values: make([]*float64, len(accounts))}
		some := false
		for i, a := range accounts {
			if a != nil {
				n := of(a)
				s.Values[i], some = number(float64(n)), some || n > 0
			}
		}
		if some {
			all = append(all, s)
		}
	}
	for _, name := range memory.OverTime {
		add(name, true, func(a *memory.Account) uint64 {
			if p := a.Part(name); p != nil {
				return p.Bytes
			}
			return 0
		})
	}
	add("not accounted for (C memory, variables)", true, func(a *memory.Account) uint64 { return a.Unaccounted })
	add("resident (RSS)", false, func(a *memory.Account) uint64 { return a.Resident })
	return all
}
