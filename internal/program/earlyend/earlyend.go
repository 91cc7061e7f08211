package earlyend

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Step is what to do next for a program that ended before it was ready.
type Step struct {
	// Hint says it; "" where the words of the program say nothing.
	Hint string
	// Args are arguments that the program may start with, WorkDir a directory to run it in. They are nil and "" where
	// the user has to choose.
	Args    []string
	WorkDir string
}

// Error is the early end of a program for which there is a step that needs no choice of the user.
type Error struct {
	Err  error
	Step Step
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives errors.Is and errors.As the cause.
func (e *Error) Unwrap() error { return e.Err }

// earlyEnd is a reason for which programs end before they are ready, by their own words.
type earlyEnd struct {
	// Words are how programs say it. Their first group, if there is one, is what the step is about.
	Words *regexp.Regexp
	// Next is the next step for what the group holds.
	Next func(what string, of Ended) Step
}

// Ended is a program that ended before it was ready.
type Ended struct {
	Output string     // what it wrote
	Last   string     // its last line: see LastLine
	Dir    string     // where it ran; empty where hone made that directory
	Starts [][]string // the arguments that its README starts it with
}

// withExample is a step whose hint ends with an example of arguments with one of these flags or commands: what the
// README has, or else the first of them with the value. There is no example without any of them. The user has to choose
// a value, and a command that does not say that it serves.
func (of Ended) withExample(hint, value string, words ...string) Step {
	if len(words) == 0 {
		return Step{Hint: hint}
	}
	serves := slices.Contains(servingCommands, words[0])
	if args := startWith(of.Starts, words...); args != nil {
		s := Step{Hint: hint + ", for example (from its README) -- " + shellwords.Join(args)}
		if serves || strings.HasPrefix(words[0], "-") {
			s.Args = args
		}
		return s
	}
	s := Step{Hint: hint + ", for example -- " + words[0] + value}
	if serves {
		s.Args = words[:1]
	}
	return s
}

// only is a step that has a hint alone.
func only(hint string, args ...any) Step { return Step{Hint: fmt.Sprintf(hint, args...)} }

// earlyEnds are asked in this order: the first whose words stand in the output gives the step. A program that does not
// know a flag prints its usage, too.
var earlyEnds = []earlyEnd{
	{takenAddress, portHint},
	{unknownFlag, unknownFlagHint},
	{regexp.MustCompile(`unknown command "?([^"\s]+)`), func(command string, of Ended) Step {
		return of.withExample(fmt.Sprintf("it does not know the command %s: its arguments go after --", command), "",
			commandsToTry(of.Output)...)
	}},
	{regexp.MustCompile(`flag needs an argument: (?:'\w' in )?(-\S+)`), func(flag string, of Ended) Step {
		return of.withExample(fmt.Sprintf("its flag %s needs a value: arguments go after --", flag), " VALUE", flag)
	}},
	{missingFlag, missingFlagHint},
	{missingVariable, func(name string, _ Ended) Step {
		return only("it needs the environment variable %s: --env %[1]s=VALUE", name)
	}},
	{regexp.MustCompile(`CGO_ENABLED=0|requires cgo|built without cgo`), func(string, Ended) Step {
		return only("it needs cgo: set CGO_ENABLED=1 in front of the command, on a machine with a C compiler (gcc)")
	}},
	{missingFile, missingFileHint},
	{regexp.MustCompile(`dial \w+ (\S+): .*connection refused`), func(address string, _ Ended) Step {
		return only("nothing listens on %s, which it needs: start that first, or let hone start it: --need", address)
	}},
	{usageText, func(_ string, of Ended) Step {
		return of.withExample("it printed its usage: arguments go after --", "", commandsToTry(of.Output)...)
	}},
}

var (
	// missingFlag are the words of flag's users, cobra, urfave/cli, kingpin and go-flags.
	missingFlag = regexp.MustCompile(`(?i)required flags?(?:\(s\))? [` + "\"`'" + `]?(-{0,2}\w[\w-]*)` +
		`|missing (?:required )?flags?:? [` + "\"`'" + `]?(-{0,2}\w[\w-]*)` +
		`|(?:^|[\s(])(--?[a-z][\w-]*) (?:flag )?(?:(?:is|was) )?(?:required|missing|not set|must be set)`)
	missingVariable = regexp.MustCompile(`environment variable [$"]?([A-Z][A-Z0-9_]+)` +
		`|\b([A-Z][A-Z0-9_]{3,})"? (?:environment variable )?(?:(?:is|was) (?:required|missing|empty)` +
		`|(?:(?:is|was) )?(?:not set|unset|not defined)|must be set)`)
	takenAddress = regexp.MustCompile(`(?:listen \S+ (\S+): .*)?` +
		`(?:address already in use|Only one usage of each socket address|EADDRINUSE)`)
	unknownFlag = regexp.MustCompile(`flag provided but not defined: (-\S+)` +
		`|unknown (?:shorthand )?flag:? '?(-?-?\w[^\s']*)`)
	usageText = regexp.MustCompile(`(?im)^\s*(?:usage(?:\s+of\s.*)?:|usage$|available commands:|the commands are:)`)
)

// Next is the next step for a program that ended before it was ready, by what it wrote.
func Next(of Ended) Step {
	for _, e := range earlyEnds {
		if m := e.Words.FindStringSubmatch(of.Output); m != nil {
			return e.Next(strings.Join(m[1:], ""), of)
		}
	}
	return Step{}
}

func portHint(address string, _ Ended) Step {
	taken := "the port that it listens on is in use"
	if at := strings.LastIndexByte(address, ':'); at >= 0 && at+1 < len(address) {
		taken = "port " + address[at+1:] + " is in use"
	}
	return only("%s by another program (ss -ltnp names it): stop that, or let hone choose a free port: "+
		"write %s for the port in its arguments or environment", taken, templates.Port)
}

func unknownFlagHint(flag string, of Ended) Step {
	return of.withExample(fmt.Sprintf("it does not know the flag %s: check its arguments, which go after --", flag), "",
		commandsToTry(of.Output)...)
}

func missingFlagHint(flag string, of Ended) Step {
	if !strings.HasPrefix(flag, "-") {
		flag = "--" + flag
	}
	return of.withExample(fmt.Sprintf("its flag %s is missing: arguments go after --", flag), " VALUE", flag)
}

var (
	// commandsHeader stands above the list of commands in a usage, and commandLine is one of them: a word, and what it
	// does after two spaces, a dash or a colon.
	commandsHeader = regexp.MustCompile(`(?i)\bcommands(?: are)?:?\s*$`)
	commandLine    = regexp.MustCompile(`^\s+([a-z][\w-]*)(?:, \w+)*(?:\s{2,}|\t|\s*$|:\s|\s+[-–—]\s)`)
)

// servingCommands are what commands are called that start a server, the most usual one first.
var servingCommands = []string{"serve", "server", "start", "run", "web", "http", "listen", "daemon", "api"}

// commandsToTry are the commands that a usage lists, the one that most likely serves first.
func commandsToTry(usage string) (commands []string) {
	within := false
	for line := range strings.Lines(usage) {
		line = strings.TrimRight(line, "\r\n")
		m := commandLine.FindStringSubmatch(line)
		switch {
		case commandsHeader.MatchString(line):
			within = true
		case within && m != nil && !slices.Contains([]string{"help", "completion", "version"}, m[1]):
			commands = append(commands, m[1])
		case within && strings.TrimSpace(line) != "" && m == nil:
			within = false
		}
	}
	slices.SortStableFunc(commands, func(a, b string) int { return servingRank(a) - servingRank(b) })
	return commands[:min(len(commands), 1)]
}

func servingRank(command string) int {
	if i := slices.Index(servingCommands, command); i >= 0 {
		return i
	}
	return len(servingCommands)
}
