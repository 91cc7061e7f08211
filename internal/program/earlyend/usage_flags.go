package earlyend

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/output"
)

// A program that ends early often says what it lacks in words of its own ("Provider not set or invalid."), and has a
// flag for it (--provider). Its usage lists the flags: those that share words with its complaint are the hint.

// HelpPatience is how long a program may take to print its usage.
const HelpPatience = 2 * time.Second

// usageFlag is a flag that a usage lists.
type usageFlag struct {
	name  string // with its dashes
	value bool   // it takes one
	about string // its value and what it does
}

// String is the flag as its usage has it, in one line.
func (f usageFlag) String() string {
	if f.about == "" {
		return f.name
	}
	return fmt.Sprintf("%s (%.60s)", f.name, f.about)
}

var (
	// flagLine is a line of a usage that begins with a flag: of flag, cobra, urfave/cli, kingpin and go-flags.
	flagLine = regexp.MustCompile(`^\s*(?:-\w(?:[ =]\w+)?, ?)?(--?[A-Za-z][\w.-]*)(?:,? -\w\b)?(.*)$`)
	// flagValue is what stands after the name of a flag that takes a value: =, =TEXT, [a|b], or one word.
	flagValue = regexp.MustCompile(`^(?:\[?=\S*|,? ?\w+(?:\s{2,}|\t|$)| <\S+>| \[\S+\])`)
)

// usageFlags are the flags that a usage lists.
func usageFlags(usage string) (flags []usageFlag) {
	for line := range strings.Lines(usage) {
		line = strings.TrimRight(line, "\r\n")
		if m := flagLine.FindStringSubmatch(line); m != nil {
			flags = append(flags, usageFlag{name: m[1], value: flagValue.MatchString(m[2])})
			line = m[2]
		}
		more := strings.Join(strings.Fields(line), " ")
		if n := len(flags) - 1; n >= 0 && more != "" { // a description goes on in lines of its own
			flags[n].about = joinWrapped(flags[n].about, more)
		}
	}
	return flags
}

// joinWrapped joins two lines of a description. A word that was cut off at the end of a line ends with a hyphen there.
func joinWrapped(text, more string) string {
	if cut, ok := strings.CutSuffix(text, "-"); ok {
		return cut + more
	}
	return strings.TrimSpace(text + " " + more)
}

// mostFlagsNamed bounds the flags of a hint.
const mostFlagsNamed = 5

// NextFlag is a step that names the flags of a usage that the last words of a program are about.
func NextFlag(of Ended, usage string) Step {
	wanted := complaint(of.Last)
	best, rank := []usageFlag(nil), 0
	for _, f := range usageFlags(usage) {
		switch r := f.rank(wanted); {
		case r == 0 || r < rank || f.name == "--help":
		case r > rank:
			best, rank = []usageFlag{f}, r
		default:
			best = append(best, f)
		}
	}
	if len(best) == 0 || len(best) > mostFlagsNamed {
		return Step{}
	}
	names := make([]string, len(best))
	for i, f := range best {
		names[i] = f.name
	}
	value, which := "", "one of "+strings.Join(names, ", ")
	if best[0].value {
		value = " VALUE"
	}
	if len(best) == 1 {
		which = best[0].String()
	}
	return of.withExample(fmt.Sprintf("a flag may be missing, by its --help %s: arguments go after --", which), value,
		names...)
}

// rank is how much a flag has to do with words: two for each word in its name, one for each in what it does; 0 if no
// word is in its name.
func (f usageFlag) rank(wanted []string) (rank int) {
	names, about, named := stems(f.name), stems(f.about), false
	for _, word := range wanted {
		switch {
		case slices.Contains(names, word):
			rank, named = rank+2, true
		case slices.Contains(about, word):
			rank++
		}
	}
	if !named {
		return 0
	}
	return rank
}

// LastLine is what a program said last: in its errors, or in its output if there are none. Of a panic it is the first
// line: stacks follow.
func LastLine(stderr, stdout string) string {
	for _, text := range []string{stderr, stdout} {
		if lines := strings.Split(output.Excerpt(strings.TrimSpace(text)), "\n"); lines[0] != "" {
			if strings.HasPrefix(lines[0], "panic: ") {
				return lines[0]
			}
			return lines[len(lines)-1]
		}
	}
	return ""
}

// complaint are the words of a line that say what it is about: those after the last colon, or all where these say
// nothing.
func complaint(line string) []string {
	if words := stems(line[strings.LastIndex(line, ": ")+1:]); len(words) > 0 {
		return words
	}
	return stems(line)
}

var (
	wordsOfText = regexp.MustCompile(`[A-Za-z]{2,}`)
	// said of anything that is wrong, and so about no flag in particular.
	commonWords = strings.Fields("is no of to in it on at by an or be as do if up the and for not set was must can " +
		"cannot could with from has have you your this that are invalid missing required error errors fatal failed fail " +
		"empty unset nil none please specify specified provide provided given need needs needed flag flags option " +
		"options argument arguments value values valid found default usage help use using run running start " +
		"starting started server service program exit status code unable init")
)

// stems are the words of a text without their endings, so that enabled and enable, providers and provider are one.
func stems(text string) (words []string) {
	for _, word := range wordsOfText.FindAllString(text, -1) {
		word = strings.ToLower(word)
		if slices.Contains(commonWords, word) {
			continue
		}
		for _, ending := range []string{"s", "ed", "ing", "e"} {
			if stem := strings.TrimSuffix(word, ending); len(stem) >= 2 {
				word = stem
			}
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}
