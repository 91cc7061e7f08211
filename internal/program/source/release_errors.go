package source

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/text/fail"
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
	said = output.LastLines(strings.TrimSpace(said))
	has := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(said, word) })
	}
	module := modulesOf(q.path)[len(modulesOf(q.path))-1]
	if l != nil {
		module = l.Path
	}
	proxy := q.goEnv(ctx, "GOPROXY")
	switch {
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
				"network", cmp.Or(proxy, "not set"))
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

// localReplace is the error for a go.mod that replaces a module by a directory: that is not a part of the released
// module. nil if there is none.
func (r *Release) localReplace(ctx context.Context, env []string) error {
	for _, replace := range r.replaces(ctx, env) {
		if replace.New.Version != "" || isModule(filepath.Join(r.Root, filepath.FromSlash(replace.New.Path))) {
			continue
		}
		name := filepath.Base(r.Module)
		return fail.New(fail.BadInput, "go.mod of %s@%s replaces %s by the directory %s, which the released module does "+
			"not have: go install refuses it, too", r.Module, r.Version, replace.Old.Path, replace.New.Path).
			WithHint("compare its git tags in a clone: git clone https://%s && cd %s && hone compare %s:%s %[3]s:%[4]s",
				r.Module, name, r.Version, "./"+r.Below())
	}
	return nil
}

// replaced is a replace directive of a go.mod.
type replaced struct {
	Old, New struct{ Path, Version string }
}

func (r *Release) replaces(ctx context.Context, env []string) []replaced {
	answer, _, err := gocommand.Ask(ctx, env, r.Root, "mod", "edit", "-json")
	var edit struct{ Replace []replaced }
	if err != nil || json.Unmarshal(answer, &edit) != nil {
		return nil
	}
	return edit.Replace
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// needsNewer is the error for a module that asks for a newer Go than this one.
func needsNewer(r *Release, said string) error {
	return fail.New(fail.BadInput, "%s@%s needs a newer Go: %s", r.Module, r.Version,
		output.LastLines(strings.TrimSpace(said))).
		WithHint("let go fetch it: --toolchain auto, or name a release: --toolchain go1.27.0")
}
