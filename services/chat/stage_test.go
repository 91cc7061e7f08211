package chat_test

import (
	"testing"
	"time"

	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/internal/servicetest"
)

func TestStagesAreFoundByName(t *testing.T) {
	for _, want := range chat.Stages {
		s, err := chat.New(chat.Config{Stage: want.Name})
		if err != nil || s.Stage().Name != want.Name || want.Change == "" {
			t.Errorf("stage %q: %v, changes %q", want.Name, err, want.Change)
		}
	}
	_, err := chat.New(chat.Config{Stage: "fina"})
	want := `configure chat server: unknown stage "fina" (known: naive, pooled-conn, buffers, zlib-reset, final)`
	if err == nil || err.Error() != want {
		t.Errorf("New: %v, want %s", err, want)
	}
}

func TestConfigNamesAllItsFaults(t *testing.T) {
	_, err := chat.New(chat.Config{
		Stage: "fast", MaxConns: -1, MaxRoom: -1, QueueBytes: 1000, QueueTotalBytes: -1,
		IdleTimeout: -time.Second, WriteTimeout: -time.Minute,
	})
	if err == nil {
		t.Fatal("a configuration of faults was accepted")
	}
	servicetest.Contains(t, "error", err.Error(), `unknown stage "fast"`, "max conns is -1", "max room is -1", "queue bytes is 1000, want 131072 or more",
		"queue total bytes is -1", "idle timeout is -1s", "write timeout is -1m0s")
	server, err := chat.New(chat.Config{})
	must(t, err)
	if got := server.Stage().Name; got != chat.DefaultStage {
		t.Errorf("the zero Config serves with %q, want %q", got, chat.DefaultStage)
	}
}
