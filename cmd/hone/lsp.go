package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/lsp"
	"github.com/gohone/hone/internal/view/mcpserver"
	"github.com/gohone/hone/internal/view/stored"
)

func (a *commands) lspCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lsp [DIR]",
		Short: "Show findings and costs at the lines in an editor: a language server (LSP)",
		Long: `lsp serves the Language Server Protocol on standard input and output. The editor starts it.
It shows the findings of the newest complete run as diagnostics, and what lines and functions
cost in its CPU profile above them. A new run is shown within 2 s of its end.

It reads the ledger .hone of the editor's workspace; of DIR, or of the working directory, if the
editor names no workspace. It only reads: it writes no file and executes nothing of the workspace.

How to start it in VS Code, GoLand and Neovim: docs/advise.md.`,
		Example: `  hone lsp
  hone lsp ~/src/shop`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.lsp(append(args, ".")[0]) },
	}
}

func (a *commands) lsp(dir string) error {
	root, err := mcpserver.Folder(dir)
	if err != nil {
		return err
	}
	return lsp.New(lsp.Config{Version: app.Version(), Root: root, Open: a.openWorkspace}).Serve(a.Ctx, os.Stdin,
		a.Framed())
}

// openWorkspace opens the ledger in the root of a workspace, which becomes the working directory: there the source is
// looked for.
func (a *commands) openWorkspace(root string) (*stored.Library, io.Closer, error) {
	if err := os.Chdir(root); err != nil {
		return nil, nil, fail.New(fail.BadInput, "workspace %s: %w", root, err)
	}
	l, err := a.ReadLedger(".hone")
	if err != nil {
		return nil, nil, err
	}
	return a.Library(l).Stored, l, nil
}
