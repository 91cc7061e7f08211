package accesslog

import (
	"fmt"
	"regexp"
	"strings"
)

// part is a piece of a format: a variable, or literal text.
type part struct {
	variable, literal string
	quoted            bool // between double quotes
	mayBeEmpty        bool // the value
	// isRead says that hone knows what the variable means; isAnswer, that it is the size of an answer.
	isRead, isAnswer bool
	// reach is the most bytes that the value may have at the beginning of a text; negative: there is none.
	reach func(text string) int
}

var (
	nginxVariable = regexp.MustCompile(`\$(?:(\w+)|\{(\w+)\})`)
	nginxCommand  = regexp.MustCompile(`(?s)^log_format\s+\w+\s+(?:escape=\w+\s+)?(.*?)\s*;?$`)
	nginxQuoted   = regexp.MustCompile(`(?s)^(?:'[^']*'\s*)+$`)
	apacheCommand = regexp.MustCompile(`^LogFormat\s+"((?:[^"\\]|\\.)*)"(?:\s+\w+)?$`)
	apacheWord    = regexp.MustCompile(`%[<>!\d,]*(?:\{([^}]*)\})?(\^?[A-Za-z]{1,2}|%)`)
)

// partsOf reads a format in nginx's notation (variables with $, literal text), or in Apache's (directives with %). The
// whole line of a configuration may be given: log_format NAME '...' '...'; or LogFormat "..." NAME.
func partsOf(format string) ([]part, error) {
	format = strings.TrimSpace(format)
	if m := nginxCommand.FindStringSubmatch(format); m != nil {
		format = m[1]
	}
	if nginxQuoted.MatchString(format) {
		pieces := strings.Split(format, "'")
		format = ""
		for i := 1; i < len(pieces); i += 2 {
			format += pieces[i]
		}
	}
	if m := apacheCommand.FindStringSubmatch(format); m != nil {
		format = strings.ReplaceAll(m[1], `\"`, `"`)
	}
	if !strings.Contains(format, "$") {
		var err error
		if format, err = nginxFromApache(format); err != nil {
			return nil, err
		}
	}
	return nginxParts(format), nil
}

func nginxParts(format string) (parts []part) {
	from, quotes := 0, 0
	literal := func(text string) {
		if text != "" {
			parts = append(parts, part{literal: text})
			quotes += strings.Count(text, `"`)
		}
	}
	for _, at := range nginxVariable.FindAllStringSubmatchIndex(format, -1) {
		literal(format[from:at[0]])
		name := strings.Trim(format[at[0]:at[1]], "${}")
		parts = append(parts, part{variable: name, quoted: quotes%2 == 1})
		from = at[1]
	}
	literal(format[from:])
	return parts
}

// apacheNames are the directives of Apache's mod_log_config and mod_logio, as nginx writes the same.
var apacheNames = map[string]string{
	"h": "$remote_addr", "a": "$remote_addr", "l": "$ident", "u": "$remote_user", "t": "[$time_local]", "r": "$request",
	"s": "$status", "b": "$body_bytes_sent", "B": "$body_bytes_sent", "O": "$bytes_sent", "I": "$request_length",
	"D": "$duration_us", "T": "$duration_s", "m": "$request_method", "U": "$uri", "q": "$query_string", "%": "%",
}

// nginxFromApache writes a format of Apache as nginx does. Directives that say nothing of a request become variables
// that are skipped.
func nginxFromApache(format string) (string, error) {
	var wrong error
	out := apacheWord.ReplaceAllStringFunc(format, func(word string) string {
		m := apacheWord.FindStringSubmatch(word)
		argument, directive := m[1], m[2]
		switch {
		case directive == "i" && argument != "":
			return "$http_" + headerName(argument)
		case directive == "T" && argument != "":
			return "$duration_" + argument
		case directive == "t" && argument != "":
			wrong = fmt.Errorf("the time %s has a notation of its own: hone reads %%t, $time_local, $time_iso8601, $msec", word)
		case apacheNames[directive] != "":
			return apacheNames[directive]
		}
		return "$apache_" + headerName(strings.Trim(argument+directive, "^"))
	})
	return out, wrong
}

// headerName is the name of a header in a variable.
func headerName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			return c + 'a' - 'A'
		}
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, name)
}
