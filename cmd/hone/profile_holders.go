package main

import (
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/prof/gotypes"
	"github.com/gohone/hone/prof/holders"
)

func (a *app) profileHoldersCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "holders DUMP PROGRAM",
		Short: "Who holds the memory: the variables and fields whose clearing would free it",
		Long: `holders reads a heap dump and says which variables and fields hold the memory, not who allocated it.
The program writes the dump itself, with debug.WriteHeapDump of runtime/debug; it stops meanwhile.
PROGRAM is the executable that wrote it, since it has the names and types (without them, built
with -ldflags=-s or -w, holders says less).

A holder is named with its type, its entries, the place where it is declared, and what its bytes
are. What two variables hold together has the names of both: to clear one frees nothing.`,
		Example: `  hone profile holders heap.dump ./server
  hone profile holders heap.dump ./server --pprof holders.pb.gz`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return a.profileHolders(f, args[0], args[1]) },
	}
	addOptions(cmd, spec.ForHolders, f)
	return cmd
}

// heapGrowth is GOGC while a dump is read: its index is large, and has no pointers that the collector would have to follow.
const heapGrowth = 20

func (a *app) profileHolders(f *spec.Spec, dump, program string) error {
	defer debug.SetGCPercent(debug.SetGCPercent(heapGrowth))
	r, err := readHolders(dump, program)
	if err != nil {
		return err
	}
	if f.Profile.PProf != "" {
		if err := a.draw(f.Profile.PProf, "", r.Profile().Write, nil); err != nil {
			return err
		}
	}
	return a.print(f.JSON, r, func(w io.Writer) error { return r.WriteText(w, f.Shown) })
}

// readHolders reads the holders of a dump in a file.
func readHolders(dump, program string) (*holders.Report, error) {
	executable, _, err := inputs.Executable.OpenRegular(program)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "open program %w", err)
	}
	defer executable.Close()
	types, err := gotypes.Open(executable)
	if err != nil {
		return nil, fail.New(fail.KindOf(err), "%s: %w", program, err)
	}
	file, size, err := inputs.HeapDump.OpenRegular(dump)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "open heap dump %w", err)
	}
	defer file.Close()
	r, err := holders.Read(file, size, types)
	if err != nil {
		return nil, fail.New(fail.KindOf(err), "%s: %w", dump, err)
	}
	return r, nil
}
