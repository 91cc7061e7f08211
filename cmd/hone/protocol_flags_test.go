package main

import (
	"reflect"
	"testing"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/wire"
)

// The demo sets no flags, and has none added to a command.
func TestNoFlagsMeanTheProtocolsDefaults(t *testing.T) {
	o, err := protocolOf(spec.Load{}, &otherWords{}, "framed://127.0.0.1:1")
	if err != nil || !reflect.DeepEqual(o, wire.Options{}) {
		t.Errorf("%+v, %v, want no options", o, err)
	}
}
