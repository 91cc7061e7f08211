package loadcmd

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
)

// matchers reads a selector of series as PromQL writes it: name{code="200",path!~"/debug.*"}, or {"a name
// with.points"}. Prometheus' own parser is part of its query engine: 13 more packages for this line.
func matchers(selector string) ([]*labels.Matcher, error) {
	name, inside, braces := strings.Cut(strings.TrimSpace(selector), "{")
	var all []*labels.Matcher
	if name = strings.TrimSpace(name); name != "" {
		if !selectorName.MatchString(name) {
			return nil, fmt.Errorf("%q is not the name of a metric", name)
		}
		all = append(all, labels.MustNewMatcher(labels.MatchEqual, model.MetricNameLabel, name))
	}
	if braces {
		inside, found := strings.CutSuffix(strings.TrimSpace(inside), "}")
		if !found {
			return nil, fmt.Errorf("%q does not end with }", selector)
		}
		more, err := inBraces(inside)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	for _, m := range all {
		if !m.Matches("") {
			return all, nil
		}
	}
	return nil, fmt.Errorf("%q matches series of any name", selector)
}

var (
	selectorName = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)
	// labelPart is what stands before the value of a label: its name, which may be quoted, and how it is compared.
	labelPart  = regexp.MustCompile(`^\s*([a-zA-Z_][a-zA-Z0-9_]*|"(?:[^"\\]|\\.)*")\s*(=~|!~|!=|=)\s*`)
	quotedPart = regexp.MustCompile("^(?:\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`)")
	afterPart  = regexp.MustCompile(`^\s*(,|$)`)
)

var comparisons = map[string]labels.MatchType{
	"=": labels.MatchEqual, "!=": labels.MatchNotEqual, "=~": labels.MatchRegexp, "!~": labels.MatchNotRegexp,
}

// inBraces reads label="value" and its like, separated by commas. A quoted text alone is the name of the metric.
func inBraces(text string) (all []*labels.Matcher, err error) {
	for rest := text; strings.TrimSpace(rest) != ""; {
		name, how := strconv.Quote(model.MetricNameLabel), labels.MatchEqual
		if m := labelPart.FindStringSubmatch(rest); m != nil {
			name, how, rest = m[1], comparisons[m[2]], rest[len(m[0]):]
		} else {
			rest = strings.TrimLeft(rest, " \t")
		}
		value := quotedPart.FindString(rest)
		end := afterPart.FindString(rest[len(value):])
		if value == "" || end == "" && strings.TrimSpace(rest[len(value):]) != "" {
			return nil, fmt.Errorf(`at %q: a label is written as name="value"`, rest)
		}
		rest = rest[len(value)+len(end):]
		label, err := unquoted(name)
		if err != nil {
			return nil, err
		}
		if value, err = unquoted(value); err != nil {
			return nil, err
		}
		matcher, err := labels.NewMatcher(how, label, value)
		if err != nil {
			return nil, err
		}
		all = append(all, matcher)
	}
	return all, nil
}

// unquoted is a text without its quotes; a name may have none.
func unquoted(text string) (string, error) {
	switch text[0] {
	case '\'':
		text = `"` + strings.ReplaceAll(strings.ReplaceAll(text[1:len(text)-1], `\'`, `'`), `"`, `\"`) + `"`
	case '"', '`':
	default:
		return text, nil
	}
	plain, err := strconv.Unquote(text)
	if err != nil {
		return "", fmt.Errorf("the text %s: %w", text, err)
	}
	return plain, nil
}
