package spec

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/shellwords"
)

// service is a run with all that used to be lost in printed commands.
var service = Line{"run", "API_TOKEN=S3CRET ./cmd/server -mode fast",
	"--target=http://127.0.0.1:{port}/probe?module=tcp_connect&token=S3CRET", "--header=Authorization: Bearer S3CRET",
	"--header=X-Tenant: acme", `--body={"query":"{ a }","password":"S3CRET"}`, "--env=GREETING=good day",
	"--env=DB_PASSWORD=S3CRET S3CRET", "--duration=3s", "--warmup=1s", "--connections=4",
	"--sequence=steps.json", "--http2", "--set=no-inject", "--json", "--load-cmd=wrk -H 'Authorization: S3CRET' URL",
	"--curl=curl -u me:S3CRET http://h/", "--", "-addr", ":{port}", "--password", "S3CRET"}

func TestSecretsAreVariables(t *testing.T) {
	l := service.Redacted()
	if strings.Contains(strings.Join(l, " "), "S3CRET") {
		t.Errorf("a secret is stored: %q", l)
	}
	if again := l.Redacted(); strings.Join(again, " ") != strings.Join(l, " ") {
		t.Errorf("%q\nbecame %q", l, again)
	}
	got := l.Again().String()
	want := `hone run "'API_TOKEN=${API_TOKEN:?}' ./cmd/server -mode fast" --target "http://127.0.0.1:{port}/probe?module=tcp_connect&token=${TOKEN:?}" ` +
		`--header "Authorization: ${AUTHORIZATION:?}" --header 'X-Tenant: acme' --body "{\"query\":\"{ a }\",\"password\":\"${PASSWORD:?}\"}" ` +
		`--env 'GREETING=good day' --env "DB_PASSWORD=${DB_PASSWORD:?}" --duration 3s --warmup 1s --connections 4 --sequence steps.json --http2 --set no-inject ` +
		`--load-cmd "wrk -H 'Authorization: ${AUTHORIZATION:?}' URL" --curl "curl -u 'me:${ME:?}' http://h/" -- -addr ':{port}' --password "${PASSWORD:?}"`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if want := "; set API_TOKEN, TOKEN, AUTHORIZATION, PASSWORD, DB_PASSWORD, ME first: hone keeps no secrets"; Unset(got) != want {
		t.Errorf("got %s", Unset(got))
	}
	if got := (Line{"run", "./x\nnext: rm"}).String(); got != "" {
		t.Errorf("two lines: %s", got)
	}
	if Unset("hone run .") != "" || Line(nil).Redacted() != nil || Line(nil).Again().String() != "" {
		t.Error("nothing has something left out")
	}
	for body, want := range map[string]string{
		"@big.json": "--body @big.json", "two\nlines": `--body "${BODY:?}"`,
		strings.Repeat("word ", 1000): `--body "${BODY:?}"`, "AUTH hunter2": `--body "${BODY:?}"`,
		"GET /?q=SELECT 1": "--body 'GET /?q=SELECT 1'",
	} {
		if got := (Line{"load", "http://u:S3CRET@h/",
			"--body=" + body}).Redacted().String(); got != `hone load "http://${CREDENTIALS:?}@h/" `+want {
			t.Errorf("body %.20q: %s", body, got)
		}
	}
	if got := (Line{"run", ".", "--set=keep-env",
		"--env=API_TOKEN=S3CRET"}).Redacted().String(); got != "hone run . --set keep-env --env API_TOKEN=S3CRET" {
		t.Errorf("--keep-env: %s", got)
	}
}

func TestAgainst(t *testing.T) {
	compared := Line{"compare", "main:./a -x", "./a -y", "--env=A:K=1", "--env=B:L=1,2", "--env=M=1",
		"--toolchain=A=go1.25.0,B=go1.26.0", "--set=no-inject=A", "--gate=cpu<+2%", "--seed=3", "--", "-z"}
	for _, c := range []struct {
		line      Line
		letter    string
		isPackage bool
		want      string
	}{
		{Line{"run", ".", "--duration=3s", "--slice=1s", "--warmup=1s", "--body=x", "--header=A: b", "--", "-a"}, "A",
			true, "hone compare . --body x --header 'A: b' -- -a"},
		{Line{"run", "main.go", "routes.go", "--", "--duration=3s"}, "A", true,
			"hone compare 'main.go routes.go' -- --duration=3s"},
		{Line{"run", "--path=/x"}, "A", true, "hone compare --path /x"},
		{Line{"run", "./prog -a", "--once", "--count=3", "--", "in"}, "A", true,
			"hone compare './prog -a' --once -- in"},
		{Line{"run", "--once", "--", "./prog", "in"}, "A", true, "hone compare ./prog --once -- in"},
		{Line{"run", "--once", "--", "./prog", "in"}, "A", false, ""},
		{compared, "B", true,
			"hone compare './a -y' --env L=1,2 --env M=1 --toolchain go1.26.0 --gate 'cpu<+2%' -- -z"},
		{compared, "A", true,
			"hone compare 'main:./a -x' './a -y' --env A:K=1 --env B:L=1,2 --env M=1 --toolchain A=go1.25.0,B=go1.26.0 --set no-inject=A --gate 'cpu<+2%' -- -z"},
		{Line{"tune gc", "."}, "A", true, ""},
		{nil, "A", true, ""},
	} {
		if got := c.line.Against(c.letter, c.isPackage).String(); got != c.want {
			t.Errorf("%q\ngot  %s\nwant %s", c.line, got, c.want)
		}
	}
}

