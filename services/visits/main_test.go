package visits

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// eachStage runs story once for each stage.
func eachStage(t *testing.T, story func(t *testing.T, s Stage)) {
	t.Helper()
	for _, s := range Stages {
		t.Run(s.Name, func(t *testing.T) { story(t, s) })
	}
}

// ask sends a query to a counter, as it stands.
func ask(h http.Handler, method, query string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/hello", nil)
	r.URL.RawQuery = query
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// logged is what each stage says of a visit, in its own way.
type logged struct {
	Level string
	Time  time.Time
	// Msg is the message of logrus, Message that of zerolog.
	Msg, Message string
	Name, Color  string
	Visits       int
}

// message is how the stages without fields put a visit; the name comes last and is whatever
// is left, line breaks included.
var message = regexp.MustCompile(`(?s)^visit color=(\S+) visits=(\d+) name=(.*)$`)

// readLine reads one line of a log and returns the visit in the form of fields.
func readLine(t *testing.T, line string) logged {
	t.Helper()
	if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
		t.Fatalf("log is %q, want one line", line)
	}
	var l logged
	if err := json.Unmarshal([]byte(line), &l); err != nil {
		t.Fatalf("log is %q: %v", line, err)
	}
	if l.Level != "info" || l.Time.IsZero() || time.Since(l.Time) < -time.Second {
		t.Errorf("log is %q, want level and time", line)
	}
	l.Msg, l.Message = l.Msg+l.Message, ""
	if l.Msg != "visit" {
		parts := message.FindStringSubmatch(l.Msg)
		if parts == nil {
			t.Fatalf("log is %q, want a visit", line)
		}
		l.Color, l.Name, l.Msg = parts[1], parts[3], "visit"
		l.Visits, _ = strconv.Atoi(parts[2])
	}
	l.Level, l.Time = "", time.Time{}
	return l
}

// logOf returns a stage's counter and its log.
func logOf(t *testing.T, s Stage) (http.Handler, *bytes.Buffer) {
	t.Helper()
	log := new(bytes.Buffer)
	return counter(t, s, Config{Log: log}), log
}
