package framed_test

import (
	"testing"
	"time"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/servicetest"
)

func TestStagesAreFoundByName(t *testing.T) {
	for _, want := range framed.Stages {
		s, err := framed.New(framed.Config{Stage: want.Name})
		if err != nil || s.Stage().Name != want.Name {
			t.Errorf("stage %q: %v", want.Name, err)
		}
		if want.Change == "" || want.Serve == nil {
			t.Errorf("stage %q does not say what it changes, or cannot serve", want.Name)
		}
	}
	_, err := framed.New(framed.Config{Stage: "bufferd"})
	want := `configure framed server: unknown stage "bufferd" (known: raw, buffered-noflush, buffered, pooled, batched, reactor)`
	if err == nil || err.Error() != want {
		t.Errorf("New: %v, want %s", err, want)
	}
}

func TestConfigNamesAllItsFaults(t *testing.T) {
	_, err := framed.New(framed.Config{Stage: "fast", MaxConns: -1, IdleTimeout: -time.Second, WriteTimeout: -time.Minute})
	if err == nil {
		t.Fatal("a configuration of faults was accepted")
	}
	servicetest.Contains(t, "error", err.Error(), `unknown stage "fast"`, "max conns is -1", "idle timeout is -1s", "write timeout is -1m0s")
	server, err := framed.New(framed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := server.Stage().Name; got != framed.DefaultStage {
		t.Errorf("the zero Config serves with %q, want %q", got, framed.DefaultStage)
	}
}
