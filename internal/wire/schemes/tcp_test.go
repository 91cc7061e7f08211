package schemes_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/tcp"
	"github.com/gohone/hone/load"
)

// tcpProtocol is tcp:// without a target.
func tcpProtocol(t testing.TB, body string, f wire.Frame) load.Protocol {
	t.Helper()
	p, err := tcp.TCP.New(&url.URL{Scheme: "tcp", Host: "localhost:1"}, wire.Options{Body: []byte(body), Frame: f})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tcpDialog has sent a number of requests.
func tcpDialog(t testing.TB, body string, f wire.Frame, sent int) load.Dialog {
	t.Helper()
	d := tcpProtocol(t, body, f).Dialog(0)
	for seq := range sent {
		d.AppendRequest(nil, uint64(seq))
	}
	return d
}

func TestTCPRequestIsTheBodyWithLengthAndID(t *testing.T) {
	for name, c := range map[string]struct {
		body  string
		frame wire.Frame
		seq   uint64
		want  string
	}{
		"a plain length":         {"____abc", wire.Frame{}, 0, "\x00\x00\x00\x03abc"},
		"nothing after it":       {"____", wire.Frame{}, 0, "\x00\x00\x00\x00"},
		"the length counts all":  {"____abc", wire.Frame{Counts: "all"}, 0, "\x00\x00\x00\x07abc"},
		"the length counts body": {"____hhabc", wire.Frame{Counts: "body", HeaderBytes: 6}, 0, "\x00\x00\x00\x03hhabc"},
		"two bytes, little": {"x__abc", wire.Frame{Offset: 1, Width: 2, Little: true, Counts: "rest"}, 0,
			"x\x03\x00abc"},
		"one byte":    {"_abc", wire.Frame{Width: 1}, 0, "\x03abc"},
		"eight bytes": {"________abc", wire.Frame{Width: 8}, 0, "\x00\x00\x00\x00\x00\x00\x00\x03abc"},
		"eight bytes, little": {"________abc", wire.Frame{Width: 8, Little: true}, 0,
			"\x03\x00\x00\x00\x00\x00\x00\x00abc"},
		"four bytes, little":   {"____abc", wire.Frame{Little: true}, 0, "\x03\x00\x00\x00abc"},
		"id of one byte":       {"____abc", wire.Frame{IDOffset: 4, IDWidth: 1}, 0x1234, "\x00\x00\x00\x03\x34bc"},
		"id before the length": {"ii____c", wire.Frame{Offset: 2, IDWidth: 2}, 0x56789, "\x67\x89\x00\x00\x00\x01c"},
		"id of four, little": {"____iiii", wire.Frame{Little: true, IDOffset: 4, IDWidth: 4}, 0x12345,
			"\x04\x00\x00\x00\x45\x23\x01\x00"},
		"id of eight": {"____iiiiiiii", wire.Frame{IDOffset: 4, IDWidth: 8}, 1,
			"\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x01"},
	} {
		got := tcpDialog(t, c.body, c.frame, 0).AppendRequest([]byte("before"), c.seq)
		if string(got) != "before"+c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestTCPNamesWhatIsWrongWithAnAnswer(t *testing.T) {
	plain := wire.Frame{ExpectAt: 4, ExpectBytes: []byte("ok")}
	ids := wire.Frame{IDOffset: 4, IDWidth: 1}
	sized := wire.Frame{ExpectLength: 6}
	for _, c := range []struct {
		name  string
		frame wire.Frame
		in    string
		eof   bool
		n     int
		want  load.Answer
	}{
		{"right", plain, "000000026f6b", false, 6, load.Answer{}},
		{"longer, and right", plain, "000000036f6b21", false, 7, load.Answer{}},
		{"another after it", plain, "0000000268690000", false, 6, load.Answer{Cause: load.WrongBody}},
		{"too short for the check", plain, "00000001ff", false, 5, load.Answer{Cause: load.WrongBody}},
		{"empty", plain, "00000000", false, 4, load.Answer{Cause: load.WrongBody}},
		{"not whole", plain, "000000026f", false, 0, load.Answer{}},
		{"no length yet", plain, "000000", false, 0, load.Answer{}},
		{"nothing at the end", plain, "", true, 0, load.Answer{}},
		{"cut off", plain, "000000026f", true, 5, load.Answer{Cause: load.WrongLength, Close: true}},
		{"cut off in the length", plain, "00", true, 1, load.Answer{Cause: load.WrongLength, Close: true}},
		{"negative length", plain, "ffffffff", false, 4, load.Answer{Cause: load.Malformed, Close: true}},
		{"over 16 MiB", plain, "01000000", false, 4, load.Answer{Cause: load.Malformed, Close: true}},
		{"length below itself", wire.Frame{Counts: "all"}, "00000003", false, 4,
			load.Answer{Cause: load.Malformed, Close: true}},
		{"length of zero", wire.Frame{Counts: "all"}, "00000000", false, 4,
			load.Answer{Cause: load.Malformed, Close: true}},
		{"largest of eight bytes", wire.Frame{Width: 8}, "ffffffffffffffff", false, 8,
			load.Answer{Cause: load.Malformed, Close: true}},
		{"right length", sized, "000000020000", false, 6, load.Answer{}},
		{"another length", sized, "0000000100", false, 5, load.Answer{Cause: load.WrongLength}},
		{"id out of turn", ids, "0000000102", false, 5, load.Answer{Seq: 2}},
		{"id never sent", ids, "0000000109", false, 5, load.Answer{Seq: 9}},
		{"no room for the id", ids, "00000000", false, 4, load.Answer{Seq: 3, Cause: load.WrongLength}},
		{"cut off behind the id", ids, "0000000201", true, 5,
			load.Answer{Seq: 1, Cause: load.WrongLength, Close: true}},
		{"cut off before the id", ids, "00000002", true, 4, load.Answer{Seq: 3, Cause: load.WrongLength, Close: true}},
	} {
		in, err := hex.DecodeString(c.in)
		if err != nil {
			t.Fatal(err)
		}
		d := tcpDialog(t, "____i______________", c.frame, 3)
		if n, got := d.NextAnswer(in, c.eof); n != c.n || got != c.want {
			t.Errorf("%s: got %d, %+v, want %d, %+v", c.name, n, got, c.n, c.want)
		}
	}
}

// An id of one byte comes round every 256 requests: it stands for the last one with it.
func TestTCPIDsComeRound(t *testing.T) {
	d := tcpDialog(t, "____i", wire.Frame{IDOffset: 4, IDWidth: 1}, 1000)
	for id, want := range map[byte]uint64{999 % 256: 999, 0: 768, 255: 767, 1000 % 256: 1000 - 256} {
		if _, got := d.NextAnswer([]byte{0, 0, 0, 1, id}, false); got != (load.Answer{Seq: want}) {
			t.Errorf("id %d is %+v, want request %d", id, got, want)
		}
	}
}

// A large answer is consumed as it comes: no more than a piece is ever kept, and bytes
// are checked wherever the pieces meet.
func TestTCPLargeAnswersNeedNoBuffer(t *testing.T) {
	const size = 3 << 20
	frame := append([]byte{0, 0x2f, 0xff, 0xfc}, make([]byte, size-4)...) // 4 + 0x2ffffc = 3 MiB
	at := size/2 - 3
	copy(frame[at:], "expected")
	for name, c := range map[string]struct {
		frame wire.Frame
		want  load.Cause
	}{
		"right":          {wire.Frame{ExpectAt: at, ExpectBytes: []byte("expected")}, load.OK},
		"wrong":          {wire.Frame{ExpectAt: at, ExpectBytes: []byte("expectee")}, load.WrongBody},
		"the last bytes": {wire.Frame{ExpectAt: size - 2, ExpectBytes: []byte{0, 1}}, load.WrongBody},
		"behind it":      {wire.Frame{ExpectAt: size - 2, ExpectBytes: []byte{0, 0, 0}}, load.WrongBody},
		"longer":         {wire.Frame{ExpectLength: size + 1}, load.WrongLength},
		"as long":        {wire.Frame{ExpectLength: size}, load.OK},
	} {
		for _, step := range []int{1 << 20, 70_001, 16 << 10, 4096} {
			d := tcpDialog(t, "____", c.frame, 1)
			var kept []byte
			var got load.Answer
			for rest := frame; len(rest) > 0; {
				n := min(step, len(rest))
				kept, rest = append(kept, rest[:n]...), rest[n:]
				n, got = d.NextAnswer(kept, false)
				if kept = kept[n:]; len(kept) > 32<<10 {
					t.Fatalf("%s: %d bytes kept", name, len(kept))
				}
				if got.Partial == (len(rest) == 0) {
					t.Fatalf("%s: %+v with %d bytes to come", name, got, len(rest))
				}
			}
			if got != (load.Answer{Cause: c.want}) {
				t.Errorf("%s, by %d: %+v, want %v", name, step, got, c.want)
			}
		}
	}
}

func TestTCPFaultsAreSaidAtOnceByTheirFlags(t *testing.T) {
	for name, c := range map[string]struct {
		body  string
		frame wire.Frame
		want  []string
	}{
		"widths and places": {"____", wire.Frame{Offset: -1, Width: 3, IDOffset: -1, IDWidth: 5, HeaderBytes: -1,
			Counts: "body", ExpectAt: -1, ExpectLength: -1, ExpectBytes: []byte{1}},
			[]string{"--set tcp.offset is -1", "--set tcp.width is 3, want 1, 2, 4 or 8", "--set tcp.id-offset is -1",
				"--set tcp.id-width is 5",
				"--set tcp.header is -1", "--set tcp.expect-at is -1", "expect-length is -1"}},
		"without effect": {"____", wire.Frame{HeaderBytes: 8, IDOffset: 4, ExpectAt: 1},
			[]string{"--set tcp.header goes with --set tcp.counts=body",
				"--set tcp.id-offset goes with --set tcp.id-width", "--set tcp.expect-at goes with --set tcp.expect"}},
		"unknown count": {"____", wire.Frame{Counts: "some"},
			[]string{`--set tcp.counts is "some", want rest, all or body`}},
		"too far": {"____", wire.Frame{Offset: 1 << 20, IDWidth: 4, IDOffset: 1 << 20},
			[]string{"--set tcp.offset is 1048576, want 0 to", "--set tcp.id-offset is"}},
		"short header": {"____", wire.Frame{Counts: "body", HeaderBytes: 3},
			[]string{"--set tcp.header is 3, and the length field ends at byte 4"}},
		"overlap": {"________", wire.Frame{IDOffset: 3, IDWidth: 2},
			[]string{"the id (bytes 3 to 4) and the length (bytes 0 to 3) overlap"}},
		"too short answer": {"________", wire.Frame{IDOffset: 4, IDWidth: 4, ExpectLength: 7},
			[]string{"expect-length is 7, and the fields of a frame take 8"}},
		"bytes after": {"________", wire.Frame{ExpectLength: 7, ExpectAt: 6, ExpectBytes: []byte("ab")},
			[]string{"--set tcp.expect ends at byte 8"}},
		"no body": {"", wire.Frame{}, []string{"needs a request"}},
		"short body": {"_____", wire.Frame{IDOffset: 4, IDWidth: 2},
			[]string{"request of 5 bytes: too short: the fields of a frame take 6"}},
		"long body": {strings.Repeat("_", 257), wire.Frame{Width: 1},
			[]string{"the length 256 does not fit into --set tcp.width 1"}},
		"huge body": {strings.Repeat("_", 16<<20+1), wire.Frame{}, []string{"too long"}},
	} {
		_, err := tcp.TCP.New(&url.URL{}, wire.Options{Body: []byte(c.body), Frame: c.frame})
		if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
			t.Errorf("%s: got %v, want bad input with a hint", name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q is not in %q", name, want, err)
			}
		}
	}
	if _, err := tcp.TCP.New(&url.URL{Path: "/x"}, wire.Options{Body: []byte("____")}); fail.HintOf(err) == "" {
		t.Errorf("a path: %v", err)
	}
}

// tcpLayouts are descriptions with a body that fits, for tests that try all.
var tcpLayouts = []struct {
	body  string
	frame wire.Frame
}{
	{"____", wire.Frame{}},
	{"_", wire.Frame{Width: 1, ExpectBytes: []byte{1}}},
	{"i____", wire.Frame{Offset: 1, IDWidth: 1, Counts: "all"}},
	{"__ii", wire.Frame{Width: 2, Little: true, IDOffset: 2, IDWidth: 2, ExpectAt: 3, ExpectBytes: []byte{0, 1}}},
	{"________iiiiiiii", wire.Frame{Width: 8, IDOffset: 8, IDWidth: 8, Counts: "all"}},
	{"__hhhhhiiii", wire.Frame{Width: 2, Counts: "body", HeaderBytes: 5, IDOffset: 7, IDWidth: 4}},
	{"iiii____", wire.Frame{Offset: 4, IDWidth: 4, Little: true, ExpectLength: 9}},
	{"____", wire.Frame{ExpectAt: 20_000, ExpectBytes: []byte{0, 0, 0, 1}}},
}

// The decoder says of any bytes, cut anywhere, what a plain reading of them says.
func FuzzTCPAnswers(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 2, 1}, uint16(3), uint8(0))
	f.Add([]byte{1, 1, 2, 1, 0, 0}, uint16(0), uint8(1))
	f.Add([]byte{3, 0, 0, 0, 6, 9, 200, 0, 0, 0, 4}, uint16(1), uint8(2))
	f.Add([]byte{3, 0, 1, 0, 1, 0, 0, 9, 255, 255}, uint16(2), uint8(3))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 0, 4, 9, 0xff}, uint16(7), uint8(4))
	f.Add([]byte{0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0}, uint16(4), uint8(5))
	f.Add(append([]byte{0, 0, 0x80, 0}, make([]byte, 0x8000)...), uint16(5000), uint8(7))
	f.Fuzz(func(t *testing.T, in []byte, cut uint16, which uint8) {
		layout := tcpLayouts[int(which)%len(tcpLayouts)]
		const sent = 5
		whole := answers(t, tcpDialog(t, layout.body, layout.frame, sent), in, len(in)+1)
		pieces := answers(t, tcpDialog(t, layout.body, layout.frame, sent), in, int(cut)+1)
		want := plainAnswers(in, layout.frame, sent)
		if fmt.Sprint(whole) != fmt.Sprint(want) || fmt.Sprint(pieces) != fmt.Sprint(want) {
			t.Errorf("%+v: whole %+v, by %d %+v, want %+v", layout.frame, whole, int(cut)+1, pieces, want)
		}
	})
}

