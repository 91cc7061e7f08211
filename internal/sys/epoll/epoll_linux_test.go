package epoll

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hang is how long a test waits for what must come: far beyond any pause of a busy
// machine, so that only an event that is lost reaches it.
const hang = time.Minute

// newPoller returns a poller that ends with the test.
func newPoller(t testing.TB, events int) *Poller {
	t.Helper()
	p, err := New(events)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// socketPair returns two connected stream sockets. Those still open at the end of the
// test are closed by close, which tests call to close one earlier.
func socketPair(t testing.TB) (a, b int, close func(fd int)) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	open := map[int]bool{fds[0]: true, fds[1]: true}
	close = func(fd int) {
		if open[fd] {
			delete(open, fd)
			unix.Close(fd)
		}
	}
	t.Cleanup(func() {
		close(fds[0])
		close(fds[1])
	})
	return fds[0], fds[1], close
}

// put writes all of s, for which there must be room.
func put(t testing.TB, fd int, s string) {
	t.Helper()
	if n, errno := Send(fd, []byte(s)); n != len(s) || errno != 0 {
		t.Fatalf("Send(%q) = %d, %v", s, n, errno)
	}
}

// next waits for one batch of events; there are none only if none came for very long.
func next(t testing.TB, p *Poller) []Event {
	t.Helper()
	for end := time.Now().Add(hang); time.Now().Before(end); {
		if events := p.Sleep(time.Until(end)); len(events) > 0 {
			return events
		}
	}
	t.Error("no event came")
	return nil
}

func TestWatchReportsEachArrivalOnce(t *testing.T) {
	p := newPoller(t, 8)
	a, b, _ := socketPair(t)
	put(t, b, "early")
	if err := p.Watch(a, Token{Link: 7, Generation: 1}, false); err != nil {
		t.Fatal(err)
	}
	events := next(t, p)
	if len(events) != 1 || events[0].Token() != (Token{7, 1}) || events[0].Hangup() || events[0].Room() {
		t.Fatalf("data from before the watch: events %+v", events)
	}
	if events := p.Poll(); len(events) != 0 {
		t.Fatalf("nothing new has come, yet %+v", events)
	}
	put(t, b, ", late")
	if events := p.Poll(); len(events) != 1 {
		t.Fatalf("data behind data not yet read: events %+v", events)
	}
	buf := make([]byte, 64)
	if n, errno := Recv(a, buf); string(buf[:n]) != "early, late" || errno != 0 {
		t.Fatalf("Recv = %q, %v", buf[:n], errno)
	}
	if n, errno := Recv(a, buf); n != 0 || errno != unix.EAGAIN {
		t.Fatalf("Recv from an empty socket = %d, %v", n, errno)
	}
}

func TestEndOfStreamIsAHangup(t *testing.T) {
	p := newPoller(t, 8)
	a, b, close := socketPair(t)
	if err := p.Watch(a, Token{}, false); err != nil {
		t.Fatal(err)
	}
	put(t, b, "last words")
	close(b)
	if events := next(t, p); len(events) != 1 || !events[0].Hangup() {
		t.Fatalf("events %+v, want one hangup", events)
	}
	buf := make([]byte, 64)
	if n, errno := Recv(a, buf); string(buf[:n]) != "last words" || errno != 0 {
		t.Fatalf("Recv before the end = %q, %v", buf[:n], errno)
	}
	if n, errno := Recv(a, buf); n != 0 || errno != 0 {
		t.Fatalf("Recv at the end = %d, %v", n, errno)
	}
	// The same from the writer's side: an error, not a signal that kills the process.
	if _, errno := Send(a, buf); errno != unix.EPIPE {
		t.Fatalf("Send to a peer that is gone: %v", errno)
	}
}

