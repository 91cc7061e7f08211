package receipt

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// budget is what a reader spends on a file: the levels are file, receipt, claims, claim, verdicts, verdict, first,
// tail, and as many again.
var budget = inputs.Budget{Bytes: inputs.Receipt, Values: inputs.ReceiptValues, Depth: 16}

// file is what stands in a file: SHA256 is that of the receipt, written without white space.
type file struct {
	Format  string          `json:"format"`
	SHA256  string          `json:"sha256"`
	Receipt json.RawMessage `json:"receipt"`
}

// Write writes the file of a receipt.
func Write(w io.Writer, r *Receipt) error {
	text, err := encode(r)
	if err != nil {
		return err
	}
	all, err := encode(file{Format, digest(text), text})
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, all, "", "  "); err != nil {
		return fmt.Errorf("write receipt: %w", err)
	}
	indented.WriteByte('\n')
	_, err = w.Write(indented.Bytes())
	return err
}

// encode writes JSON without white space, and with < as it is: gates have it.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write receipt: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ReadFile reads the file of a receipt, and checks it.
func ReadFile(ctx context.Context, name string) (*Receipt, []byte, error) {
	text, err := inputs.Receipt.ReadFile(name)
	if err != nil {
		return nil, nil, fail.New(fail.Or(fail.BadInput, err), "read receipt: %w", err)
	}
	r, err := Read(ctx, name, text)
	return r, text, err
}

// Read reads a receipt: only what Write writes. White space may differ. Errors are fail.BadInput, with the line and
// column, or with the way to the value that does not fit.
func Read(ctx context.Context, name string, text []byte) (*Receipt, error) {
	if err := budget.Start(ctx, name).JSON(text); err != nil {
		return nil, err
	}
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, badJSON(name, text, err)
	}
	if head.Format != Format {
		return nil, fail.New(fail.BadInput, "%s: format: %.40q, and this hone reads %q", name, head.Format, Format).
			WithHint("a receipt of a newer hone takes that hone; hone compare --receipt FILE writes a receipt")
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, badJSON(name, text, err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, f.Receipt); err != nil {
		return nil, badJSON(name, text, err)
	}
	r := &Receipt{}
	if err := json.Unmarshal(f.Receipt, r); err != nil {
		return nil, badJSON(name, text, err)
	}
	if err := asWritten(name, text, struct {
		Format  string   `json:"format"`
		SHA256  string   `json:"sha256"`
		Receipt *Receipt `json:"receipt"`
	}{f.Format, f.SHA256, r}); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, fail.New(fail.BadInput, "%s: %w", name, err).WithHint("%s", edited)
	}
	if has := digest(compact.Bytes()); has != f.SHA256 {
		return nil, fail.New(fail.BadInput,
			"%s: sha256: the receipt has %.12s..., and the file says %.12q: it was changed",
			name, has, f.SHA256).WithHint("%s", edited)
	}
	return r, nil
}

// edited is the next step with a receipt that is not as hone wrote it.
const edited = "ask for the file as hone wrote it; hone show COMPARISON --receipt FILE writes it again from the ledger"

// asWritten says where a text is not what hone writes for a value, but for white space: a key that is unknown, that
// stands twice or at another place, a number that is written in another way.
func asWritten(name string, text []byte, v any) error {
	want, err := encode(v)
	if err != nil {
		return fail.New(fail.BadInput, "%s: %w", name, err).WithHint("%s", edited)
	}
	quoted, escaped, at := false, false, 0
	for i, c := range text {
		if !quoted && (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
			continue
		}
		if at >= len(want) || want[at] != c {
			return fail.New(fail.BadInput, "%s: hone does not write %.40q here, but %.40q", position(name, text, i),
				text[i:], want[min(at, len(want)):]).WithHint("%s", edited)
		}
		at++
		if c == '"' && !escaped {
			quoted = !quoted
		}
		escaped = quoted && c == '\\' && !escaped
	}
	if at < len(want) {
		return fail.New(fail.BadInput, "%s: the end is missing", position(name, text, len(text))).WithHint("%s", edited)
	}
	return nil
}

// badJSON says where a text is no JSON, or has a value of another kind.
func badJSON(name string, text []byte, err error) error {
	at := int64(0)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	}
	return fail.New(fail.BadInput, "%s: %w", position(name, text, int(at)), err).WithHint("%s", edited)
}

// position is FILE:LINE:COLUMN of a byte.
func position(name string, text []byte, at int) string {
	before := string(text[:max(0, min(at, len(text)))])
	line := strings.Count(before, "\n")
	column := len(before) - (strings.LastIndexByte(before, '\n') + 1)
	return fmt.Sprintf("%s:%d:%d", name, line+1, column+1)
}

// BundleSuffix is the end of the name of the file with a receipt's signature, which lies next to it: hone sign.
const BundleSuffix = ".sigstore.json"
