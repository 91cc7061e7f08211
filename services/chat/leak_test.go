package chat_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"testing"

	"github.com/gohone/hone/services/chat"
)

// tries is how many users in turn follow a stranger with a nickname. A sync.Pool hands
// an object on only to the processor that it lies with, and under the race detector drops
// every fourth, so one try may show nothing; the chance that all do is nil.
const tries = 100

// The mistaken fix: a user without a nickname is shown under that of a stranger who was
// served by the same object before. No other stage has the bug.
func TestOnlyPooledConnLeaksNicknames(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage})
		listener := r.user(t, "listener", "Listener", "hall")
		leaked := 0
		for range tries {
			r.user(t, "ann", "Annie", "hall").Close()
			r.await(t, "Annie's end", func(c chat.Counters) bool { return c.Connected == 1 })
			bob := r.user(t, "bob", "", "hall")
			must(t, bob.Say(t.Context(), []byte("I am Bob")))
			b, err := listener.Next(t.Context())
			must(t, err)
			bob.Close()
			r.await(t, "Bob's end", func(c chat.Counters) bool { return c.Connected == 1 })
			switch b.From {
			case "bob":
			case "Annie":
				leaked++
			default:
				t.Fatalf("Bob is shown as %q", b.From)
			}
		}
		if want := stage == "pooled-conn"; leaked > 0 != want {
			t.Errorf("%d of %d users were shown under a stranger's nickname, want some: %v", leaked, tries, want)
		}
	})
}

// The stage pooled-conn shows Bob, who has no nickname, under the nickname of Ann, who
// has left: the object of her connection was pooled and not reset fully.
func Example_staleNickname() {
	ctx := context.Background()
	server, err := chat.New(chat.Config{Stage: "pooled-conn", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Println(err)
		return
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(ln) }()
	enter := func(name, nick string) *chat.Client {
		c, err := chat.Dial(ctx, ln.Addr().String())
		if err != nil {
			panic(err)
		}
		if err := c.Login(ctx, name, nick); err != nil {
			panic(err)
		}
		if err := c.Join(ctx, "hall"); err != nil {
			panic(err)
		}
		return c
	}

	listener := enter("listener", "")
	shown := ""
	for i := 0; i < tries && shown != "Annie"; i++ { // the pool may give another object
		enter(fmt.Sprint("ann", i), "Annie").Close()
		bob := enter(fmt.Sprint("bob", i), "")
		if err := bob.Say(ctx, []byte("I am Bob")); err != nil {
			panic(err)
		}
		b, err := listener.Next(ctx)
		if err != nil {
			panic(err)
		}
		shown = b.From
		bob.Close()
	}
	fmt.Println("Bob is shown as", shown)
	listener.Close()
	if err := server.Shutdown(ctx); err != nil {
		panic(err)
	}
	<-served
	// Output: Bob is shown as Annie
}
