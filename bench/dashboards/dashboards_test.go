// Package dashboards holds the dashboards of hone-metrics against Grafana's own SDK, which
// hone itself does not depend on.
package dashboards

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

const observe = "../../cmd/hone-metrics/internal/observe/"

// written are the dashboards by file: those that are the same for every service, and goldens of
// the one that is made of a service's metrics.
func written(t *testing.T) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{}
	for _, pattern := range []string{"stack/dashboards/*.json", "testdata/default/grafana/dashboards/*.json",
		"testdata/service/*.json"} {
		names, err := filepath.Glob(observe + pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range names {
			if texts[name], err = os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	return texts
}

// strictFaults are what the SDK's strict reading finds: fields that are unknown, missing or
// of another type. On success it returns an error that is an empty list, and of parts that
// are right it keeps nothing.
func strictFaults(text []byte) error {
	//lint:ignore SA1019 the classic form is meant, which older releases of Grafana read too
	var read dashboard.Dashboard
	err := read.UnmarshalJSONStrict(text)
	if faults := (cog.BuildErrors)(nil); errors.As(err, &faults) && len(faults) == 0 {
		return nil
	}
	return err
}

// The SDK takes every dashboard strictly, and has read the same when it writes it again.
func TestDashboardsAreGrafanas(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	for name, text := range written(t) {
		if err := strictFaults(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		//lint:ignore SA1019 the classic form is meant, see strictFaults
		var read dashboard.Dashboard
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(plain(t, again), plain(t, text)) {
			t.Errorf("%s is another dashboard once the SDK has read it", name)
		}
	}
}

func plain(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// The strict reading finds faults at every depth: the test above can fail.
func TestStrictReadingFindsFaults(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	text := string(written(t)[observe+"stack/dashboards/hone-framed.json"])
	for _, key := range []string{"schemaVersion", "gridPos", "legendFormat", "axisLabel", "allValue"} {
		broken := strings.Replace(text, `"`+key+`"`, `"`+key+`X"`, 1)
		if err := strictFaults([]byte(broken)); broken == text || err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%sX is read: %v", key, err)
		}
	}
}
