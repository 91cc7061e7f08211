package main

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/programtest"
	"github.com/gohone/hone/services/visits"
)

func TestMain(m *testing.M) { os.Exit(programtest.Main(m, main)) }

// The program says where it listens, counts, logs, and ends in order on either signal with
// exit code 0 and not another word. A second run appends to the log.
func TestServesUntilSignalled(t *testing.T) {
	for _, stage := range visits.Stages {
		t.Run(stage.Name, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			serveUntil(t, stage.Name, log, syscall.SIGTERM)
			serveUntil(t, stage.Name, log, os.Interrupt)
			serveUntil(t, stage.Name, discard, syscall.SIGTERM)
			lines, err := os.ReadFile(log)
			if err != nil || bytes.Count(lines, []byte("\n")) != 2 || bytes.Count(lines, []byte("gopher")) != 2 {
				t.Errorf("log is %q, %v, want a line for each of two visits", lines, err)
			}
		})
	}
}

func serveUntil(t *testing.T, stage, log string, signal os.Signal) {
	t.Helper()
	server := programtest.Start(t, programtest.Command(t, "-stage", stage, "-addr", "127.0.0.1:0", "-log", log), stage)
	answer, err := http.Get("http://" + server.Addr + "/hello?name=gopher&color=blue")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.Contains(string(body), "<p>Name: gopher</p><p>Visits: 1</p>") {
		t.Errorf("%s %s, %v", answer.Status, body, err)
	}
	server.End(t, signal)
}

func TestFailuresAreSaidOnOneLine(t *testing.T) {
	programtest.Fails(t, ladder.Names(visits.Stages), map[string]programtest.Failure{
		"two faults, one end": {Args: []string{"-stage", "fast", "-max-names", "-1"}, Code: program.Usage, Want: "max names is -1"},
		"log in no directory": {Args: []string{"-log", filepath.Join(t.TempDir(), "none", "log")}, Code: program.Failed, Want: "none/log: no such file"},
	})
}

func TestHelpNamesTheStages(t *testing.T) { programtest.HelpNames(t, ladder.Names(visits.Stages)) }

// A log that cannot be written to is reported once, and by no one else.
func TestABrokenLogIsSaidOnce(t *testing.T) {
	var said bytes.Buffer
	l := &visitLog{out: broken{}, log: slog.New(slog.NewTextHandler(&said, nil))}
	for range 3 {
		if n, err := l.Write([]byte("line\n")); n != 5 || err != nil {
			t.Errorf("%d, %v: a logger would complain by itself", n, err)
		}
	}
	if strings.Count(said.String(), "disk full") != 1 {
		t.Errorf("said %q", said.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestImportsNothingOfHone(t *testing.T) {
	programtest.ImportsNothingOfHone(t, "visits")
	programtest.ImportsNoneOf(t, ".", "net/http/pprof")
}
