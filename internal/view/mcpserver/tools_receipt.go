package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/receipt"
)

type receiptArguments struct {
	ID string `json:"id" jsonschema:"name of a comparison"`
}

// receiptsDir is where an agent's receipts are kept, from the folder: in the ledger, so that the working tree does not
// change by them.
const receiptsDir = ".hone/reports"

// receipt writes the receipt of a comparison, and says what it claims.
func (s *Server) receipt(ctx context.Context, _ *mcp.CallToolRequest, in receiptArguments) (string, Facts, error) {
	found, err := s.stored(in.ID, ledger.KindComparison)
	if err != nil {
		return "", Facts{}, err
	}
	f := Facts{}
	if _, err := s.describe(found.ID, &f); err != nil {
		return "", f, err
	}
	if err := os.MkdirAll(filepath.Join(s.Folder, receiptsDir), 0o700); err != nil {
		return "", f, fail.New(fail.Or(fail.Storage, err), "make a directory for the receipt: %w", err)
	}
	file := receiptsDir + "/receipt-" + found.ID + ".json"
	if _, err := s.Read(ctx, "show", found.ID, "--receipt", file); err != nil {
		return "", f, err
	}
	r, _, err := receipt.ReadFile(ctx, filepath.Join(s.Folder, file))
	if err != nil {
		return "", f, err
	}
	f.Next = []string{"attach " + file + " to the pull request: hone verify measures it again"}
	if r.Open != "" {
		f.Next = []string{"commit the change, and compare again: nobody can verify this receipt"}
	}
	return receiptText(file, printable.Document(r), f), f, nil
}

// receiptText is a receipt in a few lines: what was compared, how often, and what it claims.
func receiptText(file string, r *receipt.Receipt, f Facts) string {
	var b strings.Builder
	fmt.Fprintf(&b, "receipt: %s\n", file)
	for _, side := range r.Sides {
		fmt.Fprintf(&b, "%s: commit %.12s, tree %.12s, %s\n", side.Name, cmp.Or(side.Commit, side.Release), side.Tree,
			side.GoVersion)
	}
	if r.Patch != nil {
		fmt.Fprintf(&b, "B is a patch of commit %.12s: %d bytes of it are in the receipt\n", r.Patch.Base, len(r.Patch.Text))
	}
	fmt.Fprintf(&b, "number %d of %d of these trees in this ledger\n", r.Tries.Place, r.Tries.Of)
	for _, line := range append(f.Verdicts, f.Gates...) {
		fmt.Fprintln(&b, line)
	}
	if r.Open != "" {
		fmt.Fprintf(&b, "nobody can verify it: %s\n", r.Open)
	}
	return b.String()
}
