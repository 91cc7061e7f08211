package main

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone-sign/internal/signature/signtest"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/testkit/hinttest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/receipt"
)

// Hints name flags and commands that exist.
func TestHintsNameFlagsAndCommandsThatExist(t *testing.T) {
	root := commands(&extension.Terminal{Stdout: io.Discard, Stderr: io.Discard})
	if n := hinttest.Check(t, root, func(string) []string { return nil }, "."); n < 10 {
		t.Errorf("only %d hints were found: has their form changed?", n)
	}
}

// Only a receipt is signed, and bad input has the exit code for it and a next step. Nothing is written.
func TestOnlyReceiptsAreSigned(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("other.json", []byte(`{"format": "x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"other.json"}, {"missing.json"}, {"--verify", "other.json"}, {"a", "b"}, {"--nosuch"}} {
		var said bytes.Buffer
		if code := extension.Main(commands, args, &said, &said); code != int(fail.BadInput) {
			t.Errorf("%q: exit code %d: %s", args, code, &said)
		}
	}
	if found, err := os.ReadDir("."); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
	var help bytes.Buffer
	if code := extension.Main(commands, []string{"--help"}, &help, &help); code != 0 ||
		!strings.Contains(help.String(), "hone sign --verify") {
		t.Errorf("exit code %d: %s", code, &help)
	}
}

// A receipt is signed by the command, and the command says by whom. One that was changed is read, and not trusted.
func TestAReceiptIsSigned(t *testing.T) {
	services := signtest.Start(t)
	t.Chdir(t.TempDir())
	hash := func(digit string) string { return strings.Repeat(digit, 40) }
	r := &receipt.Receipt{Comparison: "0123abcd", Document: strings.Repeat("0f", 32), Tries: receipt.Tries{Place: 1, Of: 1},
		Sides: []receipt.Side{{Name: "A", Commit: hash("a"), Tree: hash("c")}, {Name: "B", Commit: hash("b"), Tree: hash("d")}},
		Line:  spec.Line{"bench", ".", "--vs=" + hash("a")}}
	put := func() {
		f, err := os.Create("r.json")
		if err = cmp.Or(err, receipt.Write(f, r)); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	put()
	if err := os.WriteFile("token", []byte(signtest.Token()), 0o600); err != nil {
		t.Fatal(err)
	}
	hone := func(want int, words ...string) string {
		var said bytes.Buffer
		words = append(words, "r.json", "--trusted-root", services.TrustedRoot)
		if code := extension.Main(commands, words, &said, &said); code != want {
			t.Errorf("%q: exit code %d, want %d: %s", words, code, want, &said)
		}
		return said.String()
	}
	check := []string{"--verify", "--issuer", signtest.Issuer, "--identity", `https://github\.com/owner/name/.*`}
	hone(int(fail.BadInput), check...)
	hone(int(fail.BadInput), "--verify")
	hone(0, "--token", "token", "--signing-config", services.SigningConfig)
	if said := hone(0, check...); !strings.Contains(said, "r.json was signed by "+signtest.Workflow+" ("+signtest.Issuer+")") {
		t.Errorf("said %q", said)
	}
	r.Tries.Of++
	put()
	hone(int(fail.Untrusted), check...)
}
