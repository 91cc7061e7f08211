package observe

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// rig is the packaged Prometheus on what is written, with a framed server under load, the
// packaged node_exporter and a page of hone's load.
type rig struct {
	api      string
	service  string // instance of the service
	node     string
	load     string
	interval time.Duration
}

func startRig(t *testing.T) rig {
	t.Helper()
	prometheus := tool(t, "prometheus")
	exporter := tool(t, "prometheus-node-exporter", "node_exporter")
	server := startFramed(t)
	own := httptest.NewServer(pageOf(startLoad(t, server.address)))
	t.Cleanup(own.Close)

	r := rig{
		api: "http://" + freeAddress(t), node: freeAddress(t),
		service: server.page.Host, load: strings.TrimPrefix(own.URL, "http://"),
		interval: 200 * time.Millisecond,
	}
	config := written(t, Stack{Service: r.service, Hone: r.load, Interval: r.interval}, prometheus)
	edit(t, config, func(text string) string {
		text = strings.ReplaceAll(text, fmt.Sprintf("127.0.0.1:%d", nodePort), r.node)
		return strings.ReplaceAll(text, fmt.Sprintf("127.0.0.1:%d", prometheusPort), strings.TrimPrefix(r.api, "http://"))
	})
	start(t, exporter, "--web.listen-address="+r.node, "--no-collector.systemd")
	args := []string{
		"--config.file=" + config, "--storage.tsdb.path=" + t.TempDir(),
		"--web.listen-address=" + strings.TrimPrefix(r.api, "http://"),
	}
	if majorOf(t, prometheus) < 3 {
		args = append(args, "--enable-feature=native-histograms")
	}
	start(t, prometheus, args...)
	return r
}

// freeAddress is a port of this machine that is free now.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// start runs a program until the end of the test, and shows what it said if that failed.
func start(t *testing.T, program string, args ...string) {
	t.Helper()
	log := put(t, "", t.TempDir(), "log")
	file, err := os.OpenFile(log, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		file.Close()
		if text, err := os.ReadFile(log); t.Failed() && err == nil {
			t.Logf("%s:\n%s", filepath.Base(program), text)
		}
	})
}

// answer is what Prometheus' API says.
type answer struct {
	Status, Error string
	Data          struct {
		Result        []json.RawMessage
		ActiveTargets []struct {
			Labels    map[string]string
			Health    string
			LastError string
		}
	}
}

// get asks the API; an error of the connection is one of the answer.
func (r rig) get(ctx context.Context, path string, query url.Values) (a answer) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.api+path+"?"+query.Encode(), nil)
	if err != nil {
		return answer{Error: err.Error()}
	}
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return answer{Error: fmt.Sprintf("%v: %s", err, text)}
	}
	return a
}

// await polls until done says nothing is missing any more; what happens happens in other
// processes.
func await(t *testing.T, missing func() string) {
	t.Helper()
	end := time.Now().Add(patience)
	for {
		what := missing()
		if what == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waited %v: %s", patience, what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
