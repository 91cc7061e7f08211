// Package rules has what a comment may not say.
package rules

import (
	"fmt"
	"regexp"
)

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
type Set struct{ rules []Rule }

// NewSet joins lists of rules.
func NewSet(lists ...[]Rule) *Set {
	s := &Set{}
	for _, l := range lists {
		s.rules = append(s.rules, l...)
	}
	return s
}

// Check returns the rules that text matches.
func (s *Set) Check(text string) ([]Hit, error) {
	hits := []Hit{}
	for _, r := range s.rules {
		re, err := compile(r.Pattern, r.FoldCase)
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.Name, err)
		}
		if found := re.FindString(text); found != "" {
			hits = append(hits, Hit{Rule: r.Name, Text: found, Weight: r.Weight})
		}
	}
	return hits, nil
}

func compile(expr string, foldCase bool) (*regexp.Regexp, error) {
	if foldCase {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	re.Longest()
	return re, nil
}
