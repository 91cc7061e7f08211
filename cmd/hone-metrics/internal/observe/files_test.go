package observe

import (
	"errors"
	"flag"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/discovery"
	"github.com/prometheus/prometheus/model/rulefmt"
	"go.uber.org/goleak"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/text/fail"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write the goldens of this run")

func mustFiles(t *testing.T, s Stack) []File {
	t.Helper()
	files, err := Files(s)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func textOf(t *testing.T, files []File, name string) []byte {
	t.Helper()
	i := slices.IndexFunc(files, func(f File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no file %s", name)
	}
	return files[i].Text
}

// A diff of the goldens is what a change does to users. The dashboards of stack/dashboards are
// written as they are.
func TestFilesAreTheGoldens(t *testing.T) {
	const golden = "testdata/default"
	files := mustFiles(t, Stack{})
	for _, uid := range commonDashboards {
		name := uid + ".json"
		want, err := os.ReadFile("stack/dashboards/" + name)
		if got := textOf(t, files, "grafana/dashboards/"+name); err != nil || string(got) != string(want) {
			t.Errorf("%s is not written as it is: %v", name, err)
		}
		files = slices.DeleteFunc(files, func(f File) bool { return f.Name == "grafana/dashboards/"+name })
	}
	if *update {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(golden, files, false); err != nil {
			t.Fatal(err)
		}
	}
	var there []string
	err := filepath.WalkDir(golden, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			there = append(there, filepath.ToSlash(strings.TrimPrefix(path,
				filepath.FromSlash(golden)+string(filepath.Separator))))
		}
		return err
	})
	if err != nil {
		t.Fatalf("%v (go test -update writes them)", err)
	}
	if len(there) != len(files) {
		t.Errorf("goldens %v for %d files", there, len(files))
	}
	for _, f := range files {
		want, err := os.ReadFile(filepath.Join(golden, f.Name))
		if err != nil {
			t.Error(err)
		} else if string(want) != string(f.Text) {
			t.Errorf("%s differs from its golden; go test -update, then read the diff", f.Name)
		}
	}
}

// The default stack is the published rig: its jobs, addresses and interval.
func TestPrometheusReadsItsConfiguration(t *testing.T) {
	for _, c := range []struct {
		stack    Stack
		service  string
		interval time.Duration
	}{
		{Stack{}, "127.0.0.1:8889", 5 * time.Second},
		{Stack{Service: "[::1]:80", Hone: "hone.example:443", Interval: 1500 * time.Millisecond}, "[::1]:80",
			1500 * time.Millisecond},
		{Stack{Interval: 2 * time.Minute}, "127.0.0.1:8889", 2 * time.Minute},
	} {
		dir := t.TempDir()
		if _, err := Write(dir, mustFiles(t, c.stack), false); err != nil {
			t.Fatal(err)
		}
		read, err := config.LoadFile(filepath.Join(dir, "prometheus", "prometheus.yaml"), false,
			slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatalf("%+v: %v", c.stack, err)
		}
		targets := map[string]string{}
		for _, job := range read.ScrapeConfigs {
			if got := time.Duration(job.ScrapeInterval); got != c.interval {
				t.Errorf("job %s is scraped every %v, want %v", job.JobName, got, c.interval)
			}
			native := job.ScrapeNativeHistogramsEnabled()
			if want := job.JobName == jobHone || job.JobName == jobService; native != want {
				t.Errorf("job %s takes native histograms: %v", job.JobName, native)
			}
			for _, discovery := range job.ServiceDiscoveryConfigs {
				targets[job.JobName] = targetsOf(discovery)
			}
		}
		want := map[string]string{
			"prometheus": "127.0.0.1:9090", "subject": c.service, "node": "127.0.0.1:9100",
			"hone": c.stack.withDefaults().Hone,
		}
		for job, address := range want {
			if targets[job] != address {
				t.Errorf("job %s is at %q, want %q", job, targets[job], address)
			}
		}
		if len(targets) != len(want) {
			t.Errorf("jobs %v", targets)
		}
		for _, file := range read.RuleFiles {
			groups, faults := rulefmt.ParseFile(file, false, model.LegacyValidation, library.Parser(),
				slog.New(slog.DiscardHandler))
			if len(faults) > 0 {
				t.Errorf("%s: %v", file, errors.Join(faults...))
				continue
			}
			n := 0
			for _, g := range groups.Groups {
				n += len(g.Rules)
			}
			if want := len(rules("[1m]", c.stack.Families)); n != want {
				t.Errorf("%d rules, want %d", n, want)
			}
		}
		if len(read.RuleFiles) != 1 {
			t.Errorf("rule files %v", read.RuleFiles)
		}
	}
}

