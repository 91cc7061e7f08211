package recognise

import (
	"bytes"
	"context"
	"encoding/binary"
	"regexp"
	"time"
)

// The protocols that hone names and does not load.
const (
	MQTT      Protocol = "MQTT"
	AMQP      Protocol = "AMQP"
	Kafka     Protocol = "the protocol of Kafka"
	Postgres  Protocol = "the protocol of PostgreSQL"
	MySQL     Protocol = "the protocol of MySQL"
	MongoDB   Protocol = "the protocol of MongoDB"
	Memcached Protocol = "the protocol of memcached"
	LDAP      Protocol = "LDAP"
	DNS       Protocol = "DNS over TCP"
	SSH       Protocol = "SSH"
	SMTP      Protocol = "SMTP"
	FTP       Protocol = "FTP"
	IMAP      Protocol = "IMAP"
	POP3      Protocol = "POP3"
	RTSP      Protocol = "RTSP"
	VNC       Protocol = "RFB, the protocol of VNC"
	IRC       Protocol = "IRC"
	SOCKS     Protocol = "SOCKS"
)

// greetings are what servers say first, or to a request of HTTP that they do not understand.
var greetings = []struct {
	protocol Protocol
	begins   *regexp.Regexp
}{
	{SSH, regexp.MustCompile(`^SSH-[12]\.`)},
	{SMTP, regexp.MustCompile(`(?i)^(220|421|500|502)[ -].*(SMTP|LMTP)`)},
	{FTP, regexp.MustCompile(`(?i)^(220|421|500)[ -].*FTP`)},
	{IMAP, regexp.MustCompile(`^\* (OK|PREAUTH|BYE|BAD)\b`)},
	{POP3, regexp.MustCompile(`^\+OK \S`)},
	{RTSP, regexp.MustCompile(`^RTSP/1`)},
	{VNC, regexp.MustCompile(`^RFB \d{3}\.\d{3}`)},
	{AMQP, regexp.MustCompile(`^AMQP`)},
	{IRC, regexp.MustCompile(`^(:\S+ (NOTICE|451|421) |NOTICE \S+ :|ERROR :)`)},
}

// greeted names the protocol of what a server said; empty for none of these.
func greeted(said []byte) Protocol {
	for _, g := range greetings {
		if g.begins.Match(said) {
			return g.protocol
		}
	}
	if isMySQL(said) {
		return MySQL
	}
	return ""
}

// isMySQL says that bytes are the first packet of MySQL: its length, its number 0, and a greeting of version 10 or an
// error.
func isMySQL(said []byte) bool {
	return len(said) > 6 && said[2] == 0 && said[3] == 0 && int(binary.LittleEndian.Uint16(said)) >= len(said)-4 &&
		(said[4] == 10 || said[4] == 0xff)
}

// question asks for one protocol in its own words. answers says whether what comes back is of it.
type question struct {
	protocol Protocol
	words    []byte
	answers  func(said []byte) bool
}

