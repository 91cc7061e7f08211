package benchtext

import (
	"regexp"
	"slices"
)

// Chooses says whether a pattern of -test.bench chooses a benchmark function, or may choose sub-benchmarks of it.
func Chooses(pattern, function string) bool {
	return slices.ContainsFunc(alternatives(pattern), func(levels []string) bool { return matches(levels[0], function) })
}

// Skips says whether a pattern of -test.skip leaves out a benchmark function with all its sub-benchmarks.
func Skips(pattern, function string) bool {
	return pattern != "" && slices.ContainsFunc(alternatives(pattern), func(levels []string) bool {
		return len(levels) == 1 && matches(levels[0], function)
	})
}

// matches says that a wrong regular expression matches: package testing then says what is wrong with it.
func matches(expression, name string) bool {
	re, err := regexp.Compile(expression)
	return err != nil || re.MatchString(name)
}

// alternatives splits a pattern as package testing does: at | into alternatives, and each of them at / into a regular
// expression for each level of names. Within brackets it splits nothing.
func alternatives(pattern string) (all [][]string) {
	var levels []string
	from, brackets, parentheses := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(0, brackets-1)
		case brackets > 0:
		case c == '(':
			parentheses++
		case c == ')':
			parentheses--
		case parentheses == 0 && (c == '/' || c == '|'):
			levels, from = append(levels, pattern[from:i]), i+1
			if c == '|' {
				all, levels = append(all, levels), nil
			}
		}
	}
	return append(all, append(levels, pattern[from:]))
}
