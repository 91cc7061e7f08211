package source

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

// noAnswer are words of go where a proxy or a repository does not answer, noAccess where it refuses.
var (
	noAnswer = []string{"dial tcp", "no such host", "connection refused", "i/o timeout", "network is unreachable",
		"TLS handshake timeout", "proxyconnect", "connection reset", "Could not resolve host"}
	noAccess = []string{"terminal prompts disabled", "could not read Username", "Permission denied (publickey",
		"Authentication failed", "Repository not found", "401 Unauthorized", "403 Forbidden", "407 Proxy"}
)

// explain makes an error of what go said of a module, with what to do next. l is the module, if it is known.
func (q *question) explain(ctx context.Context, l *listedRelease, said string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && fail.KindOf(err) != fail.BadInput { // go is missing, the disk is full
		return err
	}
	said = redact.Text(output.LastLines(strings.TrimSpace(said)))
	has := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(said, word) })
	}
	module := modulesOf(q.path)[len(modulesOf(q.path))-1]
	if l != nil {
		module = l.Path
	}
	proxy := q.goEnv(ctx, "GOPROXY")
	switch {
	case strings.Contains(said, "requires go >="):
		err := fail.New(fail.BadInput, "%s needs a newer Go: %s", q.word, said)
		if strings.Contains(said, "GOTOOLCHAIN=local") {
			return err.WithHint("let go fetch it: --toolchain auto; or name a release that is new enough: --toolchain go1.N.0")
		}
		return err.WithHint("go could not fetch it: toolchains are modules, and GOPROXY and GOSUMDB have to allow them")
	case strings.Contains(said, "GOPROXY=off"):
		return fail.New(fail.Environment, "get %s: GOPROXY=off lets go use only modules of its cache: %s", q.word, said).
			WithHint("name a proxy: GOPROXY=https://proxy.golang.org,direct hone ...")
	case strings.Contains(said, "SECURITY ERROR"):
		return fail.New(fail.BadInput, "get %s: %s", q.word, said).
			WithHint("the content is not what the checksum database knows: ask the authors before you run it")
	case has(noAccess):
		return fail.New(fail.BadInput, "get %s: no access, or no such version: %s", q.word, said).
			WithHint("is the version written right? A private module is fetched from its repository, and not from the "+
				"proxy: GOPRIVATE=%s hone ...; git ls-remote https://%s has to work then", module, module)
	case has(noAnswer):
		return fail.New(fail.Environment, "get %s: nothing answers: %s", q.word, said).
			WithHint("GOPROXY is %s: check the network, or name another proxy. What is in the module cache needs no "+
				"network", redact.Text(cmp.Or(proxy, "not set")))
	}
	return fail.New(fail.BadInput, "get %s: %s", q.word, said)
}

// goEnv is a variable of go env; "" if go does not say it.
func (q *question) goEnv(ctx context.Context, name string) string {
	dir := os.TempDir()
	if q.temp != nil {
		dir = q.temp.Path
	}
	answer, _, _ := gocommand.Ask(ctx, q.env, dir, "env", name)
	return strings.TrimSpace(string(answer))
}

// notFound is the error for a version that no module has: with the versions that there are, or with what go said of the
// module that is most likely meant.
func (q *question) notFound(ctx context.Context, faults []listedRelease) error {
	args := []string{"list", "-m", "-mod=mod", "-e", "-versions", "-json", "--"}
	for _, module := range modulesOf(q.path) {
		args = append(args, module+"@latest")
	}
	listed, _ := q.ask(ctx, nil, args...)
	for _, l := range listed {
		if len(l.Versions) == 0 {
			continue
		}
		slices.Reverse(l.Versions) // the newest first
		return fail.New(fail.BadInput, "module %s has no version %s", l.Path, q.version).
			WithHint("%s", fail.HintList("versions: ", l.Versions))
	}
	if len(faults) == 0 {
		return q.explain(ctx, nil, "go list says nothing of it", nil)
	}
	last := faults[len(faults)-1] // the shortest path is that of the repository
	return q.explain(ctx, &last, last.fault(), nil)
}

// noPackage is the error for a module that has no such package, with its main packages.
func (q *question) noPackage(ctx context.Context, r *Release) error {
	mains := q.mains(ctx, r)
	err := fail.New(fail.BadInput, "module %s@%s has no package %s", r.Module, r.Version, r.Path).
		WithHint("%s", fail.HintList("its main packages: ", mains))
	if len(mains) == 0 {
		err = err.WithHint("it has no main package; hone bench %s/...@VERSION @VERSION compares its benchmarks", r.Module)
	}
	return &NoProgram{q.word, mains, err}
}

// mains are the main packages of a module, as the user would name them.
func (q *question) mains(ctx context.Context, r *Release) []string {
	o := Options{WorkDir: r.frozen, Env: append(slices.Clone(q.env), "GOFLAGS=-mod=mod")}
	return r.named(mainPackages(ctx, r.frozen, o))
}

// named are packages below the root of the module as the user would name them.
func (r *Release) named(below []string) (all []string) {
	for _, name := range below {
		pkg := strings.TrimSuffix(r.Module+"/"+strings.TrimPrefix(strings.TrimPrefix(name, "."), "/"), "/")
		all = append(all, pkg+"@"+r.Version)
	}
	return all
}

// replaced notes the modules that go.mod replaces: hone follows it, as a build in the repository does. It is an error
// if go, as it said, needs a directory that a released module does not have.
func (r *Release) replaced(ctx context.Context, env []string, said string) error {
	answer, _, err := gocommand.Ask(ctx, env, r.Root, "mod", "edit", "-json")
	var edit struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err != nil || json.Unmarshal(answer, &edit) != nil {
		return nil // go says what is wrong with go.mod
	}
	var others []string
	for _, replace := range edit.Replace {
		if replace.New.Version != "" {
			others = append(others, replace.Old.Path+" by "+replace.New.Path+"@"+replace.New.Version)
			continue
		}
		if !strings.Contains(said, "replacement directory "+replace.New.Path+" ") {
			continue
		}
		return fail.New(fail.BadInput, "go.mod of %s@%s replaces %s by the directory %s, which the released module does "+
			"not have: go install refuses it, too", r.Module, r.Version, replace.Old.Path, replace.New.Path).
			WithHint("compare its git tags in a clone: git clone https://%s && cd %s && hone compare OTHER:./%s %s:./%[3]s",
				r.Module, path.Base(r.Module), r.Below(), r.Version)
	}
	if len(others) > 0 {
		r.Notes = append(r.Notes, "go.mod of "+r.Module+"@"+r.Version+" replaces "+strings.Join(others, ", ")+
			": hone follows it, as a build in the repository does, and go install refuses it")
	}
	return nil
}
