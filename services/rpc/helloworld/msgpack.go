package helloworld

import "github.com/gohone/hone/services/rpc"

// The messages by hand: a map of one entry, {"Msg": text}, as the library encodes them.
// It stands for what a generator of code would write.

var (
	_ rpc.MsgpackAppender = (*HelloRequest)(nil)
	_ rpc.MsgpackDecoder  = (*HelloRequest)(nil)
	_ rpc.MsgpackAppender = (*HelloReply)(nil)
	_ rpc.MsgpackDecoder  = (*HelloReply)(nil)
)

// front is the map's header and its key.
const front = "\x81\xa3Msg"

// AppendMsgpack implements rpc.MsgpackAppender.
func (m *HelloRequest) AppendMsgpack(dst []byte) []byte { return appendMsg(dst, m.Msg) }

// DecodeMsgpack implements rpc.MsgpackDecoder.
func (m *HelloRequest) DecodeMsgpack(b []byte) bool { return decodeMsg(b, &m.Msg) }

// AppendMsgpack implements rpc.MsgpackAppender.
func (m *HelloReply) AppendMsgpack(dst []byte) []byte { return appendMsg(dst, m.Msg) }

// DecodeMsgpack implements rpc.MsgpackDecoder.
func (m *HelloReply) DecodeMsgpack(b []byte) bool { return decodeMsg(b, &m.Msg) }

func appendMsg(dst []byte, text string) []byte {
	return rpc.AppendText(append(dst, front...), text)
}

// decodeMsg sets *text. A message that is used again and has the same text keeps its
// string: nothing is allocated for it.
func decodeMsg(b []byte, text *string) bool {
	if len(b) < len(front) || string(b[:len(front)]) != front {
		return false
	}
	got, _, ok := rpc.ReadText(b[len(front):])
	if ok && *text != string(got) {
		*text = string(got)
	}
	return ok
}
