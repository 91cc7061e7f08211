package objectstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/cmd/hone-share/internal/objectstore/storetest"
	"github.com/gohone/hone/internal/text/fail"
)

func openStore(t *testing.T, url, place string) *Store {
	t.Helper()
	at, err := ParseLocation(place)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(at, Options{Endpoint: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func put(t *testing.T, s *Store, name, text string) error {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return s.Put(t.Context(), Object{Name: name, Size: int64(len(text)), SHA256: sumOf(text),
		Content: sumOf("content of " + text)}, f)
}

// wants fails unless err has the kind, a hint, all these words and no secret.
func wants(t *testing.T, err error, kind fail.Kind, words ...string) {
	t.Helper()
	if err == nil || fail.KindOf(err) != kind || fail.HintOf(err) == "" {
		t.Errorf("error %v, kind %d, hint %q; want kind %d and a hint", err, fail.ExitCode(err), fail.HintOf(err), kind)
		return
	}
	text := err.Error() + "\n" + fail.HintOf(err)
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("error %q does not say %q", text, w)
		}
	}
	for _, secret := range []string{storetest.SecretKey, storetest.AccessKey, "X-Amz-Signature"} {
		if strings.Contains(text, secret) {
			t.Errorf("error %q shows %q", text, secret)
		}
	}
}

// What is put is listed and got back, with what stands beside it; other prefixes are not seen.
func TestPutListGet(t *testing.T) {
	storetest.Credentials(t)
	server := storetest.Start(t, "runs")
	s := openStore(t, server.URL, "s3://runs/a/b")
	if all, err := s.List(t.Context()); err != nil || len(all) != 0 {
		t.Fatalf("an empty prefix lists %v, %v", all, err)
	}
	if _, found, err := s.Stat(t.Context(), "one.tar.gz"); found || err != nil {
		t.Fatalf("found %v, %v", found, err)
	}
	for _, name := range []string{"one.tar.gz", "two.tar.gz"} {
		if err := put(t, s, name, "text of "+name); err != nil {
			t.Fatal(err)
		}
	}
	for place, name := range map[string]string{"s3://runs/a/b/deeper": "three", "s3://runs/a": "four",
		"s3://runs/a/bc": "five"} {
		if err := put(t, openStore(t, server.URL, place), name, "x"); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.List(t.Context())
	if err != nil || len(all) != 2 || all[0].Name != "one.tar.gz" || all[1].Size != int64(len("text of two.tar.gz")) {
		t.Errorf("listed %+v, %v", all, err)
	}
	var b bytes.Buffer
	o, err := s.Get(t.Context(), "one.tar.gz", -1, &b)
	if err != nil || b.String() != "text of one.tar.gz" || o.SHA256 != sumOf(b.String()) ||
		o.Content != sumOf("content of "+b.String()) {
		t.Errorf("got %q, %+v, %v", &b, o, err)
	}
	if o, found, err := s.Stat(t.Context(), "one.tar.gz"); !found || err != nil || o.SHA256 != sumOf(b.String()) {
		t.Errorf("stat %+v, %v, %v", o, found, err)
	}
	_, err = s.Get(t.Context(), "none", -1, &b)
	wants(t, err, fail.BadInput, "NoSuchKey")
}

// Bytes that changed in the store are refused, and so is what hone did not put there.
func TestDamagedObject(t *testing.T) {
	storetest.Credentials(t)
	server := storetest.Start(t, "runs")
	s := openStore(t, server.URL, "s3://runs")
	if err := put(t, s, "one", "the text"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(server.Dir, "runs", "one"), []byte("the tixt"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := s.Get(t.Context(), "one", -1, &bytes.Buffer{})
	wants(t, err, fail.BadInput, "s3://runs/one", "SHA-256", "--replace")
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("%v is not ErrDamaged", err)
	}
	if err := os.WriteFile(filepath.Join(server.Dir, "runs", "foreign"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = s.Get(t.Context(), "foreign", -1, &bytes.Buffer{})
	wants(t, err, fail.BadInput, "s3://runs/foreign", "hone did not put it there")
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestFaultsOfARealStore(t *testing.T) {
	storetest.Credentials(t)
	server := storetest.Start(t, "runs")
	_, err := openStore(t, server.URL, "s3://missing").List(t.Context())
	wants(t, err, fail.BadInput, "NoSuchBucket", "hone makes no bucket")
	wants(t, put(t, openStore(t, server.URL, "s3://missing"), "one", "x"), fail.BadInput, "NoSuchBucket")

	s := openStore(t, server.URL, "s3://runs")
	if err := put(t, s, "one", "x"); err != nil {
		t.Fatal(err)
	}
	_, err = s.Get(t.Context(), "one", -1, full{})
	wants(t, err, fail.Storage, "no space left", "TMPDIR")

	ended, end := context.WithCancel(t.Context())
	end()
	_, err = s.List(ended)
	if fail.KindOf(err) != fail.Interrupted {
		t.Errorf("error %v after the end", err)
	}

	t.Setenv("AWS_SECRET_ACCESS_KEY", "another"+storetest.SecretKey)
	_, err = openStore(t, server.URL, "s3://runs").List(t.Context())
	wants(t, err, fail.BadInput, "SignatureDoesNotMatch", "does not accept these credentials")
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDUNKNOWN")
	_, err = openStore(t, server.URL, "s3://runs").List(t.Context())
	wants(t, err, fail.BadInput, "does not accept these credentials")
	if strings.Contains(err.Error(), "AKIDUNKNOWN") {
		t.Errorf("error %q shows the key", err)
	}
}

func TestUnreachable(t *testing.T) {
	storetest.Credentials(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, err = openStore(t, "http://"+l.Addr().String(), "s3://runs").List(t.Context())
	wants(t, err, fail.Environment, "connection refused", "--endpoint")
	wants(t, put(t, openStore(t, "http://"+l.Addr().String(), "s3://runs"), "one", "x"), fail.Environment,
		"connection refused")
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	_, err = openStore(t, strings.Replace(plain.URL, "http", "https", 1), "s3://runs").List(t.Context())
	wants(t, err, fail.Environment, "plain http")
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	_, err = openStore(t, secure.URL, "s3://runs").List(t.Context())
	wants(t, err, fail.Environment, "certificate")
}

// A store that is none, or an evil one: its answers are bounded, and what it quotes is hidden.
func TestHostileStore(t *testing.T) {
	storetest.Credentials(t)
	answers := map[string]http.HandlerFunc{
		"says the secret": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			w.Write([]byte(`<Error><Code>AccessDenied</Code><Message>` + storetest.SecretKey + " " +
				r.Header.Get("Authorization") + `</Message></Error>`))
		},
		"never ends": func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte(`<ListBucketResult><Name>`))
			for chunk := bytes.Repeat([]byte("x"), 1<<20); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		},
		"is a web page": func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("<html>hello</html>")) },
		"redirects elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		},
		"is broken": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"names what is outside": func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte(`<ListBucketResult><Contents><Key>../../etc/passwd</Key></Contents><Contents><Key>b/../x</Key></Contents></ListBucketResult>`))
		},
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(answer)
			defer server.Close()
			all, err := openStore(t, server.URL, "s3://runs/b").List(t.Context())
			if err == nil && len(all) == 0 {
				return
			}
			if len(all) > 0 {
				t.Errorf("listed %v", all)
			}
			kind := fail.KindOf(err)
			if kind != fail.BadInput && kind != fail.Environment {
				t.Errorf("kind %d of %v", kind, err)
			}
			wants(t, err, kind)
		})
	}
}