// plainAnswers reads a whole stream in the plainest way.
func plainAnswers(in []byte, f wire.Frame, sent uint64) (all []load.Answer) {
	integer := func(b []byte, at, width int) (v uint64) {
		for i := range width {
			if f.Little {
				v |= uint64(b[at+i]) << (8 * i)
			} else {
				v = v<<8 | uint64(b[at+i])
			}
		}
		return v
	}
	if f.Width == 0 {
		f.Width = 4
	}
	lengthEnd, idEnd, due := f.Offset+f.Width, f.IDOffset+f.IDWidth, uint64(0)
	for len(in) > 0 {
		a := load.Answer{Seq: sent}
		if f.IDWidth == 0 {
			a.Seq = due
		} else if len(in) >= max(idEnd, lengthEnd) {
			a.Seq = integer(in, f.IDOffset, f.IDWidth) // less than 256 were sent
		}
		end := func(cause load.Cause) []load.Answer {
			a.Cause, a.Close = cause, true
			return append(all, a)
		}
		if len(in) < lengthEnd {
			return end(load.WrongLength)
		}
		size, least := integer(in, f.Offset, f.Width), lengthEnd
		tooLong := size > 16<<20
		switch f.Counts {
		case "all":
		case "body":
			size, least = size+uint64(f.HeaderBytes), max(least, f.HeaderBytes)
		default:
			size += uint64(lengthEnd)
		}
		tooLong = tooLong || size > 16<<20
		if f.IDWidth > 0 && (tooLong || size < uint64(max(idEnd, least))) {
			a.Seq = sent
		}
		switch {
		case tooLong || size < uint64(least):
			return end(load.Malformed)
		case uint64(len(in)) < size:
			return end(load.WrongLength)
		}
		frame := in[:size]
		in = in[size:]
		check := f.ExpectAt + len(f.ExpectBytes)
		switch {
		case f.IDWidth > 0 && len(frame) < idEnd:
			a.Cause = load.WrongLength
		case f.ExpectLength > 0 && len(frame) != f.ExpectLength:
			a.Cause = load.WrongLength
		case len(f.ExpectBytes) > 0 && (len(frame) < check || !bytes.Equal(frame[f.ExpectAt:check], f.ExpectBytes)):
			a.Cause = load.WrongBody
		}
		if f.IDWidth == 0 && due < sent {
			due++
		}
		all = append(all, a)
	}
	return all
}

