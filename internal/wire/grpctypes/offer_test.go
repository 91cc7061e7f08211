package grpctypes

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// The program's own methods are offered before those that come with gRPC, and of them what an empty message suits.
func TestMethodsAreOfferedByUse(t *testing.T) {
	empty, text := ".x.Empty", ".x.Text"
	one := func(name, in string, streams ...bool) *descriptorpb.MethodDescriptorProto {
		m := &descriptorpb.MethodDescriptorProto{Name: &name, InputType: &in, OutputType: &empty}
		if len(streams) > 0 {
			m.ServerStreaming = &streams[0]
		}
		return m
	}
	label, kind := descriptorpb.FieldDescriptorProto_LABEL_REQUIRED, descriptorpb.FieldDescriptorProto_TYPE_STRING
	optional := descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL
	field := func(l descriptorpb.FieldDescriptorProto_Label) []*descriptorpb.FieldDescriptorProto {
		return []*descriptorpb.FieldDescriptorProto{{Name: proto.String("a"), Number: proto.Int32(1), Label: &l,
			Type: &kind}}
	}
	file := func(name, pkg string, services ...*descriptorpb.ServiceDescriptorProto) *descriptorpb.FileDescriptorProto {
		return &descriptorpb.FileDescriptorProto{Name: &name, Package: &pkg, Syntax: proto.String("proto2"),
			Dependency: []string{"x.proto"}, Service: services}
	}
	common := file("x.proto", "x")
	common.Dependency = nil
	common.MessageType = []*descriptorpb.DescriptorProto{
		{Name: proto.String("Empty")}, {Name: proto.String("Text"), Field: field(optional)},
		{Name: proto.String("Strict"), Field: field(label)},
	}
	set := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		common,
		file("c.proto", "grpc.channelz.v1", &descriptorpb.ServiceDescriptorProto{Name: proto.String("Channelz"),
			Method: []*descriptorpb.MethodDescriptorProto{one("GetServer", empty)}}),
		file("s.proto", "zoo", &descriptorpb.ServiceDescriptorProto{Name: proto.String("Zoo"),
			Method: []*descriptorpb.MethodDescriptorProto{
				one("Add", empty), one("Address", text), one("All", empty, true), one("Best", ".x.Strict"),
				one("Count", empty),
			}}),
	}}
	raw, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	types, err := FromDescriptors(raw)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/zoo.Zoo/Count", "/zoo.Zoo/Address", "/zoo.Zoo/Add", "/zoo.Zoo/Best", "/zoo.Zoo/All",
		"/grpc.channelz.v1.Channelz/GetServer"}
	if got := types.Methods(); !slices.Equal(got, want) {
		t.Errorf("methods %v, want %v", got, want)
	}
	named := ByUse([]string{"/grpc.health.v1.Health/Check", "/a.A/DeleteAll", "/a.A/Get"})
	if want := []string{"/a.A/Get", "/a.A/DeleteAll", "/grpc.health.v1.Health/Check"}; !slices.Equal(named, want) {
		t.Errorf("methods by name %v, want %v", named, want)
	}
}
