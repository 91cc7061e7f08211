package facts

import "testing"

// The call that is not closed is named, and what main opens is not.
func TestWhatOpensADescriptor(t *testing.T) {
	const head = "package m\n\nimport (\n\t\"net\"\n\t\"os\"\n)\n\n"
	const main = "func main() {\n\tf, _ := os.Open(\"log\") // main\n\t_ = f\n}\n\n"
	const reads = "func reads(name string) {\n\tf, err := os.Open(name) // reads\n\tif err == nil {\n\t\tf.Close()\n" +
		"\t}\n}\n\n"
	const leaks = "func leaks(addr string) net.Conn {\n\tc, _ := net.Dial(\"tcp\", addr) // leaks\n\treturn c\n}\n\n"
	const writes = "func writes(name string) {\n\tf, err := os.Create(name)\n\tif err == nil {\n\t\tf.Close()\n\t}\n}\n\n"
	const work = "func work() {\n\t_ = 1 // work\n}\n"
	for name, c := range map[string]struct {
		source, call string
		closed       bool
	}{
		"not closed":        {main + reads + leaks, "net.Dial", false},
		"closed on one way": {main + reads, "os.Open", true},
		"only main":         {main, "", false},
		"two that close":    {reads + writes, "", false},
	} {
		v, _ := viewOf(t, map[string]string{"m.go": head + c.source + work}, "example.com/m.work m.go work")
		o, ok := v.Opens()
		if ok != (c.call != "") || o.Call != c.call || o.Closed != c.closed {
			t.Errorf("%s: %+v, %t", name, o, ok)
		}
	}
}
