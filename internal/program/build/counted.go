package build

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/probe"
)

// Repeat is what go list has to be told in WorkDir to compile the packages of the binary as they were: the flags of go
// build, and the package.
func (b *Binary) Repeat() (flags, targets []string) {
	words := b.Command[2:] // after go build
	end := slices.Index(words, "--")
	flags, targets = slices.Clone(words[:end]), words[end+1:]
	if i := slices.Index(flags, "-o"); i >= 0 {
		flags = slices.Delete(flags, i, i+2)
	}
	return flags, targets
}

// Counted builds a binary once more with further flags for coverage counters, which its probe clears and writes.
func (b *Binary) Counted(ctx context.Context, flags []string, o Options) (*Binary, error) {
	v := b.Variant
	_, targets := b.Repeat()
	if v.NoInject || !b.Probed || !slices.Equal(targets, []string{"."}) {
		return nil, fail.New(fail.BadInput, "variant %s: hone adds no probe to it, which writes counters", v.Name)
	}
	out, err := outDir(v, o.OutDir)
	if err != nil {
		return nil, fail.New(fail.Or(fail.Environment, err), "build variant %s: %w", v.Name, err)
	}
	if v.toolExec, err = toolExec(ctx, v, b.WorkDir); err != nil {
		return nil, err
	}
	if err := writeCoverTool(nil, v.toolExec, out); err != nil { // the source is found with it, too
		return nil, err
	}
	v.BuildFlags = slices.Concat(v.BuildFlags, flags, []string{"-toolexec=" + coverTool(out)})
	if v.Overlay = maps.Clone(v.Overlay); v.Overlay == nil {
		v.Overlay = map[string]string{}
	}
	v.Overlay[filepath.Join(b.Dir, probePrefix+"counters.go")], v.counted = probe.CountersSource(), true
	return Program(ctx, v, o)
}

// toolExec is the command that the user has standing before tools (go help build, -toolexec), in words.
func toolExec(ctx context.Context, v Variant, workDir string) (words []string, err error) {
	settings, err := gocommand.ReadSettings(ctx, Env(v), workDir)
	if err != nil {
		return nil, err
	}
	fromEnv, err := gocommand.SplitFlags(settings.GOFLAGS)
	if err != nil {
		return nil, fail.New(fail.BadInput, "variant %s: read GOFLAGS: %w", v.Name, err)
	}
	for _, f := range gocommand.ReadFlags(append(fromEnv, v.BuildFlags...)) {
		if f.Name == "toolexec" {
			if words, err = gocommand.SplitFlags(f.Value); err != nil {
				return nil, fail.New(fail.BadInput, "variant %s: read -toolexec: %w", v.Name, err)
			}
		}
	}
	return words, nil
}

// coverTool is where the script is that stands before the tools of a build with counters.
func coverTool(out string) string { return filepath.Join(out, "cover.sh") }

// writeCoverTool writes it. Go tells its tool cover the places of files that the overlay adds or replaces, and cover,
// which knows no overlay, does not find them there. The script tells it where they are. Other tools run as they are.
// before is the user's own command that stands before tools.
func writeCoverTool(replace map[string]string, before []string, out string) error {
	command := strings.TrimLeft(shellwords.Join(before)+` "$@"`, " ")
	b := &strings.Builder{}
	b.WriteString(`#!/bin/sh
case "$1" in
*/cover) ;;
*) exec ` + command + ` ;;
esac
left=$#
while [ "$left" -gt 0 ]; do
	word=$1
	shift
	case "$word" in
`)
	for _, place := range slices.Sorted(maps.Keys(replace)) {
		b.WriteString("\t" + shellwords.Quote(place) + ") word=" + shellwords.Quote(replace[place]) + " ;;\n")
	}
	b.WriteString("\tesac\n\tset -- \"$@\" \"$word\"\n\tleft=$((left - 1))\ndone\nexec " + command + "\n")
	if err := os.WriteFile(coverTool(out), []byte(b.String()), 0o700); err != nil {
		return fail.New(fail.Or(fail.Environment, err), "write %s: %w", coverTool(out), err)
	}
	return nil
}
