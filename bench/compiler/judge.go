package compiler

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// judgement is what became of one pair.
type judgement struct {
	*pair
	record
	Named bool   // a line names the kind, and the function or the line
	Kind  bool   // a line names the kind
	Said  string // the line with the most of it
}

// judgePair holds what hone says of a pair against the truth. A pair of which hone says nothing is not named.
func judgePair(p *pair, r record) (j judgement, ok bool) {
	if r.Answer == nil && r.Failed == "" {
		return j, false
	}
	j = judgement{pair: p, record: r}
	if r.Answer == nil {
		return j, true
	}
	for _, line := range r.Answer.Why {
		kind := slices.ContainsFunc(p.kinds, func(k string) bool { return kinds[k].MatchString(line) })
		switch named := kind && p.isAt(line); {
		case j.Named:
		case named, kind && !j.Kind, j.Said == "":
			j.Named, j.Kind, j.Said = named, kind, line
		}
	}
	return j, true
}

// place is a file with a line in a line of hone's.
var place = regexp.MustCompile(`([\w.-]+\.go):(\d+)`)

// isAt says whether a line of hone's names the function or the line of the decision. A statement of several lines is one
// place.
func (p *pair) isAt(line string) bool {
	for _, found := range place.FindAllStringSubmatch(line, -1) {
		n, err := strconv.Atoi(found[2])
		if err == nil && found[1] == p.file && n >= p.line-1 && n <= p.line+1 {
			return true
		}
	}
	name := p.function[strings.LastIndex(p.function, ".")+1:]
	return regexp.MustCompile(fmt.Sprintf(`(^|\W)%s(\W|$)`, regexp.QuoteMeta(name))).MatchString(line)
}

// decisions are the lines that name a decision of the compiler.
func (a answer) decisions() (lines []string) {
	for _, line := range a.Why {
		for _, k := range kinds {
			if k.MatchString(line) && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}
