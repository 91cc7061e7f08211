// The layout of the stage first (../first.go) in C++: a map from block to number, sets of
// predecessors, lists, and all of it made anew for each call.
#include "common.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>

struct Block {
  int name;
  std::list<Block *> in, out;
};

struct Loop {
  Block *header = nullptr;
  Loop *parent = nullptr;  // null for the outermost
  std::set<Block *> blocks;
  std::set<Loop *> children;
  bool irreducible = false;
};

// Node is a block in the order of the search, and a node of the forest of sets.
struct Node {
  Node *parent = nullptr;
  Block *block = nullptr;
  Loop *loop = nullptr;  // whose header the block is
  int number = 0;

  // Set returns the representative and hangs all on the way right below it.
  Node *Set() {
    std::list<Node *> way;
    Node *node = this;
    while (node->parent != node) {
      way.push_back(node);
      node = node->parent;
    }
    for (Node *n : way) n->parent = node;
    return node;
  }
};

class Finder {
 public:
  explicit Finder(const Graph &g) {
    for (int v = 0; v < g.nodes; v++) {
      Block *b = new Block;
      b->name = v;
      blocks_[v] = b;
    }
    for (const auto &e : g.edges) {
      Block *from = blocks_[e.first], *to = blocks_[e.second];
      from->out.push_back(to);
      to->in.push_back(from);
    }
  }

  ~Finder() {
    for (auto &b : blocks_) delete b.second;
    for (Loop *l : loops_) delete l;
  }

  void Find() {
    for (Loop *l : loops_) delete l;
    loops_.clear();
    int size = blocks_.size();
    Search s;
    s.nodes.resize(size);
    s.last.resize(size);
    for (auto &b : blocks_) s.number[b.second] = -1;
    for (int i = 0; i < size; i++) {
      s.nodes[i].parent = &s.nodes[i];
      s.nodes[i].number = i;
    }
    s.Visit(blocks_[0], 0);

    std::vector<std::list<int>> back(size);
    std::vector<std::set<int>> other(size);
    for (int w = 0; w < size; w++) {
      if (s.nodes[w].block == nullptr) continue;
      for (Block *from : s.nodes[w].block->in) {
        int v = s.number[from];
        if (v == -1) continue;
        if (s.IsAncestor(w, v)) back[w].push_back(v);
        else other[w].insert(v);
      }
    }
    for (int w = size - 1; w >= 0; w--) {
      if (s.nodes[w].block != nullptr) LoopAt(&s, w, back[w], &other);
    }
  }

  Forest Result() const {
    Forest f(blocks_.size());
    for (Loop *l : loops_) {
      for (Block *b : l->blocks) f.inner[b->name] = l->header->name;
      f.parent[l->header->name] = l->parent == nullptr ? kNone : l->parent->header->name;
      f.irreducible[l->header->name] = l->irreducible;
    }
    return f;
  }

 private:
  struct Search {
    std::map<Block *, int> number;  // -1 before the block is reached
    std::vector<Node> nodes;        // by number
    std::vector<int> last;          // the greatest number among a node's descendants

    int Visit(Block *b, int at) {
      nodes[at].block = b;
      number[b] = at;
      int reached = at;
      for (Block *to : b->out) {
        if (number[to] == -1) reached = Visit(to, reached + 1);
      }
      return last[at] = reached;
    }

    bool IsAncestor(int w, int v) const { return w <= v && v <= last[w]; }
  };

  static bool Contains(const std::list<Node *> &l, Node *n) { return std::find(l.begin(), l.end(), n) != l.end(); }

  void LoopAt(Search *s, int w, const std::list<int> &back, std::vector<std::set<int>> *other) {
    std::list<Node *> body;
    bool self = false;
    for (int v : back) {
      if (v == w) {
        self = true;
        continue;
      }
      Node *n = s->nodes[v].Set();
      if (!Contains(body, n)) body.push_back(n);
    }
    bool irreducible = false;
    std::list<Node *> work(body);
    while (!work.empty()) {
      Node *x = work.front();
      work.pop_front();
      for (int y : (*other)[x->number]) {
        Node *from = s->nodes[y].Set();
        if (!s->IsAncestor(w, from->number)) {
          irreducible = true;
          (*other)[w].insert(from->number);
        } else if (from->number != w && !Contains(body, from)) {
          work.push_back(from);
          body.push_back(from);
        }
      }
    }
    if (body.empty() && !self) return;
    Node *header = &s->nodes[w];
    Loop *loop = new Loop;
    loop->header = header->block;
    loop->irreducible = irreducible;
    loop->blocks.insert(header->block);
    header->loop = loop;
    for (Node *n : body) {
      n->parent = header;
      if (n->loop != nullptr) {
        n->loop->parent = loop;
        loop->children.insert(n->loop);
      } else {
        loop->blocks.insert(n->block);
      }
    }
    loops_.push_back(loop);
  }

  std::map<int, Block *> blocks_;
  std::list<Loop *> loops_;  // of the last Find
};

int main(int argc, char **argv) { return Main<Finder>(argc, argv); }
