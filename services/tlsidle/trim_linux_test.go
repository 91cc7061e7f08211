package tlsidle

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// With a version of Go in which crypto/tls has other fields, an idle connection takes
// more memory: read conn.go of crypto/tls, and correct trim_linux.go.
func TestTrimmerKnowsGo(t *testing.T) {
	trim := newTrimmer()
	if trim.rawInput == 0 || trim.hand == 0 || trim.ekm == 0 {
		t.Errorf("fields of tls.Conn are not as expected: offsets %+v, none may be 0", trim)
	}
	if got := fieldOf[int]("rawInput"); got != 0 {
		t.Errorf("a field of another type was taken, at %d", got)
	}
	if got := fieldOf[bytes.Buffer]("cooked"); got != 0 {
		t.Errorf("a field that there is not was found, at %d", got)
	}
}

// Between two messages a connection can be trimmed whenever it likes, in any version of
// TLS, and nothing is lost: neither records that were read ahead nor parts of them.
func TestTrimmedConnectionsGoOn(t *testing.T) {
	cert, err := SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	trim := newTrimmer()
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		rapid.Check(t, func(t *rapid.T) {
			under, other := net.Pipe()
			server := tls.Server(piecemeal{under, rapid.IntRange(1, 3000).Draw(t, "piece")}, tlsConfig(cert))
			client := tls.Client(other, &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version})
			messages := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 2000), 1, 5).Draw(t, "messages")
			var wg sync.WaitGroup
			wg.Go(func() {
				for _, m := range messages {
					if _, err := client.Write(m); err != nil {
						t.Errorf("client: %v", err)
					}
				}
				client.CloseWrite()
			})
			var got []byte
			for b := make([]byte, 100); ; {
				n, err := server.Read(b)
				got = append(got, b[:n]...)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("server: %v", err)
				}
				trim.trim(server)
			}
			wg.Wait()
			under.Close()
			other.Close()
			if want := bytes.Join(messages, nil); !bytes.Equal(got, want) {
				t.Errorf("read %x, want %x", got, want)
			}
		})
	}
}

// piecemeal reads at most so much at a time.
type piecemeal struct {
	net.Conn
	most int
}

func (p piecemeal) Read(b []byte) (int, error) { return p.Conn.Read(b[:min(p.most, len(b))]) }

// However a stream of records is cut, the meter is within one exactly between its first
// byte and its last.
func TestRecordMeter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var stream []byte
		ends := map[int]bool{0: true}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 600), 1, 5).Draw(t, "records") {
			stream = append(stream, 23, 3, 3, byte(n>>8), byte(n))
			stream = append(stream, make([]byte, n)...)
			ends[len(stream)] = true
		}
		var m recordMeter
		for at := 0; at < len(stream); {
			n := rapid.IntRange(1, len(stream)-at).Draw(t, "piece")
			m.pass(stream[at : at+n])
			at += n
			if m.within() == ends[at] {
				t.Fatalf("at byte %d of records that end at %v: within is %v", at, ends, m.within())
			}
		}
	})
}
