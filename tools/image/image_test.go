package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

var (
	layoutDir = flag.String("layout", "../../bin/image", "the OCI layout of the image; make image writes it")
	version   = flag.String("version", "", "the version that hone in the image has to name; any, if empty")
)

// images returns those of the layout by their architecture.
func images(t *testing.T) map[string]v1.Image {
	t.Helper()
	index, err := layout.ImageIndexFromPath(*layoutDir)
	if err != nil {
		t.Fatalf("%v: make image writes it", err)
	}
	all := map[string]v1.Image{}
	var walk func(v1.ImageIndex)
	walk = func(index v1.ImageIndex) {
		manifest, err := index.IndexManifest()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range manifest.Manifests {
			if d.MediaType.IsIndex() {
				inner, err := index.ImageIndex(d.Digest)
				if err != nil {
					t.Fatal(err)
				}
				walk(inner)
				continue
			}
			image, err := index.Image(d.Digest)
			if err != nil {
				t.Fatal(err)
			}
			file, err := image.ConfigFile()
			if err != nil {
				t.Fatal(err)
			}
			all[file.OS+"/"+file.Architecture] = image
		}
	}
	walk(index)
	return all
}

// Both images run hone, as a user without rights.
func TestConfiguration(t *testing.T) {
	all := images(t)
	for _, arch := range architectures {
		image := all["linux/"+arch]
		if image == nil {
			t.Errorf("no image for %s among %d", arch, len(all))
			continue
		}
		file, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		c := file.Config
		if c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/ko-app/hone"}) ||
			c.WorkingDir != "/home/nonroot" {
			t.Errorf("%s: user %q, entry point %q, directory %q", arch, c.User, c.Entrypoint, c.WorkingDir)
		}
		if c.Labels["org.opencontainers.image.source"] != "https://github.com/gohone/hone" {
			t.Errorf("%s: labels %v", arch, c.Labels)
		}
	}
}

// unpack writes the files of an image into dir, as a container runtime would.
func unpack(t *testing.T, image v1.Image, dir string) {
	t.Helper()
	files := mutate.Extract(image)
	defer files.Close()
	for r := tar.NewReader(files); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(h.Name, "/") // ko writes absolute names
		if !filepath.IsLocal(name) {
			t.Fatalf("the image holds %q", h.Name)
		}
		path := filepath.Join(dir, name)
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(path, 0o755)
		case tar.TypeReg:
			var text []byte
			if text, err = io.ReadAll(r); err == nil {
				err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644))
			}
		default:
			t.Fatalf("%s is of type %c", h.Name, h.Typeflag)
		}
		mode := h.FileInfo().Mode()
		if h.Typeflag == tar.TypeDir && os.Getuid() != 0 {
			mode |= 0o700 // ko's directories are not for writing, and only root could fill and remove them
		}
		if err = errors.Join(err, os.Chmod(path, mode.Perm()|mode&os.ModeSticky)); err != nil {
			t.Fatal(err)
		}
		if os.Getuid() == 0 {
			if err := os.Chown(path, h.Uid, h.Gid); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// hone of this machine's image runs with nothing but the files of the image, as its user.
func TestRuns(t *testing.T) {
	image := images(t)["linux/"+runtime.GOARCH]
	if runtime.GOOS != "linux" || image == nil {
		t.Skipf("no image for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// Its parents are the test's own, closed to other users.
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	unpack(t, image, dir)
	file, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	hone := func(args ...string) string {
		t.Helper()
		var out, said bytes.Buffer
		cmd := &exec.Cmd{Path: file.Config.Entrypoint[0], Args: append([]string{"hone"}, args...), Env: file.Config.Env,
			Dir:    file.Config.WorkingDir,
			Stdout: &out, Stderr: &said, SysProcAttr: &syscall.SysProcAttr{Chroot: dir}}
		if os.Getuid() == 0 {
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: user, Gid: user}
		} else {
			cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: user, HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: user, HostID: os.Getgid(), Size: 1}}
		}
		err := cmd.Run()
		if errors.Is(err, syscall.EPERM) && os.Getuid() != 0 {
			t.Skip("SKIPPED: no user namespace for this user, so no chroot: run the test as root")
		}
		if err != nil {
			t.Fatalf("hone %q: %v\n%s%s", args, err, &out, &said)
		}
		return out.String()
	}
	var v struct{ Version, Commit, Date string }
	if err := json.Unmarshal([]byte(hone("version", "--json")), &v); err != nil {
		t.Fatal(err)
	}
	if v.Version == "" || *version != "" && v.Version != *version || len(v.Commit) != 40 || v.Date == "" {
		t.Errorf("version %+v, want %q", v, *version)
	}
	if help := hone("agent", "--help"); !strings.Contains(help, "--allow") {
		t.Errorf("hone agent --help: %s", help)
	}
	if help := hone("metrics", "--help"); !strings.Contains(help, "hone-metrics query") {
		t.Errorf("hone metrics --help: %s", help)
	}
	if help := hone("share", "--help"); !strings.Contains(help, "hone-share push") {
		t.Errorf("hone share --help: %s", help)
	}
	// It may write where agents do: the cache directory in HOME.
	if said := hone("agent", "key"); !strings.Contains(said, "U") {
		t.Errorf("hone agent key: %q", said)
	}
	roots, err := os.ReadFile(filepath.Join(dir, "etc/ssl/certs/ca-certificates.crt"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(roots) || bytes.Count(roots, []byte("BEGIN CERTIFICATE")) < 100 {
		t.Errorf("%d bytes of certificate authorities", len(roots))
	}
}
