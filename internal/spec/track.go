package spec

import "time"

// Track is where the series of a repository is kept, and which one of it.
type Track struct {
	// Store is a directory, branch:NAME, or s3://BUCKET/PREFIX.
	Store string
	// Branch is the tracked branch; empty for the one that is checked out.
	Branch string
	// Import are files of results that other tools measured: they are added, and nothing is measured.
	Import []string
	// Confirm is how long new steps may be measured again after the comparison; 0: not at all.
	Confirm time.Duration
	// New shows what the last tracked commit has changed, as Markdown.
	New bool
	// Once marks what New has shown in the store: nobody is told of it again.
	Once bool
	// Post is a webhook that gets what is new.
	Post string
	// HTML is a directory that gets a page of all series.
	HTML string
}

var trackRows = []Row{
	{Name: "store", Group: OfBench, For: ForTrack | ForHistory, Flag: always, Is: First | NotInPlans, Default: "branch:hone-series",
		Help: "`PLACE` of the series: branch:NAME, a branch of this repository; a directory; s3://BUCKET/PREFIX",
		To:   func(s *Spec) any { return &s.Track.Store }},
	{Name: "branch", Group: OfBench, For: ForTrack | ForHistory, Flag: always, Is: First | NotInPlans,
		Help: "`BRANCH` whose series goes on (default: the one that is checked out, or that the CI job names)",
		To:   func(s *Spec) any { return &s.Track.Branch }},
	{Name: "bench", Group: OfShown, For: ForHistory, Flag: always, Is: First,
		Help: "show the series of these benchmarks, or services, that hone track keeps: a `REGEXP` for their names, with the package",
		To:   func(s *Spec) any { return &s.Bench.Pattern }},
	{Name: "import", Group: OfBench, For: ForTrack, Flag: always, Is: First | NotInPlans,
		Help: "add the results of other tools in this `FILE`, and measure nothing (repeatable): data.js of github-action-benchmark, " +
			"JSON of Bencher, go test -bench\nA file of one commit has its hash in its name, or in a line commit: HASH.",
		To: func(s *Spec) any { return &s.Track.Import }},
	{Name: "confirm", Group: OfBench, For: ForTrack, Flag: always, Is: First | NotInPlans, Default: "10m0s",
		Help: "time for new steps: measure their commits again, and search for the one that made them; 0 for none",
		To:   func(s *Spec) any { return &s.Track.Confirm }},
	{Name: "new", Group: OfShown, For: ForHistory, Flag: always, Is: First | NotInPlans,
		Help: "list, as Markdown, the steps of the series that nobody was told of yet, with the owners of the code",
		To:   func(s *Spec) any { return &s.Track.New }},
	{Name: "once", Group: OfShown, For: ForHistory, Flag: always, Is: First | NotInPlans,
		Help: "with --new, mark in the store what was listed, so that it is not listed again: for jobs",
		To:   func(s *Spec) any { return &s.Track.Once }},
	{Name: "post", Group: OfShown, For: ForHistory, Flag: always, Is: First | NotInPlans,
		Help: "with --new, also send it to a webhook at this `URL`: Slack's, or one that takes JSON with text and steps",
		To:   func(s *Spec) any { return &s.Track.Post }},
	{Name: "html", Group: OfShown, For: ForHistory, Flag: always, Is: First | NotInPlans,
		Help: "write a page of all series into `DIR`/index.html: one file that needs no server",
		To:   func(s *Spec) any { return &s.Track.HTML }},
}
