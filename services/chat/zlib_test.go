package chat_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/gohone/hone/services/chat"
)

// rawMessage is a message with any bytes for a zlib stream.
func rawMessage(id uint32, stream []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(chat.HeaderSize+len(stream)))
	b = append(b, byte(chat.CommandMessage))
	b = binary.BigEndian.AppendUint32(b, id)
	return append(b, stream...)
}

// deflated is text as the standard library compresses it.
func deflated(text []byte) []byte {
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, zlib.BestCompression)
	w.Write(text)
	w.Close()
	return b.Bytes()
}

// noise is text that does not compress.
func noise(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(b)
	return b
}

// A stored block written by hand is what the standard library reads.
func TestStoredBlockIsZlib(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 511, 512, 65_000, chat.MaxText} {
		frame := chat.AppendMessage(nil, 7, noise(n))
		r, err := zlib.NewReader(bytes.NewReader(frame[chat.HeaderSize:]))
		must(t, err)
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, noise(n)) {
			t.Errorf("%d bytes: got %d, %v", n, len(got), err)
		}
	}
}

// Texts of every size arrive whole, compressible or not, and no frame is over its limit.
func TestTextsOfEverySizeArrive(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage})
		long := "a-name-of-thirty-two-bytes-long!"
		talker, listener := r.user(t, "talker", long, long), r.user(t, "listener", "", long)
		for _, n := range []int{0, 1, 512, 513, 20_000, chat.MaxText} {
			for _, text := range [][]byte{noise(n), bytes.Repeat([]byte{'z'}, n)} {
				must(t, talker.Say(t.Context(), text))
				hear(t, listener, long, long, string(text))
			}
		}
	})
}

// Stored texts are read by the same client, and their frames are longer than the compressed ones
// by what compressing saves.
func TestStoredTextsArrive(t *testing.T) {
	text := bytes.Repeat([]byte("all work and no play "), 100)
	eachStage(t, func(t *testing.T, stage string) {
		var sizes []int
		for _, stored := range []bool{false, true} {
			r := start(t, chat.Config{Stage: stage, Stored: stored})
			talker, listener := r.user(t, "talker", "", "hall"), r.user(t, "listener", "", "hall")
			plain := r.member(t, "plain", "hall")
			must(t, talker.Say(t.Context(), text))
			hear(t, listener, "talker", "hall", string(text))
			sizes = append(sizes, int(binary.BigEndian.Uint32(read(t, plain, 4))))
		}
		if sizes[0] > 200 || sizes[1] < len(text) {
			t.Errorf("frames of %d and %d bytes for a text of %d", sizes[0], sizes[1], len(text))
		}
	})
}

// badStreams are refused by every stage with the same result, and the connection goes on.
func badStreams() []badStream {
	return []badStream{
		{"nothing", nil, chat.BadText},
		{"no zlib", []byte("plain text"), chat.BadText},
		{"cut off", deflated([]byte("some text"))[:10], chat.BadText},
		{"bytes after", append(deflated([]byte("some text")), 0), chat.BadText},
		{"two streams", append(deflated(nil), deflated(nil)...), chat.BadText},
		{"wrong checksum", flip(deflated([]byte("some text"))), chat.BadText},
		{"wrong checksum of a stored block", flip(chat.AppendMessage(nil, 0, []byte("some text"))[chat.HeaderSize:]), chat.BadText},
		{"needs a dictionary", []byte{0x78, 0xbb, 0, 0, 0, 2, 3, 0, 0, 0, 0, 1}, chat.BadText},
		{"one byte too long", deflated(make([]byte, chat.MaxText+1)), chat.TextTooLong},
		{"a bomb", bombStream(), chat.TextTooLong},
	}
}

type badStream struct {
	name   string
	stream []byte
	want   chat.Result
}

// bomb is the size of a text that becomes a frame of 8 kB, bombStream that frame's stream.
const bomb = 8 << 20

var bombStream = sync.OnceValue(func() []byte { return deflated(make([]byte, bomb)) })

func flip(b []byte) []byte {
	b[len(b)-1] ^= 1
	return b
}

func TestBadTextsAreRefused(t *testing.T) {
	all := badStreams()
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage})
		talker, listener := r.member(t, "talker", "hall"), r.user(t, "listener", "", "hall")
		for i, bad := range all {
			write(t, talker, rawMessage(uint32(i), bad.stream))
			want := chat.AppendAck(nil, uint32(i), bad.want)
			if got := read(t, talker, chat.AckSize); !bytes.Equal(got, want) {
				t.Errorf("%s: ack is %x, want %x", bad.name, got, want)
			}
		}
		write(t, talker, chat.AppendMessage(nil, 99, []byte("good again")))
		hear(t, listener, "talker", "hall", "good again")
	})
}

// A bomb costs what the largest text costs, not what it claims.
func TestBombTakesNoMemory(t *testing.T) {
	request := rawMessage(1, bombStream())
	eachStage(t, func(t *testing.T, stage string) {
		talker := start(t, chat.Config{Stage: stage}).member(t, "talker", "hall")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const bombs = 20
		for range bombs {
			write(t, talker, request)
			read(t, talker, chat.AckSize)
		}
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) / bombs; took > 1<<20 {
			t.Errorf("%d bytes allocated per bomb", took)
		}
	})
}
