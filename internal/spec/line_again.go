package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Again is the line that measures the same once more.
func (l Line) Again() Line { return l.Without(With(OfResult)...) }

// Stored is a command about what the line stored, such as show RUN: in the same ledger. Any command about a run that
// hone prints is made here.
func (l Line) Stored(words ...string) string {
	out := slices.Clone(Line(words))
	if dir, named := l.Flag("ledger"); named && !strings.ContainsFunc(dir, isControl) {
		out = append(out, "--ledger="+dir)
	}
	return out.String()
}

// Against is the line that compares the program of a run, as it is now, with its state at HEAD, under the same load. Of
// a comparison it is that of the variant with this letter; one at a git ref is compared with the others again. Nil
// where the line is of another command, or executes something that is not a package.
func (l Line) Against(letter string, isPackage bool) Line {
	words := l.Words()
	switch {
	case l.Verb() == "run":
		_, once := l.Flag("once")
		if dash := l.dash(); once && len(words) == 0 && dash+1 < len(l) {
			words, l = l[dash+1:dash+2], slices.Delete(slices.Clone(l), dash+1, dash+2)
		}
		if once && !isPackage {
			return nil
		}
		if len(words) > 1 { // files of one package
			words = []string{shellwords.Join(words)}
		}
		return l.Again().Without(With(OfRun)...).Naming(words...).As("compare")
	case l.Verb() != "compare":
		return nil
	}
	i := strings.Index("ABCDEFGHIJKLMNOPQRSTUVWXYZ", letter)
	if len(letter) != 1 || i < 0 || i >= len(words) || atRef(words[i]) || len(words) == 1 {
		return l.Again().Without("seed")
	}
	return l.Again().Without("seed").only(letter).Naming(words[i])
}

// Setting is the line that compares the program of a run with itself, B with one more entry in its environment: under
// the same load, in the same box. It is nil where Against is, or names several programs.
func (l Line) Setting(letter string, isPackage bool, entry string) Line {
	l = l.Against(letter, isPackage)
	words := l.Words()
	if l == nil || len(words) > 1 {
		return nil
	}
	if len(words) == 0 {
		words = []string{"."}
	}
	l = l.Naming(words[0], words[0])
	return slices.Insert(l, l.dash(), "--env=B:"+entry)
}

// atRef says that a word names a package at a git ref.
func atRef(word string) bool {
	v, err := build.ParseVariant("A", word)
	return err == nil && strings.Contains(v.Source, ":")
}

// only is the line with what it says of one variant said of all, and without what it says of others.
func (l Line) only(letter string) Line {
	var out Line
	for i, word := range l {
		name, value, ok := Split(word)
		if i >= l.dash() || !ok || !slices.Contains(With(PerVariant), name) {
			out = append(out, word)
			continue
		}
		switch of, rest, some := strings.Cut(value, ":"); {
		case name == "no-inject" && value == letter:
			out = append(out, "--set=no-inject")
		case name == "no-inject" && value != "":
		case name == "toolchain" && strings.Contains(value, "="):
			for part := range strings.SplitSeq(value, ",") {
				if version, ok := strings.CutPrefix(part, letter+"="); ok {
					out = append(out, "--toolchain="+version)
				}
			}
		case some && len(of) == 1 && of == letter:
			out = append(out, "--"+name+"="+rest)
		case some && len(of) == 1 && of >= "A" && of <= "Z":
		default:
			out = append(out, word)
		}
	}
	return out
}

// AtRate is the load test at another rate, Finding the search for the highest rate within a limit, One its first
// request alone.
func (l Line) AtRate(hz int) Line { return l.reshaped().With(fmt.Sprintf("--rate=%d", hz)) }

func (l Line) Finding(limit string) Line { return l.reshaped().With("--find-max=" + limit) }

func (l Line) One() Line {
	return l.reshaped().Without("duration").With("--connections=1", "--requests=1")
}

// Longer is the line with a load that is so long that growth shows where it ends: of a run ten times the usual one,
// of a comparison in each start. Nil where the line is of another command.
func (l Line) Longer() Line {
	switch l.Verb() {
	case "run":
		return l.Again().Without("requests").With("--duration=2m")
	case "compare":
		return l.Again().Without("seed").With("--set=block=20s", "--budget=5m")
	}
	return nil
}

// reshaped is a load test without its schedule.
func (l Line) reshaped() Line {
	if traffic, _ := l.Flag("traffic"); traffic == "replay" {
		l = l.Without("traffic")
	}
	return l.Again().Without(With(OfSchedule)...)
}

// Completing are the flags that give a stored run back what its document does not keep: those of its requests, and of
// its environment these entries.
func (l Line) Completing(env []string) string {
	flags := l[:l.dash()].Only(With(Completes)...)
	flags = slices.DeleteFunc(slices.Clone(flags), func(word string) bool { return !strings.HasPrefix(word, "--") })
	for _, entry := range env {
		flags = append(flags, "--env="+entry)
	}
	return Join(flags)
}
