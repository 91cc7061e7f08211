package git

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// executable are the last words of keys that hold a command, as git names them.
var executable = regexp.MustCompile(`(?i)(command|cmd|program|helper|driver|textconv|editor|pager|askPass|hooksPath|packObjectsHook|fsmonitor|` +
	`uploadpack|receivepack|vcs|external|smudge|clean|process|gitProxy|diffFilter|tunnel|\.update|viewer|browser|pager\.<cmd>)$`)

// harmless are keys that only end like those.
var harmless = regexp.MustCompile(`^(color|advice|column|fsck|receive\.fsck|rebase|notes|pull|push|fetch)\.|^merge\.<driver>\.(name|recursive)$|commands$|dbDriver$`)

// docs/git.md goes through every key that the installed git knows and that may execute
// something, and names every trap.
func TestDocsGoThroughTheConfiguration(t *testing.T) {
	text, err := os.ReadFile("../../../docs/git.md")
	if err != nil {
		t.Fatal(err)
	}
	docs := string(text)
	keys, err := exec.Command("git", "help", "--config").Output()
	if err != nil {
		t.Skipf("git lists no keys here: %v", err)
	}
	seen := 0
	for key := range strings.FieldsSeq(string(keys)) {
		if !executable.MatchString(key) || harmless.MatchString(key) {
			continue
		}
		seen++
		section, _, _ := strings.Cut(key, ".")
		want := "(?i)`" + regexp.MustCompile(`<[a-z-]+>`).ReplaceAllString(regexp.QuoteMeta(key), "([A-Z]+|\\*)") + "`"
		if !regexp.MustCompile(want).MatchString(docs) && !strings.Contains(docs, "`"+section+".*`") {
			t.Errorf("docs/git.md does not say how %s is closed", key)
		}
	}
	if seen < 20 {
		t.Errorf("git knows %d keys that may execute something: the list was not read", seen)
	}
	for _, trap := range traps {
		name, _, _ := strings.Cut(trap.name, " in ")
		name = strings.TrimSuffix(name, " ext::")
		if !strings.Contains(docs, name) {
			t.Errorf("docs/git.md does not name the trap %q", trap.name)
		}
	}
}
