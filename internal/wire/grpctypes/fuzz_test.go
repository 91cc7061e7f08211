package grpctypes

import (
	"testing"

	testgrpc "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// testService is the descriptors of grpc-go's test service, with all that they import, serialised.
func testService(t testing.TB) (files [][]byte, set []byte) {
	t.Helper()
	all := &descriptorpb.FileDescriptorSet{}
	marshal := func(m proto.Message) []byte {
		raw, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	var add func(protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		one := protodesc.ToFileDescriptorProto(f)
		all.File = append(all.File, one)
		files = append(files, marshal(one))
	}
	add(testgrpc.File_grpc_testing_test_proto)
	return files, marshal(all)
}

// FuzzReflection reads what a server tells about its types. Types that link have methods whose messages can be encoded.
func FuzzReflection(f *testing.F) {
	files, _ := testService(f)
	last := files[len(files)-1]
	f.Add(last, files[0])
	f.Add(last, []byte{})
	f.Add(last[:len(last)/2], last)
	f.Fuzz(func(t *testing.T, one, other []byte) {
		a := &asking{known: map[string]bool{}}
		if a.take([][]byte{one, other}) != nil {
			return
		}
		if types, err := fromFiles(a.files); err == nil {
			_, _ = types.Method("/grpc.testing.TestService/UnaryCall")
			_, _ = types.Method("/")
		}
	})
}

// FuzzSet reads a file of descriptors.
func FuzzSet(f *testing.F) {
	_, set := testService(f)
	f.Add(set)
	f.Add(set[:len(set)-3])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		types, err := fromSet(raw)
		if (types == nil) == (err == nil) {
			t.Errorf("types %v, error %v", types, err)
		}
	})
}

// FuzzMessages: JSON that is encoded can be read back, by a reader of its own for each direction; bytes of an answer
// are JSON or an error.
func FuzzMessages(f *testing.F) {
	_, set := testService(f)
	types, err := fromSet(set)
	if err != nil {
		f.Fatal(err)
	}
	method := func(path string) *Method {
		m, err := types.Method(path)
		if err != nil {
			f.Fatal(err)
		}
		return m
	}
	unary, stream := method("/grpc.testing.TestService/UnaryCall"),
		method("/grpc.testing.TestService/StreamingInputCall")
	f.Add([]byte(`{"responseSize": 10, "payload": {"body": "AAAA"}}`), []byte("\x0a\x02\x08\x01"))
	f.Add([]byte(`[{"payload": {"body": "AAAA"}}, {}]`), []byte("\x0a\xff"))
	f.Add([]byte(" \n"), []byte{})
	f.Add([]byte(`[{}`), []byte{})
	f.Fuzz(func(t *testing.T, text, answer []byte) {
		for _, m := range []*Method{unary, stream} {
			out, err := m.Encode(text)
			if err != nil {
				continue
			}
			for len(out) > 0 { // each message has its prefix, and the last ends where the bytes do
				if len(out) < PrefixBytes || out[0] != 0 {
					t.Fatalf("%q: the prefix is %x", text, out[:min(len(out), PrefixBytes)])
				}
				size := int(out[1])<<24 | int(out[2])<<16 | int(out[3])<<8 | int(out[4])
				if size > len(out)-PrefixBytes {
					t.Fatalf("%q: a message of %d bytes in %d", text, size, len(out)-PrefixBytes)
				}
				out = out[PrefixBytes+size:]
			}
		}
		_, _ = unary.JSON(answer)
	})
}
