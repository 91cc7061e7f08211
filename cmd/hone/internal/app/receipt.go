package app

import (
	"fmt"
	"io"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/receipt"
)

// KeepReceipt writes the receipt of a comparison to a file; nothing without a name.
func (a *App) KeepReceipt(file string, lib *page.Library, id string) error {
	if file == "" {
		return nil
	}
	c, err := lib.Stored.Comparison(id)
	if err != nil {
		return err
	}
	here, err := WorkDir()
	if err != nil {
		return err
	}
	r, err := receipt.Of(a.Ctx, lib.Stored.Ledger, c, here)
	if err != nil {
		return err
	}
	if r.Open != "" {
		fmt.Fprintf(a.Stderr, "note: nobody can verify this receipt: %s\n", printable.Line(r.Open))
	}
	return WriteFile(file, func(w io.Writer) error { return receipt.Write(w, r) })
}

// ReceiptIn is KeepReceipt for a measurement that has closed its ledger.
func (a *App) ReceiptIn(dir, file, id string) error {
	if file == "" {
		return nil
	}
	l, err := a.ReadLedger(dir)
	if err != nil {
		return err
	}
	defer l.Close()
	return a.KeepReceipt(file, a.Library(l), id)
}
