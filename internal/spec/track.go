package spec

// Track is where the series of a repository is kept, and which one of it.
type Track struct {
	// Store is a directory, or branch:NAME.
	Store string
	// Branch is the tracked branch; empty for the one that is checked out.
	Branch string
}

var trackRows = []Row{
	{Name: "store", Group: OfBench, For: ForTrack | ForHistory, Flag: always, Is: First | NotInPlans, Default: "branch:hone-series",
		Help: "`PLACE` of the series: a directory, or branch:NAME, a branch of this repository",
		To:   func(s *Spec) any { return &s.Track.Store }},
	{Name: "branch", Group: OfBench, For: ForTrack | ForHistory, Flag: always, Is: First | NotInPlans,
		Help: "`BRANCH` whose series goes on (default: the one that is checked out, or that the CI job names)",
		To:   func(s *Spec) any { return &s.Track.Branch }},
}
