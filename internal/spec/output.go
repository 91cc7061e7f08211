package spec

// Output is what becomes of a result.
type Output struct {
	// Ledger is its directory; NoLedger keeps the result of a load test nowhere.
	Ledger         string
	NoLedger       bool
	JSON, Markdown bool
	// Verbose prints all of a result instead of a few lines.
	Verbose         bool
	Quiet, NoReport bool
	// Shown is how many places, changes or runs are; 0: all.
	Shown                      int
	Recording, HTML, CSV, HGRM string
	// Receipt is the file for the receipt of a comparison.
	Receipt string
}

const (
	everyCommand = loaded | ForAdvise | benches | ForPull | ForPullStore | ForHistory | ForTail | ForShow | ForReading
	readers      = ForCover | ForBenchFiles | views | blaming | ForDiff | ForGC | ForKeeping
)

var outputRows = []Row{
	{Name: "json", Group: OfOutput, For: everyCommand | readers | ForLoadFile | ForHolders | ForMemory | ForReach | ForBenchJoin,
		Flag: always,
		Is:   First | NotInPlans | OfResult | Once, Help: "print JSON with a schema version",
		To: func(s *Spec) any { return &s.JSON }},
	{Name: "markdown", Group: OfOutput, For: ForCompare | ForBisect | ForBench | ForBenchJoin | ForShow | ForUpgrade, Flag: always,
		Is: First | OfResult, Help: "print Markdown for a comment on a pull request",
		To: func(s *Spec) any { return &s.Markdown }},
	{Name: "verbose", Short: "v", Group: OfOutput, For: ForRun | ForCompare | ForLoad | ForShow, Flag: always,
		Is: First | NotInPlans | OfResult | Once, Help: "print all measures, conditions and causes",
		To: func(s *Spec) any { return &s.Verbose }},
	{Name: "output", Short: "o", Group: OfOutput, For: ForLoad, Flag: always, Is: NotInPlans | First | OfResult,
		Help: "keep the raw result in `FILE`, for hone load report, merge and plot",
		To:   func(s *Spec) any { return &s.Recording }},
	{Name: "html", Group: OfOutput, For: ForLoad | ForLoadFile, Flag: always, Is: NotInPlans | First | OfResult,
		Help: "write a self-contained page with charts to `FILE`",
		To:   func(s *Spec) any { return &s.HTML }},
	{Name: "csv", Group: OfOutput, For: ForRun | ForCompare | ForBench | ForHistory | ForShow | ForLoad | ForLoadFile,
		Flag: always, Is: NotInPlans | OfResult | Once,
		Help: "write the measures to `FILE` as CSV; hone load writes the time line",
		To:   func(s *Spec) any { return &s.CSV }},
	{Name: "receipt", Group: OfOutput, For: ForCompare | ForBench | ForShow, Flag: always,
		Is:   NotInPlans | OfResult | Once,
		Help: "write a receipt to `FILE`, by which hone verify measures the comparison again",
		To:   func(s *Spec) any { return &s.Receipt }},
	{Name: "hgrm", Group: OfOutput, For: ForLoad | ForLoadFile, Flag: always, Is: NotInPlans | OfResult,
		Help: "write the latency's percentile distribution to `FILE` (HdrHistogram's text, in ms)",
		To:   func(s *Spec) any { return &s.HGRM }},
	{Name: "quiet", Short: "q", Group: OfOutput, For: everyCommand | ForReach, Flag: always, Is: First | NotInPlans | OfResult | Once,
		Help: "no progress on stderr",
		To:   func(s *Spec) any { return &s.Quiet }},
	{Name: "no-report", Group: OfOutput, For: loaded&^ForTrack | ForBench, Flag: always, Is: First | OfResult,
		Help: "write no report at the end (see hone report)",
		To:   func(s *Spec) any { return &s.NoReport }},
	{Name: "ledger", Group: OfOutput, For: (everyCommand | readers | ForPProf | ForHolders | ForMemory | ForPages) &^ ForBenchFiles,
		Flag: always, Is: First | NotInPlans | Once, Default: ".hone", Help: "`DIRECTORY` of the ledger",
		To: func(s *Spec) any { return &s.Ledger }},
	{Name: "no-ledger", Group: OfOutput, For: ForLoad, Flag: always, Is: NotInPlans,
		Help: "do not keep the result in the ledger",
		To:   func(s *Spec) any { return &s.NoLedger }},
}
