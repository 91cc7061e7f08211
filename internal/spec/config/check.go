package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/text/fail"
)

// SubjectName names the subject itself where a variant is asked for.
const SubjectName = "subject"

// name is what a plan or a variant may be called: nothing that reads as a flag, a
// directory or a git ref.
var name = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// needName is what a need may be called: {NAME.port} stands for its port.
var needName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// checkKey judges a key that the user chose.
func (r *reader) checkKey(p pair, path string) {
	switch {
	case path == "take": // protocol.ParseTake judges it
	case path == "needs":
		if !needName.MatchString(p.key) {
			r.say(p.at, "names have letters, digits, _ and - only", "needs: %s is not a name", shortened(p.key))
		}
	case path == "plans" || path == "variants" || path == "features":
		if !name.MatchString(p.key) || strings.Trim(p.key, ".") == "" {
			r.say(p.at, "names have letters, digits, _ . - only", "%s: %s is not a name", path, shortened(p.key))
		}
		if path == "variants" && p.key == SubjectName {
			r.say(p.at, "choose another name", "variants: %q names the subject itself", SubjectName)
		}
	case strings.HasPrefix(path, "plans."):
		if strings.HasPrefix(p.key, "-") {
			r.say(p.at, "", "%s: write the flag without dashes: %s", path, strings.TrimLeft(p.key, "-"))
		}
	default: // an environment
		if p.key == "" || strings.ContainsAny(p.key, "=\x00") {
			r.say(p.at, "write NAME: value", "%s: %s is not a name of a variable", path, shortened(p.key))
		}
	}
}

// check judges what the parts of the file mean together.
func (f *faults) check(doc *Document, version Position) {
	switch {
	case version == Position{}:
		f.say(Position{1, 1}, "begin the file with version: 1", "no version")
	case doc.Version >= 0 && doc.Version != Version:
		f.say(version, "write version: 1", "there is no version %d; this hone reads version %d", doc.Version, Version)
	}
	f.checkProgram(doc.Subject.Program)
	f.checkNeeds(doc)
	f.checkSequence(doc.Subject.Steps, sequence(doc.Subject.Steps, f))
	for _, c := range doc.Subject.Copy {
		if err := subject.CheckCopies([]string{c.Value}); err != nil {
			f.say(c.At, fail.HintOf(err), "%v", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Variants)) {
		f.checkProgram(doc.Variants[name])
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Features)) {
		f.checkFeature(name, doc.Features[name])
	}
	if doc.Baseline.given() {
		known := append(slices.Sorted(maps.Keys(doc.Variants)), SubjectName)
		if !slices.Contains(known, doc.Baseline.Value) {
			f.say(doc.Baseline.At, "the variants are "+strings.Join(known, ", "), "baseline: there is no variant %s%s",
				shortened(doc.Baseline.Value), meant(doc.Baseline.Value, known))
		}
	}
	f.checkAccepted(doc.Accepted)
	for _, g := range doc.Gates {
		if strings.TrimSpace(g.Value) == "" {
			f.say(g.At, "write a limit such as cpu<+2%", "gates: an empty gate")
		}
	}
}

// buildTag is what go takes for one (go help buildconstraint).
var buildTag = regexp.MustCompile(`^[\p{L}\p{Nd}_.]+$`)

func (f *faults) checkFeature(name string, one Feature) {
	if len(one.Env.Values)+len(one.Args.Values)+len(one.Tags.Values) == 0 {
		f.say(one.at, "give it env, args or tags: {env: COMPRESSION=off}", "features: nothing switches %s off",
			shortened(name))
	}
	for _, t := range one.Env.Values {
		if key, _, found := strings.Cut(t.Value, "="); !found || key == "" {
			f.say(t.At, "write NAME=VALUE, such as COMPRESSION=off", "features: %s is not an entry of an environment",
				shortened(t.Value))
		}
	}
	for _, t := range one.Args.Values {
		if t.Value == "" {
			f.say(t.At, "write a flag of the program, such as -compress=false", "features: an empty argument")
		}
	}
	for _, t := range one.Tags.Values {
		if !buildTag.MatchString(t.Value) {
			f.say(t.At, "write each tag as one text of a list: [noaudit, slim]", "features: %s is not a build tag",
				shortened(t.Value))
		}
	}
}

func (f *faults) checkProgram(p Program) {
	if p.Package.given() && (p.Package.Value == "" || strings.HasPrefix(p.Package.Value, "-")) {
		f.say(p.Package.At,
			"name a directory (./cmd/server), an import path, a git ref and a directory (main:cmd/server) or a released "+
				"version (example.com/app/cmd/server@v1.2.0)",
			"package: %s is not a package", shortened(p.Package.Value))
	}
	for _, flag := range p.Flags {
		if !strings.HasPrefix(flag.Value, "-") {
			f.say(flag.At, `write a flag and its value as one text: "-tags=prod"`, "flags: %s is not a flag",
				shortened(flag.Value))
		}
	}
	if p.Prepare.Words != nil && p.Build.Words != nil {
		f.say(p.Build.At, "keep one of the two", "build is another name for prepare, which is at %v", p.Prepare.At)
	}
}
