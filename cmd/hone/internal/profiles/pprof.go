package profiles

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

func (a *commands) profilePProfCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "pprof [RUN] [-- ARGS]",
		Short: "Run go tool pprof on a profile of a run",
		Long: `pprof writes a profile of a run into a temporary file and runs go tool pprof on it, with the arguments
after --. Its views are there (peek, tree, tags, disasm, weblist, dot) and its web pages (-http). Without
arguments it asks for commands. The exit code is that of pprof.

pprof reads the source files and programs that a profile names, also in the run of a stranger.`,
		Example: `  hone profile pprof -- -peek 'main\.answer'
  hone profile pprof RUN --kind allocs -- -http=127.0.0.1:0
  hone profile pprof RUN2 --base RUN1 -- -tree
  hone profile pprof RUN --binary ./server -- -disasm 'main\.answer'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			run, words := args, []string(nil)
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				run, words = args[:dash], args[dash:]
			}
			if run = app.OrNewest(run, 1); len(run) != 1 {
				return fail.New(fail.BadInput, "there are %d names of runs before --, want at most one", len(run)).
					WithHint("hone profile pprof RUN -- -top: the options of pprof stand after --")
			}
			return a.profilePProf(f, run[0], words)
		},
	}
	app.AddOptions(cmd, spec.ForPProf, f)
	return cmd
}

func (a *commands) profilePProf(f *spec.Spec, name string, words []string) (err error) {
	p, err := a.OpenProfiles(f, name, f.Profile.Kind)
	if err != nil {
		return err
	}
	if p.Record == nil {
		return fail.New(fail.BadInput, "%s is a file", name).WithHint("go tool pprof %s", name)
	}
	c, err := p.One(f.Profile.Kind)
	if err == nil && f.Profile.Base != "" {
		c, err = a.lessBase(f, f.Profile.Base, c)
	}
	if err != nil {
		return err
	}
	binary, err := a.binaryOf(f.Profile.Binary, p, words)
	if err != nil {
		return err
	}
	dir, err := tempdir.Make()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Remove()) }()
	file := filepath.Join(dir.Path, filepath.Base(c.Kind)+".pb.gz")
	if err := app.WriteFile(file, c.Write); err != nil {
		return err
	}
	// A Go program's profile has its symbols: pprof needs no program to find them.
	args := append([]string{"tool", "pprof", "-symbolize=none"}, words...)
	return a.runGo(append(append(args, binary...), file))
}

// binaryOf is the program that a profile is of, as a list of one; empty if it is not known and no argument of pprof
// needs it.
func (a *commands) binaryOf(named string, p *app.Profiled, words []string) ([]string, error) {
	if named != "" {
		return []string{named}, nil
	}
	if p.Own && p.Record != nil { // a stranger's run may name any file
		if _, err := os.Stat(p.Record.Binary.Path); err == nil {
			return []string{p.Record.Binary.Path}, nil
		}
	}
	for _, word := range words {
		option, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if strings.HasPrefix(word, "-") && (option == "disasm" || option == "weblist") {
			return nil, fail.New(fail.BadInput, "-%s needs the program of %s", option, p.Name).
				WithHint("hone removes what it built: name the program, as it was measured, with --binary")
		}
	}
	return nil, nil
}

// runGo runs the go command in this terminal. Its exit code is hone's; signals to hone go to it.
func (a *commands) runGo(args []string) error {
	path, err := exec.LookPath("go")
	if err != nil {
		return fail.New(fail.Environment, "there is no go command in PATH").
			WithHint("install Go, or add its bin directory to PATH; hone profile top, list and flame need none")
	}
	cmd := exec.Command(path, args...)
	a.HandOver(cmd)
	if err := cmd.Start(); err != nil {
		return fail.New(fail.Environment, "run go tool pprof: %w", err)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() { // ends when signals is closed
		for s := range signals {
			_ = cmd.Process.Signal(s) // it may have ended meanwhile
		}
	}()
	err = cmd.Wait()
	signal.Stop(signals)
	close(signals)
	switch ended := (*exec.ExitError)(nil); {
	case a.Ctx.Err() != nil: // the go command may say 0 of a tool that a signal ended
		return cli.Shown(fail.New(fail.Interrupted, "interrupted"))
	case err == nil:
		return nil
	case errors.As(err, &ended) && ended.Exited():
		return cli.Shown(fail.New(fail.Kind(ended.ExitCode()), "go tool pprof: %w", err)) // which has said why
	default:
		return fail.New(fail.Environment, "go tool pprof: %w", err)
	}
}
