package turns

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// whereabouts has a benchmark that reports where its thread begins and how many CPUs it may run on.
const whereabouts = `package whereabouts

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

func BenchmarkWhere(b *testing.B) {
	runtime.LockOSThread()
	var mask [128]byte
	stat, err := os.ReadFile("/proc/thread-self/stat")
	if err != nil {
		b.Fatal(err)
	}
	_, behind, _ := strings.Cut(string(stat), ") ")
	cpu, err := strconv.Atoi(strings.Fields(behind)[36]) // proc(5): field 39, processor
	if err != nil {
		b.Fatal(err)
	}
	syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
	allowed := 0
	for _, m := range mask {
		for ; m != 0; m &= m - 1 {
			allowed++
		}
	}
	b.ReportMetric(float64(cpu), "cpu")
	b.ReportMetric(float64(allowed), "allowed")
}
`

// A benchmark begins on the CPU that hone chose, and may run on all of them. The kernel may move the thread before it
// reads where it runs, so most of the starts count: chance would reach 30 of 40 once in a thousand times.
func TestABenchmarkBeginsOnTheChosenCPU(t *testing.T) {
	path, by, err := testingForTurns(t.Context(), &sources.Side{Dir: ".", Env: os.Environ()}, t.TempDir())
	if err != nil || path == "" {
		t.Fatalf("%q, %v", path, err)
	}
	dir := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/whereabouts\n\ngo 1.24\n", "where_test.go": whereabouts})
	text, err := json.Marshal(sources.Overlay{Replace: map[string]string{path: by}})
	if err != nil {
		t.Fatal(err)
	}
	file, binary := filepath.Join(t.TempDir(), "overlay.json"), filepath.Join(t.TempDir(), "where.test")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", file, "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	where := func(chosen int) (cpu, allowed int) {
		cmd := exec.CommandContext(t.Context(), binary, "-test.run=^$", "-test.bench=.", "-test.benchtime=1x")
		cmd.Env = append(os.Environ(), turnsEnv+"=1", fmt.Sprint(cpuEnv, "=", chosen))
		out, err := cmd.CombinedOutput()
		found := regexp.MustCompile(`([\d.]+) allowed\s+([\d.]+) cpu`).FindStringSubmatch(string(out))
		if err != nil || found == nil {
			t.Fatalf("%v\n%s", err, out)
		}
		at, err := strconv.ParseFloat(found[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		may, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return int(at), int(may)
	}
	var mine unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mine); err != nil {
		t.Fatal(err)
	}
	var cpus []int
	for cpu := range 8 * len(mine) * int(unsafe.Sizeof(mine[0])) {
		if mine.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	if len(cpus) == 1 {
		t.Skip("tests may run on one CPU only")
	}
	const starts, enough = 40, 30
	right := 0
	for i := range starts {
		cpu, allowed := where(i % 2)
		if allowed != len(cpus) {
			t.Fatalf("start %d: %d of %d CPUs allowed", i, allowed, len(cpus))
		}
		if cpu == cpus[i%2] {
			right++
		}
	}
	if right < enough {
		t.Errorf("%d of %d starts began on the chosen CPU, want %d", right, starts, enough)
	}
	t.Logf("%d of %d starts began on the chosen CPU", right, starts)
}
