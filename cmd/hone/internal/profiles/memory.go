package profiles

import (
	"errors"
	"io/fs"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/watch"
	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

func (a *commands) profileMemoryCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "memory [RUN | PID | HOST:PORT | URL | DUMP]",
		Short: "Where the resident memory is: parts that add up to RSS, and what would shrink each",
		Long: `memory shows where the resident memory (RSS) of a Go program is: live heap, garbage, free and
fragmented spans of the heap, stacks, the runtime's structures, the program's file, mapped files,
shared memory, C and other memory. The parts add up to RSS; what is left is printed, too. Each
large part has a sentence about what would make it smaller in this program, and the last
lines say what the control group's OOM killer counts.

It takes a run of the ledger (as it was at the end of its load), or a process that runs, also one that
hone did not start: by its PID, or by an address at which it listens. hone reads /proc and the memory of the process;
the process does not notice it. Where that is not allowed, or the program has no symbols, an address of net/http/pprof
or expvar tells the same. A heap dump (debug.WriteHeapDump) has the mapped memory of the Go heap alone.

With --verify it tries on the program of a run what shrinks its largest parts without a change of source: GOGC and
GOMEMLIMIT as the account of the run names them. Each is measured beside the program as it is, under the load of the run:
by how much it shrinks resident memory, and what it costs in CPU time.`,
		Example: `  hone profile memory 4f2a
  hone profile memory 4242
  hone profile memory localhost:6060 --json
  hone profile memory 4f2a --verify`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			word := app.OrNewest(args, 1)[0]
			if f.Advise.Verify {
				return a.verifyMemory(f, cmd, word)
			}
			if cmd.Flags().Changed("budget") {
				return fail.New(fail.BadInput, "--budget without --verify").
					WithHint("hone profile memory RUN --verify --budget 3m")
			}
			return a.profileMemory(&f.Spec, word)
		},
	}
	spec.Defaults(spec.ForAdvise, &f.Spec) // a run is measured again as by hone advise --verify
	f.Add(cmd, spec.ForMemory)
	return cmd
}

// verifyMemory refuses what is not a run: the program of a process would have to be started again.
func (a *commands) verifyMemory(f *app.MeasureFlags, cmd *cobra.Command, word string) error {
	if what := notARun(word); what != "" {
		return fail.New(fail.BadInput, "--verify measures the program of a run again, and %s is %s", word, what).
			WithHint("hone run PACKAGE, then hone profile memory --verify")
	}
	return a.verify(f, cmd, word)
}

// What a word may name instead of a run.
const (
	aFile     = "a file"
	aProcess  = "a process"
	anAddress = "an address"
)

// notARun says what a word names instead of a run; empty for a run.
func notARun(word string) string {
	if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
		return aFile
	}
	if pid, err := strconv.Atoi(word); err == nil && pid > 0 && processExists(word) {
		return aProcess
	}
	if t, err := watch.ParseTarget(word); err == nil && t.HostPort != "" {
		return anAddress
	}
	return ""
}

func (a *commands) profileMemory(f *spec.Spec, word string) error {
	account, err := a.memoryOf(f, word)
	if err != nil {
		return err
	}
	return a.Print(f.JSON, account, account.WriteText)
}

// memoryOf is the account of what a word names.
func (a *commands) memoryOf(f *spec.Spec, word string) (*memory.Account, error) {
	switch notARun(word) {
	case aFile:
		return memoryOfDump(word)
	case aProcess:
		pid, _ := strconv.Atoi(word)
		return memory.OfProcess(a.Ctx, pid, nil)
	case anAddress:
		t, _ := watch.ParseTarget(word)
		pages, err := pprofhttp.New(t.Pages)
		if err != nil {
			return nil, err
		}
		return memory.AtAddress(a.Ctx, t.HostPort, pages)
	}
	return a.memoryOfRun(f, word)
}

func processExists(pid string) bool {
	_, err := os.Stat("/proc/" + pid)
	return !errors.Is(err, fs.ErrNotExist)
}

func (a *commands) memoryOfRun(f *spec.Spec, name string) (*memory.Account, error) {
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return nil, orNoProcess(name, err)
	}
	defer l.Close()
	r, err := a.Library(l).Stored.Run(name)
	if err != nil {
		return nil, orNoProcess(name, err)
	}
	if r.Record.Memory == nil {
		return nil, fail.New(fail.BadInput, "run %s does not say where its memory was", r.Row.ID).
			WithHint("measure it again with this hone, on Linux and with the probe")
	}
	return r.Record.Memory, nil
}

// orNoProcess is the error of a run that is not there: a number may have meant a process.
func orNoProcess(name string, err error) error {
	if _, notANumber := strconv.Atoi(name); notANumber != nil {
		return err
	}
	return fail.New(fail.BadInput, "no process has the number %s, and no run an id that starts so", name)
}

func memoryOfDump(name string) (*memory.Account, error) {
	file, size, err := inputs.HeapDump.OpenRegular(name)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "open heap dump %w", err)
	}
	defer file.Close()
	account, err := memory.OfDump(file, size)
	if err != nil {
		return nil, fail.New(fail.KindOf(err), "%s: %w", name, err)
	}
	return account, nil
}
