package lab

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
)

// Built is a variant as it was built.
type Built struct {
	Binary *build.Binary
	// digest is the SHA-256 of the file of a program that hone did not build, in hexadecimal.
	Digest string
}

// Builder builds a variant, or takes the program that it is; the digest is as in built.
type Builder func(ctx context.Context, v build.Variant) (b *build.Binary, digest string, err error)

// Build builds every variant, with a seed for the order of its functions or, with 0, in the linker's own. Variants that
// differ in their arguments only share one executable, so that no difference of builds comes into the comparison.
func (m *Measurement) Build(ctx context.Context, layout int64, one Builder) ([]Built, error) {
	var all []Built
	for _, v := range m.Task.Variants {
		v.Layout = layout
		binary, digest := m.alike(v, all)
		if binary == nil {
			if layout == 0 {
				m.Progress.Phase(fmt.Sprintf("build %s: %s", v.Name, v.Source), 0)
			}
			var err error
			if binary, digest, err = one(ctx, v); err != nil {
				if ctx.Err() != nil {
					err = fail.New(fail.Interrupted, "interrupted while building; nothing was stored")
				}
				return nil, &VariantError{v.Name, err}
			}
		}
		binary.Variant = v
		all = append(all, Built{Binary: binary, Digest: digest})
	}
	return all, nil
}

// BuildProgram is the builder of packages, which takes an executable as it is.
func (m *Measurement) BuildProgram(ctx context.Context, v build.Variant) (*build.Binary, string, error) {
	if path := source.Executable(m.WorkDir, v.Source); path != "" {
		return build.Take(v, path)
	}
	b, err := build.Program(ctx, v, build.Options{Source: source.Options{WorkDir: m.WorkDir, Worktrees: m.Worktrees},
		OutDir: m.Tmp})
	return b, "", err
}

// alike returns a copy of a binary that was built as v would be, or nil.
func (m *Measurement) alike(v build.Variant, all []Built) (b *build.Binary, digest string) {
	all = slices.Clip(all)
	for _, b := range m.Built {
		all = append(all, Built{Binary: b})
	}
	for _, one := range all {
		if v.BuiltLike(one.Binary.Variant) {
			b := *one.Binary
			return &b, one.Digest
		}
	}
	return nil, ""
}
