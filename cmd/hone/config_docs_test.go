package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec/config"
)

// readmeService stands for the reader's own: it takes the flags that the documents use.
const readmeService = `package main

import (
	"flag"
	"log"
	"net/http"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:FIXED", "")
	flag.String("cache", "on", "")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("ok"))
	})))
}
`

// docsOfFile returns the text of docs/hone-yaml.md and its examples of the file.
func docsOfFile(t *testing.T) (text string, examples []string) {
	t.Helper()
	content, err := os.ReadFile("../../docs/hone-yaml.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(content), "```yaml\n")[1:] {
		example, _, _ := strings.Cut(block, "\n```")
		examples = append(examples, example+"\n")
	}
	return string(content), examples
}

// TestDocsOfTheFile runs every command of docs/hone-yaml.md, with less load, in a
// repository with the first file of it.
func TestDocsOfTheFile(t *testing.T) {
	t.Parallel()
	text, examples := docsOfFile(t)
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "cmd", "server"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.com/shop\n\ngo 1.21\n")
	write(t, filepath.Join(dir, "cmd", "server", "main.go"), readmeService)
	shell(t, dir, "git init -q -b main . && git add . && git -c user.name=r -c user.email=r@example.com commit -qm start")
	commands := docsCommands(text)
	if len(commands) != 8 || commands[0] != "init" {
		t.Fatalf("commands %q", commands)
	}
	shell(t, dir, honeBinary+" init")
	write(t, filepath.Join(dir, "hone.yaml"), examples[0])
	shell(t, dir, honeBinary+" trust")
	for _, command := range commands[2:] {
		shell(t, dir, quick(command))
	}
}

// The plans of the documentation have flags that exist, with values that these take.
func TestDocsPlansFitTheFlags(t *testing.T) {
	_, examples := docsOfFile(t)
	for _, example := range examples {
		file := inShop(t, example)
		doc, err := config.Read(file, "")
		if err != nil {
			t.Fatal(err)
		}
		trustFile(t, file)
		for _, plan := range doc.PlanNames() {
			for _, name := range []string{"run", "compare"} {
				a := &commands{&app.App{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}}
				cmd, _, err := a.root().Find([]string{name})
				if err == nil {
					err = cmd.ParseFlags([]string{"--plan", plan})
				}
				if err == nil {
					_, err = a.UseFile(cmd, []string{"./server", "./raw"}, 1)
				}
				if err != nil {
					t.Errorf("plan %s of hone %s: %v", plan, name, err)
				}
			}
		}
	}
}
