package mcpserver

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// refuse is the error of an argument that is not allowed.
func refuse(hint, format string, args ...any) error {
	return fail.New(fail.BadInput, format, args...).WithHint("%s", hint)
}

// plain refuses what no argument of a command line can be, or what would be a flag there.
func plain(what, word string) error {
	switch {
	case strings.ContainsAny(word, "\x00\n\r"):
		return refuse("write it on one line", "%s has a line break or a zero byte", what)
	case len(word) > 4096:
		return refuse("write less", "%s has %d bytes, at most 4096 are taken", what, len(word))
	case strings.HasPrefix(word, "-"):
		return refuse("each setting is an argument of the tool by its own name",
			"%s %q begins with a dash: flags are not taken", what, word)
	}
	return nil
}

// packageIn returns a package of the folder as "./PATH". pattern also takes ./PATH/... Elsewhere is an error: import
// paths, other folders, and links that lead there. exists says that it has to be in the working tree.
func (s *Server) packageIn(word string, pattern, exists bool) (string, error) {
	if err := plain("package", word); err != nil {
		return "", err
	}
	rest, all := word, ""
	if pattern && (word == "..." || strings.HasSuffix(word, "/...")) {
		rest, all = "./"+strings.TrimSuffix(word, "..."), "/..."
		if filepath.IsAbs(word) {
			rest = strings.TrimSuffix(word, "...")
		}
	}
	switch {
	case rest == "":
		return "", refuse(`write "./cmd/server"`, "the package is missing")
	case strings.ContainsAny(rest, "@:*?[]\\ ") || strings.Contains(rest, "..."):
		return "", refuse(`write a path in the folder: "./cmd/server"`, "%q is not the path of a package", word)
	}
	full := filepath.Clean(rest)
	if !filepath.IsAbs(full) {
		full = filepath.Join(s.Folder, full)
	}
	if !s.holds(full) {
		return "", s.outside(word)
	}
	inside, err := filepath.Rel(s.Folder, full)
	if err != nil {
		return "", s.outside(word)
	}
	real, err := filepath.EvalSymlinks(full)
	switch {
	case errors.Is(err, fs.ErrNotExist) && exists:
		return "", s.noPackage(word, inside)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", refuse("name another one", "package %q: %v", word, err)
	case err == nil && !s.holds(real):
		return "", s.outside(word)
	}
	if source.Executable(s.Folder, full) != "" {
		return "", refuse(`write a path in the folder: "./cmd/server"`, "%q is an executable file, and no package", word)
	}
	if inside == "." {
		return "." + all, nil
	}
	return "./" + filepath.ToSlash(inside) + all, nil
}

// holds says whether a path is the folder or below it.
func (s *Server) holds(path string) bool {
	inside, err := filepath.Rel(s.Folder, path)
	return err == nil && filepath.IsLocal(inside)
}

func (s *Server) outside(word string) error {
	return refuse("the user can start hone mcp with another folder",
		"package %q is outside of the folder %s, which is all that may be measured", word, s.Folder)
}

// noPackage names the nearest folder with Go files.
func (s *Server) noPackage(word, inside string) error {
	err := fail.New(fail.BadInput, "there is no package %q in the folder %s", word, s.Folder)
	want := "./" + filepath.ToSlash(inside)
	var all []string
	seen := 0
	_ = filepath.WalkDir(s.Folder, func(path string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > 20_000 {
			return fs.SkipDir
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != s.Folder {
			return fs.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(d.Name(), ".go") {
			if dir, err := filepath.Rel(s.Folder, filepath.Dir(path)); err == nil &&
				!strings.HasSuffix(d.Name(), "_test.go") {
				all = append(all, "./"+filepath.ToSlash(dir))
			}
			return nil
		}
		return nil
	}) // what cannot be read is not suggested
	if near := fail.Nearest(want, all); near != "" {
		return err.WithHint("did you mean %q?", near)
	}
	for _, one := range all {
		if filepath.Base(one) == filepath.Base(want) {
			return err.WithHint("did you mean %q?", one)
		}
	}
	return err.WithHint("name the folder of a package main, such as ./cmd/server")
}

var refForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/^~@{}+-]{0,199}$`)

// ref checks a git ref.
func ref(word string) error {
	if !refForm.MatchString(word) || strings.Contains(word, "..") {
		return refuse("write a branch, a tag or a commit: main, v1.2.0, HEAD~1", "%q is not a git ref", word)
	}
	return nil
}

// commit finds the commit of a git ref. A name that is not a ref could be that of a directory, which may lead out of
// the folder.
func (s *Server) commit(ctx context.Context, word string) (hash string, err error) {
	if err := ref(word); err != nil {
		return "", err
	}
	return git.FindCommit(ctx, s.Folder, word)
}

// target checks that a URL is of this machine.
func target(word string) error {
	if word == "" {
		return nil
	}
	if err := plain("target", word); err != nil {
		return err
	}
	u, err := url.Parse(strings.ReplaceAll(word, "{port}", "1"))
	if err != nil || u.Scheme == "" || u.Host == "" {
		return refuse("write http://127.0.0.1:{port}/path", "target %q is not a URL with a host", word)
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return refuse("the program is started on this machine: http://127.0.0.1:{port}/path",
		"target %q is another machine, which is not loaded", word)
}

// programArgs checks what a program is started with: all that can be an argument.
func programArgs(args []string) error {
	if len(args) > 100 {
		return refuse("give fewer", "%d arguments of the program, at most 100 are taken", len(args))
	}
	for _, a := range args {
		if strings.ContainsRune(a, 0) || len(a) > 4096 {
			return refuse("give another one", "an argument of the program has a zero byte, or more than 4096 bytes")
		}
	}
	return nil
}

// stored finds a run or a comparison in the ledger by its name or the start of it. want is empty where both will do.
func (s *Server) stored(name string, want ledger.Kind) (found ledger.Ref, err error) {
	if name == "" {
		return found, s.unknown(refuse("history lists them", "the name of a run is missing"))
	}
	if !ledger.IsName(name) {
		return found, s.unknown(refuse("history lists them",
			"%q is not the name of a run or a comparison: they have 4 to 8 hexadecimal digits, such as 3fb849c3, and last "+
				"names the newest", name))
	}
	l, closer, err := s.Library()
	if err != nil {
		return found, err
	}
	defer closer.Close()
	kinds := []ledger.Kind{want}
	if want == "" {
		kinds = nil
	}
	if found, err = l.Stored.Ledger.Find(name, kinds...); err != nil {
		return found, s.unknown(err)
	}
	return found, nil
}

// unknown adds the newest names to the error of an unknown one.
func (s *Server) unknown(err error) error {
	l, closer, open := s.Library()
	if open != nil {
		return err
	}
	defer closer.Close()
	runs, list := l.Stored.Ledger.Runs(ledger.RunFilter{Limit: 5, NoDoc: true})
	if list != nil || len(runs) == 0 {
		return &nextError{err, []string{"run package=./cmd/server"}}
	}
	var names []string
	for _, r := range runs {
		names = append(names, r.ID)
	}
	return &nextError{fail.New(fail.BadInput, "%w", err).WithHint("%s; the newest runs: %s", fail.HintOf(err),
		strings.Join(names, ", ")), []string{"history"}}
}

// Folder returns dir as Config.Folder takes it.
func Folder(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err == nil {
		full, err = filepath.EvalSymlinks(full)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(full)
	}
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a folder")
	}
	if err != nil {
		return "", fail.New(fail.BadInput, "folder %s: %w", dir,
			err).WithHint("hone mcp DIR takes the folder of your project")
	}
	return full, nil
}
