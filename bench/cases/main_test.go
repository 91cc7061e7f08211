package cases

import (
	"testing"

	"github.com/gohone/hone/bench/side"
)

// The net/http server is this program again.
func TestMain(m *testing.M) {
	side.ServeIfAsked()
	m.Run()
}
