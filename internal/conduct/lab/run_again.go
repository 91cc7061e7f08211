package lab

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/redact"
)

// Completing are the flags that a command needs beside the name of a run to measure it again: its document keeps no
// secrets, no bodies and no files. ok is false where it cannot be measured again with any.
func Completing(r record.Run) (flags string, ok bool) {
	if _, _, err := Again(r, spec.Parts{}); err == nil {
		return "", true
	}
	if r.Asked == nil || r.Command == nil {
		return "", false
	}
	// What flags can give is taken as given.
	env := slices.Concat(r.Binary.Variant.Env, r.Binary.Variant.RunEnv)
	env = slices.DeleteFunc(env, func(entry string) bool { return !redact.Partial(entry) })
	whole, asked := r, *r.Asked
	whole.Asked, whole.Binary.Variant = &asked, build.Variant{Source: "."}
	v := r.Binary.Variant
	whole.Binary.Variant.Args, whole.Binary.Variant.BuildFlags, whole.Binary.Variant.Overlay = v.Args, v.BuildFlags,
		v.Overlay
	whole.Binary.Variant.Prepare, whole.Binary.Variant.AfterStart = v.Prepare, v.AfterStart
	fill := func(text string) string { return strings.ReplaceAll(text, redact.Mark, "x") }
	asked.Target, asked.Path, asked.Protocol.Headers = fill(asked.Target), fill(asked.Path), nil
	asked.Protocol.Expect.Body, asked.Protocol.Expect.JSON = fill(asked.Protocol.Expect.Body),
		fill(asked.Protocol.Expect.JSON)
	asked.LeftOut = spec.LeftOut{}
	if _, _, err := Again(whole, spec.Parts{}); err != nil {
		return "", false
	}
	for i, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		env[i] = name + "=" + redact.Mark
	}
	line := r.Command
	if _, given := line.Flag("header"); !given { // of a plan in hone.yaml
		for _, h := range r.Asked.Protocol.Headers {
			if redact.Partial(h) {
				line = slices.Insert(slices.Clone(line), 1, "--header="+h)
			}
		}
	}
	return line.Completing(env), true
}
