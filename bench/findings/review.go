package findings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// review is what a reader of a program's source says of a finding beside the planted one.
type review struct {
	Program  string `json:"program"` // RULE/PART
	Rule     string `json:"rule"`
	Function string `json:"function"` // as in the finding, without its package; empty: any
	Word     string `json:"word"`
	Reason   string `json:"reason"`
}

// The words of reviews.
const (
	isTrue     = "true"         // it is so, and worth a change
	notWorthIt = "not worth it" // it is so, but a change would not pay
	isFalse    = "false"
	unreviewed = "not reviewed" // of findings without a review
)

// readReviews reads a file of reviews, a line each; none if there is no such file.
func readReviews(path string) (all []review, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read reviews: %w", err)
	}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var r review
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("read %s:%d: %w", path, n, err)
		}
		if !slices.Contains([]string{isTrue, notWorthIt, isFalse}, r.Word) || r.Reason == "" {
			return nil, fmt.Errorf("read %s:%d: word %q, reason %q: want %q, %q or %q, and a reason", path, n, r.Word, r.Reason,
				isTrue, notWorthIt, isFalse)
		}
		all = append(all, r)
	}
	return all, nil
}

// reviewOf is the review of a finding.
func reviewOf(all []review, program string, f found) review {
	for _, r := range all {
		if r.Program == program && r.Rule == f.Rule && (r.Function == "" || r.Function == nameOf(f.Place.Function)) {
			return r
		}
	}
	return review{Program: program, Rule: f.Rule, Word: unreviewed}
}
