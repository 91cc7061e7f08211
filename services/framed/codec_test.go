package framed

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"
)

// The wire format, byte for byte as the protocol's table has it.
func TestWireFormat(t *testing.T) {
	submit := Submit{Command: CommandSubmit, ID: ID([]byte("00000042")), Payload: make([]byte, 24)}
	for name, tc := range map[string]struct {
		frame []byte
		want  string
	}{
		"conn":                     {AppendRequest(nil, Submit{Command: CommandConn, ID: submit.ID}), "0000000d" + "01" + "3030303030303432"},
		"submit, 24 bytes":         {AppendRequest(nil, submit), "00000025" + "02" + "3030303030303432" + "000000000000000000000000000000000000000000000000"},
		"connack":                  {AppendAck(nil, Ack{Command: CommandConnAck, ID: submit.ID}), "0000000e" + "80" + "3030303030303432" + "00"},
		"submitack":                {AppendAck(nil, submit.answer()), "0000000e" + "81" + "3030303030303432" + "00"},
		"submitack, not accepted":  {AppendAck(nil, Ack{Command: CommandSubmitAck, ID: submit.ID, Result: 9}), "0000000e" + "81" + "3030303030303432" + "09"},
		"submitack, by the fields": {append([]byte{0, 0, 0, 14}, encodePacket(submit.answer())...), "0000000e" + "81" + "3030303030303432" + "00"},
	} {
		if got := hex.EncodeToString(tc.frame); got != tc.want {
			t.Errorf("%s is %s, want %s", name, got, tc.want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Submit{
			Command: rapid.SampledFrom([]Command{CommandConn, CommandSubmit}).Draw(t, "command"),
			ID:      ID(rapid.SliceOfN(rapid.Byte(), IDSize, IDSize).Draw(t, "id")),
			Payload: rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "payload"),
		}
		frame := AppendRequest(nil, want)

		payload, err := readFrame(bytes.NewReader(frame))
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodePacket(payload)
		if err != nil {
			t.Fatal(err)
		}
		if got.Command != want.Command || got.ID != want.ID || !bytes.Equal(got.Payload, want.Payload) {
			t.Fatalf("decoded %+v, want %+v", got, want)
		}

		var stream bytes.Buffer
		if err := writeFrame(&stream, encodePacket(got.answer())); err != nil {
			t.Fatal(err)
		}
		if whole := AppendAck(nil, want.answer()); !bytes.Equal(stream.Bytes(), whole) {
			t.Fatalf("answer by the fields is %x, whole %x", stream.Bytes(), whole)
		}
		ack, err := DecodeAck(stream.Bytes())
		if err != nil || ack != want.answer() {
			t.Fatalf("decoded answer %+v, %v, want %+v", ack, err, want.answer())
		}
	})
}

// A Submit that is used again keeps nothing of the request before.
func TestDecodeLeavesNothingStale(t *testing.T) {
	used := Submit{Command: CommandSubmit, ID: ID([]byte("stranger")), Payload: []byte("secret")}
	if err := used.Decode([]byte("\x01client01")); err != nil {
		t.Fatal(err)
	}
	if used.Command != CommandConn || used.ID.String() != "client01" || len(used.Payload) != 0 {
		t.Errorf("decoded %+v, want conn client01 without a payload", used)
	}
}

// FuzzDecode holds the two decoders against each other: field by field over a stream,
// and in place over a batch that arrives in pieces. They must give the same answers
// and the same fault, and the batch must stay within its bounds.
func FuzzDecode(f *testing.F) {
	addStreams(f)
	f.Fuzz(func(t *testing.T, in []byte, piece uint16) {
		want, wantErr := answerStream(in)
		got, gotErr := answerPieces(t, in, int(piece)+1)
		if !bytes.Equal(got, want) {
			t.Errorf("batch answers %x, stream %x", got, want)
		}
		if gotErr == nil && wantErr == nil {
			return
		}
		if gotErr == nil || wantErr == nil || *gotErr != *wantErr {
			t.Errorf("batch fails with %v, stream with %v", gotErr, wantErr)
		}
	})
}

// addStreams seeds a fuzz test of decoders with good and bad frames and the sizes of the pieces that they come in.
func addStreams(f *testing.F) {
	submit := AppendRequest(nil, Submit{Command: CommandSubmit, ID: ID([]byte("00000001")), Payload: []byte("payload")})
	conn := AppendRequest(nil, Submit{Command: CommandConn, ID: ID([]byte("00000002"))})
	largest := AppendRequest(nil, Submit{Command: CommandSubmit, Payload: make([]byte, MaxPayload)})
	f.Add([]byte{}, uint16(1))
	f.Add(bytes.Repeat(append(submit, conn...), 3), uint16(0))
	f.Add(bytes.Repeat(append(submit, conn...), 3), uint16(5))
	f.Add(bytes.Repeat(conn, 1000), uint16(1000))
	f.Add(append(conn, submit[:9]...), uint16(100))
	f.Add(append(largest, submit...), uint16(9000))
	f.Add(append(conn, 0, 1, 0, 1), uint16(1))
	f.Add(append(submit, 0, 0, 0, 5, 2), uint16(3))
	f.Add([]byte("\xff\xff\xff\xff"), uint16(2))
	f.Add([]byte("\x00\x00\x00\x0d\x81badframe"), uint16(13))
}

// answerStream answers in as the stages up to pooled do.
func answerStream(in []byte) (answers []byte, bad *FrameError) {
	r, w := bytes.NewReader(in), new(bytes.Buffer)
	for {
		payload, err := readFrame(r)
		if err == nil {
			var submit *Submit
			if submit, err = decodePacket(payload); err == nil {
				err = writeFrame(w, encodePacket(submit.answer()))
			}
		}
		if err != nil {
			errors.As(err, &bad) // any other error is the end of in
			return w.Bytes(), bad
		}
	}
}

// answerPieces answers in as batched does when it arrives in pieces of this size.
func answerPieces(t *testing.T, in []byte, piece int) (answers []byte, bad *FrameError) {
	r, b := bytes.NewReader(in), newBatch()
	for {
		space := b.space()
		if len(space) == 0 || len(b.in) > MaxFrame || len(b.in) > max(firstBatch, 2*len(in)) {
			t.Fatalf("buffer has %d bytes, %d free, for %d bytes of input", len(b.in), len(space), len(in))
		}
		n, err := r.Read(space[:min(piece, len(space))])
		b.have += n
		frames, frameErr := b.decode()
		if frames*AckSize != len(b.answers()) {
			t.Fatalf("%d frames, but %d bytes of answers", frames, len(b.answers()))
		}
		answers = append(answers, b.answers()...)
		if errors.As(frameErr, &bad) || errors.Is(err, io.EOF) {
			return answers, bad
		}
	}
}