// service is what the tests look at of a service of the compose file.
type service struct {
	Image       string            `yaml:"image"`
	NetworkMode string            `yaml:"network_mode"`
	Restart     string            `yaml:"restart"`
	Ports       []string          `yaml:"ports"`
	Command     []string          `yaml:"command"`
	Environment map[string]string `yaml:"environment"`
	Volumes     []string          `yaml:"volumes"`
	Healthcheck struct {
		Test []string `yaml:"test"`
	} `yaml:"healthcheck"`
}

func readCompose(t *testing.T) (services map[string]service, volumes map[string]any) {
	t.Helper()
	var compose struct {
		Services map[string]service `yaml:"services"`
		Volumes  map[string]any     `yaml:"volumes"`
	}
	if err := yaml.Unmarshal(textOf(t, mustFiles(t, Stack{}), "compose.yaml"), &compose); err != nil {
		t.Fatal(err)
	}
	return compose.Services, compose.Volumes
}

// The containers share the host's network, so what they listen on is up to them: it is
// loopback, each at its own port. What they mount of the host they cannot change.
func TestContainersKeepToLoopbackAndChangeNothing(t *testing.T) {
	services, volumes := readCompose(t)
	for name, port := range map[string]string{"prometheus": "9090", "node-exporter": "9100", "grafana": "3000"} {
		s, ok := services[name]
		if !ok {
			t.Errorf("no service %s", name)
			continue
		}
		listens := s.Environment["GF_SERVER_HTTP_ADDR"] + ":" + s.Environment["GF_SERVER_HTTP_PORT"]
		for _, arg := range s.Command {
			if address, ok := strings.CutPrefix(arg, "--web.listen-address="); ok {
				listens = address
			}
		}
		if listens != "127.0.0.1:"+port {
			t.Errorf("%s listens on %s", name, listens)
		}
		if s.NetworkMode != "host" || len(s.Ports) > 0 || s.Restart != "unless-stopped" {
			t.Errorf("%s: network %q, ports %v, restart %q", name, s.NetworkMode, s.Ports, s.Restart)
		}
		if probe := s.Healthcheck.Test; len(probe) < 2 ||
			!strings.Contains(probe[len(probe)-1], "http://127.0.0.1:"+port) {
			t.Errorf("%s: health check %v", name, probe)
		}
		if !regexp.MustCompile(`^[a-z-]+/[a-z-]+:v?\d+\.\d+\.\d+$`).MatchString(s.Image) {
			t.Errorf("%s: image %s is not a release", name, s.Image)
		}
		for _, v := range s.Volumes {
			source, _, _ := strings.Cut(v, ":")
			_, named := volumes[source]
			if !named && !strings.HasSuffix(v, ":ro") && !strings.HasSuffix(v, ":ro,rslave") {
				t.Errorf("%s may write to %s of the host", name, v)
			}
		}
	}
	if len(services) != 3 {
		t.Errorf("%d services", len(services))
	}
}

// There is no login, so there is no password, neither here nor Grafana's well-known one.
func TestNoPasswords(t *testing.T) {
	for _, f := range mustFiles(t, Stack{}) {
		if strings.Contains(strings.ToLower(string(f.Text)), "admin_password") {
			t.Errorf("%s has a password", f.Name)
		}
	}
	services, _ := readCompose(t)
	environment := services["grafana"].Environment
	for key, want := range map[string]string{
		"GF_AUTH_ANONYMOUS_ENABLED":                  "true",
		"GF_AUTH_ANONYMOUS_ORG_ROLE":                 "${GRAFANA_ROLE:-Viewer}",
		"GF_AUTH_BASIC_ENABLED":                      "false",
		"GF_AUTH_DISABLE_LOGIN_FORM":                 "true",
		"GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION": "true",
	} {
		if environment[key] != want {
			t.Errorf("%s is %q, want %q", key, environment[key], want)
		}
	}
}

// The pinned Prometheus is the one whose library hone is built with: module v0.N.P is
// release v3.(N-300).P, as in its RELEASE.md.
func TestPinnedPrometheusIsTheLibrarys(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`github.com/prometheus/prometheus v0\.3(\d\d)\.(\d+)\b`).FindStringSubmatch(string(mod))
	if found == nil {
		t.Fatal("go.mod requires no Prometheus 3")
	}
	want := "prom/prometheus:v3." + strings.TrimPrefix(found[1], "0") + "." + found[2]
	if pinned.Prometheus != want {
		t.Errorf("pinned is %s, go.mod has %s", pinned.Prometheus, want)
	}
}

// What Grafana takes for hone's scrape interval is that of its recorder.
func TestRecordersIntervalIsKnown(t *testing.T) {
	if honeInterval != metrics.DefaultInterval {
		t.Errorf("honeInterval is %v, the recorder's %v", honeInterval, metrics.DefaultInterval)
	}
}

