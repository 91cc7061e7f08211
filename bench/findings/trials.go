package findings

import (
	"fmt"
	"strings"
)

// trials are all of them.
var trials = []*trial{
	// Frames: four bytes of length, then what the program's comment says.
	{Rule: "unbuffered-reads", Load: tcp("0000000c"+"01"+"0009"+"6974656d2d30303432", "--depth", "8"),
		Silent: to(tcp("00006000" + strings.Repeat("61", 0x6000)))},
	{Rule: "unbuffered-writes", Load: tcp("0000000753594d30313233")},
	{Rule: "missing-flush", Load: tcp("0000000470656172", "--depth", "8"), Dead: true},
	{Rule: "compressor-per-call", Load: get("/report", "-H", "Accept-Encoding: deflate")},
	{Rule: "buffer-per-call", Load: post("/upload", text(300)), Silent: to(tcp("00001000" + strings.Repeat("0a", 0x1000)))},
	{Rule: "object-per-call", Load: get("/explain?q=garden+table+%22two+words%22+42+summer+house+7+lamp"),
		Silent: to(get("/explain?q=garden"))},
	{Rule: "useless-pool", Load: get("/chart?n=240")},
	{Rule: "append-growth", Load: get("/within?south=10&north=80")},
	{Rule: "quadratic-loop", Load: get("/?top=10")},
	{Rule: "map-growth", Load: post("/count", text(1000))},
	{Rule: "fmt-hot", Load: get("/last?n=60")},
	{Rule: "string-conversion", Load: post("/filter", logLines(150))},
	{Rule: "slow-logging", Load: post("/orders", `{"customer":"ann","article":"lamp","count":3,"price":9.5}`)},
	{Rule: "log-arguments", Load: get("/visit?visitor=ann")},
	{Rule: "time-format", Load: get("/board/08:00?zone=Europe/Berlin")},
	{Rule: "compile-per-call",
		Load:   post("/addresses", `{"Street":"Long Road 5","City":"Harbour","Code":"H-20457","Mail":"ann.smith@post.example.org"}`),
		Silent: to(get("/search?pattern=%5B0-9%5D%7B3%7D"))},
	{Rule: "json-any", Load: post("/events", events(30))},
	{Rule: "boxing", Load: get("/way/0/255")},
	{Rule: "big-copy", Load: get("/best?rounds=20")},
	{Rule: "needless-sort", Load: get("/offers?page=2"), Silent: to(post("/spread", values(120)))},
	{Rule: "lock-held", Load: get("/?article={article}", "--feed", programs+"/articles.csv", "-c", "4")},
	{Rule: "read-lock", Load: get("/names/name7", "-c", "4")},
	{Rule: "small-pool", Load: get("/document7", "-c", "8"), Silent: to(post("/", "correct horse", "-c", "8"))},
	{Rule: "sleep-in-path", Load: get("/tile?x=33&y=50"), Silent: to(get("/names/ann"))},
	{Rule: "file-per-request", Load: post("/payments", `{"from":"ann","to":"bob","cents":250}`).with("-dir", "{dir}")},
	{Rule: "goroutine-leak", Load: get("/?word=guten-tag-welt")},
	{Rule: "unbounded-growth", Load: post("/sign", "a letter of some words")},
	{Rule: "client-per-call", Load: get("/weather/oslo")},
	{Rule: "gc-thrash", Load: get("/value?f=c1*2,c2*c3*4,c5,c6*7*c8,9,c10*c11,c12*1,0"), Anywhere: true},
	{Rule: "idle-memory", Load: tcp("0000000568656c6c6f", "-c", "400", "--rate", "400")},
	{Rule: "constant-hash", Load: get("/pages/chapter3"), Silent: to(post("/chest", text(800)))},
	{Rule: "reflection", Load: post("/state", state)},
	{Rule: "procs", Load: get("/total?column=3")},
	{Rule: "slow-build", Load: get("/near?word=gardner").built("-gcflags=all=-N -l"),
		Silent: to(get("/near?word=gardner").built("-trimpath", "-ldflags=-w")), Anywhere: true},
	{Rule: "binary-fixed", Load: tcp("14000000"+"07000000"+"0100e600"+"05000000"+"0000000000000000", "--set=tcp.little", "--depth", "4"),
		Silent: to(tcp("04000000"+"05000000", "--set=tcp.little"))},
}

// state is a report of a device that most of those that the program knows are like.
const state = `{"firmware":"1.4.2","tags":["hall","lamp"],"channels":[{"name":"c0","level":0,"on":true},` +
	`{"name":"c1","level":10,"on":false},{"name":"c2","level":20,"on":true},{"name":"c3","level":30,"on":false}]}`

// text is so many words, most of them different ones, ten on a line.
func text(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%x", i*7919%65521)
		if i%10 == 9 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// logLines are so many lines of a log, a third of them about errors.
func logLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "level=%s request %d of the day took %d ms and went to host%d\n", []string{"info", "error", "warn"}[i%3], i, i*31%997, i%5)
	}
	return b.String()
}

func events(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"kind":"kind%d","value":%d.5,"extra":{"source":"gate%d","level":%d}}`, i%5, i, i%3, i)
	}
	return `{"events":[` + strings.Join(all, ",") + `],"hints":{"factor":2}}`
}

func values(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint(i * 7919 % 1009)
	}
	return `{"values":[` + strings.Join(all, ",") + `]}`
}
