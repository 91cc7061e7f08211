package config

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
)

// mostOthers is how many other main packages a draft names.
const mostOthers = 10

// SchemaURL is where editors find the schema; hone init writes it into the file.
const SchemaURL = "https://github.com/gohone/hone/raw/main/docs/hone.schema.json"

// Draft writes a hone.yaml that measures the first of the main packages, and compares
// it with the default branch if there is one.
func Draft(mains []Main, branch Branch) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	m := mains[0]
	line("# yaml-language-server: $schema=%s", SchemaURL)
	line("# What hone measures here. hone trust shows what this file makes hone execute.")
	line("version: 1")
	line("subject:")
	line("  package: %s", quoted(m.Dir))
	for i, other := range mains[1:] {
		if i == mostOthers {
			line("  # and %d more main packages", len(mains)-1-mostOthers)
			break
		}
		line("  # or: %s", quoted(other.Dir))
	}
	switch {
	case m.Args != nil:
		line("  args: [%s]", strings.Join(quotedAll(m.Args), ", "))
		if target := m.Target(); target != "" {
			line("  target: %s", quoted(target))
		} else {
			line("  # It does not look like an HTTP server: hone asks the port what it speaks, unless you say it.")
			line("  # target: %s", quoted(targetOfPort))
		}
	case m.Socket != nil:
		line("  args: [%s]", strings.Join(quotedAll(m.Socket), ", "))
		line("  target: %s", quoted(m.Target()))
	default:
		line("  # No flag for an address found: hone finds the port that the program opens.")
		line("  # args: [\"-addr\", \"127.0.0.1:{port}\"]")
		line("  # target: http://127.0.0.1:{port}/")
	}
	if m.Health != "" {
		line("  ready: %s", quoted("http:"+m.Health))
	} else {
		line("  # ready: http:/healthz  # what it has to do before it is ready, besides listening")
	}
	line("  # needs:  # what it cannot do without; {db.port} in args and env is the port")
	line("  #   db: {command: \"postgres -D {dir} -p {port}\", ready: \"log:ready to accept connections\"}")
	line("  # after-start: ./seed {port}  # to add data or to log in; its JSON output fills {name} in requests")
	line("  # copy: [testdata/db]  # files that each start gets fresh")
	line("plans:")
	line("  default: {connections: 10}")
	if branch.Name == "" {
		line("# variants:")
		line("#   tuned: {env: {GOGC: \"400\"}}")
		line("# baseline: tuned")
	} else {
		line("variants:")
		source := branch.Name + ":./" + path.Clean(m.Dir)
		line("  %s: {package: %s}", quoted(branch.Name), quoted(source))
		line("baseline: %s", quoted(branch.Name))
	}
	line("# gates: [\"cpu<+2%%\", \"p99<+5%%\"]")
	return []byte(b.String())
}

// targetOfPort is the target of an HTTP server on a free port.
const targetOfPort = "http://127.0.0.1:" + templates.Port + "/"

// Target is what to load, if its arguments make it listen; empty if hone has to ask the port what it speaks.
func (m Main) Target() string {
	switch {
	case m.Args == nil && m.Socket != nil:
		return "unix:" + templates.Socket + ":/"
	case m.Args != nil && (m.HTTP || m.imports || !m.Serves): // of one that serves by another package nothing else is known
		return targetOfPort
	}
	return ""
}

// plain is text that YAML takes for nothing but text.
var plain = regexp.MustCompile(`^(\./)?[a-z][a-z_-]*[a-z](/[a-z][a-z_-]*[a-z])*$`)

// quoted writes a text for YAML. Go's escapes are all known to YAML's double quotes
// (YAML 1.2.2, 5.7).
func quoted(text string) string {
	word := strings.TrimPrefix(text, "./")
	if plain.MatchString(text) && word != "true" && word != "false" && word != "null" {
		return text
	}
	return strconv.Quote(text)
}

func quotedAll(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = strconv.Quote(text)
	}
	return all
}
