package schemes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// respDialog has sent a number of commands.
func respDialog(t testing.TB, target string, o wire.Options, sent int) load.Dialog {
	t.Helper()
	d := parse(t, target, o).Dialog(0)
	for seq := range sent {
		d.AppendRequest(nil, uint64(seq))
	}
	return d
}

// command is one as it goes on the wire.
func command(words ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(words))
	for _, w := range words {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
	}
	return b.String()
}

func TestRESPCommandsAreSplitAsRedisCLIDoes(t *testing.T) {
	for body, want := range map[string]string{
		"":                               command("PING"),
		" \n\r\n":                        command("PING"),
		"get  a\t":                       command("get", "a"),
		"SET k ''":                       command("SET", "k", ""),
		`SET "a b" 'c d'`:                command("SET", "a b", "c d"),
		`SET k "\x00\xfg\n\r\t\b\a\"\\"`: command("SET", "k", "\x00xfg\n\r\t\b\a\"\\"),
		`SET k 'it\'s \n'`:               command("SET", "k", `it's \n`),
		`SET k{user} {x} {}{`:            command("SET", "k{user}", "{x}", "{}{"),
		`SET k '{"n":1}'`:                command("SET", "k", `{"n":1}`),
		"SET k é":                        command("SET", "k", "é"),
		`SET pre"fix"`:                   command("SET", "prefix"),
		"1x GET a":                       command("GET", "a"),
		"GETx a":                         command("GETx", "a"),
	} {
		if got := respDialog(t, "redis://h", wire.Options{Body: []byte(body)}, 0).AppendRequest([]byte("before"),
			0); string(got) != "before"+want {
			t.Errorf("%q: got %q, want %q", body, got, want)
		}
	}
}

func TestRESPPlacesAreFilled(t *testing.T) {
	o := wire.Options{Body: []byte("SET key:{n} {v}-{conn}\nGET key:{n:3}{v}"),
		Feed: table("v", "short", "a longer value", "")}
	p := parse(t, "redis://h", o)
	d := p.Dialog(0)
	var got []byte
	for seq := range uint64(6) {
		got = d.AppendRequest(got, seq)
	}
	// Both commands of a round see the same row.
	want := command("SET", "key:0", "short-0") + command("GET", "key:1short") +
		command("SET", "key:2", "a longer value-0") + command("GET", "key:0a longer value") +
		command("SET", "key:4", "-0") + command("GET", "key:2")
	if string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := p.Dialog(7).AppendRequest(nil, 0); !strings.Contains(string(got), "-7\r\n") ||
		!strings.Contains(string(got), "key:6\r\n") {
		t.Errorf("another connection: %q", got)
	}
}

// A connection that replaces a lost one begins at the first command again: half a
// transaction is lost with its connection.
func TestRESPCommandsWithoutWeightsStayInOrder(t *testing.T) {
	p := parse(t, "redis://h", wire.Options{Body: []byte("MULTI\nINCR a\nEXEC")})
	for _, sent := range []int{1, 2, 3, 4} {
		d := p.Dialog(1)
		var got []byte
		for seq := range sent {
			got = d.AppendRequest(got, uint64(seq))
		}
		all := command("MULTI") + command("INCR", "a") + command("EXEC")
		if !strings.HasPrefix(all+all, string(got)) {
			t.Errorf("%d commands: %q", sent, got)
		}
	}
}

func TestRESPWeightsAndRandomNumbers(t *testing.T) {
	p := parse(t, "redis://h", wire.Options{Body: []byte("9x GET key:{rand:100}\n1x SET key:{rand:100} v")})
	var again [2][]byte
	for i := range again {
		d := parse(t, "redis://h", wire.Options{Body: []byte("GET {rand:1000}{rand:1000}")}).Dialog(3)
		for seq := range uint64(100) {
			again[i] = d.AppendRequest(again[i], seq)
		}
	}
	if string(again[0]) != string(again[1]) {
		t.Error("the same connection drew other numbers")
	}
	seen := map[string]int{}
	gets := 0
	d := p.Dialog(0)
	for seq := range uint64(10_000) {
		words := strings.Split(string(d.AppendRequest(nil, seq)), "\r\n")
		seen[words[4]]++
		if words[2] == "GET" {
			gets++
		}
	}
	if gets != 9000 {
		t.Errorf("%d of 10,000 are GET, want 9,000", gets)
	}
	for key, n := range seen {
		if n < 50 || n > 160 { // 100 expected, standard deviation 10
			t.Errorf("%s came %d times of 10,000, want about 100", key, n)
		}
	}
	if len(seen) != 100 {
		t.Errorf("%d keys, want 100", len(seen))
	}
}