// questions are for servers that take a request of HTTP for the beginning of something longer, or close without a word.
// They begin nothing that would have to be ended: a hello, a question for the version, a wish for TLS.
var questions = []question{
	{Redis, []byte("*1\r\n$4\r\nPING\r\n"), func(b []byte) bool { // one that closes on GET /, an unknown command
		return bytes.HasPrefix(b, []byte("+PONG\r\n")) || isRESP(b)
	}},
	{MQTT, []byte("\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04hone"), func(b []byte) bool { // CONNECT of 3.1.1: CONNACK
		return len(b) >= 4 && b[0] == 0x20 && int(b[1]) == len(b)-2 && b[2] <= 1
	}},
	{AMQP, []byte("AMQP\x00\x00\x09\x01"), func(b []byte) bool { // connection.start of 0-9-1, or the header that is spoken
		return bytes.HasPrefix(b, []byte("AMQP")) ||
			len(b) >= 11 && bytes.Equal(b[:3], []byte{1, 0, 0}) && bytes.Equal(b[7:11], []byte{0, 10, 0, 10})
	}},
	{Kafka, []byte("\x00\x00\x00\x0a\x00\x12\x00\x00hone\xff\xff"), func(b []byte) bool { // ApiVersions 0: its correlation id
		return len(b) >= 8 && bytes.Equal(b[4:8], []byte("hone")) && binary.BigEndian.Uint32(b) < 1<<20
	}},
	{Postgres, []byte("\x00\x00\x00\x08\x04\xd2\x16\x2f"), func(b []byte) bool { // SSLRequest: S, N or an error
		return len(b) == 1 && (b[0] == 'S' || b[0] == 'N') ||
			len(b) > 5 && b[0] == 'E' && int(binary.BigEndian.Uint32(b[1:])) < 4<<10 &&
				bytes.Contains(b, []byte("SFATAL"))
	}},
	{MongoDB, mongoHello, func(b []byte) bool { // the answer to request 7
		return len(b) >= 16 && int(binary.LittleEndian.Uint32(b)) >= 16 && binary.LittleEndian.Uint32(b[8:]) == 7 &&
			binary.LittleEndian.Uint32(b[12:]) == 2013
	}},
	{DNS, []byte("\x00\x11ho\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01"), func(b []byte) bool { // the servers of the root
		return len(b) >= 6 && b[2] == 'h' && b[3] == 'o' && b[4]&0x80 != 0
	}},
	{LDAP, []byte("\x30\x0c\x02\x01\x01\x60\x07\x02\x01\x03\x04\x00\x80\x00"), func(b []byte) bool { // an anonymous bind
		return len(b) >= 7 && b[0] == 0x30 && bytes.Contains(b[:min(len(b), 12)], []byte{2, 1, 1, 0x61})
	}},
	{Memcached, []byte("version\r\n"), func(b []byte) bool { return bytes.HasPrefix(b, []byte("VERSION ")) }},
	{SOCKS, []byte("\x05\x01\x00"), func(b []byte) bool {
		return len(b) == 2 && b[0] == 5 && (b[1] == 0 || b[1] == 0xff)
	}},
}

// mongoHello is an OP_MSG with {hello: 1, $db: "admin"}.
var mongoHello = []byte("\x34\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\xdd\x07\x00\x00\x00\x00\x00\x00\x00" +
	"\x1f\x00\x00\x00\x10hello\x00\x01\x00\x00\x00\x02$db\x00\x06\x00\x00\x00admin\x00\x00")

// questionPatience is how long the answer to one question may take.
const questionPatience = 500 * time.Millisecond

// askOthers asks in the words of each of the other protocols, all at once, on a connection each; empty for none that
// answered.
func askOthers(ctx context.Context, dial Dial) Protocol {
	found := make(chan int, len(questions))
	for i, q := range questions {
		go func() { // ends after its patience
			if !q.answered(ctx, dial) {
				i = -1
			}
			found <- i
		}()
	}
	best := -1
	for range questions {
		if i := <-found; i >= 0 && (best < 0 || i < best) {
			best = i
		}
	}
	if best < 0 {
		return ""
	}
	return questions[best].protocol
}

func (q question) answered(ctx context.Context, dial Dial) bool {
	ctx, cancel := context.WithTimeout(ctx, questionPatience)
	defer cancel()
	conn, err := dial(ctx)
	if err != nil {
		return false
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	if _, err := conn.Write(q.words); err != nil {
		return false
	}
	said := make([]byte, 512)
	n := 0
	for n < len(said) && !q.answers(said[:n]) {
		m, err := conn.Read(said[n:])
		n += m
		if err != nil {
			break
		}
	}
	return q.answers(said[:n])
}

// named completes what a request of HTTP showed of a port that does not speak it.
func (s Seen) named(ctx context.Context, dial Dial) Seen {
	switch s.Protocol {
	case Closed, Silent:
	case Other:
		if s.Line != "ERROR" { // as memcached answers
			return s
		}
	case TLS:
		if s.WantsCertificate {
			return s // it would refuse the other words, too
		}
		dial = overTLS(dial, nil)
	default:
		return s
	}
	if ctx.Err() != nil {
		return s
	}
	if p := askOthers(ctx, dial); p != "" {
		return Seen{Protocol: p, Encrypted: s.Encrypted}
	}
	return s
}

// Named says that a protocol was recognised that hone does not load.
func (p Protocol) Named() bool {
	switch p {
	case HTTP, HTTP2, GRPC, TLS, Redis, Other, Closed, Silent, Absent:
		return false
	}
	return true
}
