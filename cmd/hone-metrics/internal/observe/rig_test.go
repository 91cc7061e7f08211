package observe

import (
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// rig is the packaged Prometheus on what is written, with a framed server under load, the
// packaged node_exporter and a page of hone's load.
type rig struct {
	api      string // of Prometheus, http://host:port
	service  string // where the service shows its metrics: its instance; and so on
	node     string
	load     string
	interval time.Duration
}

func startRig(t *testing.T) rig {
	t.Helper()
	exporter := tool(t, "prometheus-node-exporter", "node_exporter")
	tool(t, "prometheus")
	server := startFramed(t)
	own := httptest.NewServer(pageOf(startLoad(t, server.address)))
	t.Cleanup(own.Close)
	r := rig{
		service: server.page.Host, load: strings.TrimPrefix(own.URL, "http://"), node: freeAddress(t),
		interval: 200 * time.Millisecond,
	}
	args := commandOf(t, "node-exporter", map[string]string{
		"--path.rootfs=":        "/",
		"--web.listen-address=": r.node,
	})
	start(t, exporter, append(args, "--no-collector.systemd")...) // which Debian's tries, also without systemd
	r.api = startPrometheus(t, Stack{Service: r.service, Hone: r.load, Interval: r.interval, Families: framedShown},
		r.node)
	return r
}

// startPrometheus starts the packaged Prometheus as the compose file does, but for its
// address and directories, and returns its URL. node is where node_exporter is.
func startPrometheus(t *testing.T, s Stack, node string) (api string) {
	t.Helper()
	prometheus, address := tool(t, "prometheus"), freeAddress(t)
	config := written(t, s, prometheus)
	edit(t, config, func(text string) string {
		text = strings.ReplaceAll(text, fmt.Sprintf("127.0.0.1:%d", nodePort), node)
		return strings.ReplaceAll(text, fmt.Sprintf("127.0.0.1:%d", prometheusPort), address)
	})
	args := commandOf(t, "prometheus", map[string]string{
		"--config.file=":        config,
		"--storage.tsdb.path=":  t.TempDir(),
		"--web.listen-address=": address,
	})
	if majorOf(t, prometheus) < 3 {
		args = append(args, "--enable-feature=native-histograms")
	}
	start(t, prometheus, args...)
	return "http://" + address
}

// commandOf is the command line of a service of the compose file with other values, all of
// which it has to have.
func commandOf(t *testing.T, name string, values map[string]string) []string {
	t.Helper()
	services, _ := readCompose(t)
	args := services[name].Command
	for flag, value := range values {
		i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, flag) })
		if i < 0 {
			t.Fatalf("%s has no %s: %v", name, flag, args)
		}
		args[i] = flag + value
	}
	return args
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
