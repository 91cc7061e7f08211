// Command image runs ko with a base image that is made here, from nothing: no registry has to be reached. The base
// holds the certificate authorities of Mozilla (golang.org/x/crypto/x509roots), a user without rights, and /tmp. The
// command serves it to ko on a loopback port, as ko takes its base from registries only.
//
//	go run . ko build ...
package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the user and group that the image runs as; deploy/kubernetes/agents.yaml names the same.
const user = 65532

// architectures are those of Linux for which hone is released.
var architectures = []string{"amd64", "arm64"}

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: image ko build ...")
	}
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

// run serves the base and runs a command with its name in KO_DEFAULTBASEIMAGE.
func run(command []string) error {
	made := time.Unix(0, 0).UTC()
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("read SOURCE_DATE_EPOCH: %w", err)
		}
		made = time.Unix(seconds, 0).UTC()
	}
	index, err := base(made, os.Getenv("HONE_EXTENSIONS"))
	if err != nil {
		return fmt.Errorf("make the base image: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: registry.New(registry.Logger(log.New(io.Discard, "", 0)))}
	go server.Serve(listener) // ends with the process
	ref, err := name.ParseReference(listener.Addr().String() + "/base:latest")
	if err != nil {
		return err
	}
	if err := remote.WriteIndex(ref, index); err != nil {
		return fmt.Errorf("serve the base image: %w", err)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "KO_DEFAULTBASEIMAGE="+ref.String())
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// base is an image for every architecture: one layer that is the same for all, and one of the programs in
// extensions/ARCH, if extensions is not empty.
func base(made time.Time, extensions string) (v1.ImageIndex, error) {
	files, err := baseFiles(made)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser,
		error) {
		return io.NopCloser(bytes.NewReader(files)), nil
	})
	if err != nil {
		return nil, err
	}
	var index v1.ImageIndex = empty.Index
	for _, arch := range architectures {
		image, err := mutate.Append(empty.Image, mutate.Addendum{Layer: layer,
			History: v1.History{Created: v1.Time{Time: made}, CreatedBy: "hone tools/image"}})
		if err != nil {
			return nil, err
		}
		if extensions != "" {
			programs, err := programLayer(filepath.Join(extensions, arch), made)
			if err == nil {
				image, err = mutate.Append(image, mutate.Addendum{Layer: programs,
					History: v1.History{Created: v1.Time{Time: made}, CreatedBy: "hone tools/image"}})
			}
			if err != nil {
				return nil, err
			}
		}
		file, err := image.ConfigFile()
		if err != nil {
			return nil, err
		}
		file = file.DeepCopy()
		file.OS, file.Architecture, file.Created = "linux", arch, v1.Time{Time: made}
		file.Config.User = fmt.Sprintf("%d:%d", user, user)
		file.Config.WorkingDir = "/home/nonroot"
		file.Config.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/nonroot",
			"SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"}
		if image, err = mutate.ConfigFile(image, file); err != nil {
			return nil, err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}}})
	}
	return index, nil
}

// programLayer is a layer of the programs in dir, as /usr/local/bin.
func programLayer(dir string, made time.Time) (v1.Layer, error) {
	programs, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	for _, program := range programs {
		text, err := os.ReadFile(filepath.Join(dir, program.Name()))
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: "usr/local/bin/" + program.Name(), Mode: 0o755,
				Size: int64(len(text)), ModTime: made})
		}
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser,
		error) {
		return io.NopCloser(bytes.NewReader(layer.Bytes())), nil
	})
}

// baseFiles is the layer, as a tar file.
func baseFiles(made time.Time) ([]byte, error) {
	var roots bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue // a file of certificates cannot say that some of those that it signed do not count
		}
		if err := pem.Encode(&roots, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	for _, f := range []struct {
		name  string
		mode  int64
		owner int
		text  string // a directory has none
	}{
		{"etc/", 0o755, 0, ""},
		{"etc/passwd", 0o644, 0,
			fmt.Sprintf("root:x:0:0:root:/:/sbin/nologin\nnonroot:x:%d:%d:nonroot:/home/nonroot:/sbin/nologin\n", user,
				user)},
		{"etc/group", 0o644, 0, fmt.Sprintf("root:x:0:\nnonroot:x:%d:\n", user)},
		{"etc/ssl/", 0o755, 0, ""},
		{"etc/ssl/certs/", 0o755, 0, ""},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, 0, roots.String()},
		{"home/", 0o755, 0, ""},
		{"home/nonroot/", 0o700, user, ""},
		{"tmp/", 0o1777, 0, ""},
	} {
		kind := byte(tar.TypeReg)
		if f.text == "" {
			kind = tar.TypeDir
		}
		head := &tar.Header{Typeflag: kind, Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner,
			Size: int64(len(f.text)), ModTime: made}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, f.text); err != nil {
			return nil, err
		}
	}
	return layer.Bytes(), w.Close()
}
