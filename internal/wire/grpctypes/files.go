package grpctypes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// FromProtos compiles .proto files. Imports are looked for in dirs; without any, in the directory of each file and in
// the working directory. The error is a *fail.Error of kind BadInput that begins with the place.
func FromProtos(ctx context.Context, files, dirs []string) (*Types, error) {
	var names []string
	if len(dirs) == 0 {
		for _, file := range files {
			if dir := filepath.Dir(file); !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
		if !slices.Contains(dirs, ".") {
			dirs = append(dirs, ".")
		}
	}
	for _, file := range files {
		name, err := importName(file, dirs)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	sources := &protoSources{}
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: dirs, Accessor: sources.open})}
	compiled, err := compiler.Compile(ctx, names...)
	if err != nil {
		if large := sources.refused(); large != nil {
			err = large
		}
		return nil, fail.New(fail.BadInput, "read .proto files: %w", err).
			WithHint("imports are looked for in %s; --set grpc.proto-path=DIR adds a directory",
				strings.Join(dirs, ", "))
	}
	all := &protoregistry.Files{}
	for _, file := range compiled {
		if err := register(all, file); err != nil {
			return nil, fail.New(fail.BadInput, "read .proto files: %w", err)
		}
	}
	return newTypes(all), nil
}

// register adds a file with all that it imports.
func register(all *protoregistry.Files, file protoreflect.FileDescriptor) error {
	if _, err := all.FindFileByPath(file.Path()); err == nil {
		return nil
	}
	for i := range file.Imports().Len() {
		if err := register(all, file.Imports().Get(i).FileDescriptor); err != nil {
			return err
		}
	}
	return all.RegisterFile(file)
}

// importName is the name by which a file is imported: its path from the first directory that holds it.
func importName(file string, dirs []string) (string, error) {
	if _, err := os.Stat(file); err != nil {
		for _, dir := range dirs {
			if _, inside := os.Stat(filepath.Join(dir, file)); inside == nil {
				return filepath.ToSlash(file), nil
			}
		}
		return "", fail.New(fail.BadInput, "read .proto file: %w",
			err).WithHint("--set grpc.proto takes a file, by its path or by its path below a --set grpc.proto-path")
	}
	for _, dir := range dirs {
		name, err := relative(dir, file)
		if err == nil && name != ".." && !strings.HasPrefix(name, "../") {
			return name, nil
		}
	}
	return "", fail.New(fail.BadInput, "read .proto file: %s is in none of the directories of --set grpc.proto-path",
		file).
		WithHint("add --set grpc.proto-path=%s", filepath.Dir(file))
}

func relative(dir, file string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	name, err := filepath.Rel(from, to)
	return filepath.ToSlash(name), err
}

// FromSet reads a file of descriptors, as protoc --descriptor_set_out --include_imports and buf build -o write it. The
// error is a *fail.Error of kind BadInput.
func FromSet(file string) (*Types, error) {
	raw, err := inputs.Descriptors.ReadFile(file)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "read descriptors %s: %w", file, err)
	}
	t, err := fromSet(raw)
	if err != nil {
		return nil, fail.New(fail.BadInput, "read descriptors %s: %w", file, err).
			WithHint("--set grpc.protoset takes a binary FileDescriptorSet with all imports, as buf build writes it")
	}
	return t, nil
}

// FromDescriptors reads a binary FileDescriptorSet. The error is a *fail.Error of kind BadInput.
func FromDescriptors(raw []byte) (*Types, error) {
	t, err := fromSet(raw)
	if err != nil {
		return nil, fail.New(fail.BadInput, "read descriptors: %w", err)
	}
	return t, nil
}

// Descriptors are the types as a binary FileDescriptorSet, which FromDescriptors reads.
func (t *Types) Descriptors() ([]byte, error) {
	set := &descriptorpb.FileDescriptorSet{}
	t.files.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
		return true
	})
	return proto.Marshal(set)
}

func fromSet(raw []byte) (*Types, error) {
	r := &reading{}
	if err := r.set(raw); err != nil {
		return nil, err
	}
	if len(r.files) == 0 {
		return nil, errors.New("it holds no file")
	}
	return fromFiles(r.files)
}

// fromFiles links descriptors. What they import and do not hold is taken from the well-known types.
func fromFiles(list []*descriptorpb.FileDescriptorProto) (*Types, error) {
	known := map[string]bool{}
	set := &descriptorpb.FileDescriptorSet{}
	for _, file := range list {
		if !known[file.GetName()] {
			known[file.GetName()], set.File = true, append(set.File, file)
		}
	}
	for i := 0; i < len(set.File); i++ { // grows meanwhile
		for _, name := range set.File[i].Dependency {
			if known[name] {
				continue
			}
			if standard, err := protoregistry.GlobalFiles.FindFileByPath(name); err == nil {
				known[name], set.File = true, append(set.File, protodesc.ToFileDescriptorProto(standard))
			}
		}
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, plain(err)
	}
	return newTypes(files), nil
}
