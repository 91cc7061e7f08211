package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Line is a command line after the word hone, each option in one word under its long name: run, ./cmd/server,
// --connections=4, --http2, --set=tcp.width=2, --, -addr, :80. Every command that hone prints to measure the same again
// with something changed is made from it, so that it has all that the user said, and nothing that he did not. Nil: not
// known.
type Line []string

// most bounds a line that is stored, and one word of it, in bytes.
const (
	most     = 16 << 10
	mostWord = 2 << 10
)

// Redacted is the line as it may be stored: redact.Mark stands for secrets, and for what does not fit into a line.
func (l Line) Redacted() Line {
	out, dash := Line(nil), l.dash()
	keepEnv := slices.Contains(l[:dash], "--set=keep-env")
	for i, word := range l {
		name, value, assigned := cutOption(word)
		isFlag := i < dash && strings.HasPrefix(word, "--") && assigned
		switch {
		case isFlag && len(value) > mostWord, isFlag && strings.ContainsFunc(value, isControl):
			word = name + "=" + redact.Mark
		case name == "--header" && isFlag:
			word = name + "=" + redact.Header(value)
		case name == "--body" && isFlag && authCommand.MatchString(value):
			word = name + "=" + redact.Mark
		case name == "--env" && isFlag && keepEnv:
		case name == "--env" && isFlag:
			word = name + "=" + redact.Args([]string{value})[0]
		case name == "--path" && isFlag:
			word = name + "=" + redact.URL(value)
		case isFlag:
			word = name + "=" + hiddenIn("--"+strings.TrimPrefix(strings.TrimPrefix(name, "--"), "set="), value)
		case i < dash:
			word = hiddenIn("", word)
		}
		out = append(out, word)
	}
	if dash < len(out) {
		copy(out[dash:], redact.Args(out[dash:]))
	}
	if len(strings.Join(out, " ")) > most {
		return nil
	}
	return out
}

// cutOption cuts a word at the = before its value: --name=value, --set=name=value.
func cutOption(word string) (name, value string, assigned bool) {
	rest, set := strings.CutPrefix(word, "--set=")
	name, value, assigned = strings.Cut(rest, "=")
	if set {
		name = "--set=" + name
	}
	return name, value, assigned
}

// authCommand is the password of a Redis server in a body.
var authCommand = regexp.MustCompile(`(?mi)^\s*(AUTH|HELLO \d+ AUTH)\s`)

func isControl(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 }

// hiddenIn hides secrets in the value of a flag or in a word, which may be a command line of its own.
func hiddenIn(flag, value string) string {
	words, err := shellwords.Split(value)
	if err != nil || len(words) < 2 || strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
		if flag == "" {
			return redact.Args([]string{value})[0]
		}
		return strings.TrimPrefix(redact.Args([]string{flag + "=" + value})[0], flag+"=")
	}
	if hidden := redact.Args(words); !slices.Equal(hidden, words) {
		return shellwords.Join(hidden)
	}
	return value
}

// dash is where the arguments of the program begin.
func (l Line) dash() int {
	if i := slices.Index(l, "--"); i >= 0 {
		return i
	}
	return len(l)
}

// Verb is the command: run, compare, load.
func (l Line) Verb() string {
	if len(l) == 0 {
		return ""
	}
	return l[0]
}

// Flag is the value of a flag, and whether it is there; of several the first.
func (l Line) Flag(name string) (string, bool) {
	for _, word := range l[:l.dash()] {
		if n, value, ok := Split(word); ok && n == name {
			return value, true
		}
	}
	return "", false
}

// Words are the packages or targets that it names.
func (l Line) Words() (words []string) {
	for _, word := range l[:l.dash()] {
		if !strings.HasPrefix(word, "-") {
			words = append(words, word)
		}
	}
	return words[min(1, len(words)):]
}

// Naming is the line with other packages or targets instead of its own.
func (l Line) Naming(words ...string) Line {
	out := append(slices.Clone(l[:min(1, len(l))]), words...)
	for i, word := range l {
		if i >= l.dash() || strings.HasPrefix(word, "-") {
			out = append(out, word)
		}
	}
	return out
}

