package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/programtest"
)

func TestMain(m *testing.M) { os.Exit(programtest.Main(m, main)) }

// The program says where it listens, serves, writes its journal and ends in order on
// either signal, with exit code 0 and not another word.
func TestServesUntilSignalled(t *testing.T) { programtest.UntilSignalled(t, chat.Stages, serveUntil) }

func serveUntil(t *testing.T, stage string, signal os.Signal) {
	journal := filepath.Join(t.TempDir(), "journal")
	server := programtest.Start(t, programtest.Command(t, "-stage", stage, "-addr", "127.0.0.1:0", "-journal", journal), stage)
	talk(t, server.Addr)
	server.End(t, signal)
	if b, err := os.ReadFile(journal); err != nil || !bytes.Contains(b, []byte(" user=ann nick=Annie room=hall ")) {
		t.Errorf("journal is %q, %v", b, err)
	}
}

// talk is one user who comes, speaks and goes.
func talk(t *testing.T, addr string) {
	t.Helper()
	c, err := chat.Dial(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = errors.Join(c.Login(t.Context(), "ann", "Annie"), c.Join(t.Context(), "hall"), c.Say(t.Context(), []byte("hello")))
	if err != nil {
		t.Error(err)
	}
}

func TestJournalOnStdout(t *testing.T) {
	cmd := programtest.Command(t, "-addr", "127.0.0.1:0", "-journal", "-")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	server := programtest.Start(t, cmd, chat.DefaultStage)
	talk(t, server.Addr)
	server.End(t, syscall.SIGTERM)
	if !strings.Contains(stdout.String(), " user=ann ") {
		t.Errorf("stdout is %q, want the journal", stdout.String())
	}
}

func TestFailuresAreSaidOnOneLine(t *testing.T) {
	programtest.Fails(t, ladder.Names(chat.Stages), programtest.Limits(), map[string]programtest.Failure{
		"queue too small":   {Args: []string{"-queue-bytes", "10"}, Code: program.Usage, Want: "queue bytes is 10"},
		"no such directory": {Args: []string{"-journal", filepath.Join(t.TempDir(), "no", "journal")}, Code: program.Failed, Want: "open journal: "},
	})
}

func TestHelpNamesTheStages(t *testing.T) { programtest.HelpNames(t, ladder.Names(chat.Stages)) }

func TestImportsNothingOfHone(t *testing.T) {
	programtest.ImportsNothingOfHone(t, "chat")
	programtest.ImportsNoneOf(t, ".", "net/http")
}