func TestCredentials(t *testing.T) {
	storetest.Credentials(t)
	home := os.Getenv("HOME")
	at := Location{Bucket: "runs"}
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	_, err := Open(at, Options{})
	wants(t, err, fail.BadInput, "no credentials", "AWS_ACCESS_KEY_ID")
	if err := os.Mkdir(filepath.Join(home, ".aws"), 0o700); err != nil {
		t.Fatal(err)
	}
	for text, words := range map[string]string{
		"[default]\naws_access_key_id = a\naws_secret_access_key = b\n": "",
		"[default]\naws_access_key_id = a\n":                            "partial",
		"[default]\n" + storetest.SecretKey + "\n":                      "cannot be used",
		"[other]\naws_access_key_id = a\naws_secret_access_key = b\n":   "default",
		"": "default",
	} {
		if err := os.WriteFile(filepath.Join(home, ".aws", "credentials"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(at, Options{})
		if words != "" {
			wants(t, err, fail.BadInput, words)
		} else if err != nil {
			t.Errorf("%q: %v", text, err)
		} else {
			s.Close()
		}
	}
}

func TestOptions(t *testing.T) {
	storetest.Credentials(t)
	for endpoint, want := range map[string]string{
		"": "https://s3.amazonaws.com", "minio.example:9000": "https://minio.example:9000",
		"http://localhost:1": "http://localhost:1",
		"http://[::1]:1/":    "http://[::1]:1", "https://x.example/": "https://x.example",
		"http://x.example": "", "ftp://x": "", "https://u:p@x": "", "https://x/path": "", "https://x?y": "",
		"https://": "", "http://%zz": "",
	} {
		u, err := (Options{Endpoint: endpoint}).filled().endpoint()
		if want == "" {
			wants(t, err, fail.BadInput)
		} else if err != nil || u.String() != want {
			t.Errorf("endpoint %q is %v, %v", endpoint, u, err)
		}
	}
	if _, err := (Options{Endpoint: "http://x.example", Insecure: true}).endpoint(); err != nil {
		t.Error(err)
	}
	t.Setenv("AWS_ENDPOINT_URL", "https://from.env")
	if o := (Options{}).filled(); o.Endpoint != "https://from.env" || o.Region != "us-east-1" {
		t.Errorf("options %+v", o)
	}
}

func TestLocations(t *testing.T) {
	for text, want := range map[string]string{
		"s3://runs": "s3://runs/", "s3://runs/": "s3://runs/", "s3://runs/a/b": "s3://runs/a/b/",
		"s3://runs/a/b/": "s3://runs/a/b/",
		"runs":           "", "s3://": "", "s3://UPPER": "", "s3://ru": "", "s3://runs/a//b": "", "s3://runs/../x": "",
		"s3://runs/a?b": "",
		"s3://key@runs": "", "s3://runs/\x1b[31m": "", "s3:///x": "", "s3://runs/" + strings.Repeat("x", 401): "",
		"s3://192.168.1.1/": "",
	} {
		at, err := ParseLocation(text)
		if want == "" {
			wants(t, err, fail.BadInput, "s3://BUCKET")
		} else if err != nil || at.String() != want {
			t.Errorf("%q is %v, %v", text, at, err)
		}
	}
}
