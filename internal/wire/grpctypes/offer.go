package grpctypes

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// offered is a method and how well it suits a first call, which is made with an empty message where none is given.
type offered struct {
	path     string
	streams  bool // in one direction or both
	required bool // its message is refused without some field
	fields   bool // its message may hold something
}

func offeredOf(path string, m protoreflect.MethodDescriptor) offered {
	o := offered{path: path, streams: m.IsStreamingClient() || m.IsStreamingServer(),
		fields: m.Input().Fields().Len() > 0}
	o.required = m.Input().RequiredNumbers().Len() > 0
	return o
}

// ofLibrary is a service that comes with gRPC: channelz, health, reflection.
func (o offered) ofLibrary() bool { return strings.HasPrefix(o.path, "/grpc.") }

// changing are names of methods that change something, as a first call should not.
var changing = regexp.MustCompile(`^(Abort|Add|Apply|Batch(Create|Update|Delete)|Cancel|Clear|Close|Commit|Create|Delete|Destroy|Disable|Drop|Erase|Evict|Insert|Kill|Patch|Post|Purge|Push|Put|Quit|Reboot|Reload|Remove|Rename|Replace|Reset|Restart|Restore|Revoke|Save|Set|Shutdown|Stop|Store|Submit|Terminate|Update|Upsert|Write)([^a-z]|$)`)

func (o offered) changes() bool {
	return changing.MatchString(o.path[strings.LastIndexByte(o.path, '/')+1:])
}

// paths are the methods with what suits a first call first: the program's own services before those of gRPC, calls of
// one message before streams, what needs no field, and what changes nothing by its name.
func paths(all []offered) []string {
	slices.SortFunc(all, func(a, b offered) int {
		return cmp.Or(
			later(a.ofLibrary(), b.ofLibrary()), later(a.streams, b.streams), later(a.required, b.required),
			later(a.changes(), b.changes()), later(a.fields, b.fields), strings.Compare(a.path, b.path))
	})
	var list []string
	for _, o := range all {
		list = append(list, o.path)
	}
	return list
}

// later puts what is true behind what is not.
func later(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// ByUse puts methods of which only the paths are known into the order of Methods.
func ByUse(all []string) []string {
	var known []offered
	for _, path := range all {
		known = append(known, offered{path: path})
	}
	return paths(known)
}
