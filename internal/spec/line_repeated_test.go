package spec

import "testing"

func TestRepeatedLineHasAnotherTarget(t *testing.T) {
	r := Line{"run", "./x -mode fast", "--connections=4", "--target=old", "--path=/old", "--", "--target", "its own"}
	got := r.Repeated("", "--path=/items")
	if want := `hone run './x -mode fast' --connections 4 --target old --path /items -- --target 'its own'`; got != want {
		t.Errorf("repeated: %s\nwant      %s", got, want)
	}
	r = Line{"run", ".", "--set=tcp.little", "--set=tcp.width=2", "--body=hex:00", "--connections=4"}
	if got, want := r.Repeated("tcp://127.0.0.1:{port}", "--target=https://127.0.0.1:1/"),
		"hone run . --connections 4 --target https://127.0.0.1:1/"; got != want {
		t.Errorf("for another protocol: %s, want %s", got, want)
	}
	r = Line{"run", ".", "--target=ws://127.0.0.1:1/", "--set=ws.binary", "--set=ws.id=@0:4", "--set=stream",
		"--header=A: b", "--set=stream.messages=3", "--connections=4"}
	const streamed = "hone run . --set stream --header 'A: b' --set stream.messages=3 --connections 4 --target "
	for target, want := range map[string]string{
		"http://127.0.0.1:1/":    streamed + "http://127.0.0.1:1/",
		"grpc://127.0.0.1:1/a/B": streamed + "grpc://127.0.0.1:1/a/B",
		"redis://127.0.0.1:1":    "hone run . --connections 4 --target redis://127.0.0.1:1",
	} {
		if got := r.Repeated("ws://127.0.0.1:1/", "--target="+target); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := (Line(nil)).Repeated("", "--path=/a b"); got != "--path '/a b'" {
		t.Errorf("without a command line: %s", got)
	}
}
