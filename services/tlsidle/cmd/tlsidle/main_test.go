package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/services/tlsidle"
)

// asProgram in the environment makes the test binary be the program.
const asProgram = "TLSIDLE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// The program says where it listens, serves, and ends in order on either signal, with
// exit code 0 and not another word.
func TestServesUntilSignalled(t *testing.T) {
	for _, stage := range tlsidle.Stages {
		for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
			t.Run(stage.Name+", "+signal.String(), func(t *testing.T) {
				serveUntil(t, signal, &tls.Config{InsecureSkipVerify: true}, "-stage", stage.Name)
			})
		}
	}
}

// With -cert and -key it shows that certificate.
func TestServesWithOwnCertificate(t *testing.T) {
	cert, err := tlsidle.SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{
		certFile: {Type: "CERTIFICATE", Bytes: cert.Certificate[0]},
		keyFile:  {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	roots := x509.NewCertPool()
	leaf, err := x509.ParseCertificate(cert.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	roots.AddCert(leaf)
	serveUntil(t, os.Interrupt, &tls.Config{RootCAs: roots}, "-cert", certFile, "-key", keyFile)
}

func serveUntil(t *testing.T, signal os.Signal, client *tls.Config, args ...string) {
	cmd := program(t, append(args, "-addr", "127.0.0.1:0")...)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stderr := bufio.NewReader(pipe)
	line, err := stderr.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	addr := regexp.MustCompile(`msg=listening addr=(\S+) stage=`).FindStringSubmatch(line)
	if addr == nil {
		t.Fatalf("first line is %q, want where it listens and the stage", line)
	}
	conn, err := tls.Dial("tcp", addr[1], client)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(conn); err != nil || !bytes.HasSuffix(got, tlsidle.Document()) {
		t.Errorf("got %.100q, %v, want the document", got, err)
	}
	conn.Close()
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stderr)
	if err != nil || len(rest) != 0 {
		t.Errorf("more on stderr, %v:\n%s", err, rest)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("end: %v, want exit code 0", err)
	}
}

func TestFailuresAreSaidOnOneLine(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for name, tc := range map[string]struct {
		args []string
		code int
		want string
	}{
		"unknown stage":      {[]string{"-stage", "fast"}, exitUsage, `unknown stage \"fast\" (known: nethttp, `},
		"unknown flag":       {[]string{"-port", "1"}, exitUsage, "flag provided but not defined: -port"},
		"argument":           {[]string{"parked"}, exitUsage, `unexpected argument \"parked\"`},
		"negative limit":     {[]string{"-max-conns", "-1"}, exitUsage, "max conns is -1"},
		"key without cert":   {[]string{"-key", "x"}, exitUsage, "-cert and -key go together"},
		"no certificate":     {[]string{"-cert", "/nowhere", "-key", "/nowhere"}, exitFailed, "load certificate"},
		"port taken":         {[]string{"-addr", taken.Addr().String()}, exitFailed, "listen tcp " + taken.Addr().String()},
		"timeout of no form": {[]string{"-idle-timeout", "soon"}, exitUsage, "idle-timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := program(t, tc.args...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			var exit *exec.ExitError
			if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != tc.code {
				t.Errorf("end: %v, want exit code %d", err, tc.code)
			}
			if !strings.Contains(stderr.String(), tc.want) || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("stderr is\n%swant one line with %q", stderr.String(), tc.want)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout is %q, want nothing", stdout.String())
			}
		})
	}
}

func TestHelpNamesTheStages(t *testing.T) {
	out, err := program(t, "-help").CombinedOutput()
	if err != nil {
		t.Errorf("-help: %v, want exit code 0", err)
	}
	for _, stage := range tlsidle.Stages {
		if !strings.Contains(string(out), stage.Name) {
			t.Errorf("-help does not name %q:\n%s", stage.Name, out)
		}
	}
}
