package page

import "github.com/gohone/hone/internal/view/model"

// Series is the page of a repository's performance: all series of a store, those that got worse most first.
type Series struct {
	Schema string `json:"schema"`
	Store  string `json:"store"`
	// CommitPages is what the addresses of the pages of commits begin with, at the repository's forge; empty where there
	// are none.
	CommitPages string `json:"commit_pages,omitempty"`
	// Commits are those of all lines, which name them by their indices.
	Commits []SeriesCommit `json:"commits"`
	Lines   []SeriesLine   `json:"lines"`
	// Notes are what a reader should know: how chains go on, and what could not be read.
	Notes []string `json:"notes,omitempty"`
}

// SeriesCommit is a commit of the repository.
type SeriesCommit struct {
	Hash    string `json:"hash"`
	Day     string `json:"day"`
	Author  string `json:"author"`
	Subject string `json:"subject"`
}

// SeriesLine is one measure of a benchmark or a service along the commits.
type SeriesLine struct {
	Name    string `json:"name"`
	Measure string `json:"measure"`
	Branch  string `json:"branch"`
	// Imported is the tool whose single runs the values are; empty where each link is a comparison.
	Imported string     `json:"imported,omitempty"`
	Now      string     `json:"now"`
	Tone     model.Tone `json:"tone"`
	// At are the indices of the commits. Values are the changes against the first one, as fractions, and Half what the
	// interval reaches to either side; both to a 10,000th. A value of null is missing.
	At     []int        `json:"at"`
	Values []*float64   `json:"values"`
	Half   []float64    `json:"half,omitempty"`
	Steps  []SeriesStep `json:"steps"`
}

// SeriesStep is a change for good.
type SeriesStep struct {
	// Point is the index in At of the first commit with it.
	Point int `json:"point"`
	// Hash is the commit that made it, as the text names it by its first characters.
	Hash string     `json:"hash"`
	Text string     `json:"text"`
	Tone model.Tone `json:"tone"`
	// Report is the file of the comparison's page below SeriesReports; empty without one.
	Report string `json:"report,omitempty"`
}

// SeriesReports is the directory next to the page of series that has the pages of comparisons.
const SeriesReports = "reports"
