package host

import (
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
)

func TestParsers(t *testing.T) {
	type parser = func(string, func(field, value string) error) error
	for _, tc := range []struct {
		name  string
		parse parser
		text  string
		want  []string
	}{
		{"memory", parseMemory, "Active(anon):  15 kB\nHugePages_Total:  3\n",
			[]string{"Active_anon_bytes=15360", "HugePages_Total=3"}},
		{"nothing of memory", parseMemory, "", nil},
		{"columns", parseColumns, "pgfault 7\n\nUdp6InDatagrams\t 8", []string{"pgfault=7", "Udp6InDatagrams=8"}},
		{"pairs", parsePairs, "Tcp: A B\nTcp: 1 -1\nUdp: C\nUdp: 2\n", []string{"Tcp_A=1", "Tcp_B=-1", "Udp_C=2"}},
		{"no pairs", parsePairs, "", nil},
	} {
		var got []string
		err := tc.parse(tc.text, func(field, value string) error {
			got = append(got, field+"="+value)
			return nil
		})
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, %v; want %q", tc.name, got, err, tc.want)
		}
	}
}

// Whatever the kernel writes, only what can be a metric becomes one, and a name is decided
// the same way each time.
func FuzzFields(f *testing.F) {
	f.Add("MemTotal:       24684084 kB\nActive(anon): 1 kB\nHugePages_Total: 0\n")
	f.Add("pgfault 557422371\npgmajfault 81638\n")
	f.Add("Tcp: ActiveOpens InErrs\nTcp: 2629844 -1\n")
	f.Add("Ip6InReceives                   \t3\n")
	f.Add("MemTotal: 18446744073709551615 kB\n")
	f.Fuzz(func(t *testing.T, text string) {
		memory, vm, net := newFamily("node_memory_", ""), newFamily("node_vmstat_", vmstatFields),
			newFamily("node_netstat_", netstatFields)
		check := func(fam *family) func(field, value string) error {
			return func(field, value string) error {
				name := fam.name(field)
				if name != "" && (!model.LegacyValidation.IsValidMetricName(name) || name != fam.prefix+field) {
					t.Errorf("field %q became %q", field, name)
				}
				if again := fam.name(field); again != name {
					t.Errorf("field %q became %q and %q", field, name, again)
				}
				if value == "" || strings.ContainsAny(value, " \t\n") {
					t.Errorf("field %q has the value %q", field, value)
				}
				return nil
			}
		}
		// What is not of its format ends with an error; more is not asked of it.
		_ = parseMemory(text, check(memory))
		_ = parseColumns(text, check(vm))
		_ = parsePairs(text, check(net))
		if six := field6(text); six != "" && strings.Replace(six, "6_", "6", 1) != text {
			t.Errorf("%q became %q", text, six)
		}
	})
}
