package host

import "path/filepath"

// vmstatFields are node_exporter's default: of the file's some two hundred fields those on
// paging, swapping, faults and processes killed for want of memory.
const vmstatFields = `^(oom_kill|pgpg|pswp|pg.*fault).*`

func (m *machine) readMemory(s *scrape) error {
	return readFields(filepath.Join(m.proc, "meminfo"), parseMemory, func(field string, value float64) {
		if name := m.meminfo.name(field); name != "" {
			s.gauge(name, "Field "+field+" of /proc/meminfo.", value)
		}
	})
}

func (m *machine) readVM(s *scrape) error {
	return readFields(filepath.Join(m.proc, "vmstat"), parseColumns, func(field string, value float64) {
		if name := m.vmstat.name(field); name != "" {
			s.untyped(name, "Field "+field+" of /proc/vmstat.", value)
		}
	})
}
