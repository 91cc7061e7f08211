package metrics

// Jobs, as the label job says them.
const (
	JobSubject = "subject"
	JobGo      = "go"
	JobNode    = "node"
	JobLoad    = "hone"
)

// What a scrape may bring at most. Of one that brings more nothing is kept but that it failed.
const (
	maxBody   = 10 << 20
	maxSeries = 50_000
	maxLabels = 64
	maxName   = 512
	maxValue  = 4096
)
