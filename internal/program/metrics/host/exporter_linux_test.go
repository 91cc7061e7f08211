package host

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// A true node_exporter on the same machine, if one is installed: all that hone exposes is
// there with the same type and the same labels, and what it counts lies between two
// scrapes of ours.
func TestAgainstNodeExporter(t *testing.T) {
	address := startExporter(t)
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	ours := gather(t, c)
	theirs := scrapeExporter(t, address)
	after := series(gather(t, c))

	before, there := series(ours), series(theirs)
	kinds := map[string]dto.MetricType{}
	for _, f := range theirs {
		kinds[f.GetName()] = f.GetType()
	}
	compared := 0
	for _, f := range ours {
		kind, ok := kinds[f.GetName()]
		if !ok {
			if !mayBeMissing(f.GetName()) {
				t.Errorf("node_exporter has no %s", f.GetName())
			}
			continue
		}
		if kind != f.GetType() {
			t.Errorf("%s is a %v, with node_exporter a %v", f.GetName(), f.GetType(), kind)
		}
		for name := range series([]*dto.MetricFamily{f}) {
			value, ok := there[name]
			if !ok && strings.HasPrefix(name, "node_filesystem_") && !inFirstNamespace(name) {
				continue
			}
			if !ok {
				t.Errorf("node_exporter has no %s", name)
				continue
			}
			low, high := before[name], after[name]
			switch {
			case f.GetType() == dto.MetricType_COUNTER, steady(f.GetName()):
			case f.GetName() == "node_time_seconds":
			default:
				continue // goes up and down
			}
			compared++
			slack := 1e-9 * math.Abs(high) // of rounding
			if strings.Contains(name, "mode=i") {
				slack += 3 // idle and iowait go back by ticks; hone, which has seen them before, holds them
			}
			if value < low-slack || value > high+slack {
				t.Errorf("%s: node_exporter has %v, hone had %v before and %v after", name, value, low, high)
			}
		}
	}
	t.Logf("compared the values of %d series, and the names of %d", compared, len(before))
	if compared < 50 {
		t.Errorf("compared %d series only", compared)
	}
}

// steady says which gauges and untyped metrics do not fall while the test runs.
func steady(name string) bool {
	for _, exact := range []string{
		"node_boot_time_seconds", "node_uname_info", "node_memory_MemTotal_bytes", "node_memory_SwapTotal_bytes",
		"node_memory_HugePages_Total", "node_memory_Hugepagesize_bytes", "node_memory_VmallocTotal_bytes",
		"node_filefd_maximum", "node_filesystem_size_bytes", "node_filesystem_files", "node_filesystem_readonly",
		"node_filesystem_device_error", "node_netstat_Ip_Forwarding",
	} {
		if name == exact {
			return true
		}
	}
	return strings.HasPrefix(name, "node_vmstat_") ||
		strings.HasPrefix(name, "node_netstat_") && name != "node_netstat_Tcp_CurrEstab"
}

// mayBeMissing are names that only some releases of node_exporter have: fields of meminfo
// outside the list that it has since 1.9, and what came later than the oldest release
// that distributions still ship, 1.5.
func mayBeMissing(name string) bool {
	switch name {
	case "node_netstat_TcpExt_TCPTimeouts", "node_netstat_TcpExt_TCPOFOQueue", "node_netstat_TcpExt_TCPRcvQDrop",
		"node_pressure_irq_stalled_seconds_total", "node_softnet_backlog_len", "node_softnet_cpu_collision_total",
		"node_softnet_flow_limit_count_total", "node_softnet_received_rps_total":
		return true
	}
	return strings.HasPrefix(name, "node_memory_")
}

// inFirstNamespace says whether the first process sees a mount as well: node_exporter shows
// its mounts, hone its own.
func inFirstNamespace(series string) bool {
	mounts, err := os.ReadFile("/proc/1/mountinfo")
	if err != nil {
		return true // node_exporter then falls back to its own, too
	}
	_, point, _ := strings.Cut(series, "mountpoint=")
	return strings.Contains(string(mounts), " "+strings.TrimSuffix(point, "}")+" ")
}

// startExporter starts a node_exporter on a free port of loopback, and ends it with the
// test. Without one the test is skipped.
func startExporter(t *testing.T) (address string) {
	t.Helper()
	var path string
	for _, name := range []string{"prometheus-node-exporter", "node_exporter"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("neither prometheus-node-exporter nor node_exporter is installed: hone's names are checked against one that is")
	}
	cmd := exec.CommandContext(t.Context(), path, "--web.listen-address=127.0.0.1:0",
		// The defaults as they are published; Debian's leave out lo, /run and /mnt.
		"--collector.netdev.device-exclude=^$", "--collector.filesystem.mount-points-exclude="+noMountPoint.String())
	logs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	drained := make(chan bool)
	t.Cleanup(func() { // t.Context is over by now, so the exporter is being killed
		<-drained
		_ = cmd.Wait() // it was killed, which is an error
	})
	listening := regexp.MustCompile(`msg="?Listening on"? address="?(127\.0\.0\.1:\d+)`)
	lines, text := bufio.NewScanner(logs), ""
	for lines.Scan() {
		text += lines.Text() + "\n"
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			go func() { // ends when the exporter does
				_, _ = io.Copy(io.Discard, logs)
				close(drained)
			}()
			return found[1]
		}
	}
	close(drained)
	t.Fatalf("%s does not listen:\n%s", path, text)
	return ""
}

func scrapeExporter(t *testing.T, address string) []*dto.MetricFamily {
	t.Helper()
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatal(fmt.Errorf("node_exporter answers %s", answer.Status))
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	byName, err := parser.TextToMetricFamilies(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var families []*dto.MetricFamily
	for _, f := range byName {
		families = append(families, f)
	}
	return families
}
