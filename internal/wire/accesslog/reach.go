package accesslog

import (
	"regexp"
	"slices"
	"strings"
)

// reachOf returns how a variable finds the most bytes that its value may have; what follows it in the format may end it
// earlier. Without quotes or brackets around it a value has no blanks, unless its name says that it may have them.
func reachOf(p *part, bracketed bool) func(text string) int {
	name := plainName(p.variable)
	of, isField := known[name]
	switch {
	case p.quoted:
		p.mayBeEmpty = true
		return toQuote
	case bracketed:
		p.mayBeEmpty = true
		return func(text string) int { return max(0, strings.IndexByte(text, ']')) }
	case isDuration(name):
		return found(`^(?:\d[\d.a-zµ+-]*|-)`)
	case name == "timelocal":
		return found(`^\S+ [-+]\d{4}`)
	case name == "timego":
		return found(`^\d{4}/\d\d/\d\d (?:- )?\d\d:\d\d:\d\d[\d.]*`)
	case isField && of.field == line:
		return found(`^(?:\S+ \S+(?: HTTP/\S+)?)`)
	case isField && of.field == query:
		p.mayBeEmpty = true
		return wordLength
	case isField && slices.Contains([]field{status, answer, body, length, port}, of.field):
		return digits
	case name == "uri" || name == "documenturi":
		return func(text string) int { return wordLength(upTo(text, "?")) }
	case name == "remoteuser", strings.HasPrefix(name, "http"), strings.HasPrefix(name, "senthttp"),
		strings.HasPrefix(name, "any"):
		p.mayBeEmpty = true
		return func(text string) int { return len(text) }
	case strings.HasPrefix(name, "upstream"):
		return words
	}
	return wordLength
}

// found is the length of what an expression finds at the beginning; -1: nothing.
func found(expression string) func(string) int {
	r := regexp.MustCompile(expression)
	return func(text string) int {
		if at := r.FindStringIndex(text); at != nil {
			return at[1]
		}
		return -1
	}
}

func upTo(text, end string) string {
	text, _, _ = strings.Cut(text, end)
	return text
}

// wordLength is the length of the text up to a blank.
func wordLength(text string) int {
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		return i
	}
	return len(text)
}

// words is the length of a list: nginx separates the values of several servers by ", " and " : ".
func words(text string) int {
	n := wordLength(text)
	for {
		switch rest := text[n:]; {
		case n > 0 && text[n-1] == ',' && len(rest) > 1:
			n += 1 + wordLength(rest[1:])
		case strings.HasPrefix(rest, " : "):
			n += 3 + wordLength(rest[3:])
		default:
			return n
		}
	}
}

// digits is the length of a whole number, or of -, which stands for none.
func digits(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n == 0 && strings.HasPrefix(text, "-") {
		return 1
	}
	return n
}

// toQuote is the length of the text up to the quote that closes it; -1: there is none.
func toQuote(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}
