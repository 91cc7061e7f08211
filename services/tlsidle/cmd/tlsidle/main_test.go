package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/programtest"
	"github.com/gohone/hone/services/tlsidle"
)

func TestMain(m *testing.M) { os.Exit(programtest.Main(m, main)) }

// The program says where it listens, serves, and ends in order on either signal, with
// exit code 0 and not another word.
func TestServesUntilSignalled(t *testing.T) {
	programtest.UntilSignalled(t, tlsidle.Stages, func(t *testing.T, stage string, signal os.Signal) {
		serveUntil(t, stage, signal, &tls.Config{InsecureSkipVerify: true})
	})
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
	serveUntil(t, tlsidle.DefaultStage, os.Interrupt, &tls.Config{RootCAs: roots}, "-cert", certFile, "-key", keyFile)
}

func serveUntil(t *testing.T, stage string, signal os.Signal, client *tls.Config, args ...string) {
	server := programtest.Start(t, programtest.Command(t, append(args, "-stage", stage, "-addr", "127.0.0.1:0")...), stage)
	conn, err := tls.Dial("tcp", server.Addr, client)
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
	server.End(t, signal)
}

func TestFailuresAreSaidOnOneLine(t *testing.T) {
	programtest.Fails(t, ladder.Names(tlsidle.Stages), programtest.Limits(), map[string]programtest.Failure{
		"key without cert": {Args: []string{"-key", "x"}, Code: program.Usage, Want: "-cert and -key go together"},
		"no certificate":   {Args: []string{"-cert", "/nowhere", "-key", "/nowhere"}, Code: program.Failed, Want: "load certificate"},
	})
}

func TestHelpNamesTheStages(t *testing.T) { programtest.HelpNames(t, ladder.Names(tlsidle.Stages)) }
