package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/gohone/hone/internal/view/mcpserver"
)

// docs/mcp.md lists the tools there are, with their arguments.
func TestToolsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string][]string{}
	quoted := regexp.MustCompile("`([a-z_-]+)`")
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		var names []string
		for _, m := range quoted.FindAllStringSubmatch(cells[3], -1) {
			names = append(names, m[1])
		}
		slices.Sort(names)
		documented[strings.Trim(cells[1], " `")] = names
	}
	tools := mcpserver.New(mcpserver.Config{}).Tools()
	if len(documented) != len(tools) {
		t.Errorf("%d tools are documented, there are %d", len(documented), len(tools))
	}
	for _, tool := range tools {
		var names []string
		for name := range tool.InputSchema.(*jsonschema.Schema).Properties {
			names = append(names, name)
		}
		slices.Sort(names)
		if !slices.Equal(documented[tool.Name], names) {
			t.Errorf("%s is documented with %v, it has %v", tool.Name, documented[tool.Name], names)
		}
	}
}

// llms.txt has the form of llmstxt.org, and its links lead somewhere.
func TestLinksOfLLMsText(t *testing.T) {
	text, err := os.ReadFile("../../llms.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^# hone\n\n> .+\n`).Match(text) {
		t.Error("it does not begin with a title and a summary")
	}
	links := regexp.MustCompile(`(?m)^- \[[^\]]+\]\(([^)]+)\): .+$`).FindAllStringSubmatch(string(text), -1)
	if len(links) < 10 {
		t.Errorf("%d links", len(links))
	}
	for _, link := range links {
		if _, err := os.Stat(filepath.Join("../..", link[1])); err != nil {
			t.Error(err)
		}
	}
}
