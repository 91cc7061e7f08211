package workflows

import (
	"bytes"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// Workflow is a file for GitHub or GitLab.
type Workflow struct {
	// Path is where it belongs, from the root of the repository, slash-separated.
	Path string
	Text []byte
	// Does says in a line what it does.
	Does string

	template string
}

// draft is what the templates are filled with; each uses what it needs. What comes from the repository is YAML already.
type draft struct {
	Jobs   []Job
	Matrix bool
	// Names are those of the jobs, as a list of YAML or of words.
	Names string
	// Name gives the base the name that hone.yaml has for it; empty where nothing does.
	Name string
	// Go is the input of actions/setup-go, Image the tag of Go's image, and Inputs are those of hone's compare action.
	Go, Image string
	Inputs    []string
	// Command, Track and New are command lines of hone, Directory where they are called; empty for the root.
	Command, Track, New, Directory string
	// Branch is that of the series.
	Branch string
}

//go:embed drafts/*.tmpl
var drafts embed.FS

// write fills the templates of the workflows. Their delimiters are [[ and ]]: GitHub's expressions have braces.
func write(d draft, workflows ...Workflow) ([]Workflow, error) {
	all, err := template.New("").Delims("[[", "]]").Funcs(template.FuncMap{"text": text}).ParseFS(drafts, "drafts/*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("read the drafts of workflows: %w", err)
	}
	for i, w := range workflows {
		var b bytes.Buffer
		if err := all.ExecuteTemplate(&b, w.template, d); err != nil {
			return nil, fmt.Errorf("draft %s: %w", w.Path, err)
		}
		workflows[i].Text = b.Bytes()
	}
	return workflows, nil
}

// plain matches texts that YAML takes for nothing but text: they begin like a word, a path or a flag.
var plain = regexp.MustCompile(`^(-?[A-Za-z]|\./|\.$)[^\pC]*$`)

// special matches what ends a text, or makes a key or a comment of it (YAML 1.2.2, 7.3.3).
var special = regexp.MustCompile(`:( |$)| #|\s$`)

// others are words that YAML 1.1 or 1.2 takes for something else.
var others = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// text writes a text for YAML, outside of braces or, if it has none of their characters, in them.
func text(s string) string {
	if plain.MatchString(s) && !special.MatchString(s) && !slices.Contains(others, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

func each[T any](all []T, of func(T) string) []string {
	texts := make([]string, len(all))
	for i, v := range all {
		texts[i] = of(v)
	}
	return texts
}