// respAnswers are streams of one answer each, of every type, and what they are.
var respAnswers = []struct {
	in   string
	want load.Cause
	code string
}{
	{"+OK\r\n", load.OK, ""},
	{"+\r\n", load.OK, ""},
	{":-12\r\n", load.OK, ""},
	{"$5\r\nhello\r\n", load.OK, ""},
	{"$5\r\na\r\nb\r\r\n", load.OK, ""},
	{"$4\r\n\r\n\r\n\r\n", load.OK, ""},
	{"$0\r\n\r\n", load.OK, ""},
	{"$-1\r\n", load.OK, ""},
	{"*-1\r\n", load.OK, ""},
	{"*0\r\n", load.OK, ""},
	{"*2\r\n:1\r\n*2\r\n$1\r\na\r\n*0\r\n", load.OK, ""},
	{"*3\r\n+a\r\n$-1\r\n*1\r\n*1\r\n+b\r\n", load.OK, ""},
	{"_\r\n", load.OK, ""}, {"#t\r\n", load.OK, ""}, {"#f\r\n", load.OK, ""},
	{",1.5e-3\r\n", load.OK, ""}, {",inf\r\n", load.OK, ""}, {",nan\r\n", load.OK, ""},
	{"(3492890328409238509324850943850943825024385\r\n", load.OK, ""},
	{"=7\r\ntxt:abc\r\n", load.OK, ""},
	{"%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n", load.OK, ""},
	{"%0\r\n", load.OK, ""},
	{"~2\r\n+a\r\n+b\r\n", load.OK, ""},
	{"|1\r\n+ttl\r\n:3600\r\n$1\r\na\r\n", load.OK, ""},
	{"|0\r\n:1\r\n", load.OK, ""},
	{"*2\r\n:1\r\n|1\r\n+ttl\r\n*1\r\n:7\r\n:2\r\n", load.OK, ""},
	{"$?\r\n;4\r\nHell\r\n;1\r\no\r\n;0\r\n", load.OK, ""},
	{"$?\r\n;0\r\n", load.OK, ""},
	{"*?\r\n:1\r\n*?\r\n.\r\n:3\r\n.\r\n", load.OK, ""},
	{"%?\r\n+a\r\n:1\r\n.\r\n", load.OK, ""},
	{"-ERR unknown command\r\n", load.WrongStatus, "ERR"},
	{"-MOVED 3999 127.0.0.1:6381\r\n", load.WrongStatus, "MOVED"},
	{"-Oops\r\n", load.WrongStatus, "another error"},
	{"-\r\n", load.WrongStatus, "another error"},
	{"!21\r\nSYNTAX invalid syntax\r\n", load.WrongStatus, "another error"},
	{"*2\r\n+OK\r\n-WRONGTYPE Operation\r\n", load.WrongStatus, "WRONGTYPE"},
	{"*2\r\n-OOM a\r\n-ERR b\r\n", load.WrongStatus, "OOM"},
	{"|1\r\n+a\r\n-ERR in an attribute\r\n+OK\r\n", load.OK, ""},

	{"HTTP/1.1 400 Bad Request\r\n\r\n", load.Malformed, ""},
	{"+OK\n", load.Malformed, ""}, {"\r\n", load.Malformed, ""}, {":1a\r\n", load.Malformed, ""},
	{":\r\n", load.Malformed, ""},
	{"#x\r\n", load.Malformed, ""}, {"_a\r\n", load.Malformed, ""}, {",1.5x\r\n", load.Malformed, ""},
	{"$-2\r\n", load.Malformed, ""}, {"$536870913\r\n", load.Malformed, ""}, {"*4294967296\r\n", load.Malformed, ""},
	{"*x\r\n", load.Malformed, ""}, {".\r\n", load.Malformed, ""}, {"*1\r\n.\r\n", load.Malformed, ""},
	{"%?\r\n+a\r\n.\r\n", load.Malformed, ""}, {";1\r\na\r\n", load.Malformed, ""},
	{"$?\r\n+a\r\n", load.Malformed, ""},
	{"$1\r\naX\n", load.Malformed, ""}, {"=3\r\ntxt\r\n", load.Malformed, ""},
	{"*1\r\n>1\r\n+a\r\n", load.Malformed, ""},
	{strings.Repeat("*1\r\n", 65), load.Malformed, ""},
	{"+" + strings.Repeat("x", 70_000), load.Malformed, ""},

	{"$5\r\nhel", load.WrongLength, ""}, {"*2\r\n:1\r\n", load.WrongLength, ""}, {"+O", load.WrongLength, ""},
	{"+OK\r", load.WrongLength, ""},
}

