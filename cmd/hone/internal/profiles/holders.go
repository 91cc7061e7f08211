package profiles

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/holders"
)

func (a *commands) profileHoldersCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "holders [RUN | DUMP PROGRAM]",
		Short: "Who holds the memory: the variables and fields whose clearing would free it",
		Long: `holders shows what hone run --holders found out, or reads a heap dump. It says which variables and fields hold the memory, not who allocated it.
The program writes a dump itself, with debug.WriteHeapDump of runtime/debug; it stops meanwhile.
PROGRAM is the executable that wrote it, since it has the names and types (without them, built
with -ldflags=-s or -w, holders says less).

A holder is named with its type, its entries, the places where it is declared and filled, and what its bytes
are. Goroutines have the lines where they were started and wait, timers the line of the function that they call.
What two variables hold together has the names of both: to clear one frees nothing.`,
		Example: `  hone profile holders 4f2a
  hone profile holders heap.dump ./server
  hone profile holders heap.dump ./server --pprof holders.pb.gz`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return a.profileHolders(f, app.OrNewest(args, 1)) },
	}
	app.AddOptions(cmd, spec.ForHolders, f)
	return cmd
}

func (a *commands) profileHolders(f *spec.Spec, args []string) error {
	r, write, err := a.holdersOf(f, args)
	if err != nil {
		return err
	}
	if f.Profile.PProf != "" {
		if err := a.draw(f.Profile.PProf, "", write, nil); err != nil {
			return err
		}
	}
	return a.Print(f.JSON, r, func(w io.Writer) error { return r.WriteText(w, f.Shown) })
}

// holdersOf reads the holders that a run has, or those of a dump and the program that wrote it. profile writes them in
// pprof's format.
func (a *commands) holdersOf(f *spec.Spec, args []string) (r *holders.Report, profile func(io.Writer) error,
	err error) {
	if len(args) == 1 {
		return a.holdersOfRun(f, args[0])
	}
	if r, err = readHolders(a.Ctx, args[0], args[1]); err != nil {
		return nil, nil, err
	}
	return r, r.Profile().Write, nil
}

func (a *commands) holdersOfRun(f *spec.Spec, name string) (*holders.Report, func(io.Writer) error, error) {
	if _, err := os.Stat(name); err == nil {
		return nil, nil, fail.New(fail.BadInput, "%s is a file, and a heap dump is read with the program that wrote it",
			name).
			WithHint("%s PROGRAM", spec.Join([]string{"hone", "profile", "holders", name}))
	}
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	p, err := a.ReadProfiles(l, name, []string{prof.HoldersKind})
	if err != nil {
		return nil, nil, err
	}
	if p.Record.Holders == nil {
		return nil, nil, fail.New(fail.BadInput, "%s does not say who holds the memory",
			p.Name).WithHint("measure it with hone run --holders")
	}
	c, err := p.One(prof.HoldersKind)
	if err != nil {
		return nil, nil, err
	}
	return p.Record.Holders.Report, c.Profile.Write, nil
}

// readHolders reads the holders of a dump in a file.
func readHolders(ctx context.Context, dump, program string) (*holders.Report, error) {
	file, size, err := inputs.HeapDump.OpenRegular(dump)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "open heap dump %w", err)
	}
	defer file.Close()
	r, err := holders.ReadOf(ctx, file, size, program)
	if err != nil {
		return nil, fail.New(fail.KindOf(err), "%s: %w", dump, err)
	}
	return r, nil
}
