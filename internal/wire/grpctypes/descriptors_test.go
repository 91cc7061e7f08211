package grpctypes

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What .proto files hold can be sent to another machine: descriptors are read as the same types.
func TestDescriptorsAreTheSameTypes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"shop.proto": `syntax = "proto3"; package shop; import "part.proto"; import "google/protobuf/timestamp.proto";
			message Ask { Part part = 1; google.protobuf.Timestamp at = 2; }
			service Shop { rpc Get(Ask) returns (Part); rpc Watch(Ask) returns (stream Part); }`,
		"part.proto": `syntax = "proto3"; package shop; message Part { string name = 1; }`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	from, err := FromProtos(t.Context(), []string{filepath.Join(dir, "shop.proto")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := from.Descriptors()
	if err != nil {
		t.Fatal(err)
	}
	got, err := FromDescriptors(raw)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"/shop.Shop/Get", "/shop.Shop/Watch"}; !slices.Equal(got.Methods(), want) {
		t.Errorf("methods %v, want %v", got.Methods(), want)
	}
	method, err := got.Method("/shop.Shop/Get")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := method.EncodeOne([]byte(`{"part": {"name": "bolt"}, "at": "2026-01-02T03:04:05Z"}`)); err != nil {
		t.Error(err)
	}
	if _, err := FromDescriptors(raw[:len(raw)-1]); err == nil {
		t.Error("descriptors that were cut are read")
	}
}
