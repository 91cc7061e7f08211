package read

import (
	"reflect"
	"testing"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/wire"
)

// The demo sets no flags, and has none added to a command.
func TestNoFlagsMeanTheProtocolsDefaults(t *testing.T) {
	l := spec.Load{Target: "framed://127.0.0.1:1"}
	if err := (&Requests{}).Protocol(&l); err != nil || !reflect.DeepEqual(l.Protocol, wire.Options{}) {
		t.Errorf("%+v, %v, want no options", l.Protocol, err)
	}
}
