package lab

import (
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/subject"
)

// CompareAgain is the command that compares the program of a run, as it is now, with what it was at HEAD, under the load
// of the run.
func CompareAgain(r Record) string {
	words := []string{"hone", "compare"}
	if !strings.HasPrefix(r.Label, "-") { // it would be a flag
		words = append(words, r.Label)
	}
	a := r.Asked
	switch {
	case r.Plan.Connections == 0:
		words = append(words, "--once")
	case a == nil:
		return subject.JoinCommand(words)
	default:
		if a.Target != "" {
			words = append(words, "--target", a.Target)
		}
		if a.Path != "" {
			words = append(words, "--path", a.Path)
		}
		spoken, _ := protocolFlags(a.Protocol) // without a body, and rows of a feed
		words = append(words, spoken...)
		if a.BodyBytes > 0 {
			words = append(words, "--body", "@FILE")
		}
		words = append(words, "-c", strconv.Itoa(r.Plan.Connections))
		if r.Plan.Depth > 1 {
			words = append(words, "--depth", strconv.Itoa(r.Plan.Depth))
		}
		if r.RateHz > 0 {
			words = append(words, "-q", strconv.FormatFloat(r.RateHz, 'g', -1, 64))
		}
	}
	if len(r.Args) > 0 {
		words = append(append(words, "--"), r.Args...)
	}
	return subject.JoinCommand(words)
}
