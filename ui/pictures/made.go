package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// record says how the pictures were made. make site warns if the pages have changed since.
type record struct {
	Date    string `json:"date"`
	Machine string `json:"machine"`
	Go      string `json:"go"`
	// Commit is what was built and measured.
	Commit string `json:"commit"`
	// Pages is the SHA-256 of the bundle that draws the pages: internal/view/web/dist/hone.css, then hone.js.
	Pages string `json:"pages"`
	// Pictures are the commands that measured what they show, by file. One that was made alone has its own date, commit
	// and machine after a #.
	Pictures map[string]string `json:"pictures"`
}

func newRecord(ctx context.Context) (*record, error) {
	r := &record{Date: time.Now().UTC().Format(time.DateOnly), Machine: machine(), Go: runtime.Version(),
		Pictures: map[string]string{}}
	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "--short=10", "HEAD").Output()
	if err != nil {
		return nil, fmt.Errorf("git rev-parse: %w", err)
	}
	r.Commit = strings.TrimSpace(string(commit))
	sum := sha256.New()
	for _, name := range []string{"hone.css", "hone.js"} {
		data, err := os.ReadFile(filepath.Join("..", "internal", "view", "web", "dist", name))
		if err != nil {
			return nil, err
		}
		sum.Write(data)
	}
	r.Pages = hex.EncodeToString(sum.Sum(nil))
	return r, nil
}

func (r *record) write(file string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// addTo adds the pictures of r to the record of a file.
func (r *record) addTo(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var others record
	if err := json.Unmarshal(text, &others); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for name, command := range r.Pictures {
		others.Pictures[name] = fmt.Sprintf("%s # %s, %s, %s", command, r.Date, r.Commit, r.Machine)
	}
	return others.write(file)
}

// machine is the model of the CPU, where the system tells it, and how many there are.
func machine() string {
	model := runtime.GOARCH
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if name, ok := strings.CutPrefix(lines.Text(), "model name"); ok {
				model = strings.TrimSpace(strings.TrimLeft(name, "\t :"))
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d CPUs, %s", model, runtime.NumCPU(), runtime.GOOS)
}
