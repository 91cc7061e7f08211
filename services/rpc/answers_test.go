package rpc_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

// exchanges are requests and what every stage must answer; the answers whose bytes are
// not written out here are compared from stage to stage.
func exchanges() []exchange {
	hello := []byte("\x81\xa3Msg\xa5hello")
	all := []exchange{
		{"hello", helloRequest(1), 0, "\x81\xa3Msg\xa5world"},
		{"largest stream id", helloRequest(0xffff), 0, "\x81\xa3Msg\xa5world"},
		{"no body", frame(rpc.Header{}, nil), rpc.CodeNotFound, `no service path ""`},
		{"unknown path", request(2, "/missing", hello), rpc.CodeNotFound, `no service path "/missing"`},
		{"long unknown path", request(2, strings.Repeat("p", 5000), hello), rpc.CodeNotFound, "pppp"},
		{"malformed envelope", frame(rpc.Header{Stream: 3}, []byte("\x12\xff")), rpc.CodeBadRequest, "malformed envelope"},
		{"no argument", request(4, helloworld.Path, nil), rpc.CodeBadRequest, "decode argument: "},
		{"argument of another type", request(4, helloworld.Path, []byte("\x07")), rpc.CodeBadRequest, "decode argument: "},
		{"argument cut off", request(4, helloworld.Path, hello[:8]), rpc.CodeBadRequest, "decode argument: "},
		{"argument nested deep", request(4, helloworld.Path, append(append([]byte("\x82\xa1x"), bytes.Repeat([]byte{0x91}, 1<<20)...), 0xc0)),
			rpc.CodeBadRequest, "nested deeper"},
		{"argument with an unknown field", request(5, helloworld.Path, []byte("\x82\xa1x\x91\x01\xa3Msg\xd9\x05hello")), 0, "world"},
		{"argument nil", request(5, helloworld.Path, []byte("\xc0")), 0, "hello, "},
		{"argument twice as long", request(5, helloworld.Path, append(hello, hello...)), 0, "world"},
		{"client stream", frame(rpc.Header{Mode: rpc.ModeClientStream}, nil), rpc.CodeUnimplemented, "request type 2"},
		{"unknown mode", frame(rpc.Header{Mode: 77}, nil), rpc.CodeUnimplemented, "request type 77"},
		{"compression", frame(rpc.Header{Compress: 1}, []byte("???")), rpc.CodeUnimplemented, "compression 1"},
		{"method that is not a call", request(6, "/zoo.Zoo/String", hello), rpc.CodeNotFound, ""},
		{"neither reply nor error", request(6, "/zoo.Zoo/Inert", hello), rpc.CodeInternal, "neither reply nor error"},
		{"metadata twice", metadataRequest(helloworld.Path, "k", "1", "k", "2"), 0, "world"},
		{"timeout of no form", metadataRequest(helloworld.Path, rpc.TimeoutKey, "soon"), rpc.CodeBadRequest, `rpc-timeout is "soon"`},
		{"timeout empty", metadataRequest(helloworld.Path, rpc.TimeoutKey, ""), rpc.CodeBadRequest, `rpc-timeout is ""`},
		{"timeout too long", metadataRequest(helloworld.Path, rpc.TimeoutKey, strings.Repeat("9", 40)), rpc.CodeBadRequest, "rpc-timeout is"},
	}
	for _, service := range []string{"/zoo.Zoo/", "/zoo.Inline/"} {
		for _, c := range []struct {
			method, argument string
			code             rpc.Code
			want             string
		}{
			{"Echo", "abc", 0, "\xa3abc"},
			{"Echo", strings.Repeat("b", 124), 0, "bbb"}, // with the envelope's length in two bytes
			{"Echo", strings.Repeat("c", 40_000), 0, "ccc"},
			{"Large", "", rpc.CodeTooLarge, "over the limit of 4194304 bytes"},
			{"Fail", "that", rpc.CodeUnknown, "cannot do that"},
			{"Fail", strings.Repeat("long ", 1000), rpc.CodeUnknown, "long long"},
			{"Fail", "\xff\xfe", rpc.CodeUnknown, "cannot do ?"},
			{"Refuse", "it", 1234, "refused it"},
			{"Panic", "", rpc.CodeInternal, "handler panicked"},
			{"Timeout", "", 0, "none"},
			{"Metadata", "", 0, "also"},
		} {
			payload := rpc.AppendText([]byte("\x81\xa3Msg"), c.argument)
			name := fmt.Sprintf("%s%s %.10q", service, c.method, c.argument)
			all = append(all, exchange{name, request(7, service+c.method, payload), c.code, c.want})
		}
		all = append(all,
			exchange{service + "Metadata", metadataRequest(service+"Metadata", "key", "value"), 0, "value"},
			exchange{service + "Timeout", metadataRequest(service+"Timeout", rpc.TimeoutKey, "60000000"), 0, "some"},
			exchange{service + "Timeout 0", metadataRequest(service+"Timeout", rpc.TimeoutKey, "0"), rpc.CodeDeadline, "deadline exceeded"},
		)
	}
	return all
}

