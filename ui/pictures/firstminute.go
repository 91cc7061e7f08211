package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/ui/pictures/film"
)

// minute is the first minute of a stranger: a service is measured, the line that hone names is changed, and the change
// is compared. The service is the shop of docs/start.md.
var minute = struct{ measure, look, compare string }{
	measure: "hone run ./cmd/server --path '/items?q=shoes'",
	look:    "git diff -U0",
	compare: "hone compare ./cmd/server --path '/items?q=shoes'",
}

const (
	minuteSpeed = 5 // times as fast as the commands were
	minuteTitle = "hone on a small shop (commands are shown 5 times as fast; the clock shows their time)"
	toRead      = 4 * time.Second // what a command has written
	toSee       = 8 * time.Second // the end, before all begins again
)

// firstMinute films it. The description says how it was made.
func firstMinute(ctx context.Context, hone, description string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "hone-shop-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	shop := terminalOf(ctx, hone, dir)
	if err := makeShop(dir, shop); err != nil {
		return nil, err
	}
	f := film.New(minuteSpeed)
	for _, command := range []string{minute.measure, minute.look, minute.compare} {
		if command == minute.look {
			if err := improve(filepath.Join(dir, "cmd", "server", "main.go")); err != nil {
				return nil, err
			}
		}
		f.Type(command)
		if err := f.Run(shop(command)); err != nil {
			return nil, err
		}
		f.Read(toRead)
	}
	f.Read(toSee - toRead)
	return f.SVG(minuteTitle, description), nil
}

// terminalOf returns commands of a shell in dir, which finds hone.
func terminalOf(ctx context.Context, hone, dir string) func(string) *exec.Cmd {
	return func(line string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(hone)+string(filepath.ListSeparator)+os.Getenv("PATH"),
			"TERM=xterm-256color", "GIT_PAGER=cat", "GOWORK=off")
		return cmd
	}
}

// makeShop makes a repository of the shop's server.
func makeShop(dir string, shell func(string) *exec.Cmd) error {
	server := filepath.Join("cmd", "server")
	if err := os.CopyFS(filepath.Join(dir, server),
		os.DirFS(filepath.Join("..", "cmd", "hone", "testdata", "shop", server))); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/shop\n\ngo 1.26\n"),
		0o644); err != nil {
		return err
	}
	out, err := shell("git init -q -b main && git add . && git -c user.name=Ann -c user.email=ann@example.com commit -q -m shop").CombinedOutput()
	if err != nil {
		return fmt.Errorf("git: %w\n%s", err, out)
	}
	return nil
}

// improve does what hone advises: no regular expression is compiled for a request.
func improve(file string) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text := string(source)
	for _, change := range [][2]string{
		{"\t\"regexp\"\n", "\t\"strings\"\n"},
		{"\tword := regexp.MustCompile(`(?i)\\b` + regexp.QuoteMeta(r.FormValue(\"q\")) + `\\w*`)\n",
			"\tword := r.FormValue(\"q\")\n"},
		{"word.MatchString(i.Name)", "strings.Contains(i.Name, word)"},
	} {
		if strings.Count(text, change[0]) != 1 {
			return fmt.Errorf("%s does not have %q once", file, change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
