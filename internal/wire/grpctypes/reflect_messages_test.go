package grpctypes

import (
	"reflect"
	"testing"

	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// Questions are what protobuf's own library reads, and its answers are read here.
func TestMessagesOfReflection(t *testing.T) {
	for _, c := range []struct {
		field protowire.Number
		get   func(*grpc_reflection_v1.ServerReflectionRequest) string
	}{
		{askFile, (*grpc_reflection_v1.ServerReflectionRequest).GetFileByFilename},
		{askSymbol, (*grpc_reflection_v1.ServerReflectionRequest).GetFileContainingSymbol},
		{askServices, (*grpc_reflection_v1.ServerReflectionRequest).GetListServices},
	} {
		var got grpc_reflection_v1.ServerReflectionRequest
		if err := proto.Unmarshal(question(c.field, "a name"), &got); err != nil || c.get(&got) != "a name" {
			t.Errorf("field %d: %v, %v", c.field, &got, err)
		}
	}
	for _, c := range []struct {
		answer *grpc_reflection_v1.ServerReflectionResponse
		want   reflected
	}{
		{&grpc_reflection_v1.ServerReflectionResponse{ValidHost: "h",
			MessageResponse: &grpc_reflection_v1.ServerReflectionResponse_FileDescriptorResponse{
				FileDescriptorResponse: &grpc_reflection_v1.FileDescriptorResponse{FileDescriptorProto: [][]byte{{1},
					{2, 3}}},
			}}, reflected{files: [][]byte{{1}, {2, 3}}}},
		{&grpc_reflection_v1.ServerReflectionResponse{MessageResponse: &grpc_reflection_v1.ServerReflectionResponse_ListServicesResponse{
			ListServicesResponse: &grpc_reflection_v1.ListServiceResponse{Service: []*grpc_reflection_v1.ServiceResponse{{Name: "a.B"}, {Name: "c"}}},
		}}, reflected{services: []string{"a.B", "c"}}},
		{&grpc_reflection_v1.ServerReflectionResponse{MessageResponse: &grpc_reflection_v1.ServerReflectionResponse_ErrorResponse{
			ErrorResponse: &grpc_reflection_v1.ErrorResponse{ErrorCode: statusNotFound, ErrorMessage: "no such name"},
		}}, reflected{failed: &CallError{Status: statusNotFound, Message: "no such name"}}},
		{&grpc_reflection_v1.ServerReflectionResponse{OriginalRequest: &grpc_reflection_v1.ServerReflectionRequest{Host: "h"}}, reflected{}},
	} {
		raw, err := proto.Marshal(c.answer)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseReflected(raw)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v is read as %+v, %v", c.answer, got, err)
		}
	}
}

// FuzzReflectionAnswer: no answer brings the reader down, and what is read is what protobuf's own library reads.
func FuzzReflectionAnswer(f *testing.F) {
	for _, seed := range []string{"", "\x22\x03\x0a\x01x", "\x32\x05\x0a\x03\x0a\x01s", "\x3a\x05\x08\x05\x12\x01n",
		"\x0a\x01h\x12\x03\x0a\x01h", "\x22\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := parseReflected(raw)
		var want grpc_reflection_v1.ServerReflectionResponse
		if err != nil || proto.Unmarshal(raw, &want) != nil {
			return
		}
		if files := want.GetFileDescriptorResponse().GetFileDescriptorProto(); len(files) > len(got.files) {
			t.Errorf("%d files, want %d", len(got.files), len(files))
		}
		if services := want.GetListServicesResponse().GetService(); len(services) > len(got.services) {
			t.Errorf("%d services, want %d", len(got.services), len(services))
		}
	})
}
