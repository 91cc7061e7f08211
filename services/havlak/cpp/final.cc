// The layout of the stage slices (../slices.go) in C++: vectors in place of maps and
// lists, all data kept for the next call. This is how the published final program in C++
// is written; it is not the layout of the stage final in Go.
#include "common.h"

#include <algorithm>
#include <climits>

struct Block {
  int name;
  std::vector<Block *> in, out;
};

struct Loop {
  Block *header;
  Loop *parent;  // null for the outermost
  std::vector<Block *> blocks;
  std::vector<Loop *> children;
  bool irreducible;
};

// Node is a block in the order of the search, and a node of the forest of sets.
struct Node {
  Node *parent;
  Block *block;
  Loop *loop;  // whose header the block is
  int number;
  int in;  // the header for which the node was last put into a body

  // Set returns the representative and hangs all on the way right below it.
  Node *Set() {
    Node *top = this;
    while (top->parent != top) top = top->parent;
    for (Node *n = this; n != top;) {
      Node *up = n->parent;
      n->parent = top;
      n = up;
    }
    return top;
  }
};

class Finder {
 public:
  explicit Finder(const Graph &g)
      : blocks_(g.nodes), number_(g.nodes), nodes_(g.nodes), last_(g.nodes), back_(g.nodes), other_(g.nodes) {
    for (int v = 0; v < g.nodes; v++) {
      blocks_[v] = new Block;
      blocks_[v]->name = v;
    }
    for (const auto &e : g.edges) {
      Block *from = blocks_[e.first], *to = blocks_[e.second];
      from->out.push_back(to);
      to->in.push_back(from);
    }
  }

  ~Finder() {
    for (Block *b : blocks_) delete b;
    for (Loop *l : loops_) delete l;
  }

  void Find() {
    used_ = 0;
    std::fill(number_.begin(), number_.end(), kUnreached);
    int size = Visit(blocks_[0], 0) + 1;
    for (int w = 0; w < size; w++) {
      back_[w].clear();
      other_[w].clear();
      for (Block *from : nodes_[w].block->in) {
        int v = number_[from->name];
        if (v == kUnreached) continue;
        if (IsAncestor(w, v)) back_[w].push_back(v);
        else AppendOnce(&other_[w], v);
      }
    }
    for (int w = size - 1; w >= 0; w--) LoopAt(w);
  }

  Forest Result() const {
    Forest f(blocks_.size());
    for (size_t i = 0; i < used_; i++) {
      Loop *l = loops_[i];
      for (Block *b : l->blocks) f.inner[b->name] = l->header->name;
      f.parent[l->header->name] = l->parent == nullptr ? kNone : l->parent->header->name;
      f.irreducible[l->header->name] = l->irreducible;
    }
    return f;
  }

 private:
  static const int kUnreached = INT_MAX;

  static void AppendOnce(std::vector<int> *set, int v) {
    if (std::find(set->begin(), set->end(), v) == set->end()) set->push_back(v);
  }

  int Visit(Block *b, int at) {
    Node *n = &nodes_[at];
    *n = Node{n, b, nullptr, at, kNone};
    number_[b->name] = at;
    int reached = at;
    for (Block *to : b->out) {
      if (number_[to->name] == kUnreached) reached = Visit(to, reached + 1);
    }
    return last_[at] = reached;
  }

  bool IsAncestor(int w, int v) const { return w <= v && v <= last_[w]; }

  // Take puts the set that n is in into the body of w's loop, once.
  void Take(Node *n, int w) {
    n = n->Set();
    if (n->number != w && n->in != w) {
      n->in = w;
      body_.push_back(n);
    }
  }

  void LoopAt(int w) {
    bool self = false;
    body_.clear();
    for (int v : back_[w]) {
      if (v == w) self = true;
      else Take(&nodes_[v], w);
    }
    bool irreducible = false;
    for (size_t i = 0; i < body_.size(); i++) {
      for (int y : other_[body_[i]->number]) {
        Node *from = nodes_[y].Set();
        if (IsAncestor(w, from->number)) {
          Take(from, w);
          continue;
        }
        irreducible = true;
        AppendOnce(&other_[w], from->number);
      }
    }
    if (body_.empty() && !self) return;
    Loop *loop = NewLoop();
    Node *header = &nodes_[w];
    header->loop = loop;
    loop->header = header->block;
    loop->irreducible = irreducible;
    loop->blocks.push_back(header->block);
    for (Node *n : body_) {
      n->parent = header;
      if (n->loop != nullptr) {
        n->loop->parent = loop;
        loop->children.push_back(n->loop);
      } else {
        loop->blocks.push_back(n->block);
      }
    }
  }

  // NewLoop returns an empty loop: one of an earlier call, if there is one.
  Loop *NewLoop() {
    if (used_ == loops_.size()) loops_.push_back(new Loop);
    Loop *loop = loops_[used_++];
    loop->parent = nullptr;
    loop->blocks.clear();
    loop->children.clear();
    return loop;
  }

  std::vector<Block *> blocks_;
  std::vector<int> number_;  // by name of a block; kUnreached before
  std::vector<Node> nodes_;  // by number
  std::vector<int> last_;    // the greatest number among a node's descendants
  std::vector<std::vector<int>> back_, other_;  // predecessors by number
  std::vector<Node *> body_;
  std::vector<Loop *> loops_;  // the first used_ are those of the last Find
  size_t used_ = 0;
};

int main(int argc, char **argv) { return Main<Finder>(argc, argv); }