// However an answer is cut, it is the same, and it ends where it ends.
func TestRESPAnswersOfAllTypes(t *testing.T) {
	for _, c := range respAnswers {
		in := c.in
		if c.want == load.OK || c.want == load.WrongStatus {
			in += "+PONG\r\n"
		}
		for step := 1; step <= len(in) && (step < 40 || step == len(in)); step++ {
			got := answers(t, respDialog(t, "redis://h", wire.Options{}, 2), []byte(in), step)
			if len(got) == 0 || got[0].Cause != c.want || got[0].Seq != 0 {
				t.Fatalf("%q in pieces of %d: %+v, want %s", c.in, step, got, c.want)
			}
			if in != c.in && (len(got) != 2 || got[1] != load.Answer{Seq: 1}) {
				t.Errorf("%q in pieces of %d: the answer after it is %+v", c.in, step, got[1:])
			}
			if c.code != "" && load.CodeName(got[0].Code) != c.code {
				t.Errorf("%q: status %q, want %q", c.in, load.CodeName(got[0].Code), c.code)
			}
			if closes := got[0].Close; closes != (c.want == load.Malformed || c.want == load.WrongLength) {
				t.Errorf("%q: close %v", c.in, closes)
			}
		}
	}
}

func TestRESPPushMessagesAnswerNothing(t *testing.T) {
	const push = ">2\r\n+invalidate\r\n*1\r\n-foo\r\n"
	for step := range len(push) {
		for _, target := range []string{"redis://h", "redis://h?protocol=3"} {
			got := answers(t, respDialog(t, target, wire.Options{Expect: wire.Expect{Body: "PONG"}}, 2),
				[]byte(push+"+PONG\r\n"+push+push+"+PONG\r\n"), step+1)
			if fmt.Sprint(got) != fmt.Sprint([]load.Answer{{Seq: 0}, {Seq: 1}}) {
				t.Fatalf("in pieces of %d: %+v", step+1, got)
			}
		}
	}
}

func TestRESPChecks(t *testing.T) {
	length := func(n int64) wire.Expect { return wire.Expect{Length: &n} }
	for _, c := range []struct {
		in   string
		e    wire.Expect
		want load.Cause
	}{
		{"$5\r\nhello\r\n", length(5), load.OK},
		{"$5\r\nhello\r\n", length(4), load.WrongLength},
		{"$?\r\n;2\r\nab\r\n;1\r\nc\r\n;0\r\n", length(3), load.OK},
		{"=7\r\ntxt:abc\r\n", length(3), load.OK},
		{"*2\r\n+a\r\n+b\r\n", length(2), load.OK},
		{"%1\r\n+a\r\n+b\r\n", length(1), load.OK},
		{"*?\r\n+a\r\n+b\r\n.\r\n", length(2), load.OK},
		{"%?\r\n+a\r\n+b\r\n.\r\n", length(1), load.OK},
		{"|1\r\n+a\r\n+b\r\n$3\r\nabc\r\n", length(3), load.OK},
		{"$0\r\n\r\n", length(0), load.OK},
		{"$-1\r\n", length(0), load.WrongLength},
		{"+OK\r\n", length(2), load.OK},
		{"$5\r\nhello\r\n", wire.Expect{Body: "ell"}, load.OK},
		{"$5\r\nhello\r\n", wire.Expect{Body: "elL"}, load.WrongBody},
		{"*2\r\n$2\r\nab\r\n:12\r\n", wire.Expect{Body: "b\n12"}, load.OK},
		{"=7\r\ntxt:abc\r\n", wire.Expect{Body: "txt"}, load.WrongBody},
		{"|1\r\n+a\r\n+b\r\n+c\r\n", wire.Expect{Body: "b"}, load.WrongBody},
		{"_\r\n", wire.Expect{Body: "b"}, load.WrongBody},
		{"-ERR b\r\n", wire.Expect{Body: "b"}, load.WrongStatus},
		{"$11\r\n{\"a\":{\"b\"\r\n\r\n", wire.Expect{JSON: "a.b"}, load.WrongBody},
		{"$13\r\n{\"a\":{\"b\":1}}\r\n", wire.Expect{JSON: "a.b=1"}, load.OK},
		{"$13\r\n{\"a\":{\"b\":1}}\r\n", wire.Expect{JSON: "a.b=2"}, load.WrongBody},
	} {
		for _, step := range []int{1, 3, len(c.in)} {
			twice := []byte(c.in + c.in)
			got := answers(t, respDialog(t, "redis://h", wire.Options{Expect: c.e}, 2), twice, step)
			if len(got) != 2 || got[0].Cause != c.want || got[1].Cause != c.want {
				t.Errorf("%q with %+v in pieces of %d: %+v, want both %s", c.in, c.e, step, got, c.want)
			}
		}
	}
}

