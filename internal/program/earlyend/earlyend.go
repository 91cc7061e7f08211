package earlyend

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/shellwords"
)

// earlyEnd is a reason for which programs end before they are ready, by their own words.
type earlyEnd struct {
	// Words are how programs say it. Their first group, if there is one, is what the hint is about.
	Words *regexp.Regexp
	// Hint is the next step for what the group holds.
	Hint func(what string, of Ended) string
}

// Ended is a program that ended before it was ready.
type Ended struct {
	Output string     // what it wrote
	Last   string     // its last line: see LastLine
	Dir    string     // where it ran; empty where hone made that directory
	Starts [][]string // the arguments that its README starts it with
}

// example is an example of arguments with one of these flags or commands: what the README has, or else the first of
// them with the value; empty without any of them.
func (of Ended) example(value string, words ...string) string {
	if args := startWith(of.Starts, words...); args != nil {
		return ", for example (from its README) -- " + shellwords.Join(args)
	}
	if len(words) == 0 {
		return ""
	}
	return ", for example -- " + words[0] + value
}

// earlyEnds are asked in this order: the first whose words stand in the output gives the hint. A program that does not
// know a flag prints its usage, too.
var earlyEnds = []earlyEnd{
	{takenAddress, portHint},
	{unknownFlag, unknownFlagHint},
	{regexp.MustCompile(`unknown command "?([^"\s]+)`), func(command string, of Ended) string {
		return fmt.Sprintf("it does not know the command %s: its arguments go after --%s",
			command, of.example("", commandsToTry(of.Output)...))
	}},
	{regexp.MustCompile(`flag needs an argument: (?:'\w' in )?(-\S+)`), func(flag string, of Ended) string {
		return fmt.Sprintf("its flag %s needs a value: arguments go after --%s", flag, of.example(" VALUE", flag))
	}},
	{missingFlag, missingFlagHint},
	{missingVariable, func(name string, _ Ended) string {
		return fmt.Sprintf("it needs the environment variable %s: --env %s=VALUE", name, name)
	}},
	{regexp.MustCompile(`CGO_ENABLED=0|requires cgo|built without cgo`), func(string, Ended) string {
		return "it needs cgo: set CGO_ENABLED=1 in front of the command, on a machine with a C compiler (gcc)"
	}},
	{missingFile, missingFileHint},
	{regexp.MustCompile(`dial \w+ (\S+): .*connection refused`), func(address string, _ Ended) string {
		return fmt.Sprintf("nothing listens on %s, which it needs: start that first, or let hone start it: --need",
			address)
	}},
	{usageText, func(_ string, of Ended) string {
		return "it printed its usage: arguments go after --" + of.example("", commandsToTry(of.Output)...)
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

// Hint is the next step for a program that ended before it was ready, by what it wrote; "" where its words say
// nothing.
func Hint(of Ended) string {
	for _, e := range earlyEnds {
		if m := e.Words.FindStringSubmatch(of.Output); m != nil {
			return e.Hint(strings.Join(m[1:], ""), of)
		}
	}
	return ""
}

func portHint(address string, _ Ended) string {
	taken := "the port that it listens on is in use"
	if at := strings.LastIndexByte(address, ':'); at >= 0 && at+1 < len(address) {
		taken = "port " + address[at+1:] + " is in use"
	}
	return fmt.Sprintf("%s by another program (ss -ltnp names it): stop that, or let hone choose a free port: "+
		"write %s for the port in its arguments or environment", taken, templates.Port)
}

func unknownFlagHint(flag string, of Ended) string {
	return fmt.Sprintf("it does not know the flag %s: check its arguments, which go after --%s",
		flag, of.example("", commandsToTry(of.Output)...))
}

func missingFlagHint(flag string, of Ended) string {
	if !strings.HasPrefix(flag, "-") {
		flag = "--" + flag
	}
	return fmt.Sprintf("its flag %s is missing: arguments go after --%s", flag, of.example(" VALUE", flag))
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
