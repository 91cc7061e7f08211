package preflight

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// childEnv names the part that the test binary plays as a child process, with lower
// limits than its parent's or in a network namespace of its own.
const childEnv = "HONE_PREFLIGHT_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "":
		os.Exit(m.Run())
	case "check":
		var n Need
		if err := json.Unmarshal([]byte(os.Args[1]), &n); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		err := Check(n)
		fmt.Println("error:", err, "hint:", fail.HintOf(err))
		os.Exit(fail.ExitCode(err))
	case "exhaust":
		exhaust()
	}
}
