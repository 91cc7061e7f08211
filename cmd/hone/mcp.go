package main

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/mcpserver"
	"github.com/gohone/hone/internal/view/page"
)

func (a *commands) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp [DIR]",
		Short: "Let a coding agent measure and compare: a server of the Model Context Protocol (MCP)",
		Long: `mcp serves the Model Context Protocol on standard input and output. The agent's program starts it.
Its tools are hone's commands: run, compare, try_patch, bisect, reach, status, findings, top, list, diff,
tail, history, report and receipt. Each answer is short, and says what to do next.

The agent can do no more than you can: packages of DIR (without it, of the working directory) are
built and executed with your rights, and loaded on this machine. Packages elsewhere are refused,
and so are flags, environment variables and commands. hone.yaml needs your hone trust.

How to connect it, and what it refuses: docs/mcp.md.`,
		Example: `  claude mcp add hone -- hone mcp
  hone mcp ~/src/shop`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.mcp(append(args, ".")[0]) },
	}
}

func (a *commands) mcp(dir string) error {
	folder, err := mcpserver.Folder(dir)
	if err != nil {
		return err
	}
	if err := os.Chdir(folder); err != nil {
		return fail.New(fail.BadInput, "folder %s: %w", dir, err)
	}
	self, err := os.Executable()
	if err != nil {
		return fail.New(fail.Environment, "find hone's own file: %w", err)
	}
	server := mcpserver.New(mcpserver.Config{
		Version: app.Version(), Folder: folder, Hone: []string{self}, Read: readCommand,
		Library: func() (*page.Library, io.Closer, error) {
			l, err := a.ReadLedger(".hone")
			if err != nil {
				return nil, nil, err
			}
			return a.Library(l), l, nil
		},
	})
	return server.Serve(a.Ctx, os.Stdin, protocolOutput{a.Stdout})
}

// protocolOutput is standard output for the protocol; its end is the end of the process.
type protocolOutput struct{ io.Writer }

func (protocolOutput) Close() error { return nil }

// readCommand executes a command of hone in this process and returns what it prints.
func readCommand(ctx context.Context, args ...string) (string, error) {
	var out, messages bytes.Buffer
	a, end := app.NewApp(&out, &messages)
	a.Ctx, a.Hard, a.Words = ctx, ctx, args
	root := (&commands{a}).root()
	cli.NoteRuns(root, &a.Ran)
	root.SetArgs(args)
	err := a.WithDamage(cli.OfCommandLine(root.ExecuteContext(ctx), a.Ran, "hone"))
	end()
	return out.String(), err
}
