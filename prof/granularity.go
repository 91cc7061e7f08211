package prof

import (
	"fmt"
	"regexp"
	"strings"
)

// Granularity says what a view counts as one place. The names are those of go tool
// pprof.
type Granularity string

// The granularities, from fine to coarse.
const (
	ByAddress      Granularity = "addresses"
	ByLine         Granularity = "lines"
	ByFileFunction Granularity = "filefunctions"
	ByFunction     Granularity = "functions" // the default
	ByFile         Granularity = "files"
)

// ParseGranularity reads a name; the empty one is ByFunction.
func ParseGranularity(name string) (Granularity, error) {
	return parseChoice("granularity", name, ByFunction, ByAddress, ByLine, ByFileFunction, ByFunction, ByFile)
}

// Place is where a sample was, as far as the granularity tells; the rest is empty.
type Place struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int64  `json:"line,omitempty"`
	Address  uint64 `json:"address,omitempty"`
}

// of reduces a place to what the granularity tells apart.
func (g Granularity) of(p Place) Place {
	switch g {
	case ByAddress:
		return p
	case ByLine:
		return Place{Function: p.Function, File: p.File, Line: p.Line}
	case ByFileFunction:
		return Place{Function: p.Function, File: p.File}
	case ByFile:
		if p.File == "" {
			return Place{File: "<unknown>"}
		}
		return Place{File: p.File}
	default:
		return Place{Function: p.Function}
	}
}

// matches says whether an expression matches the name, or the file where there is none.
func (p Place) matches(e *regexp.Regexp) bool {
	return e.MatchString(p.Function) || p.Function == "" && e.MatchString(p.File)
}

// String writes a place as go tool pprof does: address, function, file and line.
func (p Place) String() string {
	var parts []string
	if p.Address != 0 {
		parts = append(parts, fmt.Sprintf("%016x", p.Address))
	}
	if p.Function != "" {
		parts = append(parts, p.Function)
	}
	switch {
	case p.Line != 0:
		parts = append(parts, fmt.Sprintf("%s:%d", p.File, p.Line))
	case p.File != "":
		parts = append(parts, p.File)
	}
	return strings.Join(parts, " ")
}
