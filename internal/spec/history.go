package spec

// History chooses runs of the ledger.
type History struct {
	// Measure is shown by commit; empty: the runs and comparisons.
	Measure string
	// These choose runs, by what their documents say. Empty: any.
	Package, Variant, Commit, Target string
	Status                           []string
	Since, Until                     string
}

// Tail is which slow requests are explained.
type Tail struct {
	// From is a percentile.
	From    string
	Slowest int
	// Seconds is the length of the trace of an address, Module that of the program in it.
	Seconds float64
	Module  string
}

var historyRows = []Row{
	{Name: "measure", Group: OfShown, For: ForHistory, Flag: always, Is: First, ForAgent: &ForAgent{},
		Help: "print this `MEASURE` by commit: cpu, rate, p50, p90, p99, p99.9, allocs, bytes, reads, writes, rss, resident, throttled, start\nAlso what one function costs with all that it calls: allocs(main.work), bytes(main.work), cpu(main.work).",
		To:   func(s *Spec) any { return &s.History.Measure }},
	{Name: "package", Group: OfShown, For: ForHistory, Flag: always, Is: First, ForAgent: &ForAgent{},
		Help: "runs of this `PACKAGE`: its import path or the end of it",
		To:   func(s *Spec) any { return &s.History.Package }},
	{Name: "variant", Group: OfShown, For: ForHistory, Flag: always, Is: First,
		Help: "runs of this `VARIANT`, as it was typed",
		To:   func(s *Spec) any { return &s.History.Variant }},
	{Name: "commit", Group: OfShown, For: ForHistory, Flag: always, Is: First,
		Help: "runs of this `COMMIT`; its first characters are enough",
		To:   func(s *Spec) any { return &s.History.Commit }},
	{Name: "target", Group: OfShown, For: ForHistory, Flag: always, Is: First,
		Help: "runs under this `TARGET`, as it was typed",
		To:   func(s *Spec) any { return &s.History.Target }},
	{Name: "status", Group: OfShown, For: ForHistory, Flag: always, Is: First | Commas,
		Help: "runs in this `STATE`: complete, partial, invalid, interrupted, crashed, running (repeatable)",
		To:   func(s *Spec) any { return &s.History.Status }},
	{Name: "since", Group: OfShown, For: ForHistory, Flag: always, Is: First,
		Help: "runs started since an age or a `DATE`: 2w, 3d, 12h, 2026-11-01",
		To:   func(s *Spec) any { return &s.History.Since }},
	{Name: "until", Group: OfShown, For: ForHistory, Flag: always, Is: First,
		Help: "runs started until then, an age or a `DATE`, which includes the whole day",
		To:   func(s *Spec) any { return &s.History.Until }},
	{Name: "from", Group: OfShown, For: ForTail, Flag: always, Is: First, Default: "p99", ForAgent: &ForAgent{},
		Help: "`PERCENTILE` of latency from which on requests are slow; of a run p90, p95 or p99",
		To:   func(s *Spec) any { return &s.Tail.From }},
	{Name: "slowest", Group: OfShown, For: ForTail, Flag: always, Is: First,
		Help: "also print this many of the slowest requests, moment by moment (of a run up to 10)",
		To:   func(s *Spec) any { return &s.Tail.Slowest }},
	{Name: "seconds", Group: OfShown, For: ForTail, Flag: always, Is: First, Default: "2",
		Help: "length of the trace of an address, 1 to 60",
		To:   func(s *Spec) any { return &s.Tail.Seconds }},
	{Name: "module", Group: OfShown, For: ForTail, Flag: always, Is: First,
		Help: "`PATH` of your module in the trace of an address or a file (default: package main only)\nhone tells its packages from libraries by it.",
		To:   func(s *Spec) any { return &s.Tail.Module }},
}