// As is the line for another command.
func (l Line) As(verb string) Line { return append(Line{verb}, l[1:]...) }

// AsCompare is the line for hone compare, with the options that it takes.
func (l Line) AsCompare() Line {
	return l.As("compare").keep(func(name string) bool { return Takes(name, ForCompare) })
}

// Without is the line without some flags.
func (l Line) Without(names ...string) Line {
	return l.keep(func(name string) bool { return !slices.Contains(names, name) })
}

// Only is the line with no other flags than some.
func (l Line) Only(names ...string) Line {
	return l.keep(func(name string) bool { return slices.Contains(names, name) })
}

func (l Line) keep(wanted func(name string) bool) Line {
	var out Line
	dash := l.dash()
	for i, word := range l {
		name, _, ok := Split(word)
		if i >= dash || !ok || wanted(name) {
			out = append(out, word)
		}
	}
	return out
}

// With is the line with some flags, --name=value or --name, instead of its own of these names.
func (l Line) With(flags ...string) Line {
	var names []string
	for _, flag := range flags {
		name, _, _ := Split(flag)
		names = append(names, name)
	}
	l = l.Without(names...)
	return slices.Insert(l, l.dash(), flags...)
}

// String is the line as one types it into a shell, with hone; empty where it is not known. A variable stands for each
// secret that was left out: the shell stops where it is not set. It is empty, too, where it would not be one line.
func (l Line) String() string {
	if len(l) == 0 || strings.ContainsFunc(strings.Join(l, ""), isControl) {
		return ""
	}
	return strings.TrimSuffix("hone "+l[0]+" "+Join(l[1:]), " ") // tune gc is one word
}

// Join joins words as String does.
func Join(words []string) string {
	var out []string
	dash := Line(words).dash()
	before := ""
	for i, word := range words {
		name, value, assigned := strings.Cut(word, "=")
		if i >= dash || !assigned || !strings.HasPrefix(word, "--") ||
			!strings.HasPrefix(word, "--set=") && onlyAfterEquals.MatchString(word) {
			out = append(out, quoted(word, before))
		} else {
			out = append(out, name, quoted(value, name+"="))
		}
		if before = ""; i > dash && strings.HasPrefix(word, "-") { // --password ***
			before = word
		}
	}
	return strings.Join(out, " ")
}

// onlyAfterEquals are flags that take a value only after =.
var onlyAfterEquals = regexp.MustCompile(`=(true|false)$`)

// quoted is a word for a shell. before is what stands before it, which may name a secret.
func quoted(word, before string) string {
	if !strings.Contains(word, redact.Mark) {
		return shellwords.Join([]string{word})
	}
	var b strings.Builder
	b.WriteByte('"')
	for {
		text, rest, found := strings.Cut(word, redact.Mark)
		b.WriteString(inQuotes.Replace(text))
		if !found {
			break
		}
		before += text
		b.WriteString("${" + variable(before) + ":?}")
		word = rest
	}
	return b.String() + `"`
}

var (
	inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")
	lastName = regexp.MustCompile(`([A-Za-z][A-Za-z0-9_.-]*)["'\\]*[=:\s]*["'\\]*$`)
	unset    = regexp.MustCompile(`\$\{([A-Z0-9_]+):\?\}`)
)

// variable names the variable for the secret that follows a text.
func variable(before string) string {
	m := lastName.FindStringSubmatch(before)
	if m == nil || strings.HasSuffix(before, "://") {
		return "CREDENTIALS"
	}
	return strings.ToUpper(strings.Map(func(c rune) rune {
		if c == '-' || c == '.' {
			return '_'
		}
		return c
	}, m[1]))
}

// Unset says of a printed command which variables have to be set first; empty of one that is whole.
func Unset(command string) string {
	var names []string
	for _, m := range unset.FindAllStringSubmatch(command, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; set " + strings.Join(names, ", ") + " first: hone keeps no secrets"
}
