package spec

// Track is where the series of a repository is kept, and which one of it.
type Track struct {
	// Store is a directory, branch:NAME, or s3://BUCKET/PREFIX.
	Store string
	// Branch is the tracked branch; empty for the one that is checked out.
	Branch string
	// Import are files of results that other tools measured: they are added, and nothing is measured.
	Import []string
	// New shows what the last tracked commit has changed, as Markdown.
	New bool
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
	{Name: "new", Group: OfShown, For: ForHistory, Flag: always, Is: First | NotInPlans,
		Help: "list, as Markdown, the steps of the series that the last tracked commit has shown, with the owners of the code",
		To:   func(s *Spec) any { return &s.Track.New }},
	{Name: "post", Group: OfShown, For: ForHistory, Flag: always, Is: First | NotInPlans,
		Help: "with --new, also send it to a webhook at this `URL`: Slack's, or one that takes JSON with text and steps",
		To:   func(s *Spec) any { return &s.Track.Post }},
	{Name: "html", Group: OfShown, For: ForHistory, Flag: always, Is: First | NotInPlans,
		Help: "write a page of all series into `DIR`/index.html: one file that needs no server",
		To:   func(s *Spec) any { return &s.Track.HTML }},
}
