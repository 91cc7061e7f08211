package source

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
)

// NoProgram is the error for a source that is not a main package.
type NoProgram struct {
	// Source is what the user named.
	Source string
	// Mains are the main packages that there are instead, as the user would name them.
	Mains []string
	err   *fail.Error
}

// Error says what is wrong with the source.
func (e *NoProgram) Error() string { return e.err.Error() }

// Unwrap returns the error with its kind and hint.
func (e *NoProgram) Unwrap() error { return e.err }

// noProgram says why the source that the user calls name is not a main package, and lists those at and below dir, or,
// where there are none, at and below the working directory.
func noProgram(ctx context.Context, name, dir string, o Options, why string, args ...any) error {
	mains, where := mainPackages(ctx, dir, o), "below it"
	if len(mains) == 0 || dir == o.WorkDir {
		where = "here"
	}
	if len(mains) == 0 && dir != o.WorkDir {
		mains = mainPackages(ctx, o.WorkDir, o)
	}
	err := fail.New(fail.BadInput, why, args...).WithHint("%s", fail.HintList("main packages "+where+": ", mains))
	if len(mains) == 0 {
		err = err.WithHint("no main package is here or below: run hone in the directory of your module, or name Go " +
			"files: hone run main.go")
	}
	return &NoProgram{name, mains, err}
}

// withoutSource is the error for what hone cannot build: an address, an executable file, a test. It is nil for all
// else.
func withoutSource(workDir, source string) error {
	_, err := os.Stat(paths.Uncleaned(workDir, source))
	there := err == nil
	switch {
	case !there && isAddress(source):
		url := source
		if !strings.Contains(url, "://") {
			host, rest, _ := strings.Cut(url, "/")
			url = "http://" + withHost(host) + "/" + rest
		}
		return fail.New(fail.BadInput, "%q is an address, and hone has to build what it starts", source).
			WithHint("hone load %s loads what runs already; to compare two addresses: hone load for each, then hone compare "+
				"last-1 last", url)
	case strings.HasSuffix(source, "_test.go"):
		return fail.New(fail.BadInput, "%q is a test file, and go test runs it", source).
			WithHint("hone bench %s compares its benchmarks with those of another commit", packageOf(source))
	case Executable(workDir, source) != "":
		return fail.New(fail.BadInput, "%q is an executable file, and this takes source", source).
			WithHint("name the package that it is built from, of each version: hone compare v1.0:./cmd/server ./cmd/server")
	}
	return nil
}

// Executable is the path of an executable file that a word names, absolute; "" if there is none.
func Executable(workDir, word string) string {
	path := paths.Uncleaned(workDir, word)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 || IsGoFile(strings.TrimSpace(word)) {
		return ""
	}
	return filepath.Clean(path)
}

// packageOf is the directory of a file, as the go command takes it.
func packageOf(file string) string {
	dir, _, found := strings.Cut(file, "/")
	if i := strings.LastIndexByte(file, '/'); i > 0 {
		dir = file[:i]
	}
	switch {
	case !found:
		return "."
	case IsRelative(dir), strings.HasPrefix(file, "/"):
		return dir
	}
	return "./" + dir
}

// isAddress says whether a word is a URL, or host:port of a host that no git ref is called, perhaps with a path.
func isAddress(word string) bool {
	if strings.Contains(word, "://") {
		return true
	}
	name, _, _ := strings.Cut(word, "/")
	host, port, err := net.SplitHostPort(name)
	if err != nil {
		return name == "localhost" || net.ParseIP(name) != nil
	}
	_, notPort := strconv.ParseUint(port, 10, 16)
	return notPort == nil && (host == "" || host == "localhost" || net.ParseIP(host) != nil)
}

// withHost completes host:port, of which one may be missing.
func withHost(address string) string {
	host, port, err := net.SplitHostPort(address)
	switch {
	case err != nil:
		host, port = strings.Trim(address, "[]"), "8080"
	case host == "":
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
