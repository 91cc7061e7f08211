package earlyend

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/shellwords"
)

// A README mostly shows how its program is started. Where a program lacks arguments, those of its README are an example
// that works more often than one that hone makes up.

// ReadmeStarts are the arguments that the READMEs of a program start it with, in their order. They are those in the
// directory of its package and in the directories above it, up to the root of its module.
func ReadmeStarts(b *build.Binary) (starts [][]string) {
	if b.Dir == "" {
		return nil
	}
	names := []string{build.BaseName(b.Package), build.BaseName(b.Module), filepath.Base(b.Dir), filepath.Base(b.Path)}
	for at, root := b.Dir, build.ModuleRoot(b.Dir); ; at = filepath.Dir(at) {
		files, _ := os.ReadDir(at) // a better hint is lost
		for _, file := range files {
			if strings.HasPrefix(strings.ToLower(file.Name()), "readme") {
				starts = append(starts, startsIn(paths.Beginning(filepath.Join(at, file.Name())), names)...)
			}
		}
		if at == root || at == filepath.Dir(at) {
			return starts
		}
	}
}

var (
	onlyPrints = regexp.MustCompile(`^--?(?:h|help|v|version)$`)
	inlineCode = regexp.MustCompile("`+([^`]+)`+")
	// placeholder is a word that a reader replaces, or that a shell would.
	placeholder = regexp.MustCompile(`^\$|[=:/]\$[A-Z{(]|^[<\[{]|[=:/][<\[]|\.\.\.|^[|&;<>()]+$|;$|^\d?[<>]|YOUR|xxx`)
)

// startsIn are the arguments with which the commands in a text start one of these programs: lines and inline code that
// begin with the name of one, or with go run. Commands with placeholders, and those that only print help, are left out.
func startsIn(text string, names []string) (starts [][]string) {
	add := func(code string) {
		words, err := shellwords.Split(strings.TrimLeft(strings.TrimSpace(code), "$>% "))
		if err != nil {
			return
		}
		if args := argsOfStart(words, names); len(args) > 0 {
			starts = append(starts, args)
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		add(line)
		for _, m := range inlineCode.FindAllStringSubmatch(line, -1) {
			add(m[1])
		}
	}
	return starts
}

// argsOfStart are the arguments of a command that starts one of these programs; nil for another command.
func argsOfStart(words, names []string) []string {
	if len(words) < 2 {
		return nil
	}
	args := words[1:]
	switch program := filepath.Base(words[0]); {
	case program == "go" && args[0] == "run":
		args = args[1:]
		for len(args) > 0 && source.IsGoFile(args[0]) {
			args = args[1:]
		}
		if len(args) == len(words)-2 && len(args) > 0 { // no file: a package
			args = args[1:]
		}
	case !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, program) }):
		return nil
	}
	if i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "#") }); i >= 0 {
		args = args[:i]
	}
	for _, arg := range args {
		if placeholder.MatchString(arg) || onlyPrints.MatchString(arg) {
			return nil
		}
	}
	return args
}

// startWith is the first of the starts that has one of these flags or commands; nil for none.
func startWith(starts [][]string, words ...string) []string {
	for _, args := range starts {
		for i, arg := range args {
			name, _, _ := strings.Cut(arg, "=")
			for _, word := range words {
				isFlag := strings.HasPrefix(word, "-")
				if isFlag && strings.HasPrefix(name, "-") && strings.Trim(name, "-") == strings.Trim(word, "-") ||
					!isFlag && i == 0 && arg == word {
					return args
				}
			}
		}
	}
	return nil
}
