package spec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
	"github.com/gohone/hone/internal/wire/schemes"
)

// Again are the parts that measure a stored run under load once more: this variant of it, with these arguments. by
// gives what the run does not keep since it may be secret: target, path, options of the protocol, and entries KEY=value
// of the environment (Options.Env), each instead of one of the run's. What of these is empty is taken from the run. The
// test is that of by. The error names all that is missing.
func (s *Stored) Again(v build.Variant, args []string, by Parts) (Parts, error) {
	given, errProtocol := s.options(by.Protocol)
	p := s.Parts
	env, errEnv := envWith(slices.Concat(v.Env, v.RunEnv), by.Options.Env)
	v.Env, v.RunEnv = slices.Clip(env[:len(v.Env)]), slices.Clone(env[len(v.Env):])
	if len(v.RunEnv) == 0 {
		v.RunEnv = nil
	}
	p.Variants, p.Args, p.Protocol = []build.Variant{v}, args, given
	p.Target, p.Path = cmp.Or(by.Target, p.Target), cmp.Or(by.Path, p.Path)
	if by.Path != "" && by.Target == "" && redact.Partial(p.Target) {
		p.Target = schemes.WithPath(p.Target, by.Path)
	}
	volatile := p.Answers.Volatile
	p.Test, p.Answers.Volatile = by.Test, volatile
	return p, errors.Join(errProtocol, errEnv, withheld(p))
}

// options are the stored ones, completed by what is given. Of secrets only their length is known, and that has to be
// the same.
func (s *Stored) options(by wire.Options) (wire.Options, error) {
	o, left := s.Protocol, s.LeftOut
	var faults []error
	if len(by.Headers) > 0 {
		o.Headers = by.Headers
	}
	o.Expect.Body, o.Expect.JSON = cmp.Or(by.Expect.Body, o.Expect.Body), cmp.Or(by.Expect.JSON, o.Expect.JSON)
	if o.Body = by.Body; len(o.Body) != left.BodyBytes {
		faults = append(faults, fmt.Errorf("the body of its requests has %d bytes, that given %d: --body",
			left.BodyBytes, len(o.Body)))
	}
	steps := 0
	if o.Sequence {
		steps = left.RequestCount
	}
	switch same := requests.Digest(by.Requests) == left.RequestsDigest; {
	case by.Sequence != o.Sequence, o.Sequence && !same:
		faults = append(faults, fmt.Errorf("the %d steps of its requests are missing, or are others: --sequence", steps))
	case left.RequestCount > 0 && same, left.RequestCount == 0 && by.IsMix():
		o.Requests, o.Order = by.Requests, by.Order
	case left.RequestCount > 0:
		faults = append(faults,
			fmt.Errorf("the list of its %d requests is missing, or is another one: --har, --access-log or --openapi, with its options", left.RequestCount))
	}
	if by.Feed != nil {
		o.Feed = by.Feed
	} else if left.FeedRows > 0 {
		faults = append(faults, fmt.Errorf("the %d rows that fill its requests are missing: --feed", left.FeedRows))
	}
	return o, errors.Join(faults...)
}

// envWith are the entries of an environment, with those given instead.
func envWith(stored, given []string) ([]string, error) {
	out := slices.Clone(stored)
	for _, entry := range given {
		name, _, _ := strings.Cut(entry, "=")
		i := slices.IndexFunc(out, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		if i < 0 {
			return out, fmt.Errorf("its environment has no %s, which is given", name)
		}
		out[i] = entry
	}
	return out, nil
}

// withheld says what is still missing since it may be secret.
func withheld(r Parts) error {
	var faults []error
	say := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	partial := func(all []string) bool { return slices.ContainsFunc(all, redact.Partial) }
	v := r.Variants[0]
	switch {
	case redact.Partial(r.Target):
		say("the target %s: --target", r.Target)
	case redact.Partial(r.Path):
		say("the path %s: --path", r.Path)
	}
	if partial(r.Protocol.Headers) {
		say("the headers %s: --header for each", strings.Join(r.Protocol.Headers, ", "))
	}
	for _, one := range r.Protocol.Requests {
		if r.Protocol.IsMix() && redact.Partial(one.Path) {
			say("the further target %s, which cannot be given", one.Path)
		}
	}
	if redact.Partial(r.Protocol.Expect.Body) {
		say("the text that answers must contain: --set expect-body")
	}
	if redact.Partial(r.Protocol.Expect.JSON) {
		say("what answers must hold in JSON: --set expect-json")
	}
	for _, entry := range slices.Concat(v.Env, v.RunEnv) {
		if redact.Partial(entry) {
			name, _, _ := strings.Cut(entry, "=")
			say("the value of %s in the environment: --env %s=VALUE", name, name)
		}
	}
	for _, one := range []struct {
		what  string
		words []string
	}{
		{"arguments", slices.Concat(v.Args, r.Args)}, {"build flags", v.BuildFlags},
		{"command before the build", v.Prepare}, {"command after the start", v.AfterStart},
	} {
		if partial(one.words) {
			say("a value in its %s that looks like a secret, which cannot be given: %s", one.what,
				shellwords.Join(one.words))
		}
	}
	for _, n := range r.Needs {
		if partial(n.Command) || partial(n.Env) {
			say("a value of need %s that may be a secret, which cannot be given: %s", n.Name,
				shellwords.Join(slices.Concat(n.Env, n.Command)))
		}
	}
	if partial(r.LoadCommand.Words) {
		say("a value in its load command that looks like a secret, which cannot be given: %s",
			shellwords.Join(r.LoadCommand.Words))
	}
	if redact.Partial(r.Metrics.Page) {
		say("the page of its metrics, %s, which cannot be given", r.Metrics.Page)
	}
	return errors.Join(faults...)
}
