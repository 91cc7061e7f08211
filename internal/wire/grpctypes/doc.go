// Package grpctypes finds the types of gRPC methods, in .proto files, in a set of descriptors or by asking the server
// (reflection), and turns JSON into messages and messages into JSON.
//
// Sources: Protocol Buffers' ProtoJSON format; gRPC Server Reflection Protocol v1 and v1alpha; gRPC over HTTP/2,
// section Length-Prefixed-Message.
package grpctypes

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/gohone/hone/internal/text/fail"
)

// Types are the types of the files that were read.
type Types struct {
	files    *protoregistry.Files
	resolver *dynamicpb.Types // for messages inside of google.protobuf.Any, and extensions
	// services limits the methods to those of these services; nil: all.
	services []string
}

func newTypes(files *protoregistry.Files) *Types {
	return &Types{files: files, resolver: dynamicpb.NewTypes(files)}
}

// Methods lists all methods as paths, "/pkg.Service/Method". What suits a first call stands first, see paths.
func (t *Types) Methods() []string {
	var all []offered
	t.files.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			if t.services != nil && !slices.Contains(t.services, string(service.FullName())) {
				continue
			}
			for k := range service.Methods().Len() {
				method := service.Methods().Get(k)
				all = append(all, offeredOf("/"+string(service.FullName())+"/"+string(method.Name()), method))
			}
		}
		return true
	})
	return paths(all)
}

// Method finds a method by its path, "/pkg.Service/Method". The error is a *fail.Error of kind BadInput that names the
// methods there are.
func (t *Types) Method(path string) (*Method, error) {
	service, name, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	d, err := t.files.FindDescriptorByName(protoreflect.FullName(service))
	if s, ok := d.(protoreflect.ServiceDescriptor); ok && err == nil {
		if m := s.Methods().ByName(protoreflect.Name(name)); m != nil {
			return &Method{desc: m, types: t}, nil
		}
	}
	return nil, Unknown(path, t.Methods())
}

// mostListed is how many methods a hint lists.
const mostListed = 12

// Unknown is the error for a method that is not among all; path may be empty.
func Unknown(path string, all []string) error {
	err := fail.New(fail.BadInput, "the target names no method of gRPC")
	if strings.Trim(path, "/") != "" {
		err = fail.New(fail.BadInput, "there is no gRPC method %s", path)
	}
	list := strings.Join(all[:min(len(all), mostListed)], ", ")
	if len(all) > mostListed {
		list += ", ..."
	}
	switch near := fail.Nearest(path, all); {
	case len(all) == 0:
		return err.WithHint("the files name no service")
	case near != "" && near != path:
		return err.WithHint("did you mean %s? the methods are %s", near, list)
	}
	return err.WithHint("name one of %s", list)
}
