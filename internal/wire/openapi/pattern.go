package openapi

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// ecma are escapes of ECMAScript's patterns, as OpenAPI has them, that Go writes in another way.
var ecma = regexp.MustCompile(`\\u([0-9A-Fa-f]{4})`)

// matching makes a text that a pattern matches, with least to most characters; false if none was found. The text comes
// from the tree of the expression, and is tried before it is returned.
func matching(pattern string, least, most int) (string, bool) {
	pattern = ecma.ReplaceAllString(pattern, `\x{$1}`)
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	right, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	for choice := range 8 {
		for more := range maxMade {
			g := &grower{choice: choice, more: more}
			g.add(tree)
			made := g.text.String()
			n := utf8.RuneCountInString(made)
			for _, pad := range []string{"a", "0", "A", "-", " "} { // what is not anchored may go on
				if n >= least {
					break
				}
				if padded := made + strings.Repeat(pad, least-n); right.MatchString(padded) {
					made, n = padded, least
				}
			}
			if n >= least && n <= most && right.MatchString(made) {
				return made, true
			}
			if n > most || more > least {
				break
			}
		}
	}
	return "", false
}

// grower writes a text for an expression.
type grower struct {
	text strings.Builder
	// choice is which alternative is taken, more how often all that repeats does so beyond its least.
	choice, more int
}

func (g *grower) add(re *syntax.Regexp) {
	if g.text.Len() > 4*maxMade {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		g.text.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		g.text.WriteRune(oneOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		g.text.WriteByte('a')
	case syntax.OpAlternate:
		g.add(re.Sub[g.choice%len(re.Sub)])
	case syntax.OpStar:
		g.repeat(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		g.repeat(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		g.repeat(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		g.repeat(re.Sub[0], re.Min, re.Max)
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			g.add(sub)
		}
	}
}

// repeat writes an expression at least as often as it must stand there; most is -1 without a bound.
func (g *grower) repeat(re *syntax.Regexp, least, most int) {
	n := least + g.more
	if most >= 0 {
		n = min(n, most)
	}
	for range n {
		g.add(re)
	}
}

// oneOf is a character of a class, given as pairs of the first and the last: a letter or a digit, if there is one.
func oneOf(class []rune) rune {
	for _, want := range []rune{'a', '1', 'A', 'b', '0', '-', '_', '.'} {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= want && want <= class[i+1] {
				return want
			}
		}
	}
	for i := 0; i+1 < len(class); i += 2 {
		if c := max(class[i], '!'); c <= class[i+1] {
			return c
		}
	}
	if len(class) > 0 {
		return class[0]
	}
	return 'a'
}
