package actions

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// releases serves version 1.2.3 as GitHub serves releases; its hone is a script that prints its version and platform.
func releases(t *testing.T, change func(files map[string]string)) *httptest.Server {
	t.Helper()
	files := map[string]string{"checksums.txt.sigstore.json": "{}"}
	var sums strings.Builder
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"} {
		name := "hone_1.2.3_" + platform + ".tar.gz"
		files[name] = archive(t, "#!/bin/sh\necho hone v1.2.3 go1.26.8 "+strings.Replace(platform, "_", "/", 1)+"\n")
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256([]byte(files[name])), name)
	}
	files["checksums.txt"] = sums.String()
	if change != nil {
		change(files)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /releases/latest", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/releases/tag/v1.2.3", http.StatusFound)
	})
	mux.HandleFunc("GET /releases/tag/v1.2.3", func(w http.ResponseWriter,
		_ *http.Request) {
		fmt.Fprintln(w, "the page of the release")
	})
	mux.HandleFunc("GET /releases/download/v1.2.3/{name}", func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[r.PathValue("name")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, content) // the client may end the transfer
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// archive packs a program as GoReleaser does: with other files, in no directory.
func archive(t *testing.T, program string) string {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	packed := tar.NewWriter(zipped)
	for _, file := range []struct{ name, text string }{{"LICENSE", "license"}, {"README.md", "readme"},
		{"hone", program}, {"hone-share", "other"}, {"hone-sign", "sign"}} {
		if err := packed.WriteHeader(&tar.Header{Name: file.name, Mode: 0o755,
			Size: int64(len(file.text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(packed, file.text); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []io.Closer{packed, zipped} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func setupJob(t *testing.T) *job {
	j := newJob(t, t.TempDir(), "pull_request", map[string]any{})
	j.env["RUNNER_OS"], j.env["RUNNER_ARCH"] = "Linux", "X64"
	return j
}

// A release is installed for the platform of the runner, and is on the path of the steps that follow.
func TestSetupOfARelease(t *testing.T) {
	server := releases(t, nil)
	for version, platform := range map[string][3]string{
		"latest": {"Linux", "X64", "linux/amd64"},
		"v1.2.3": {"Linux", "ARM64", "linux/arm64"},
		"1.2.3":  {"macOS", "ARM64", "darwin/arm64"},
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			j := setupJob(t)
			j.env["RUNNER_OS"], j.env["RUNNER_ARCH"] = platform[0], platform[1]
			r := j.uses("setup", map[string]string{"repository": server.URL + "/", "version": version, "cosign": "off"})
			if r.code != 0 || r.outputs["version"] != "v1.2.3" || !strings.Contains(r.log, platform[2]) {
				t.Fatalf("exit code %d, outputs %v\n%s", r.code, r.outputs, r.log)
			}
			first, _, _ := strings.Cut(j.path, string(os.PathListSeparator))
			files, err := os.ReadDir(first)
			if err != nil || len(files) != 2 || files[0].Name() != "hone" || files[1].Name() != "hone-sign" {
				t.Errorf("%s has %v, %v", first, files, err)
			}
		})
	}
}

// Nothing is installed that is not what was released.
func TestSetupRefuses(t *testing.T) {
	for name, is := range map[string]struct {
		env    map[string]string
		with   map[string]string
		change func(map[string]string)
		cosign string
		code   int
		says   string
	}{
		"Windows": {env: map[string]string{"RUNNER_OS": "Windows"}, code: 7,
			says: "hone measures on Linux and macOS, and this runner has Windows: use runs-on: ubuntu-latest"},
		"architecture": {env: map[string]string{"RUNNER_ARCH": "X86"}, code: 7,
			says: "no release of hone for the architecture X86"},
		"branch": {with: map[string]string{"version": "main"}, code: 2, says: "needs the input source: module"},
		"path": {with: map[string]string{"version": "v1.2.3/../../x"}, code: 2,
			says: "is not the name of a release"},
		"unknown": {with: map[string]string{"version": "v9.9.9"}, code: 7, says: "could not download"},
		"source":  {with: map[string]string{"source": "elsewhere"}, code: 2, says: `not "elsewhere"`},
		"cosign":  {with: map[string]string{"cosign": "maybe"}, code: 2, says: `not "maybe"`},
		"changed": {change: func(files map[string]string) {
			files["hone_1.2.3_linux_amd64.tar.gz"] = archive(t, "#!/bin/sh\necho hone evil\n")
		}, code: 7, says: "and checksums.txt says"},
		"not listed": {change: func(files map[string]string) {
			files["checksums.txt"] = strings.ReplaceAll(files["checksums.txt"], "linux_amd64", "linux_386")
		}, code: 7, says: "does not name hone_1.2.3_linux_amd64.tar.gz"},
		"signature": {cosign: "exit 1", code: 7,
			says: "the signature of checksums.txt is not that of hone's release workflow"},
		"no signature": {cosign: "exit 0", change: func(files map[string]string) {
			delete(files, "checksums.txt.sigstore.json")
		}, code: 7, says: "could not download"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := setupJob(t)
			for key, value := range is.env {
				j.env[key] = value
			}
			with := map[string]string{"repository": releases(t, is.change).URL, "cosign": "off"}
			if is.cosign != "" {
				j.install("cosign", "#!/bin/sh\n"+is.cosign+"\n")
				with["cosign"] = "auto"
			}
			for key, value := range is.with {
				with[key] = value
			}
			r := j.uses("setup", with)
			if r.code != is.code || !strings.Contains(r.log, "::error title=hone::") ||
				!strings.Contains(r.log, is.says) {
				t.Errorf("exit code %d\n%s", r.code, r.log)
			}
			if _, err := os.Stat(filepath.Join(j.temp, "hone-bin/hone")); err == nil {
				t.Errorf("hone was installed: %v", err)
			}
		})
	}
}

// Where cosign is there, it holds the checksums against the release workflow at the tag. It can be made a condition.
func TestSetupVerifiesTheSignature(t *testing.T) {
	server := releases(t, nil)
	j := setupJob(t)
	j.install("cosign", `#!/bin/sh
echo "cosign $*" | sed "s,$RUNNER_TEMP/hone-setup[^/]*,DIR,g"
`)
	r := j.uses("setup", map[string]string{"repository": server.URL})
	want := "cosign verify-blob --bundle DIR/checksums.txt.sigstore.json" +
		" --certificate-identity https://github.com/gohone/hone/.github/workflows/release.yml@refs/tags/v1.2.3" +
		" --certificate-oidc-issuer https://token.actions.githubusercontent.com DIR/checksums.txt\n"
	if r.code != 0 || !strings.Contains(r.log, want) {
		t.Errorf("exit code %d\n%s", r.code, r.log)
	}
	if _, err := exec.LookPath("cosign"); err == nil {
		t.Skip("cosign is installed: what happens without it is not tested")
	}
	for cosign, code := range map[string]int{"required": 7, "auto": 0} {
		r := setupJob(t).uses("setup", map[string]string{"repository": server.URL, "cosign": cosign})
		if r.code != code || !strings.Contains(r.log, "cosign is not installed") {
			t.Errorf("%s: exit code %d\n%s", cosign, r.code, r.log)
		}
	}
}

// hone is built at a commit, or from a directory of the workspace.
func TestSetupFromSource(t *testing.T) {
	j := setupJob(t)
	j.install("go", `#!/bin/sh
echo "go $* with GOBIN=$GOBIN"
printf '#!/bin/sh\necho hone v0.0.0-2026 go1.26.8 linux/amd64\n' >"$GOBIN/hone"
chmod +x "$GOBIN/hone"
`)
	r := j.uses("setup", map[string]string{"version": "0123abcd", "source": "module"})
	if want := "go install github.com/gohone/hone/cmd/hone@0123abcd with GOBIN=" + j.temp; r.code != 0 ||
		!strings.Contains(r.log, want) || r.outputs["version"] != "v0.0.0-2026" {
		t.Errorf("exit code %d, outputs %v\n%s", r.code, r.outputs, r.log)
	}

	j = setupJob(t)
	for name, text := range map[string]string{
		"hone/go.mod":           "module example.com/hone\n\ngo 1.26\n",
		"hone/cmd/hone/main.go": "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hone devel-1 go1.26.8 x/y\\n\") }\n",
	} {
		path := filepath.Join(j.workspace, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	j.goCaches()
	if r := j.uses("setup", map[string]string{"source": "./hone"}); r.code != 0 || r.outputs["version"] != "devel-1" {
		t.Errorf("exit code %d\n%s", r.code, r.log)
	}
	if r := j.uses("setup", map[string]string{"source": "./elsewhere"}); r.code != 3 ||
		!strings.Contains(r.log, "hone does not build in ./elsewhere") {
		t.Errorf("exit code %d\n%s", r.code, r.log)
	}
}

// goCaches lets the job use Go as this test does: with its caches, and without its home.
func (j *job) goCaches() {
	j.t.Helper()
	out, err := exec.CommandContext(j.t.Context(), "go", "env", "GOCACHE", "GOMODCACHE", "GOFLAGS").Output()
	if err != nil {
		j.t.Fatal(err)
	}
	values := strings.Split(string(out), "\n")
	j.env["GOCACHE"], j.env["GOMODCACHE"], j.env["GOFLAGS"], j.env["GOTOOLCHAIN"] = values[0], values[1], values[2],
		"local"
}
