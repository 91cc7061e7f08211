package loadcmd

import (
	"context"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// The templates that only load commands have.
const (
	hostTemplate        = "{host}"
	connectionsTemplate = "{connections}"
)

var ownTemplates = regexp.MustCompile(`\{(duration|seconds|host|connections)\}`)

// Target is what a command loads.
type Target struct {
	// Address is host:port, or the path of a Unix socket.
	Address string
	// Templates are those of the program at this start, such as {port}, and of its needs.
	Templates map[string]string
	// Dial connects to Address. Page is the program's page of metrics, as a URL; empty: the usual one at Address.
	Dial func(ctx context.Context) (net.Conn, error)
	Page string
	// Connections is what was asked for; a command need not follow it.
	Connections int
}

// fill puts into a command what templates stand for, d being how long the command is to go on: whole seconds, at least
// one.
func fill(c spec.LoadCommand, t Target, d time.Duration) ([]string, error) {
	seconds := int(max(1, (d+time.Second-1)/time.Second))
	host, _, err := net.SplitHostPort(t.Address)
	if err != nil {
		host = "localhost" // a Unix socket
	}
	own := map[string]string{
		spec.DurationTemplate: strconv.Itoa(seconds) + "s", spec.SecondsTemplate: strconv.Itoa(seconds),
		hostTemplate: host, connectionsTemplate: strconv.Itoa(t.Connections),
	}
	unknown := ""
	words := make([]string, len(c.Words))
	for i, word := range c.Words {
		word = templates.Fill(word, func(template string) string {
			value, ok := t.Templates[template]
			if !ok {
				unknown = template
			}
			return value
		})
		words[i] = ownTemplates.ReplaceAllStringFunc(word, func(template string) string { return own[template] })
	}
	if unknown != "" {
		hint := "give it to the program: ... -- -addr 127.0.0.1:" + unknown
		if strings.Contains(unknown, ".") {
			hint = "a name before the point is that of a need: see --need"
		}
		return nil, fail.New(fail.BadInput, "the load command has %s, and the program has nothing of that name",
			unknown).WithHint("%s", hint)
	}
	return words, nil
}