// The command that tries a setting of the environment compares the program with itself, and sets it for B alone.
func TestSetting(t *testing.T) {
	const entry = "GOMAXPROCS=1"
	boxed := Line{"run", "./svc -x", "--cpus=0.5", "--env=GOMAXPROCS=2", "--duration=3s", "--", "-a"}
	for _, c := range []struct {
		line   Line
		letter string
		want   string
	}{
		{boxed, "A", "hone compare './svc -x' './svc -x' --cpus 0.5 --env GOMAXPROCS=2 --env B:GOMAXPROCS=1 -- -a"},
		{Line{"run", "--path=/x"}, "A", "hone compare . . --path /x --env B:GOMAXPROCS=1"},
		{Line{"compare", "./a", "./b", "--env=B:K=1"}, "B", "hone compare ./b ./b --env K=1 --env B:GOMAXPROCS=1"},
		{Line{"compare", "main:./a", "./b"}, "A", ""},
		{Line{"tune gc", "."}, "A", ""},
		{nil, "A", ""},
	} {
		if got := c.line.Setting(c.letter, true, entry).String(); got != c.want {
			t.Errorf("%q\ngot  %s\nwant %s", c.line, got, c.want)
		}
	}
}

func TestLoadTestsKeepTheirRequests(t *testing.T) {
	l := Line{"load", "http://h/a", "http://h/b", "--weight=9,1", "--rate=10..50", "--steps=4", "--requests=7",
		"--duration=5s", "--find-max=p99<1s", "--fail-if=p99>1s", "--har=x.har", "--traffic=replay", "--connections=3",
		"--output=r.jsonl"}
	for want, got := range map[string]Line{
		"hone load http://h/a http://h/b --weight 9,1 --duration 5s --har x.har --connections 3 --rate 70":             l.AtRate(70),
		"hone load http://h/a http://h/b --weight 9,1 --duration 5s --har x.har --connections 3 --find-max 'p99<10ms'": l.Finding("p99<10ms"),
		"hone load http://h/a http://h/b --weight 9,1 --har x.har --connections 1 --requests 1":                        l.One(),
	} {
		if got.String() != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		words, err := shellwords.Split(got.String())
		if err != nil || words[0] != "hone" {
			t.Errorf("%s: %v", got, err)
		}
	}
	if got, want := service.Redacted().Completing([]string{"API_TOKEN=***"}),
		`--target "http://127.0.0.1:{port}/probe?module=tcp_connect&token=${TOKEN:?}" --header "Authorization: ${AUTHORIZATION:?}" `+
			`--header 'X-Tenant: acme' --body "{\"query\":\"{ a }\",\"password\":\"${PASSWORD:?}\"}" --sequence steps.json --curl "curl -u 'me:${ME:?}' http://h/" --env "API_TOKEN=${API_TOKEN:?}"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Commands about a stored run name the ledger that it is in, and nothing else that the user said.
func TestCommandsAboutAStoredRun(t *testing.T) {
	for _, c := range []struct {
		line Line
		want string
	}{
		{nil, "hone profile top abc"},
		{Line{"run", "./x", "--connections=4"}, "hone profile top abc"},
		{Line{"run", "./x", "--ledger=other place", "--connections=4", "--", "--ledger=of the program"},
			"hone profile top abc --ledger 'other place'"},
		{Line{"run", "./x", "--ledger=a\nnext: rm"}, "hone profile top abc"},
		{Line{"run", "./x", "--", "--ledger=of the program"}, "hone profile top abc"},
	} {
		if got := c.line.Stored("profile", "top", "abc"); got != c.want {
			t.Errorf("%q: %s, want %s", c.line, got, c.want)
		}
	}
}
