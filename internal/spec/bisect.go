package spec

// Bisect is what hone bisect is asked for besides what hone compare and hone bench are.
type Bisect struct {
	// Measure is the key of what is followed; empty: what differs most.
	Measure string
	// FirstParent leaves a merge as it is, instead of searching among the commits that it brought.
	FirstParent bool
	// All finds each step instead of the largest one.
	All bool
	// Every compares each n-th commit before the search begins, so that steps that cancel out are seen, too; 0 compares
	// none.
	Every int
	// Resume goes on with the latest search, Replay with that of a file.
	Resume bool
	Replay string
	// Module searches among the versions of a module.
	Module string
}

var bisectRows = []Row{
	{Name: "measure", Group: OfBench, For: ForBisect, Flag: always, Is: First, ForAgent: &ForAgent{},
		Help: "follow this `MEASURE`: cpu, rate, p50, p99, allocs, bytes; of benchmarks time, cpu, bytes, allocs (default: what differs most)",
		To:   func(s *Spec) any { return &s.Bisect.Measure }},
	{Name: "all", Group: OfBench, For: ForBisect, Flag: always, Is: First, ForAgent: &ForAgent{},
		Help: "find each commit that changed the measure, not only the one that changed it most",
		To:   func(s *Spec) any { return &s.Bisect.All }},
	{Name: "every", Group: OfBench, For: ForBisect, Flag: always, Is: First,
		Help: "compare each `N`-th commit first, to see steps that were taken back, too",
		To:   func(s *Spec) any { return &s.Bisect.Every }},
	{Name: "first-parent", Group: OfBench, For: ForBisect, Flag: always, Is: First,
		Help: "leave a merge as the answer, without a search among the commits that it brought",
		To:   func(s *Spec) any { return &s.Bisect.FirstParent }},
	{Name: "module", Group: OfBench, For: ForBisect, Flag: always, Is: First,
		Help: "search among the versions of a `MODULE` that the program requires: GOOD and BAD are versions of it",
		To:   func(s *Spec) any { return &s.Bisect.Module }},
	{Name: "resume", Group: OfBench, For: ForBisect, Flag: always, Is: First | NotInPlans, ForAgent: &ForAgent{},
		Help: "go on with the latest search of these ends, with what it found out before it was interrupted",
		To:   func(s *Spec) any { return &s.Bisect.Resume }},
	{Name: "replay", Group: OfBench, For: ForBisect, Flag: always, Is: NotInPlans,
		Help: "begin with what a `FILE` says that hone bisect or git bisect log has written",
		To:   func(s *Spec) any { return &s.Bisect.Replay }},
}