type exchange struct {
	name    string
	request []byte
	code    rpc.Code
	want    string // is in the answer
}

// metadataRequest is a call with "hello" and metadata, keys and values in turns.
func metadataRequest(path string, pairs ...string) []byte {
	var body []byte
	for i := 0; i < len(pairs); i += 2 {
		body = append(body, rpc.AppendRequest(nil, &rpc.Request{Metadata: rpc.Metadata{pairs[i]: []byte(pairs[i+1])}})...)
	}
	r := rpc.Request{ServicePath: path, Payload: []byte("\x81\xa3Msg\xa5hello")}
	return frame(rpc.Header{Stream: 9}, append(body, rpc.AppendRequest(nil, &r)...))
}

// Every stage gives the same bytes to the same request, and they say what they should.
func TestAllStagesGiveTheSameAnswers(t *testing.T) {
	first := make(map[string][]byte)
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		r := start(t, rpc.Config{Stage: stage.Name}, registerZoo)
		conn := r.Dial(t)
		for _, x := range exchanges() {
			write(t, conn, x.request)
			h, answer := readAnswer(t, conn)
			sent, err := rpc.DecodeHeader(x.request)
			if err != nil {
				t.Fatal(err)
			}
			if h.Stream != sent.Stream || h.Mode != sent.Mode || h.Kind != rpc.KindRequest || h.Compress != 0 {
				t.Errorf("%s: header of the answer is %+v, of the request %+v", x.name, h, sent)
			}
			response, err := rpc.DecodeResponse(answer[rpc.HeaderSize:])
			if err != nil || response.Code != x.code || !bytes.Contains(answer, []byte(x.want)) {
				t.Errorf("%s: %v, %v %.80q, want %v and %q in it", x.name, err, response.Code, answer, x.code, x.want)
			}
			if before, ok := first[x.name]; !ok {
				first[x.name] = answer
			} else if !bytes.Equal(answer, before) {
				t.Errorf("%s: answer\n%.200q\nthe stage before gave\n%.200q", x.name, answer, before)
			}
		}
		if c := r.Counters(); c.Panics != 2 {
			t.Errorf("%d panics counted, want 2", c.Panics)
		}
	})
}

// The bytes of the published call, whole.
func TestHelloIsTheWireFormat(t *testing.T) {
	// Header: stream id 5, length 0x2b = 43 = 2+28 (path) + 2+11 (payload).
	ask := unhex(t, `11 00 00 00 00 0005 0000002b 00000000
		12 1c 2f68656c6c6f776f726c642e477265657465722f53617948656c6c6f  22 0b 81a34d7367a568656c6c6f`)
	// Length 0x0d = 13: 2+11; ret_code 0 is left out.
	want := unhex(t, "11 00 00 00 00 0005 0000000d 00000000  22 0b 81a34d7367a5776f726c64")
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		conn := start(t, rpc.Config{Stage: stage.Name}).Dial(t)
		write(t, conn, ask)
		if _, got := readAnswer(t, conn); !bytes.Equal(got, want) {
			t.Errorf("answer is %x, want %x", got, want)
		}
	})
}

// Requests that come in one piece, or byte by byte, get all their answers, heartbeats
// theirs in kind, and those that want no answer none.
func TestAnswersHoweverTheRequestsAreCut(t *testing.T) {
	var sent, want []byte
	for i := range uint16(300) {
		sent, want = append(sent, helloRequest(i)...), append(want, helloAnswer(i)...)
		if i%7 == 0 {
			beat := rpc.Header{Kind: rpc.KindHeartbeat, Stream: i}
			sent, want = append(sent, frame(beat, []byte("ignored"))...), append(want, frame(beat, nil)...)
		}
		if i%11 == 0 {
			quiet := helloRequest(i)
			quiet[3] = byte(rpc.ModeSendOnly)
			sent = append(sent, quiet...)
		}
	}
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		r := start(t, rpc.Config{Stage: stage.Name})
		for _, step := range []int{1, 17, len(sent)} {
			conn := r.Dial(t)
			failed := make(chan error, 1)
			go func() {
				for b := sent; len(b) > 0; b = b[min(step, len(b)):] {
					if _, err := conn.Write(b[:min(step, len(b))]); err != nil {
						failed <- err
						return
					}
				}
				failed <- conn.CloseWrite()
			}()
			got, err := io.ReadAll(conn)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes at a time: %d bytes of answers, %v, want %d", step, len(got), err, len(want))
			}
			if err := <-failed; err != nil {
				t.Error(err)
			}
		}
	})
}
