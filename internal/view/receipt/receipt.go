package receipt

import (
	"time"

	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Format is the version of the file.
const Format = "hone.receipt/1"

// Receipt is what a receipt says.
type Receipt struct {
	// Comparison is its name in the ledger, and Document the SHA-256 of the stored document.
	Comparison string        `json:"comparison"`
	Document   string        `json:"document_sha256"`
	Started    time.Time     `json:"started"`
	Elapsed    time.Duration `json:"elapsed_ns"`
	Tries      Tries         `json:"tries"`
	Repository Repository    `json:"repository"`
	// Sides are what was compared, in the order of their letters.
	Sides []Side `json:"sides"`
	// Patch makes the commit of the last side; nil where the repository has that.
	Patch *Patch `json:"patch,omitempty"`
	// Checked is what the patches among the sides passed before they were measured: hone verify checks it again.
	Checked []record.Checked `json:"checked,omitempty"`
	// Line is the command that measures it again, in a checkout of the last side. Open says why there is none.
	Line        spec.Line          `json:"line,omitempty"`
	Open        string             `json:"not_repeatable,omitempty"`
	Environment record.Environment `json:"environment"`
	Claims      []Claim            `json:"claims"`
}

// Tries say that a receipt is not the best of many: how many finished comparisons of the same programs the ledger
// holds, and which of them, by time, this one is. Beyond what the ledger holds nothing is known.
type Tries struct {
	Place int `json:"place"`
	Of    int `json:"of"`
}

// Repository is where the sides are from.
type Repository struct {
	// Remote is the address of origin, without credentials; Below the directory that hone ran in, from the root.
	Remote string `json:"remote,omitempty"`
	Below  string `json:"below,omitempty"`
}

// Side is one of those that were compared.
type Side struct {
	Name string `json:"name"`
	// Source is the package with its arguments, as the line names it.
	Source string `json:"source,omitempty"`
	// Commit and Tree are git's; Dirty says that the files differed from them.
	Commit string `json:"commit,omitempty"`
	Tree   string `json:"tree,omitempty"`
	Dirty  bool   `json:"dirty,omitempty"`
	// Release is the version of a module that was compared instead of a commit.
	Release   string `json:"release,omitempty"`
	GoVersion string `json:"go_version"`
}

// Patch is the change of a commit that hone made of a patch: no repository has it.
type Patch struct {
	// Base is the commit that it changes.
	Base   string `json:"base"`
	SHA256 string `json:"sha256"`
	// Text is the whole of it, where it is UTF-8 of mostPatch bytes or less.
	Text string `json:"text,omitempty"`
}

// mostPatch is the size of a patch that a receipt holds.
const mostPatch = 64 << 10

// Claim is what a comparison says of one variant against A, or of one benchmark.
type Claim struct {
	// Of is the letter of the variant, or PACKAGE.NAME of the benchmark.
	Of   string     `json:"of"`
	Word judge.Word `json:"verdict"`
	// Leads is the key of the measure that Word is of; empty where Word needs none: the same source, an invalid
	// measurement.
	Leads    string             `json:"leads,omitempty"`
	Verdicts []judge.Verdict    `json:"verdicts,omitempty"`
	Gates    []gate.Result      `json:"gates,omitempty"`
	Caveats  []record.Caveat    `json:"caveats,omitempty"`
	Answers  *answers.Agreement `json:"answers,omitempty"`
}

// on is the verdict on a measure; nil if there is none.
func (c *Claim) on(m judge.Measure) *judge.Verdict {
	for i := range c.Verdicts {
		if v := &c.Verdicts[i]; v.Measure.Key == m.Key && v.Measure.Target == m.Target {
			return v
		}
	}
	return nil
}

// lead is the verdict that the word is of; nil if there is none.
func (c *Claim) lead() *judge.Verdict {
	if c.Leads == "" {
		return nil
	}
	return c.on(judge.Measure{Key: c.Leads})
}
