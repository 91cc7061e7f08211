package subject

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

func TestAfterStart(t *testing.T) {
	leaktest.None(t)
	b := server(t, "127.0.0.1:{port}", "127.0.0.1:{port2}")
	b.Variant.Env = append(b.Variant.Env, "DATA={dir}")
	here := t.TempDir()
	begin := func(command ...string) *Process {
		t.Helper()
		b.Variant.AfterStart = command
		return start(t, b, StartOptions{Readiness: Readiness{Target: "127.0.0.1:{port}"}, DataDir: t.TempDir()})
	}
	p := begin("sh", "-c", `test "$HONE_ADDRESS" = 127.0.0.1:{port} && test $HONE_PORT = {port} && test $HONE_VARIANT = A &&
		test "$HONE_DIR" = "{dir}" && test "$DATA" = "{dir}" && test -z "$(ls -A {dir})" && test {port} != {port2} && pwd >{dir}/here && echo '{"token": 1}' && echo noise >&2`)
	if out, err := p.AfterStart(t.Context(), here, 0); err != nil || string(out) != "{\"token\": 1}\n" {
		t.Errorf("it wrote %q", out)
		t.Fatal(err)
	}
	dir := p.fill.Values[templates.Dir]
	if got, err := os.ReadFile(filepath.Join(dir, "here")); err != nil || strings.TrimSpace(string(got)) != here {
		t.Errorf("it ran in %s, %v; want %s", got, err, here)
	}
	if _, err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory is left: %v", err)
	}

	for _, c := range []struct {
		command []string
		kind    fail.Kind
		parts   []string
	}{
		{[]string{"sh", "-c", "echo S3CRET; seq 30 >&2; echo cannot log in >&2; exit 3"}, fail.Subject,
			[]string{"exit status 3", "[11 lines before]", "cannot log in", "HONE_ADDRESS"}},
		{[]string{"./no/such"}, fail.Subject, []string{`there is no command "./no/such"`, "for a shell write sh -c"}},
		{[]string{"echo", "{port7}"}, fail.BadInput, []string{"the command has {port7}, but no argument"}},
	} {
		p := begin(c.command...)
		_, err := p.AfterStart(t.Context(), here, 0)
		failtest.Want(t, err, c.kind, c.parts...)
		if strings.Contains(err.Error(), "S3CRET\n") {
			t.Errorf("standard output is shown: %v", err)
		}
	}
}
