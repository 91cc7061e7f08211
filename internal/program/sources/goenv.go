package sources

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// goEnv is where the go command keeps sources.
type goEnv struct {
	GOROOT, GOMODCACHE, GOVERSION, GOHOSTOS, GOHOSTARCH string
}

func readGoEnv(ctx context.Context, dir string) (goEnv, error) {
	var e goEnv
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOMODCACHE", "GOVERSION", "GOHOSTOS", "GOHOSTARCH")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return e, fmt.Errorf("ask go env where sources are: %w", err)
	}
	return e, json.Unmarshal(out, &e)
}

// inModuleCache looks for a file of a dependency: its path holds MODULE@VERSION.
func (f *Finder) inModuleCache(name string) ([]byte, error) {
	version := strings.Index(name, "@v")
	if version < 0 || strings.Contains(name, toolchainModule) {
		return nil, errElsewhere
	}
	e, err := f.env()
	if err != nil {
		return nil, err
	}
	rel := name
	if _, below, ok := strings.Cut(name, "/pkg/mod/"); ok {
		rel = below
	} else if below, ok := strings.CutPrefix(name, filepath.ToSlash(e.GOMODCACHE)+"/"); ok {
		rel = below
	} else if !filepath.IsAbs(name) { // built with -trimpath: a module path, not a directory
		rel = escape(name[:version]) + name[version:]
	}
	if !filepath.IsLocal(rel) {
		return nil, errElsewhere
	}
	return readIn(e.GOMODCACHE, rel)
}

// escape writes a module path as the module cache does: capitals as "!" and small letters.
func escape(module string) string {
	var b strings.Builder
	for _, r := range module {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('!')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// toolchainModule is the module that toolchains come in: their GOROOT is in the module cache.
const toolchainModule = "golang.org/toolchain@"

// toolchain is the form of the names that releases have: the run's document may say anything.
var toolchain = regexp.MustCompile(`^go[0-9]+(\.[0-9]+)*([a-z]+[0-9]+)?(-[0-9A-Za-z.]+)?$`)

// inGoroot looks for a file of the standard library, in the toolchain that built the
// program if it is on this machine.
func (f *Finder) inGoroot(name string) ([]byte, error) {
	rel := name
	if at := strings.LastIndex(name, "/src/"); at >= 0 {
		rel = name[at+len("/src/"):]
	}
	first, _, _ := strings.Cut(rel, "/")
	if !filepath.IsLocal(rel) || strings.Contains(first, ".") || !strings.Contains(rel, "/") {
		return nil, errElsewhere
	}
	e, err := f.env()
	if err != nil {
		return nil, err
	}
	version := f.program.GoVersion
	if version == "" || version == e.GOVERSION {
		return readIn(filepath.Join(e.GOROOT, "src"), rel)
	}
	if !toolchain.MatchString(version) {
		return nil, fmt.Errorf("%s: %.40q is not the name of a toolchain", rel, version)
	}
	dir := filepath.Join(e.GOMODCACHE, toolchainModule+"v0.0.1-"+version+"."+e.GOHOSTOS+"-"+e.GOHOSTARCH, "src")
	text, err := readIn(dir, rel)
	if err != nil {
		return nil, fmt.Errorf("%s: the toolchain %s that built the program is not on this machine (GOTOOLCHAIN=%s go "+
			"version fetches it)", rel, version, version)
	}
	return text, nil
}
