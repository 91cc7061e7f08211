// Package rules has what a comment may not say.
package rules

import "regexp"

// Rule is one pattern of a forum, with the weight that a hit has.
type Rule struct {
	Name     string
	Pattern  string
	FoldCase bool
	Weight   int
}

// Hit is a rule that a text matched.
type Hit struct {
	Rule   string `json:"rule"`
	Text   string `json:"text"`
	Weight int    `json:"weight"`
}

// Set is the rules of one forum.
type Set struct{ rules []compiled }

type compiled struct {
	Rule
	re *regexp.Regexp
}

// NewSet joins lists of rules.
func NewSet(lists ...[]Rule) *Set {
	s := &Set{}
	for _, l := range lists {
		for _, r := range l {
			s.rules = append(s.rules, compiled{r, mustCompile(r.Pattern, r.FoldCase)})
		}
	}
	return s
}

// Check returns the rules that text matches.
func (s *Set) Check(text string) ([]Hit, error) {
	hits := []Hit{}
	for _, r := range s.rules {
		if found := r.re.FindString(text); found != "" {
			hits = append(hits, Hit{Rule: r.Name, Text: found, Weight: r.Weight})
		}
	}
	return hits, nil
}

func mustCompile(expr string, foldCase bool) *regexp.Regexp {
	if foldCase {
		expr = "(?i)" + expr
	}
	re := regexp.MustCompile(expr)
	re.Longest()
	return re
}