func TestRESPRefusesWhatItCannotLoad(t *testing.T) {
	for _, c := range []struct {
		target string
		o      wire.Options
		want   string
	}{
		{"redis://h", wire.Options{Body: []byte("GET a\nSET \"a b")}, `--body:2:5: the quote " is not closed`},
		{"redis://h", wire.Options{Body: []byte(`SET "a"b`)}, `--body:1:8: want a space after the quote, got 'b'`},
		{"redis://h", wire.Options{Body: []byte("subscribe news")}, "SUBSCRIBE cannot be loaded"},
		{"redis://h", wire.Options{Body: []byte("client reply off")}, "CLIENT REPLY cannot be loaded"},
		{"redis://h", wire.Options{Body: []byte(`"" a`)}, "the command has no name"},
		{"redis://h", wire.Options{Body: []byte("0x GET a")}, `"0x" is not a weight`},
		{"redis://h", wire.Options{Body: []byte("GET {rand}")}, "{rand} is not a place"},
		{"redis://h", wire.Options{Body: []byte("GET {n:0}")}, "{n:0} is not a place"},
		{"redis://h", wire.Options{Method: "GET"}, "a method does not belong to redis"},
		{"redis://h", wire.Options{Expect: wire.Expect{Status: []string{"200"}}}, "no status to expect"},
		{"redis://h/x", wire.Options{}, "the path of a redis target is the number of a database"},
		{"redis://h?db=1", wire.Options{}, `no parameter "db"`},
		{"redis://h?protocol=4", wire.Options{}, "RESP has versions 2 and 3"},
		{"redis://ann@h", wire.Options{}, "names a user and no password"},
		{"redis://:S3/CRET@h", wire.Options{}, "cannot be read"},
		{"redis://:S3%CRET@h", wire.Options{}, "cannot be read"},
		{"http://ann:S3CRET@h", wire.Options{}, "holds a user name or password"},
	} {
		_, err := schemes.Parse(c.target, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: got %v, want %q in it", c.target, c.o.Body, err, c.want)
		} else if strings.Contains(err.Error(), "S3") || strings.Contains(err.Error(), "CRET") {
			t.Errorf("%s: the error holds the password: %v", c.target, err)
		}
	}
}

// However a stream is cut, its answers are the same; what a connection has seen before
// changes nothing either.
func FuzzRESPAnswers(f *testing.F) {
	for i, c := range respAnswers {
		if len(c.in) < 200 {
			f.Add([]byte(c.in), uint8(i), i%2 == 1)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte, cut uint8, look bool) {
		const n = 6
		var o wire.Options
		if look {
			o.Expect = wire.Expect{Body: "aab", JSON: "a"}
		}
		in = append(in, in...) // answers repeat
		whole := answers(t, respDialog(t, "redis://h", o, n), in, len(in)+1)
		pieces := answers(t, respDialog(t, "redis://h", o, n), in, int(cut)+1)
		if fmt.Sprint(whole) != fmt.Sprint(pieces) {
			t.Errorf("whole %+v, in pieces %+v", whole, pieces)
		}
		used, rest := respDialog(t, "redis://h", o, n), in
		for range n {
			size, a := nextAnswer(used, rest)
			freshSize, fresh := nextAnswer(respDialog(t, "redis://h", o, 1), rest)
			if a.Seq = 0; size != freshSize || a != fresh {
				t.Errorf("at %q: %d bytes are %+v to a connection in use, %d bytes %+v to a new one", rest, size, a,
					freshSize, fresh)
			}
			if rest = rest[size:]; a.Close || len(rest) == 0 {
				return
			}
		}
	})
}

// Whatever the commands are, what goes on the wire is RESP: as many arrays as requests.
func FuzzRESPCommands(f *testing.F) {
	f.Add(`SET key:{n} "a\x00b" '{v}'`)
	f.Add("2x GET {rand:7}\n1x MGET {n:3} {v}{conn}")
	f.Fuzz(func(t *testing.T, body string) {
		target, err := schemes.Parse("redis://h", wire.Options{Body: []byte(body), Feed: table("v", "x", "")})
		if err != nil {
			return
		}
		d := target.Dialog(2)
		reader := respDialog(t, "redis://h", wire.Options{}, 4)
		var out []byte
		for seq := range uint64(4) {
			out = d.AppendRequest(out, seq)
		}
		got := answers(t, reader, out, len(out)+1)
		if fmt.Sprint(got) != fmt.Sprint([]load.Answer{{}, {Seq: 1}, {Seq: 2}, {Seq: 3}}) {
			t.Errorf("%q became %q, which reads as %+v", body, out, got)
		}
	})
}
