package receipts

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/judge/repeat"
	"github.com/gohone/hone/internal/view/receipt"
)

// resultsSchema is that of the file of results: JSON lines, each a record.
const resultsSchema = "hone.bench-receipts/1"

// record is a receipt that was made, or one that was verified.
type record struct {
	bed.Entry
	Subject string        `json:"subject,omitempty"`
	Repo    string        `json:"repo,omitempty"`
	Budget  time.Duration `json:"budget_ns,omitempty"`
	// Receipt is the text of its file: of one that was forged as the forger wrote it.
	Receipt string `json:"receipt,omitempty"`
	// Forged is how it was forged, and Number which of the forged ones it is, from 1; empty of an honest one.
	Forged kind `json:"forged,omitempty"`
	Number int  `json:"number,omitempty"`
	// Careful says that the forger's figures fit together.
	Careful bool `json:"careful,omitempty"`
	// Said is what hone verify said; nil of a receipt that was made.
	Said *said `json:"said,omitempty"`
	// Age is how old the receipt was then.
	Age time.Duration `json:"age_ns,omitempty"`
}

// said is the answer of hone verify.
type said struct {
	// Exit is the exit code. Answer is empty where the receipt was refused before anything was measured.
	Exit   int           `json:"exit"`
	Answer repeat.Answer `json:"answer,omitempty"`
	// Reason is its first sentence.
	Reason  string  `json:"reason,omitempty"`
	Seconds float64 `json:"s"`
}

// name tells what is verified apart.
func (r record) name() string {
	if r.Forged == "" {
		return r.Subject
	}
	return fmt.Sprintf("forged %d: %s of %s", r.Number, r.Forged, r.Subject)
}

// receipt reads the receipt.
func (r record) receipt() (*receipt.Receipt, error) {
	return receipt.Read(context.Background(), r.Subject, []byte(r.Receipt))
}

// String is a record as progress shows it.
func (r record) String() string {
	if r.Said == nil {
		return fmt.Sprintf("a receipt of %d bytes", len(r.Receipt))
	}
	return fmt.Sprintf("exit code %d after %.0f s: %s %s", r.Said.Exit, r.Said.Seconds, r.Said.Answer, r.Said.Reason)
}

// The exit codes of hone verify that are answers.
const (
	holds   = 0
	refuted = 1
	refused = 2
	open    = 8
)

// written is the text of a receipt's file, with its digest.
func written(r *receipt.Receipt) (string, error) {
	var b bytes.Buffer
	err := receipt.Write(&b, r)
	return b.String(), err
}

// draws are the random numbers of a forged receipt.
func draws(number int) *rand.Rand { return rand.New(rand.NewPCG(uint64(number), 0)) }
