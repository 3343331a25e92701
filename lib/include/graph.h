// Directed graphs, which never change: dictionaries from each source node to the set of its targets.
//
//     using Graph;
//     static graph_t<int> chain() {
//       let g = empty(Core::intcmp);
//       for (int i = 1; i <= 3; i++) g = add_node(g, i);
//       return add_edge(add_edge(g, 1, 2), 2, 3);
//     }
#ifndef _CYC_GRAPH_H
#define _CYC_GRAPH_H

#include <core.h>
#include <dict.h>
#include <list.h>
#include <set.h>
#include <stdio.h>

namespace Graph {

typedef Dict::dict_t<`a, Set::set_t<`a, `H>, `H> graph_t<`a>;

// No nodes.
//
//     assert(!is_edge(empty(Core::intcmp), 1, 2));
graph_t<`a> empty(int (@`H cmp)(`a, `a));
// With s as a source node; with an edge, with edges to all nodes of a set. Targets do not become sources.
//
//     let g = add_edge(add_node(empty(Core::intcmp), 1), 1, 2);
//     assert(is_edge(g, 1, 2) && is_edge(add_edges(g, 2, Set::singleton(Core::intcmp, 1)), 2, 1));
graph_t<`a> add_node(graph_t<`a> g, `a s);
graph_t<`a> add_edge(graph_t<`a> g, `a s, `a t);
graph_t<`a> add_edges(graph_t<`a> g, `a s, Set::set_t<`a, `H> T);
// Without an edge, without edges to a set; s becomes a source node.
//
//     assert(!is_edge(remove_edge(chain(), 1, 2), 1, 2) && !is_edge(remove_edges(chain(), 2, Set::singleton(Core::intcmp, 3)), 2, 3));
//     assert(is_edge(chain(), 1, 2) && !is_edge(chain(), 1, 3));
graph_t<`a> remove_edge(graph_t<`a> g, `a s, `a t);
graph_t<`a> remove_edges(graph_t<`a> g, `a s, Set::set_t<`a, `H> T);
int is_edge(graph_t<`a> g, `a s, `a t);
// The targets of a node; none if it is no source.
//
//     assert(Set::member(get_targets(chain(), 1), 2) && Set::is_empty(get_targets(chain(), 9)));
Set::set_t<`a> get_targets(graph_t<`a> g, `a s);
// The transitive closure: an edge wherever there is a path. Targets become nodes.
//
//     assert(is_edge(tc(chain()), 1, 3));
graph_t<`a> tc(graph_t<`a> g);
// A least set of edges with the same closure: no edge can be spared.
//
//     assert(!is_edge(tkernel(tc(chain())), 1, 3));
graph_t<`a> tkernel(graph_t<`a> g);
// The source nodes so that edges lead forwards, cycles aside; each with its strongly connected component. All targets must be
// sources: Dict::Absent.
//
//     assert(List::list_cmp(Core::intcmp, tsort(chain()), List::list(1, 2, 3)) == 0);
//     let g = scc(add_edge(chain(), 2, 1));
//     assert(is_edge(g, 1, 2) && is_edge(g, 2, 2) && !is_edge(g, 2, 3));
List::list_t<`a> tsort(graph_t<`a> g);
graph_t<`a> scc(graph_t<`a> g);
// The graph as Graphviz text.
//
//     void show(FILE @`r f, int n) { fprintf(f, "%d", n); }
//     print(stdout, chain(), show);
void print(FILE @`r f, graph_t<`a> g, void (@nodeprint)(FILE @`r, `a));

}
#endif
