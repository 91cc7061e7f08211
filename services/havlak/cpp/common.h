// What the programs in C++ share with each other: flags, graphs and output, the same as
// those of the program in Go (cmd/havlak). Each program defines one class:
//
//   class Finder {
//    public:
//     explicit Finder(const Graph &g);
//     void Find();
//     Forest Result() const;
//   };
//
// and calls Main<Finder>.
#ifndef HAVLAK_COMMON_H
#define HAVLAK_COMMON_H

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

const int kNone = -1;

struct Graph {
  int nodes = 0;
  std::vector<std::pair<int, int>> edges;
};

// Forest is, for each node, the header of its innermost loop (its own for a header) or
// kNone; and for headers what the loop is like.
struct Forest {
  explicit Forest(int nodes) : inner(nodes, kNone), parent(nodes, 0), irreducible(nodes, 0) {}
  bool IsHeader(int v) const { return inner[v] == v; }
  std::vector<int> inner;
  std::vector<int> parent;  // the header of the loop right around, or kNone
  std::vector<int> irreducible;
};

inline void Fail(const std::string &what, int code) {
  fprintf(stderr, "havlak: %s\n", what.c_str());
  exit(code);
}

// Plan is a graph that grows at its last node; published.go has the same in Go.
class Plan {
 public:
  static Graph Published(int trees) {
    Plan p;
    p.Connect(0, 2);
    for (int i = 0; i < trees; i++) p.Tree();
    p.g_.nodes = p.last_ + 1;
    p.g_.edges.shrink_to_fit();
    return p.g_;
  }

 private:
  void Connect(int from, int to) { g_.edges.emplace_back(from, to); }

  int Step() {
    Connect(last_, last_ + 1);
    return ++last_;
  }

  int Diamond() {
    int top = last_;
    Connect(top, top + 1);
    Connect(top, top + 2);
    Connect(top + 1, top + 3);
    Connect(top + 2, top + 3);
    return last_ = top + 3;
  }

  void Figure() {
    int top = last_;
    int first = Step();
    int first_end = Diamond();
    int second = Step();
    int second_end = Diamond();
    int end = Step();
    Connect(second_end, second);
    Connect(first_end, first);
    Connect(end, top);
    Step();
  }

  void Tree() {
    Connect(2, ++last_);
    for (int i = 0; i < 100; i++) {
      int top = last_;
      Step();
      for (int j = 0; j < 25; j++) Figure();
      int end = last_;
      Step();
      Connect(end, top);
    }
    Connect(last_, 1);
  }

  int last_ = 2;
  Graph g_;
};

// ReadGraph reads "nodes N" and then pairs of numbers; it is for graphs that the program in
// Go has written.
inline Graph ReadGraph(const std::string &path) {
  FILE *in = path == "-" ? stdin : fopen(path.c_str(), "r");
  if (in == nullptr) Fail("open " + path + ": " + strerror(errno), 1);
  Graph g;
  if (fscanf(in, "nodes %d", &g.nodes) != 1 || g.nodes < 1) Fail("read graph: want \"nodes N\" first", 1);
  int from, to, got;
  while ((got = fscanf(in, "%d %d", &from, &to)) == 2) {
    if (from < 0 || from >= g.nodes || to < 0 || to >= g.nodes) Fail("read graph: edge to no node", 1);
    g.edges.emplace_back(from, to);
  }
  if (got != EOF) Fail("read graph: want two numbers for each edge", 1);
  if (in != stdin) fclose(in);
  return g;
}

// Digest is Forest.Digest of the program in Go.
inline uint64_t Digest(const Forest &f) {
  uint64_t h = 14695981039346656037u;  // FNV-1a of 64 bits
  auto add = [&h](int number) {
    for (int shift = 0; shift < 32; shift += 8) h = (h ^ (static_cast<uint32_t>(number) >> shift & 0xff)) * 1099511628211u;
  };
  for (size_t v = 0; v < f.inner.size(); v++) {
    bool header = f.IsHeader(v);
    add(f.inner[v]);
    add(header);
    add(header ? f.parent[v] : 0);
    add(header ? f.irreducible[v] : 0);
  }
  return h;
}

inline void Dump(const Forest &f) {
  std::vector<std::vector<int>> members(f.inner.size());
  for (size_t v = 0; v < f.inner.size(); v++) {
    if (f.inner[v] != kNone && !f.IsHeader(v)) members[f.inner[v]].push_back(v);
  }
  for (size_t v = 0; v < f.inner.size(); v++) {
    if (!f.IsHeader(v)) continue;
    std::string parent = f.parent[v] == kNone ? "-" : std::to_string(f.parent[v]);
    printf("loop %zu in %s %s: %zu", v, parent.c_str(), f.irreducible[v] ? "irreducible" : "reducible", v);
    for (int member : members[v]) printf(" %d", member);
    printf("\n");
  }
}

template <class Finder>
int Main(int argc, char **argv) {
  int repeat = 50, loops = 76000, warmups = 15000;
  std::string graph;
  bool dump = false;
  for (int i = 1; i < argc; i++) {
    std::string flag = argv[i];
    if (flag == "-dump") {
      dump = true;
      continue;
    }
    if (i + 1 == argc) Fail("flag " + flag + " is unknown or has no value", 2);
    const char *value = argv[++i];
    if (flag == "-graph") {
      graph = value;
      continue;
    }
    char *end;
    long number = strtol(value, &end, 10);
    if (*value == 0 || *end != 0 || number < 0 || number > 1 << 30) Fail("flag " + flag + " wants a number", 2);
    if (flag == "-repeat") repeat = number;
    else if (flag == "-loops") loops = number;
    else if (flag == "-warmups") warmups = number;
    else Fail("unknown flag " + flag, 2);
  }
  if (loops % 7600 != 0 || loops == 0) Fail("-loops wants a multiple of 7600", 2);

  Graph small;
  small.nodes = 3;
  small.edges.emplace_back(0, 2);
  Finder warm(small);
  for (int i = 0; i < warmups; i++) warm.Find();

  std::unique_ptr<Finder> finder;
  {
    Graph g = graph.empty() ? Plan::Published(loops / 7600) : ReadGraph(graph);
    finder.reset(new Finder(g));
  }
  finder->Find();
  for (int i = 0; i < repeat; i++) finder->Find();
  Forest f = finder->Result();
  if (dump) {
    Dump(f);
  } else {
    int found = 0;
    for (size_t v = 0; v < f.inner.size(); v++) found += f.IsHeader(v);
    printf("loops %d (with the artificial root)\ndigest %016llx\n", found + 1, static_cast<unsigned long long>(Digest(f)));
  }
  if (fflush(stdout) != 0) Fail("write output", 1);
  return 0;
}

#endif
