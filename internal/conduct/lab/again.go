package lab

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
)

// Given is what a stored run does not keep since it may be secret, from the user who wants to
// measure it again. What is empty is taken from the run.
type Given struct {
	Target, Path string
	Protocol     wire.Options
	// Env are entries KEY=value, each instead of one of the run's.
	Env []string
}

// Again returns the request that measures a stored run under load once more: of one variant,
// called A, from the source as it is now. More variants make it a comparison, which also wants
// a Budget. workDir is what its source refers to: the Lab's WorkDir has to be that.
//
// Errors are fail.BadInput: the run is of an older hone that did not keep what it was asked
// for; a secret was left out of it that g does not give; its directory is not on this machine;
// or it was measured with files instead of those of the tree.
func Again(r record.Run, g Given) (request Request, workDir string, err error) {
	a := r.Asked
	if a == nil {
		return Request{}, "", fail.New(fail.BadInput, "run %s does not say how it was measured: it is of an older hone, or was broken off before its start", r.ID).
			WithHint("measure it once more with hone run, and use that run")
	}
	if len(r.Binary.Variant.Overlay) > 0 {
		return Request{}, "", fail.New(fail.BadInput, "run %s was measured with changes that are not in the source: %s", r.ID, strings.Join(overlaid(r.Binary.Variant), ", ")).
			WithHint("use a run of the source as it is")
	}
	if len(r.Agents) > 0 {
		return Request{}, "", fail.New(fail.BadInput, "run %s was loaded by agents, who may not be there any more", r.ID).
			WithHint("measure it with hone run PACKAGE --agents, or without, and use that run")
	}
	if info, err := os.Stat(a.WorkDir); err != nil || !info.IsDir() {
		return Request{}, "", fail.New(fail.BadInput, "run %s was measured in %s, and there is no such directory here", r.ID, a.WorkDir).
			WithHint("measure it here with hone run, and use that run")
	}
	request = requestAsked(a, r)
	given, errProtocol := g.options(a)
	v := &request.Variants[0]
	env, errEnv := g.env(slices.Concat(v.Env, v.RunEnv))
	request.Protocol, v.Env, v.RunEnv = given, slices.Clip(env[:len(v.Env)]), slices.Clone(env[len(v.Env):])
	if len(v.RunEnv) == 0 {
		v.RunEnv = nil
	}
	request.Target, request.Path = cmp.Or(g.Target, request.Target), cmp.Or(g.Path, request.Path)
	if g.Path != "" && g.Target == "" && redact.Partial(request.Target) {
		request.Target = withPath(request.Target, g.Path)
	}
	if err := errors.Join(errProtocol, errEnv, withheld(request)); err != nil {
		return Request{}, "", fail.New(fail.BadInput, "run %s cannot be measured again as it is stored, since hone keeps no secrets:\n%w", r.ID, err).
			WithHint("give what is missing by the flags named; a run with --set keep-env keeps its environment")
	}
	return request, a.WorkDir, nil
}

// overlaid are the names of the files of an overlay.
func overlaid(v build.Variant) []string {
	var names []string
	for name := range v.Overlay {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// requestAsked is what was asked for, with the gaps that secrets left.
func requestAsked(a *record.Asked, r record.Run) Request {
	v := r.Binary.Variant
	v.Name, v.Layout = "A", 0
	plan := r.Plan
	plan.CPUs = nil
	return Request{
		Common:   Common{Variants: []build.Variant{v}, Args: r.Args, Dir: a.Dir, KeepEnv: a.KeepEnv, ProfileRate: a.ProfileRate, Grace: a.Grace},
		Starting: a.Starting, Observing: a.Observing,
		Target: a.Target, Path: a.Path, Load: a.Load, Protocol: a.Protocol, Plan: plan, RateHz: r.RateHz,
		Duration: cmp.Or(a.Duration, r.Slice*time.Duration(r.Slices)), Slice: r.Slice, WarmUp: a.WarmUp,
		Answers: AnswerRules{Volatile: a.Volatile},
	}
}

// options are those of the run, completed by what is given. Of secrets only their length is
// known, and that has to be the same.
func (g Given) options(a *record.Asked) (wire.Options, error) {
	o, by := a.Protocol, g.Protocol
	var faults []error
	if len(by.Headers) > 0 {
		o.Headers = by.Headers
	}
	if len(by.Mix) > 0 {
		o.Mix = by.Mix
	}
	o.Expect.Body, o.Expect.JSON = cmp.Or(by.Expect.Body, o.Expect.Body), cmp.Or(by.Expect.JSON, o.Expect.JSON)
	if o.Body = by.Body; len(o.Body) != a.BodyBytes {
		faults = append(faults, fmt.Errorf("the body of its requests has %d bytes, that given %d: --body", a.BodyBytes, len(o.Body)))
	}
	if o.Steps = by.Steps; len(o.Steps) != a.StepCount {
		faults = append(faults, fmt.Errorf("the %d steps of its requests are missing, or are others: --sequence", a.StepCount))
	}
	switch {
	case a.RequestCount == 0:
	case requests.Digest(by.Requests) == a.RequestsDigest:
		o.Requests, o.Order = by.Requests, by.Order
	default:
		faults = append(faults, fmt.Errorf("the list of its %d requests is missing, or is another one: --har, --access-log or --openapi, with its options", a.RequestCount))
	}
	if by.Feed != nil {
		o.Feed = by.Feed
	} else if a.FeedRows > 0 {
		faults = append(faults, fmt.Errorf("the %d rows that fill its requests are missing: --feed", a.FeedRows))
	}
	return o, errors.Join(faults...)
}

// env are the entries of the run's environment, with those given instead.
func (g Given) env(stored []string) ([]string, error) {
	out := slices.Clone(stored)
	for _, entry := range g.Env {
		name, _, _ := strings.Cut(entry, "=")
		i := slices.IndexFunc(out, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		if i < 0 {
			return out, fmt.Errorf("its environment has no %s, which is given", name)
		}
		out[i] = entry
	}
	return out, nil
}

// withheld says what is still missing in a request.
func withheld(r Request) error {
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
	for _, w := range r.Protocol.Mix {
		if redact.Partial(w.URL) {
			say("the further target %s, which cannot be given", w.URL)
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
			say("a value in its %s that looks like a secret, which cannot be given: %s", one.what, shellwords.Join(one.words))
		}
	}
	for _, n := range r.Needs {
		if partial(n.Command) || partial(n.Env) {
			say("a value of need %s that may be a secret, which cannot be given: %s", n.Name, shellwords.Join(slices.Concat(n.Env, n.Command)))
		}
	}
	if r.Load != nil && partial(r.Load.Words) {
		say("a value in its load command that looks like a secret, which cannot be given: %s", shellwords.Join(r.Load.Words))
	}
	if redact.Partial(r.Metrics.Page) {
		say("the page of its metrics, %s, which cannot be given", r.Metrics.Page)
	}
	return errors.Join(faults...)
}
