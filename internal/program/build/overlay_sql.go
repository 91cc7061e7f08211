package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/program/sqltrace"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
)

// tracedSQL is how a build gets a database/sql whose statements stand in execution traces.
type tracedSQL struct {
	// replace are files by what they replace; none where the program does not use database/sql.
	replace map[string]string
	// goroot is the toolchain by another name; empty where its own does.
	goroot string
	// note says why statements are not seen.
	note string
}

// traceSQL writes into out what a build of s needs so that its statements are seen.
func traceSQL(ctx context.Context, s *source.Source, v Variant, env []string, out string) (sql tracedSQL, err error) {
	dir, err := source.List(ctx, s.WorkDir, source.Options{Env: env, Flags: v.BuildFlags},
		append([]string{"-e", "-deps",
			"-f", `{{if eq .ImportPath "` + sqltrace.Package + `"}}{{.Dir}}{{end}}`, "--"}, s.Targets...)...)
	place := strings.TrimSpace(string(dir))
	if err != nil || place == "" {
		return sql, ctx.Err() // the build says what is wrong
	}
	files, err := sqltrace.Rewrite(place)
	if err != nil {
		sql.note = "statements of SQL are not seen: this toolchain's " + err.Error()
		return sql, nil
	}
	settings, err := gocommand.ReadSettings(ctx, env, s.WorkDir)
	if err != nil {
		return sql, err
	}
	goroot := filepath.Dir(filepath.Dir(filepath.Dir(place))) // of GOROOT/src/database/sql
	if paths.Beneath(settings.GOMODCACHE, goroot) {
		if sql.goroot, err = otherName(goroot); err != nil {
			sql.note = fmt.Sprintf("statements of SQL are not seen: %v", err)
			return sql, nil
		}
		goroot = sql.goroot
	}
	sql.replace = map[string]string{}
	for name, text := range files {
		file := filepath.Join(out, "sql_"+name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return sql, fail.New(fail.Or(fail.Environment, err), "write overlay: %w", err)
		}
		sql.replace[filepath.Join(goroot, "src", "database", "sql", name)] = file
	}
	return sql, nil
}

// otherName is a symbolic link to a toolchain in the module cache, where go allows no overlay. It stays, since profiles
// name files of the toolchain by it.
func otherName(goroot string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(goroot))
	link := filepath.Join(cache, "hone", "goroot", hex.EncodeToString(sum[:8])) // 64 bits, as of checkouts
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		return "", err
	}
	made := os.Symlink(goroot, link)
	if to, err := os.Readlink(link); err != nil || to != goroot {
		return "", fmt.Errorf("name the toolchain: %w", made)
	}
	return link, nil
}

// environment is what the build runs with, so that go takes the toolchain by its other name.
func (sql *tracedSQL) environment() []string {
	if sql.goroot == "" {
		return nil
	}
	return []string{"GOROOT=" + sql.goroot, "GOTOOLCHAIN=local"}
}

// command is the go command of the build.
func (sql *tracedSQL) command() string {
	if sql.goroot == "" {
		return "go"
	}
	return filepath.Join(sql.goroot, "bin", "go")
}

// breaks says whether a build failed in a file of database/sql: of a toolchain in which more has changed than the
// functions tell.
func (sql *tracedSQL) breaks(err error) bool {
	return err != nil && len(sql.replace) > 0 && sqltrace.Broke(err.Error())
}

// without takes the changed database/sql out of the build again.
func (b *Binary) without(sql *tracedSQL, replace map[string]string) {
	maps.DeleteFunc(replace, func(place, _ string) bool { return sql.replace[place] != "" })
	*sql = tracedSQL{}
	b.Command[0] = sql.command()
	b.Notes = append(b.Notes,
		"statements of SQL are not seen: the changed database/sql does not compile with this toolchain")
}