func TestTCPAllocatesNothing(t *testing.T) {
	d := tcpDialog(t, "____iiii", wire.Frame{IDOffset: 4, IDWidth: 4, ExpectLength: 8}, 0)
	out, seq := make([]byte, 0, 64), uint64(0)
	if n := testing.AllocsPerRun(1000, func() {
		out = d.AppendRequest(out[:0], seq)
		seq++
		if _, a := d.NextAnswer(out, false); a.Cause != load.OK || a.Seq != seq-1 {
			t.Fatalf("got %+v", a)
		}
	}); n != 0 {
		t.Errorf("%v allocations per request", n)
	}
}

// BenchmarkTCPAnswer and BenchmarkFramedAnswer read one answer and build the next
// request, as the engine does for every request of a closed loop.
func BenchmarkTCPAnswer(b *testing.B) {
	request := "____" + strings.Repeat("_", 33)
	for name, f := range map[string]wire.Frame{
		"fifo": {Counts: "all"},
		"ids":  {Counts: "all", IDOffset: 5, IDWidth: 8},
		"all":  {Counts: "all", IDOffset: 5, IDWidth: 8, ExpectAt: 13, ExpectBytes: []byte{0}, ExpectLength: 14},
	} {
		b.Run(name, func(b *testing.B) {
			d := tcpDialog(b, request, f, 1)
			in, out := make([]byte, 14), make([]byte, 0, 64)
			in[3] = 14
			seq := uint64(1)
			for b.Loop() {
				_, _ = d.NextAnswer(in, false)
				out = d.AppendRequest(out[:0], seq)
				seq++
			}
		})
	}
}

func BenchmarkFramedAnswer(b *testing.B) {
	d := framedDialog(b)
	d.AppendRequest(nil, 0)
	in, out := ack(id(0), 0), make([]byte, 0, 64)
	seq := uint64(1)
	for b.Loop() {
		_, _ = d.NextAnswer(in, false)
		out = d.AppendRequest(out[:0], seq)
		copy(in[5:13], out[5:13])
		seq++
	}
}
