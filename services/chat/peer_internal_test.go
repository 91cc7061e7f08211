package chat

import (
	"errors"
	"io"
	"net"
	"runtime"
	"testing"

	"github.com/gohone/hone/services/internal/server"
)

// The end of a connection waits for another user's broadcast to be written whole, and
// lets no other begin: a client never sees a torn frame because it was saying goodbye.
func TestFinishWaitsForAWrite(t *testing.T) {
	client, served := net.Pipe()
	defer client.Close()
	defer served.Close()
	p := &peer{Base: server.Base{Conn: served}}
	frame := AppendMessage(nil, 1, make([]byte, 1000))
	wrote := make(chan error, 1)
	go func() { // ends with the read below
		_, err := p.Write(frame)
		wrote <- err
	}()
	if _, err := client.Read(make([]byte, 1)); err != nil { // the write is under way now
		t.Fatal(err)
	}
	finished := make(chan struct{})
	go func() { // ends with the write
		p.finish()
		close(finished)
	}()
	for range 1000 {
		runtime.Gosched() // a finish that does not wait gets its chance to show it
	}
	select {
	case <-finished:
		t.Error("finish did not wait for the write")
	default:
	}
	if n, err := io.ReadFull(client, make([]byte, len(frame)-1)); err != nil {
		t.Errorf("the client got %d bytes more, %v, want %d", n, err, len(frame)-1)
	}
	if err := <-wrote; err != nil {
		t.Errorf("write: %v", err)
	}
	<-finished
	client.Close()
	if _, err := p.Write(frame); !errors.Is(err, net.ErrClosed) {
		t.Errorf("write after the end: %v, want net.ErrClosed", err)
	}
	if p.writing.Load() != 0 || p.writes.Load() != 2 {
		t.Errorf("%d writes under way, %d ended, want 0 and 2", p.writing.Load(), p.writes.Load())
	}
}
