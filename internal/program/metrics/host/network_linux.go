package host

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"

	"github.com/prometheus/procfs"
)

// netstatFields are node_exporter's default.
const netstatFields = `^(.*_(InErrors|InErrs)|Ip_Forwarding|Ip(6|Ext)_(InOctets|OutOctets)|Icmp6?_(InMsgs|OutMsgs)` +
	`|TcpExt_(Listen.*|Syncookies.*|TCPSynRetrans|TCPTimeouts|TCPOFOQueue|TCPRcvQDrop)` +
	`|Tcp_(ActiveOpens|InSegs|OutSegs|OutRsts|PassiveOpens|RetransSegs|CurrEstab)` +
	`|Udp6?_(InDatagrams|OutDatagrams|NoPorts|RcvbufErrors|SndbufErrors))$`

// readDevices reads the counters of all network devices of hone's network namespace. The
// kernel adds up the errors of a kind for this file, as node_exporter does for its
// default names.
func (m *machine) readDevices(s *scrape) error {
	devices, err := m.fs.NetDev()
	if err != nil {
		return err
	}
	for _, d := range devices {
		for _, c := range []struct {
			name  string
			value uint64
		}{
			{"receive_bytes", d.RxBytes},
			{"receive_packets", d.RxPackets},
			{"receive_errs", d.RxErrors},
			{"receive_drop", d.RxDropped},
			{"receive_fifo", d.RxFIFO},
			{"receive_frame", d.RxFrame},
			{"receive_compressed", d.RxCompressed},
			{"receive_multicast", d.RxMulticast},
			{"transmit_bytes", d.TxBytes},
			{"transmit_packets", d.TxPackets},
			{"transmit_errs", d.TxErrors},
			{"transmit_drop", d.TxDropped},
			{"transmit_fifo", d.TxFIFO},
			{"transmit_colls", d.TxCollisions},
			{"transmit_carrier", d.TxCarrier},
			{"transmit_compressed", d.TxCompressed},
		} {
			s.counter("node_network_"+c.name+"_total", "Counter "+c.name+" of a network device.", float64(c.value),
				label{"device", d.Name})
		}
	}
	return nil
}

// readNetwork reads the counters of the protocols. Without IPv6 there is no snmp6.
func (m *machine) readNetwork(s *scrape) error {
	send := func(field string, value float64) {
		if name := m.netstat.name(field); name != "" {
			s.untyped(name, "Statistic "+field+" of the kernel's network protocols.", value)
		}
	}
	var faults []error
	for _, file := range []string{"net/netstat", "net/snmp"} {
		faults = append(faults, readFields(filepath.Join(m.proc, file), parsePairs, send))
	}
	err := readFields(filepath.Join(m.proc, "net/snmp6"), parseColumns, func(field string, value float64) {
		if field = field6(field); field != "" {
			send(field, value)
		}
	})
	if !errors.Is(err, fs.ErrNotExist) {
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// field6 separates the protocol from the name in a field of snmp6: "Udp6InDatagrams" is
// Udp6_InDatagrams. It is "" for a field without a 6.
func field6(field string) string {
	for i := range field {
		if field[i] == '6' {
			return field[:i+1] + "_" + field[i+1:]
		}
	}
	return ""
}

// readSockets reads the numbers of sockets. A machine without IPv4 or IPv6 has no file of
// it.
func (m *machine) readSockets(s *scrape) error {
	four, err := m.fs.NetSockstat()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	six, err := m.fs.NetSockstat6()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if four != nil && four.Used != nil {
		s.gauge("node_sockstat_sockets_used", "Sockets in use, of all kinds.", float64(*four.Used))
	}
	for _, stat := range []*procfs.NetSockstat{four, six} {
		if stat == nil {
			continue
		}
		for _, p := range stat.Protocols {
			m.sendSockets(s, p)
		}
	}
	return nil
}

func (m *machine) sendSockets(s *scrape, p procfs.NetSockstatProtocol) {
	send := func(state, help string, n *int) {
		if n != nil {
			s.gauge("node_sockstat_"+p.Protocol+"_"+state, help+" of "+p.Protocol+".", float64(*n))
		}
	}
	send("inuse", "Sockets in use", &p.InUse)
	send("orphan", "Sockets that no process has open any more", p.Orphan)
	send("tw", "Sockets in the state TIME_WAIT", p.TW)
	send("alloc", "Sockets that are allocated", p.Alloc)
	send("mem", "Pages of memory for sockets", p.Mem)
	send("memory", "Bytes of memory for fragments", p.Memory)
	if p.Mem != nil {
		bytes := *p.Mem * m.pageSize
		send("mem_bytes", "Bytes of memory for sockets", &bytes)
	}
}

// readSoftnet reads how the CPUs coped with packets that came in, loopback included. The
// kernel's counters have 32 bits and begin again at 0 after 2^32.
func (m *machine) readSoftnet(s *scrape) error {
	stats, err := m.fs.NetSoftnetStat()
	if err != nil {
		return err
	}
	for _, c := range stats {
		cpu := label{"cpu", strconv.FormatUint(uint64(c.Index), 10)}
		s.counter("node_softnet_processed_total", "Packets that were processed.", float64(c.Processed), cpu)
		s.counter("node_softnet_dropped_total", "Packets that were dropped as the queue was full.", float64(c.Dropped),
			cpu)
		s.counter("node_softnet_times_squeezed_total", "Times that packets were left after the quota was used up.",
			float64(c.TimeSqueezed), cpu)
		s.counter("node_softnet_cpu_collision_total", "Collisions at the lock of a device to transmit.",
			float64(c.CPUCollision), cpu)
		s.counter("node_softnet_received_rps_total", "Times that another CPU handed packets to this one.",
			float64(c.ReceivedRps), cpu)
		s.counter("node_softnet_flow_limit_count_total", "Times that the limit of one flow was reached.",
			float64(c.FlowLimitCount), cpu)
		s.gauge("node_softnet_backlog_len", "Packets in the queue.", float64(c.SoftnetBacklogLen), cpu)
	}
	return nil
}
