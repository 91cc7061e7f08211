package app

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/spec/read"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/wire"
)

// MeasureFlags are what a command that measures programs is asked for, and what becomes of it.
type MeasureFlags struct {
	spec.Spec
	// Task is what the command adds; its parts are those of Spec, see inLab.
	Task lab.Task
	// Built are programs that need not be built again.
	Built []*build.Binary
	Asked read.Requests // what was read of the requests
	Twice bool          // compares what the command line names with itself
	// Patched are the patches among the variants, which are checked before anything is measured.
	Patched []Patched
	Stored  bool // the parts are those of a stored run, and complete
}

// Add declares the options of a command.
func (f *MeasureFlags) Add(cmd *cobra.Command, of spec.Commands) { AddOptions(cmd, of, &f.Spec) }

// AddOptions declares the options of a command, and shows them in groups.
func AddOptions(cmd *cobra.Command, of spec.Commands, s *spec.Spec) {
	fl := cmd.Flags()
	set := spec.Declare(fl, of, s)
	all := false
	fl.BoolFunc("help-all", "help with all flags and keys", func(value string) (err error) {
		if all, err = strconv.ParseBool(value); err == nil && all {
			return fl.Set("help", "true")
		}
		return err
	})
	LayOutHelp(cmd, func() (bool, string) { return all, set.Help(fl, all) })
}

