package receipts

import (
	"context"
	"math/rand/v2"
	"strings"

	"github.com/gohone/hone/internal/view/receipt"
)

// kind is a way to forge a receipt.
type kind string

// forgery is a way to forge a receipt, by somebody who knows docs/receipts.md.
type forgery struct {
	kind kind
	// fits says of which receipts such a one can be made.
	fits func(*receipt.Receipt) bool
	do   func(*forging) error
}

// kinds are all ways, in the order in which they are taken.
var kinds = []forgery{
	{"edited figures", claims, editFigures},
	{"edited interval", claims, editInterval},
	{"edited commit", commits, editCommit},
	{"edited patch", patched, editPatch},
	{"replaced tree", commits, replaceTree},
	{"best of many tries", cherries, pickCherry},
	{"another load", claims, changeLoad},
	{"A was disturbed", claims, disturbA},
	{"digest of another report", claims, copyDigest},
	{"edited gate", gated, editGate},
	{"edited words", claims, editWords},
}

// forging is a forged receipt that comes about.
type forging struct {
	ctx context.Context
	rng *rand.Rand
	// receipt is what the forger changes. Its digest is made anew, unless he writes the text.
	receipt *receipt.Receipt
	text    string
	// others are honest receipts of other comparisons.
	others []*receipt.Receipt
	// tree is a repository with the commits of the receipt. try measures there once more, for a short time, and returns
	// the text of a receipt.
	tree string
	try  func(words ...string) (string, error)
	// careful says that figures are to fit together.
	careful bool
}

// claims says that something is claimed of a measure: who forges a receipt wants to claim something.
func claims(r *receipt.Receipt) bool {
	for i := range r.Claims {
		if v := lead(&r.Claims[i]); v != nil && (v.Word.Different() || v.Word.Alike()) {
			return true
		}
	}
	return false
}

func commits(r *receipt.Receipt) bool {
	return claims(r) && r.Sides[0].Commit != "" && r.Sides[0].Commit != r.Sides[1].Commit
}

func patched(r *receipt.Receipt) bool { return claims(r) && r.Patch != nil && r.Patch.Text != "" }

// cherries are receipts of benchmarks: a patch that changes nothing is measured instead of B.
func cherries(r *receipt.Receipt) bool { return r.Line.Verb() == "bench" && claims(r) }

func gated(r *receipt.Receipt) bool {
	return claims(r) && len(r.Claims[0].Gates) > 0
}

// replace has the forger write the text himself, with something else in one place.
func (f *forging) replace(old, with string) error {
	text, err := written(f.receipt)
	f.text = strings.Replace(text, old, with, 1)
	return err
}
