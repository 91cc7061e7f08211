package host

import (
	"regexp"

	"github.com/prometheus/procfs"
	"github.com/prometheus/procfs/blockdevice"
)

// noDisk matches what node_exporter leaves out: disks in memory, loop devices, floppies, and
// partitions, whose disks have their numbers as well.
var noDisk = regexp.MustCompile(`^(z?ram|loop|fd|(h|s|v|xv)d[a-z]|nvme\d+n\d+p)\d+$`)

// diskMetrics are the columns of /proc/diskstats behind the name, in their order
// (Documentation/admin-guide/iostats.rst of the kernel). Older kernels end after the
// eleventh or the fifteenth.
var diskMetrics = [...]struct {
	name, help string
	gauge      bool
	value      func(d *blockdevice.Diskstats) float64
}{
	{name: "reads_completed_total", help: "Reads that were completed.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.ReadIOs) }},
	{name: "reads_merged_total", help: "Reads that were merged with others.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.ReadMerges) }},
	{name: "read_bytes_total", help: "Bytes that were read.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.ReadSectors) * procfs.SectorSize }},
	{name: "read_time_seconds_total", help: "Seconds that reads took, added up.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.ReadTicks) / diskTicks }},
	{name: "writes_completed_total", help: "Writes that were completed.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.WriteIOs) }},
	{name: "writes_merged_total", help: "Writes that were merged with others.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.WriteMerges) }},
	{name: "written_bytes_total", help: "Bytes that were written.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.WriteSectors) * procfs.SectorSize }},
	{name: "write_time_seconds_total", help: "Seconds that writes took, added up.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.WriteTicks) / diskTicks }},
	{name: "io_now", help: "Requests in progress.", gauge: true,
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.IOsInProgress) }},
	{name: "io_time_seconds_total", help: "Seconds with a request in progress.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.IOsTotalTicks) / diskTicks }},
	{name: "io_time_weighted_seconds_total", help: "Seconds with a request in progress, times their number.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.WeightedIOTicks) / diskTicks }},
	{name: "discards_completed_total", help: "Discards that were completed.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.DiscardIOs) }},
	{name: "discards_merged_total", help: "Discards that were merged with others.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.DiscardMerges) }},
	{name: "discarded_sectors_total", help: "Sectors that were discarded.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.DiscardSectors) }},
	{name: "discard_time_seconds_total", help: "Seconds that discards took, added up.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.DiscardTicks) / diskTicks }},
	{name: "flush_requests_total", help: "Flushes that were completed.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.FlushRequestsCompleted) }},
	{name: "flush_requests_time_seconds_total", help: "Seconds that flushes took, added up.",
		value: func(d *blockdevice.Diskstats) float64 { return float64(d.TimeSpentFlushing) / diskTicks }},
}

// diskTicks is the unit of times in /proc/diskstats: so many are a second.
const diskTicks = 1000

func (m *machine) readDisks(s *scrape) error {
	if m.disksErr != nil {
		return m.disksErr
	}
	disks, err := m.disks.ProcDiskstats()
	if err != nil {
		return err
	}
	for i := range disks {
		d := &disks[i]
		if noDisk.MatchString(d.DeviceName) {
			continue
		}
		const before = 3 // major number, minor number, name
		for _, metric := range diskMetrics[:min(d.IoStatsCount-before, len(diskMetrics))] {
			send := s.counter
			if metric.gauge {
				send = s.gauge
			}
			send("node_disk_"+metric.name, metric.help, metric.value(d), label{"device", d.DeviceName})
		}
	}
	return nil
}