// LayOutHelp gives a command hone's layout of help. options says whether all is asked for, and lists its options.
func LayOutHelp(cmd *cobra.Command, options func() (all bool, list string)) {
	ofOthers := new(cobra.Command).HelpFunc()
	cmd.SetHelpFunc(func(asked *cobra.Command, args []string) {
		if asked != cmd { // a command below it, which has flags of its own
			ofOthers(asked, args)
			return
		}
		all, list := options()
		about, examples, usage := cmd.Short, firstExamples(cmd.Example), cmd.UseLine()
		if all {
			about, examples = cmp.Or(cmd.Long, cmd.Short), cmd.Example
		}
		if cmd.HasAvailableSubCommands() && list == "" { // it only holds others
			usage = cmd.CommandPath() + " COMMAND"
		}
		if examples != "" {
			examples = "Examples:\n" + examples + "\n\n"
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n\nUsage:\n  %s\n\n%s%s%s", about, usage, examples, commandsBelow(cmd), list)
	})
}

// HoldsOthers is the layout of help of a command that only holds others.
func HoldsOthers(cmd *cobra.Command) {
	LayOutHelp(cmd, func() (bool, string) { return true, "" })
}

// commandsBelow lists the commands below one, and ends with an empty line.
func commandsBelow(cmd *cobra.Command) string {
	if !cmd.HasAvailableSubCommands() {
		return ""
	}
	b := &strings.Builder{}
	b.WriteString("Commands:\n")
	for _, sub := range cmd.Commands() {
		fmt.Fprintf(b, "  %-*s  %s\n", cmd.NamePadding(), sub.Name(), sub.Short)
	}
	return b.String() + "\n"
}

// mostExamples is how many examples the first screen of a help has.
const mostExamples = 3

// firstExamples are the first of some examples. An example goes on after a line that ends with a backslash.
func firstExamples(all string) string {
	lines, examples := strings.Split(all, "\n"), 0
	for i, line := range lines {
		if !strings.HasSuffix(line, "\\") {
			examples++
		}
		if examples == mostExamples {
			return strings.Join(lines[:i+1], "\n")
		}
	}
	return all
}

// ParseVariants parses variants that hone.yaml has no part in.
func (f *MeasureFlags) ParseVariants(words []string) ([]build.Variant, error) {
	return f.resolve(&FromFile{Words: words})
}

// resolve makes the words of a command line variants and gives each its options. What
// hone.yaml says of a variant is weaker than any option.
func (f *MeasureFlags) resolve(use *FromFile) ([]build.Variant, error) {
	var all, inFile []build.Variant
	var names []string
	var faults []error
	for i, word := range use.Words {
		letter := string(rune('A' + i))
		if v, ok := use.Named[word]; ok {
			bare := v.Variant
			bare.Name, bare.Toolchain, bare.BuildFlags, bare.Env = letter, "", nil, nil
			all, inFile, names = append(all, bare), append(inFile, v.Variant), append(names, word)
			continue
		}
		v, err := build.ParseVariant(letter, word)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		all, inFile, names = append(all, v), append(inFile, build.Variant{}), append(names, "")
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	all, err := f.Options.Apply(all, names)
	if err != nil {
		return nil, err
	}
	after, err := shellwords.Split(f.AfterStart)
	if err != nil {
		return nil, fail.New(fail.BadInput, "--after-start: %w", err)
	}
	for i := range all {
		v, file := &all[i], inFile[i]
		if len(after) > 0 {
			v.AfterStart = after
		}
		v.Toolchain = cmp.Or(v.Toolchain, file.Toolchain)
		v.BuildFlags = slices.Concat(file.BuildFlags, v.BuildFlags)
		v.Env = slices.Concat(file.Env, v.Env)
	}
	return all, read.LikePod(&f.Program, all)
}

// finish reads what is asked for.
func (f *MeasureFlags) finish() error {
	f.Seed = cmp.Or(f.Seed, NewSeed())
	if f.Stored {
		return nil
	}
	return f.Asked.Programs(&f.Spec)
}

// NewSeed draws a seed of 53 bits: exact in every JSON reader.
func NewSeed() uint64 { return rand.Uint64() >> 11 }

// ReadWords makes the request of a command line, up to what finish adds: the packages that it names, at least and at
// most so many, or what hone.yaml has instead of them. All of them get what stands after --.
func (a *App) ReadWords(f *MeasureFlags, cmd *cobra.Command, args []string, least, most int) (*FromFile, error) {
	words, rest := SplitAtDash(cmd, args)
	return a.TakeWords(f, cmd, words, rest, least, most)
}

// TakeWords is readWords for packages that were parted from what stands after --.
func (a *App) TakeWords(f *MeasureFlags, cmd *cobra.Command, words, rest []string, least, most int) (*FromFile, error) {
	words, err := a.Named(f, words, most)
	if err != nil {
		return nil, err
	}
	use, err := a.UseFile(cmd, words, least)
	if err != nil {
		return nil, err
	}
	var steps []wire.Request
	if use.File != nil && len(use.Named) > 0 {
		steps = use.File.Sequence()
	}
	set := spec.Of(cmd.Flags())
	f.WarmUpGiven = set.Given("warmup")
	var said []string
	err = a.Reading(func() (err error) {
		said, err = f.Asked.Take(a.Ctx, &f.Spec, set, steps)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.Say(f.Quiet, said)
	if len(use.Words) == 0 && least > 0 {
		if use.Words, err = a.packageHere(cmd, most); err != nil {
			return nil, err
		}
	}
	if err := wantVariants(cmd, use.Words, least, most); err != nil {
		return nil, err
	}
	if f.Twice {
		use.Words = slices.Concat(use.Words, use.Words)
	}
	if f.Variants, err = f.resolve(use); err != nil {
		return nil, err
	}
	f.Args, f.Task.Command = rest, CommandLine(cmd, a.Words)
	here, err := WorkDir()
	if err != nil {
		return nil, err
	}
	if f.Needs, err = read.Needs(f.NeedWords, here); err != nil {
		return nil, err
	}
	if use.File == nil || len(use.Named) == 0 {
		return use, nil
	}
	if f.Needs == nil {
		f.Needs = use.File.Needs(use.File.Dir)
	}
	if f.Copy == nil {
		f.Copy, f.CopyFrom = use.File.Copies(), use.File.Dir
	}
	return use, nil
}

// Detail is how much is printed at the end.
func Detail(o spec.Output) model.Detail {
	if o.Verbose {
		return model.Full
	}
	return model.Brief
}

// title is what a measurement is of, for the panels.
func (f *MeasureFlags) title() string { return titleOf(f.Variants) }

func titleOf(variants []build.Variant) string {
	var names []string
	for _, v := range variants {
		name := strings.Join(append([]string{v.Source}, redact.Args(v.Args)...), " ")
		if len(variants) > 1 {
			name = v.Name + ": " + name
		}
		names = append(names, name)
	}
	return strings.Join(names, "   ")
}

// Print writes what a command found, as JSON or as text.
func (a *App) Print(asJSON bool, document any, text func(io.Writer) error) error {
	if asJSON {
		return a.PrintJSON(document)
	}
	return text(a.Stdout)
}

// PrintJSON writes v with indentation to stdout.
func (a *App) PrintJSON(v any) error { return cli.JSON(a.Stdout, v) }

// Say prints what was taken and what was left out.
func (a *App) Say(quiet bool, lines []string) {
	if quiet {
		return
	}
	for _, line := range lines {
		fmt.Fprintln(a.Stderr, printable.Line(line))
	}
}
