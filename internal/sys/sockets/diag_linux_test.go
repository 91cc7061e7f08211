package sockets

import (
	"net"
	"os"
	"slices"
	"strconv"
	"testing"
)

// The kernel's answer and its tables have the same sockets of this process.
func TestAskAgreesWithTheTables(t *testing.T) {
	ours := map[string]bool{}
	for _, address := range []string{"127.0.0.1:0", "[::1]:0", ":0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		ours[port] = true
		if address != ":0" {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
	}
	for _, state := range []uint64{Listen, Established} {
		var asked, read []Socket
		keep := func(all *[]Socket) func(Socket) {
			return func(s Socket) {
				local, remote := strconv.Itoa(int(s.Local.Port())), strconv.Itoa(int(s.Remote.Port()))
				if s.State == state && (ours[local] || ours[remote]) {
					*all = append(*all, s)
				}
			}
		}
		if !ask(strconv.Itoa(os.Getpid()), state, keep(&asked)) {
			t.Skip("the kernel answers no questions about sockets (sock_diag)")
		}
		if err := Each("self", keep(&read)); err != nil {
			t.Fatal(err)
		}
		byInode := func(a, b Socket) int { return int(a.Inode) - int(b.Inode) }
		slices.SortFunc(asked, byInode)
		slices.SortFunc(read, byInode)
		if want := map[uint64]int{Listen: 3, Established: 4}[state]; len(read) != want || !slices.Equal(asked, read) {
			t.Errorf("state %d: %d sockets\nasked %v\nread  %v", state, want, asked, read)
		}
	}
}

// A process of another network namespace, or one that is gone, is not asked about.
func TestAskKnowsOnlyItsOwnNamespace(t *testing.T) {
	if ask("no such process", Listen, func(Socket) { t.Error("a socket") }) {
		t.Error("sockets of a process that is not there")
	}
}
