package side

import (
	"testing"
	"time"
)

// What the tools print, cut down to what is read; numbers are made up so that each is
// told from the others.
func TestReadReports(t *testing.T) {
	ms := func(x float64) time.Duration { return time.Duration(x * float64(time.Millisecond)) }
	for _, c := range []struct {
		tool *Tool
		text string
		want Report
	}{
		{hone, `{"schema":1,"valid":true,
			"account":{"scheduled":120,"sent":110,"unsent":10,"answered":100,"failed":7,"unanswered":3},
			"latency":{"count":100,"p50_ns":1500000,"p99_ns":20000000,"max_ns":30000000}}`,
			Report{100, 7, 13, ms(1.5), ms(20), ms(30)}},
		{wrk, "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n" +
			"    Latency   603.37us    1.07ms  11.77ms   91.17%\n" +
			"    Req/Sec    46.27k     6.73k   58.86k    70.00%\n" +
			"  Latency Distribution\n     50%  266.00us\n     75%  431.00us\n     90%    1.45ms\n     99%    1.20s \n" +
			"  45987 requests in 1.00s, 5.31MB read\n" +
			"  Socket errors: connect 1, read 2, write 3, timeout 4\n" +
			"  Non-2xx or 3xx responses: 987\nRequests/sec:  45940.19\n",
			Report{45000, 997, 0, ms(0.266), ms(1200), ms(11.77)}},
		{hey, "Summary:\n  Total:\t1.0064 secs\n  Slowest:\t0.0130 secs\n  Fastest:\t0.0000 secs\n\n" +
			"Response time histogram:\n  0.000 [1]\t|\n  0.001 [18345]\t|\n\n" +
			"Latency distribution:\n  50% in 0.0006 secs\n  99% in 0.0046 secs\n\n" +
			"Status code distribution:\n  [200]\t20376 responses\n  [503]\t4 responses\n\n" +
			"Error distribution:\n  [12]\tGet http://127.0.0.1:1/: EOF\n",
			Report{20376, 16, 0, ms(0.6), ms(4.6), ms(13)}},
		{bombardier, `{"spec":{},"result":{"req1xx":0,"req2xx":27079,"req3xx":1,"req4xx":2,"req5xx":3,"others":4,
			"latency":{"mean":589.8,"max":9732,"percentiles":{"50":408,"99":4530}}}}`,
			Report{27079, 10, 0, ms(0.408), ms(4.53), ms(9.732)}},
		{fortio, `{"RetCodes":{"200":23000,"-1":5,"503":6},"DurationHistogram":{"Count":23011,"Max":0.0105,
			"Percentiles":[{"Percentile":50,"Value":0.0005},{"Percentile":99,"Value":0.0045}]}}`,
			Report{23000, 11, 0, ms(0.5), ms(4.5), ms(10.5)}},
		{oha, `{"summary":{"slowest":0.073},"latencyPercentiles":{"p10":0.00005,"p50":0.00025,"p99":0.0015,"p99.9":0.005},
			"statusCodeDistribution":{"200":15472,"404":3},"errorDistribution":{"aborted due to deadline":4,"connection error":2}}`,
			Report{15472, 5, 4, ms(0.25), ms(1.5), ms(73)}},
		{h2load, "finished in 1.00s, 40000.00 req/s, 1.30MB/s\n" +
			"requests: 40010 total, 40010 started, 40010 done, 40000 succeeded, 5 failed, 5 errored, 0 timeout\n" +
			"status codes: 40000 2xx, 1 3xx, 2 4xx, 3 5xx\n" +
			"                     min         max         mean         sd        +/- sd\n" +
			"time for request:       81us     11.17ms       244us       250us    93.54%\n",
			Report{40000, 11, 0, 0, 0, ms(11.17)}},
		{k6, `{"http_reqs":{"values":{"count":1000,"rate":10}},"http_req_failed":{"values":{"rate":0.01,"passes":10,"fails":990}},
			"dropped_iterations":{"values":{"count":7}},
			"http_req_duration":{"values":{"p(50)":0.5,"p(99)":4.5,"max":9}}}`,
			Report{990, 10, 7, ms(0.5), ms(4.5), ms(9)}},
	} {
		t.Run(c.tool.Name, func(t *testing.T) {
			got, err := c.tool.Read("", Job{}, []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("read %+v, want %+v", got, c.want)
			}
			if _, err := c.tool.Read("", Job{}, []byte("panic: out of cheese")); err == nil {
				t.Error("read a report out of nonsense")
			}
		})
	}
}

// Every tool that says it holds a rate is told it, and only then.
func TestArgsNameTheRate(t *testing.T) {
	job := Job{URL: "http://127.0.0.1:1/", Connections: 10, Duration: time.Second}
	for _, tool := range All {
		closed := tool.Args(job)
		open := job
		open.RateHz = 770
		rated := tool.Args(open)
		same := closed.Stdin == rated.Stdin && len(closed.Args) == len(rated.Args)
		for i := range min(len(closed.Args), len(rated.Args)) {
			same = same && closed.Args[i] == rated.Args[i]
		}
		if same == tool.Open {
			t.Errorf("%s: Open is %v, and a rate changes its command line: %v", tool.Name, tool.Open, !same)
		}
	}
}
