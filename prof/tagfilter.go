package prof

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/quantity"
)

// ParseTagFilter reads a filter of labels as the tagfocus of go tool pprof has them: an expression
// that a label "key:value" has to match, KEY=EXPRESSION for the values of one key, or a
// range of numbers with units: 32kb, 32kb:, :64kb, KEY=32kb:64kb (kb are 1024 bytes).
// Several expressions separated by commas have to match all without a key, or any with
// one. The empty text gives nil, which filters nothing.
func ParseTagFilter(text string) (profile.TagMatch, error) {
	if text == "" {
		return nil, nil
	}
	key, value, keyed := strings.Cut(text, "=")
	if !keyed {
		key, value = "", text
	}
	if span, ok := parseSpan(value); ok {
		return func(s *profile.Sample) bool { return span.in(s, key) }, nil
	}
	var expressions []*regexp.Regexp
	for part := range strings.SplitSeq(value, ",") {
		e, err := regexp.Compile(part)
		if err != nil {
			return nil, fmt.Errorf("tag filter %q: %w", text, err)
		}
		expressions = append(expressions, e)
	}
	if keyed {
		return func(s *profile.Sample) bool { return anyMatches(expressions, s.Label[key]) }, nil
	}
	return func(s *profile.Sample) bool { return allMatch(expressions, s) }, nil
}

func anyMatches(expressions []*regexp.Regexp, values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		return slices.ContainsFunc(expressions, func(e *regexp.Regexp) bool { return e.MatchString(v) })
	})
}

// allMatch says whether each expression matches some label.
func allMatch(expressions []*regexp.Regexp, s *profile.Sample) bool {
	for _, e := range expressions {
		found := false
		for key, values := range s.Label {
			for _, v := range values {
				found = found || e.MatchString(key+":"+v)
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// span is a closed range of numbers in base units: bytes, nanoseconds, or whatever the
// label's are.
type span struct{ low, high float64 }

var numberWithUnit = regexp.MustCompile(`^([+-]?\d+)([[:alpha:]]*)$`)

// parseSpan reads N, N:, :N or N:M.
func parseSpan(text string) (span, bool) {
	low, high, isRange := strings.Cut(text, ":")
	s := span{math.Inf(-1), math.Inf(1)}
	if low == "" && high == "" {
		return s, false
	}
	for _, end := range []struct {
		text string
		to   *float64
	}{{low, &s.low}, {high, &s.high}} {
		if end.text == "" {
			continue
		}
		v, ok := parseQuantity(end.text)
		if !ok {
			return s, false
		}
		*end.to = v
	}
	if !isRange {
		s.high = s.low
	}
	return s, true
}

func parseQuantity(text string) (float64, bool) {
	m := numberWithUnit.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	scale, known := quantity.UnitScale(m[2])
	return n * scale, err == nil && known
}

func (s span) in(sample *profile.Sample, key string) bool {
	for k, values := range sample.NumLabel {
		if key != "" && k != key {
			continue
		}
		units := sample.NumUnit[k]
		for i, v := range values {
			scale := 1.0
			if i < len(units) {
				if known, ok := quantity.UnitScale(units[i]); ok {
					scale = known
				}
			}
			if x := float64(v) * scale; x >= s.low && x <= s.high {
				return true
			}
		}
	}
	return false
}
