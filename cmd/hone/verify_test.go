package main

import (
	"context"
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gohone/hone/internal/view/receipt"
	"github.com/gohone/hone/judge"
)

// forge FROM TO writes a receipt whose first claim is a gain of 90 %, with figures that fit together and a digest that
// is right.
func forge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: forge FROM TO")
	}
	r, _, err := receipt.ReadFile(context.Background(), ts.MkAbs(args[0]))
	ts.Check(err)
	v := &r.Claims[0].Verdicts[0]
	v.Word, v.Ratio, v.Low, v.High, v.Resolution = judge.Faster, 0.10, 0.08, 0.125, 0.25
	v.EquivalenceLow, v.EquivalenceHigh, v.P, v.Level = 0.09, 0.11, 0.01, 0.02
	v.B = v.A * v.Ratio
	r.Claims[0].Word = judge.Faster
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(receipt.Write(f, r))
	ts.Check(f.Close())
}
