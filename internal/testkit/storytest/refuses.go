package storytest

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// update says to write what commands say to the files of the stories that cmp compares it with.
var update = flag.Bool("update", false, "write what stories compare with files in them")

// refusals is the file in which refuses collects.
const refusals = "refusals"

// refuses CODE COMMAND... runs a command, wants that exit code and nothing on standard output, and adds the command and
// its standard error to the file refusals. The story compares that file with one of its own at its end, and go test
// -update writes the latter: a story says that a command is refused, the file how.
func refuses(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: refuses CODE COMMAND [ARG...]")
	}
	exits(ts, false, args)
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("%s wrote to standard output: %s", strings.Join(args[1:], " "), out)
	}
	plain := strings.NewReplacer(ts.Getenv("WORK"), "$WORK", ts.Getenv("REPO"), "$REPO", ts.Getenv("FIXED"), "$FIXED",
		ts.Getenv("OTHER"), "$OTHER")
	file, err := os.OpenFile(ts.Getenv("WORK")+"/"+refusals, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	ts.Check(err)
	_, err = fmt.Fprintf(file, "$ %s\n%s\n", plain.Replace(strings.Join(args[1:], " ")),
		plain.Replace(ts.ReadFile("stderr")))
	ts.Check(err)
	ts.Check(file.Close())
}
