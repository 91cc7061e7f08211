package cases

import (
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"encoding/hex"

	"github.com/gohone/hone/bench/side"
)

// What ghz prints, cut down to what is read.
const ghzSummary = `
Summary:
  Count:	2015
  Total:	1.00 s
  Requests/sec:	2014.17

Status code distribution:
  [OK]            2003 responses
  [Unavailable]   12 responses

Error distribution:
  [12]   rpc error: code = Unavailable desc = error reading from server: EOF
`

func TestReadGhz(t *testing.T) {
	if r, err := readGhz("", side.Job{}, []byte(ghzSummary)); err != nil ||
		r != (side.Report{Answered: 2003, Failed: 12}) {
		t.Errorf("%+v, %v", r, err)
	}
	for _, text := range []string{"", "panic: out of cheese", "  Count:\t3\n  [OK]   4 responses\n",
		"  Count:\t99999999999999999999\n"} {
		if r, err := readGhz("", side.Job{}, []byte(text)); err == nil {
			t.Errorf("%q: %+v, want an error", text, r)
		}
	}
}

// hone's HTTP/2 has to send what its gRPC sends.
func TestEncoded(t *testing.T) {
	message := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "hello")
	if got, want := encoded(), hex.EncodeToString(append([]byte{0, 0, 0, 0, 7}, message...)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
