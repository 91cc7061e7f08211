// Package program is what the programs of the reference services have in common: exit
// codes, flags, signals, and a server's life from its flags to its shutdown.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes.
const (
	OK     = 0
	Failed = 1
	Usage  = 2 // what package flag uses
)

// UntilSignalled runs run with the program's arguments and a context that ends on SIGINT
// and SIGTERM, and returns its exit code.
func UntilSignalled(run func(ctx context.Context, args []string, stdout, stderr io.Writer) int) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// Tool runs a program that does one thing: parse reads the flags and checks them, do does
// it. It says on stderr what failed, on one line, and returns the exit code.
func Tool(name string, stderr io.Writer, parse, do func() error) (code int) {
	code, err := Usage, parse()
	if err == nil {
		code, err = Failed, do()
	}
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return OK
	}
	fmt.Fprintf(stderr, "%s: %v\n", name, err)
	return code
}

// Parse reads args, which must be flags all of them. Asked for help, it prints the flags
// to stderr and returns flag.ErrHelp; other errors are for the caller to print.
func Parse(flags *flag.FlagSet, args []string, stderr io.Writer) error {
	flags.SetOutput(io.Discard) // a fault is said once, by the caller
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q (every setting is a flag; see -help)", flags.Arg(0))
	}
	return nil
}