func TestGenerationTravels(t *testing.T) {
	p := newPoller(t, 8)
	for generation := int32(-2); generation <= 2; generation++ {
		a, b, close := socketPair(t)
		want := Token{Link: 3, Generation: generation * (1<<30 - 1)}
		if err := p.Watch(a, want, false); err != nil {
			t.Fatal(err)
		}
		put(t, b, "x")
		if events := next(t, p); len(events) != 1 || events[0].Token() != want {
			t.Fatalf("events %+v, want one of %+v", events, want)
		}
		want.Generation++
		if err := p.Change(a, want, false); err != nil {
			t.Fatal(err)
		}
		if events := next(t, p); len(events) != 1 || events[0].Token() != want {
			t.Fatalf("after a change: events %+v, want one of %+v", events, want)
		}
		put(t, b, "y")
		close(a) // ends the watch: no event of this round comes in the next
	}
	if events := p.Poll(); len(events) != 0 {
		t.Fatalf("events of closed descriptors: %+v", events)
	}
}

func TestRoomIsReportedWhenAskedFor(t *testing.T) {
	p := newPoller(t, 8)
	a, b, _ := socketPair(t)
	if err := p.Watch(a, Token{Link: 1}, false); err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 16<<10)
	sent := 0
	for {
		n, errno := Send(a, block)
		if errno == unix.EAGAIN {
			break
		}
		if errno != 0 {
			t.Fatal(errno)
		}
		sent += n
	}
	if err := p.Change(a, Token{Link: 1}, true); err != nil {
		t.Fatal(err)
	}
	if events := p.Poll(); len(events) != 0 {
		t.Fatalf("a full socket has events %+v", events)
	}
	for got := 0; got < sent; {
		n, errno := Recv(b, block)
		if errno != 0 {
			t.Fatalf("after %d of %d bytes: %v", got, sent, errno)
		}
		got += n
	}
	if events := next(t, p); len(events) != 1 || !events[0].Room() {
		t.Fatalf("events %+v, want room", events)
	}
	// Room that came before it was asked for.
	if err := p.Change(a, Token{Link: 1}, true); err != nil {
		t.Fatal(err)
	}
	if events := p.Poll(); len(events) != 1 || !events[0].Room() {
		t.Fatalf("events %+v, want room", events)
	}
}

func TestABatchIsBounded(t *testing.T) {
	const links, batch = 20, 6
	p := newPoller(t, batch)
	for i := range links {
		a, b, _ := socketPair(t)
		if err := p.Watch(a, Token{Link: int32(i)}, false); err != nil {
			t.Fatal(err)
		}
		put(t, b, "x")
	}
	seen := map[int32]int{}
	for events := p.Poll(); len(events) > 0; events = p.Poll() {
		if len(events) > batch {
			t.Fatalf("a batch of %d", len(events))
		}
		for _, e := range events {
			seen[e.Token().Link]++
		}
	}
	for i := range int32(links) {
		if seen[i] != 1 {
			t.Errorf("link %d was reported %d times", i, seen[i])
		}
	}
}

func TestWrongDescriptorsAreErrors(t *testing.T) {
	p := newPoller(t, 0)
	a, _, close := socketPair(t)
	if err := p.Change(a, Token{}, false); err == nil {
		t.Error("changed a watch that is not there")
	}
	close(a)
	if err := p.Watch(a, Token{}, false); err == nil {
		t.Error("watched a closed descriptor")
	}
	for name, call := range map[string]func() syscall.Errno{
		"Recv":   func() syscall.Errno { _, errno := Recv(-1, make([]byte, 1)); return errno },
		"Send":   func() syscall.Errno { _, errno := Send(-1, make([]byte, 1)); return errno },
		"Accept": func() syscall.Errno { _, errno := Accept(-1); return errno },
	} {
		if errno := call(); errno != unix.EBADF {
			t.Errorf("%s of a bad descriptor: %v", name, errno)
		}
	}
}

// onThread runs do on a thread of its own that ends with it, so that what do sets
// reaches no other test.
func onThread(do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		do()
	}()
	<-done
}
