// Directed graphs, which never change: dictionaries from each source node to the set of its targets.
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
graph_t<`a> empty(int (@`H cmp)(`a, `a));
// With s as a source node; with an edge, with edges to all nodes of a set. Targets do not become sources.
graph_t<`a> add_node(graph_t<`a> g, `a s);
graph_t<`a> add_edge(graph_t<`a> g, `a s, `a t);
graph_t<`a> add_edges(graph_t<`a> g, `a s, Set::set_t<`a, `H> T);
// Without an edge, without edges to a set; s becomes a source node.
graph_t<`a> remove_edge(graph_t<`a> g, `a s, `a t);
graph_t<`a> remove_edges(graph_t<`a> g, `a s, Set::set_t<`a, `H> T);
int is_edge(graph_t<`a> g, `a s, `a t);
// The targets of a node; none if it is no source.
Set::set_t<`a> get_targets(graph_t<`a> g, `a s);
// The transitive closure: an edge wherever there is a path. Targets become nodes.
graph_t<`a> tc(graph_t<`a> g);
// A least set of edges with the same closure: no edge can be spared.
graph_t<`a> tkernel(graph_t<`a> g);
// The source nodes so that edges lead forwards, cycles aside; each with its strongly connected component. All targets must be
// sources: Dict::Absent.
List::list_t<`a> tsort(graph_t<`a> g);
graph_t<`a> scc(graph_t<`a> g);
// The graph as Graphviz text.
void print(FILE @`r f, graph_t<`a> g, void (@nodeprint)(FILE @`r, `a));

}
#endif
