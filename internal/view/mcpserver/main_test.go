package mcpserver

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// role makes the test executable a server of the folder after it.
const role = "run-mcp"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == role {
		if err := withFakeHone(os.Args[2]).Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