// Grafana finds its dashboards where the compose file puts them, and its home among them.
func TestProvisioningFitsTheMounts(t *testing.T) {
	files := mustFiles(t, Stack{})
	services, _ := readCompose(t)
	var provider struct {
		Providers []struct {
			Options struct{ Path string }
		}
	}
	if err := yaml.Unmarshal(textOf(t, files, "grafana/provisioning/dashboards/hone.yaml"), &provider); err != nil {
		t.Fatal(err)
	}
	path := provider.Providers[0].Options.Path
	if !slices.Contains(services["grafana"].Volumes, "./grafana/dashboards:"+path+":ro") {
		t.Errorf("%s is not mounted: %v", path, services["grafana"].Volumes)
	}
	home := services["grafana"].Environment["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
	textOf(t, files, "grafana/dashboards/"+filepath.Base(home))
	if filepath.Dir(home) != path {
		t.Errorf("home is %s, dashboards are in %s", home, path)
	}
	var sources struct {
		Datasources []struct {
			UID, Type, URL string
			IsDefault      bool `yaml:"isDefault"`
		}
	}
	if err := yaml.Unmarshal(textOf(t, files, "grafana/provisioning/datasources/hone.yaml"), &sources); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{dataSource: "http://127.0.0.1:9090", honeDataSource: "http://" + DefaultHone}
	for _, s := range sources.Datasources {
		if want[s.UID] != s.URL || s.Type != "prometheus" || s.IsDefault != (s.UID == dataSource) {
			t.Errorf("data source %+v", s)
		}
	}
	if len(sources.Datasources) != len(want) {
		t.Errorf("data sources %v", sources.Datasources)
	}
}

// All faults of the flags are said at once.
func TestFaultsOfTheFlags(t *testing.T) {
	for _, c := range []struct {
		stack Stack
		want  []string
	}{
		{Stack{Service: "http://127.0.0.1:8889/metrics"},
			[]string{`--service: "http://127.0.0.1:8889/metrics" is not host:port`}},
		{Stack{Service: "8889", Hone: ":9464", Interval: time.Hour}, []string{
			`--service: "8889" is not host:port`, `--hone: ":9464" has no host name`,
			"--interval: 1h0m0s is not from 100ms to 2m",
		}},
		{Stack{Service: "a:70000"}, []string{"no port from 1 to 65535"}},
		{Stack{Service: "a:0"}, []string{"no port from 1 to 65535"}},
		{Stack{Service: "a\", \"b:80"}, []string{"no host name or IP address"}},
		{Stack{Service: "127.0.0.1:9090"}, []string{"127.0.0.1:9090 is where this stack itself listens"}},
		{Stack{Hone: "localhost:3000"}, []string{"localhost:3000 is where this stack itself listens"}},
		{Stack{Service: "127.0.0.1:9464"}, []string{"--service and --hone are both 127.0.0.1:9464"}},
		{Stack{Interval: -time.Second}, []string{"--interval: -1s"}},
		{Stack{Interval: time.Second + time.Microsecond}, []string{"whole milliseconds"}},
	} {
		_, err := Files(c.stack)
		if fail.ExitCode(err) != int(fail.BadInput) || err == nil || fail.HintOf(err) == "" {
			t.Errorf("%+v: %v", c.stack, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v\nwant %s", c.stack, err, want)
			}
		}
	}
	for _, other := range []string{"10.0.0.7:9090", "prom.example:9100", "[2001:db8::1]:3000"} {
		if _, err := Files(Stack{Service: other}); err != nil {
			t.Errorf("%s is another machine's: %v", other, err)
		}
	}
}

// Whatever is taken for an address stands in the files as the one target that it is.
func FuzzAddressStaysOneTarget(f *testing.F) {
	for _, seed := range []string{"127.0.0.1:8889", "[::1]:80", "a\": [\"b:1", "a:1\n  - b:2", "'a':1",
		"a.example:65535", "[fe80::1%eth0]:80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		files, err := Files(Stack{Service: address})
		if err != nil || address == "" {
			return
		}
		if _, _, err := net.SplitHostPort(address); err != nil {
			t.Fatalf("%q was taken", address)
		}
		read, err := config.Load(string(textOf(t, files, "prometheus/prometheus.yaml")), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatalf("%q: %v", address, err)
		}
		if got := targetsOf(read.ScrapeConfigs[1].ServiceDiscoveryConfigs[0]); got != address ||
			len(read.ScrapeConfigs) != 4 {
			t.Errorf("%q became %q among %d jobs", address, got, len(read.ScrapeConfigs))
		}
	})
}

// targetsOf returns the addresses of a static configuration, which is all that there is.
func targetsOf(c discovery.Config) string {
	var addresses []string
	for _, group := range c.(discovery.StaticConfig) {
		for _, target := range group.Targets {
			addresses = append(addresses, string(target[model.AddressLabel]))
		}
	}
	return strings.Join(addresses, ",")
}
