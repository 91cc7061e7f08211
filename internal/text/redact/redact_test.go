package redact

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// hiddenValues hold a secret, by the name that it stands under or by its look.
var hiddenValues = []struct{ name, value string }{
	{"password", "hunter2"}, {"DB_PASSWORD", "two words"}, {"dbPass", "hunter2"}, {"passwd", "x"}, {"MYSQL_PWD", "x1"},
	{"api_key", "short"},
	{"apiKey", "short"}, {"X-Api-Key", "short"}, {"access-token", "1"}, {"githubtoken", "abc"},
	{"client_secret", "abc"}, {"AWS_SECRET_ACCESS_KEY", "abc"},
	{"Authorization", "Bearer abc"}, {"Proxy-Authorization", "Basic dTpw"}, {"Cookie", "a=b"}, {"session", "17"},
	{"sessionid", "17"}, {"PHPSESSID", "q1"}, {"sig", "abc"},
	{"X-Amz-Signature", "abc"}, {"private_key", "abc"}, {"X-CSRF-Token", "abc"}, {"credentials", "a b"},
	{"pin", "1234"},
	{"key", "xyzzyS3CRETplugh"}, {"key", "9f8b7c6d5e4f"}, {"x", "xyzzyS3CRETplugh"},
	{"x", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
	{"x", "c2VjcmV0IGlzIGEgc2VjcmV0MTIz"}, {"x", "4f9c8a7b2e1d60534f9c8a7b"}, {"x", "AKIAIOSFODNN7EXAMPLE"},
	{"x", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"},
	{"x", "xoxb-not-a-real-one"}, {"x", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmN"},
	{"x", "-----BEGIN RSA PRIVATE KEY-----\nMII"},
	{"x", "sk_live_4eC39HqLyjWDarjtT1zdp7dc"}, {"x", "glpat-xY9_abcdefGHIJKLMNOP"},
	{"commit", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"},
}

// plainValues hold none.
var plainValues = []struct{ name, value string }{
	{"module", "tcp_connect"}, {"q", "SELECT 1"}, {"q", "SELECT%201"}, {"query", "shoes"}, {"page", "2"},
	{"sort_key", "created_at"}, {"key", "name"}, {"key", "user-17"}, {"keys", "3"},
	{"monkey", "1"}, {"author", "alice"}, {"tokenizer", "bpe"}, {"max_tokens", "512"}, {"tokens", "100"},
	{"SESSION_TIMEOUT", "30m"}, {"token_type", "bearer"}, {"auth", "false"},
	{"AUTH_MODE", "basic"}, {"TOKEN_FILE", "/run/secrets/token"}, {"cookie_domain", "example.org"}, {"password", ""},
	{"password", "***"}, {"token", "{token}"}, {"bypass", "proxy"},
	{"id", "550e8400-e29b-41d4-a716-446655440000"}, {"commit", "50ef70be6ca82a70b04c08d4c8a1be06a5a1d5e8"},
	{"sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	{"at", "2026-11-26T13:31:40.123456789Z"}, {"n", "12345678901234567890123"},
	{"path", "/home/User/projects/hone2/cmd/Server/main.go"}, {"bench", "BenchmarkParse2LargeDocuments"},
	{"op", "GetUserById2WithOrders"}, {"name", "kubernetes-pod-2026-november-17"}, {"GREETING", "good day"},
	{"DATABASE_URL", "postgres://db.internal:5432/shop?sslmode=disable"},
	{"User-Agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"},
	{"Accept", "application/vnd.api+json;version=1"}, {"addr", "127.0.0.1:{port}"},
	{"image", "nginx@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4"},
}

func TestSecret(t *testing.T) {
	for _, one := range hiddenValues {
		if !Secret(one.name, one.value) {
			t.Errorf("%s=%s stays", one.name, one.value)
		}
		for _, got := range []string{Args([]string{"-" + one.name + "=" + one.value})[0],
			Args([]string{one.name + "=" + one.value})[0],
			Args([]string{"--" + one.name, one.value})[1], Headers([]string{one.name + ": " + one.value})[0],
			Entry(one.name + "=" + one.value)} {
			if strings.Contains(got, one.value) || !Partial(got) {
				t.Errorf("%s=%s: %s", one.name, one.value, got)
			}
		}
	}
	for _, one := range plainValues {
		if Secret(one.name, one.value) {
			t.Errorf("%s=%s is hidden", one.name, one.value)
		}
		for _, text := range []string{one.name + "=" + one.value, "--" + one.name + "=" + one.value,
			`{"` + one.name + `": "` + one.value + `"}`} {
			if got := Args([]string{text})[0]; got != text {
				t.Errorf("%s became %s", text, got)
			}
			if got := Text(text); got != text {
				t.Errorf("%s became %s", text, got)
			}
		}
	}
}

// Names of several words without a sign between them are read, also in capitals.
func TestNamesInOneWord(t *testing.T) {
	secret := "dbpass mysqlpwd pgpass redispass mongopass smtppass ldappass adminpass userpass rootpw sapwd dbuserpass appdbpass storepass keypass " +
		"keystorepass truststorepass basicauth proxyauth dbcred dbcreds userpin cardpin simpin apikey privatekey secretkey accesskey authkey " +
		"masterkey signingkey encryptionkey encryptkey clientkey servicekey licensekey deploykey aeskey hmackey jwtkey sessionkey awsaccesskey " +
		"xapikey authtoken apitoken bottoken accesstoken usertokens clientsecret jwtsecret appsecrets dbpassword pgpassword dbpasswd mypass pswd"
	for name := range strings.FieldsSeq(secret) {
		for _, n := range []string{name, strings.ToUpper(name), "APP_" + strings.ToUpper(name), "app-" + name,
			name + "2"} {
			if !Secret(n, "hunter2") {
				t.Errorf("%s stays", n)
			}
			if got := Args([]string{"-" + n + "=hunter2", "--" + n, "hunter2"}); strings.Contains(strings.Join(got,
				" "), "hunter2") {
				t.Errorf("%s: %q", n, got)
			}
		}
	}
	plain := "compass bypass passenger keyboard monkey donkey turkey hockey jockey whiskey tokenizer tokenize detokenizer author authority coauthor " +
		"passage passive passport trespass surpass encompass overpass underpass lowpass highpass multipass singlepass onepass secondpass firstpass " +
		"renderpass pinned pinning pinpoint shipping mapping spin pushpin keyword keyspace keyframe primarykey foreignkey partitionkey sortkey " +
		"rowkey cachekey mapkey hotkey testkey publickey primarykeys secretary secretariat classpath cookbook sessions signaturehelp passes " +
		"bypasses accredited sacred incredible underwater unauth oauthor pwm side aside reside inside outside preside kayaking keynote " +
		"monkeys compasses passthrough tokencount authored kidspass hallpass boarding piano mousekey hostname username database"
	for name := range strings.FieldsSeq(plain) {
		for _, n := range []string{name, strings.ToUpper(name), "app_" + name} {
			if Secret(n, "hunter2") {
				t.Errorf("%s is hidden", n)
			}
		}
	}
}

func TestURL(t *testing.T) {
	for target, want := range map[string]string{
		"":                                       "",
		"http://h/items":                         "http://h/items",
		"http://user:S3CRET@h:80/items":          "http://***@h:80/items",
		"https://S3CRET@h/":                      "https://***@h/",
		"http://u:S3@CRET@h/a@b":                 "http://***@h/a@b",
		"http://u:S3/CRET@h/":                    "http://***@h/",
		"http://u:S3?CRET@h/":                    "http://***@h/",
		"http://u:S3#CRET@h/":                    "http://***@h/",
		"http://h/a?token=S3CRET&page=2":         "http://h/a?token=***&page=2",
		"http://h/a?xyzzyS3CRETplugh":            "http://h/a?***",
		"http://h/probe?module=tcp_connect":      "http://h/probe?module=tcp_connect",
		"http://h/?q=SELECT%201&sort=name;desc":  "http://h/?q=SELECT%201&sort=name;desc",
		`http://h/?{"query":"{a{b}}"}`:           `http://h/?{"query":"{a{b}}"}`,
		"http://h/?to=http%3A%2F%2Fu%3Ap%40h%2F": "http://h/?to=***",
		"http://h/a?x=&y={id}&{pair}":            "http://h/a?x=&y={id}&{pair}",
		"http://h/a?x={id};token=S3CRET":         "http://h/a?x={id};token=***",
		"http://h?pass=S3CRET":                   "http://h?pass=***",
		"http://h/a#access_token=S3CRET":         "http://h/a#access_token=***",
		"http://h/a#part":                        "http://h/a#part",
		"http://127.0.0.1:{port}/items":          "http://127.0.0.1:{port}/items",
		"http://[::1]:8080/a":                    "http://[::1]:8080/a",
		"http://u:S3CRET@[::1]/":                 "http://***@[::1]/",
		"unix:/run/app.sock:/items?token=S3CRET": "unix:/run/app.sock:/items?token=***",
		"framed://u:S3CRET@127.0.0.1:4000":       "framed://***@127.0.0.1:4000",
		"u:S3CRET@h:80":                          "***@h:80",
		"http://host:port/path":                  "http://host:port/path",
		"localhost:6060":                         "localhost:6060",
	} {
		if got := URL(target); got != want {
			t.Errorf("URL(%q) = %q, want %q", target, got, want)
		}
		if got := URL(want); got != want {
			t.Errorf("URL(%q) = %q, want the same again", want, got)
		}
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		`Get "http://u:S3CRET@h/x?token=S3CRET": dial tcp: refused`:              `Get "http://***@h/x?token=***": dial tcp: refused`,
		`see (http://u:S3CRET@h/).`:                                              `see (http://***@h/).`,
		`hone load 'http://h/?token=S3CRET' --rate 5`:                            `hone load 'http://h/?token=***' --rate 5`,
		`-ldflags=-X main.apiToken=S3CRET -X main.size=5`:                        `-ldflags=-X main.apiToken=*** -X main.size=5`,
		`DB_PASSWORD="S3 CRET" GOGC=50`:                                          `DB_PASSWORD=*** GOGC=50`,
		`authorization: Bearer S3CRET`:                                           `authorization: ***`,
		`header "Cookie: a=S3CRET; b" refused`:                                   `header "Cookie: ***" refused`,
		`x-api-key: S3CRET`:                                                      `x-api-key: ***`,
		`{"user":"a","password":"S3CRET","pin": 1234}`:                           `{"user":"a","password":"***","pin": "***"}`,
		`body "{\"token\":\"S3CRET\"}"`:                                          `body "{\"token\":\"***\"}"`,
		`open root:S3CRET@tcp(127.0.0.1:3306)/db`:                                `open ***@tcp(127.0.0.1:3306)/db`,
		`host=db user=u password=S3CRET sslmode=disable`:                         `host=db user=u password=*** sslmode=disable`,
		`unexpected token: {`:                                                    `unexpected token: {`,
		`{"query":"{ users { id } }","variables":{"n":1}}`:                       `{"query":"{ users { id } }","variables":{"n":1}}`,
		`monkey=1 keyboard=2 sort.Slice a=b`:                                     `monkey=1 keyboard=2 sort.Slice a=b`,
		`dsn=postgres://u:S3CRET@db/x`:                                           `dsn=postgres://***@db/x`,
		`image nginx:1.27@sha256:e3b0c442`:                                       `image nginx:1.27@sha256:e3b0c442`,
		"key\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nend": "key\n***\nend",
	} {
		if got := Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
		if got := Text(want); got != want {
			t.Errorf("Text(%q) = %q, want the same again", want, got)
		}
	}
}

func TestArgs(t *testing.T) {
	words := []string{"-addr", ":80", "-password=S3CRET", "--api-key", "S3CRET", "-token", "-v",
		"--upstream=http://u:S3CRET@h/", "postgres://u:S3CRET@h/db",
		"-dbPass=S3CRET", "API_KEY=S3CRET", "-keys=3", "-key", "***", "-H", "Cookie a=S3CRET", "-u", "me:S3CRET",
		"B:TOKEN=S3CRET", `{"id":"xyzzyS3CRETplugh","q":"x"}`}
	want := []string{"-addr", ":80", "-password=***", "--api-key", "***", "-token", "-v", "--upstream=http://***@h/",
		"postgres://***@h/db",
		"-dbPass=***", "API_KEY=***", "-keys=3", "-key", "***", "-H", "Cookie: ***", "-u", "me:***", "B:TOKEN=***",
		`{"id":"***","q":"x"}`}
	before := slices.Clone(words)
	got := Args(words)
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if again := Args(got); !slices.Equal(again, got) {
		t.Errorf("%q\nbecame %q", got, again)
	}
	if !slices.Equal(words, before) {
		t.Errorf("the arguments were changed: %q", words)
	}
}

func TestHeaders(t *testing.T) {
	got := Headers([]string{"Authorization: Bearer S3CRET", "accept: */*", "COOKIE:S3CRET", "X-Auth-Token : S3CRET",
		"  Cookie a=S3CRET", "Content-Type: text/plain", "X-Tenant: acme", "X-Id: xyzzyS3CRETplugh"})
	want := []string{"Authorization: ***", "accept: */*", "COOKIE: ***", "X-Auth-Token: ***", "Cookie: ***",
		"Content-Type: text/plain", "X-Tenant: acme", "X-Id: ***"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestEnv(t *testing.T) {
	one, other := Env{Key: []byte("one")}, Env{Key: []byte("other")}
	entries := []string{"PASSWORD=S3CRET-S3CRET", "GOGC=50", "EMPTY=", "PORT={port}", "ADDR=127.0.0.1:{port}",
		"API_TOKEN=fast", "DB=postgres://u:p@h/db", "MODE=fast"}
	got := one.Entries(entries)
	for i, name := range map[int]string{0: "PASSWORD", 5: "API_TOKEN", 6: "DB"} {
		if value, ok := strings.CutPrefix(got[i], name+"=hmac:"); !ok || len(value) != 12 {
			t.Errorf("%q", got[i])
		}
	}
	if !slices.Equal(got[1:5], entries[1:5]) || got[7] != entries[7] {
		t.Errorf("%q", got)
	}
	if again := one.Entries(entries); !slices.Equal(again, got) {
		t.Errorf("equal environments are not told to be: %q and %q", got, again)
	}
	if twice := one.Entries(got); !slices.Equal(twice, got) {
		t.Errorf("hashes were hashed: %q and %q", got, twice)
	}
	if one.Entries([]string{"API_TOKEN=slow"})[0] == got[5] ||
		one.Entries([]string{"B_TOKEN=fast"})[0] == "B_TOKEN="+strings.TrimPrefix(got[5], "API_TOKEN=") {
		t.Error("different entries have the same hash")
	}
	if other.Entries(entries)[0] == got[0] {
		t.Error("the hash does not depend on the key")
	}
	if kept := (Env{Keep: true}).Entries(entries); !slices.Equal(kept, entries) {
		t.Errorf("not kept: %q", kept)
	}
	text := one.Text(entries,
		[]string{"id=an answer"})("PASSWORD=S3CRET-S3CRET ./x failed: cannot log in with S3CRET-S3CRET in MODE=fast, fast, by an answer")
	if want := got[0] + " ./x failed: cannot log in with *** in MODE=fast, fast, by ***"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	if !Partial(got[0]) || !Partial("x=***") || Partial("GOGC=50 ./x") {
		t.Error("Partial")
	}
}

func TestStrings(t *testing.T) {
	type part struct{ Text string }
	type document struct {
		Name  string
		Parts []part
		By    map[string]*part
		At    time.Time
		Any   *string
		None  *part
		own   string
	}
	text := "a"
	d := document{Name: "a", Parts: []part{{"a"}}, By: map[string]*part{"a": {"a"}}, At: time.Unix(1, 0), Any: &text,
		own: "a"}
	got := Strings(d, strings.ToUpper)
	if got.Name != "A" || got.Parts[0].Text != "A" || got.By["a"].Text != "A" || *got.Any != "A" || got.None != nil ||
		got.own != "a" || !got.At.Equal(d.At) {
		t.Errorf("%+v", got)
	}
	if d.Name != "a" || d.Parts[0].Text != "a" || d.By["a"].Text != "a" || text != "a" {
		t.Errorf("the document was changed: %+v", d)
	}
}

// FuzzURL: whatever password, secret parameter and path there are, the password and the value of the
// parameter are gone, and what is left stays as it is.
func FuzzURL(f *testing.F) {
	f.Add("pa:ss", "value", "path")
	f.Add("p/@?#", "a&b=c", "?x@y")
	f.Fuzz(func(t *testing.T, password, value, path string) {
		const secret = "S3CRET"
		if strings.ContainsAny(password, "/?#") {
			return // what is before may be a host for every reader; TestURL has the clear cases
		}
		for _, target := range []string{
			"http://user:" + password + secret + "@host/" + path,
			"http://" + secret + password + "@host/",
			"http://host/?token=" + secret + value,
		} {
			got := URL(target)
			if strings.Contains(strings.TrimSuffix(got, path), secret) && !strings.Contains(path, secret) {
				t.Fatalf("URL(%q) = %q", target, got)
			}
			if again := URL(got); again != got {
				t.Fatalf("URL(%q) = %q, want the same", got, again)
			}
		}
	})
}
