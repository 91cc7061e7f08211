package build

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/redact"
)

// Label names the variant as its user typed it.
func (v Variant) Label() string {
	return strings.Join(slices.Concat(v.Env, v.RunEnv, []string{v.Source}, v.Args), " ")
}

// Words are those of a command line that ParseVariant reads as this variant's environment,
// source and arguments.
func (v Variant) Words() []string {
	source := source.GoFiles(v.Source)
	if source == nil {
		source = []string{v.Source}
	}
	return slices.Concat(v.Env, v.RunEnv, source, v.Args)
}

// Redacted returns the variant as it may be stored and printed. It cannot be built from.
func (v Variant) Redacted(hide redact.Env) Variant {
	v.Env, v.Args, v.BuildFlags = hide.Entries(v.Env), redact.Args(v.Args), redact.Args(v.BuildFlags)
	v.RunEnv, v.Overlay = hide.Entries(v.RunEnv), hashes(v.Overlay)
	v.AfterStart, v.Prepare = redact.Args(v.AfterStart), redact.Args(v.Prepare)
	return v
}

// hashes has the SHA-256 of each file of an overlay instead of its content: source is not stored.
func hashes(overlay map[string]string) map[string]string {
	if overlay == nil {
		return nil
	}
	hashed := map[string]string{}
	for path, content := range overlay {
		hashed[path] = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(content)))
	}
	return hashed
}

// Redacted returns the binary as it may be stored and printed.
func (b Binary) Redacted(hide redact.Env) Binary {
	b.Variant, b.Command = b.Variant.Redacted(hide), redact.Args(b.Command)
	return b
}
