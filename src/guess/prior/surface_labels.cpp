#include "guess/prior/surface_labels.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <unordered_map>

#include "mesh/point_tree.h"

namespace skincells::guess {
namespace {

constexpr double kLinkReach = 6;        // cm: islands closer than this are linked
constexpr double kLinkDetour = 2;       // times the straight distance
constexpr double kLinkPrice = 2;        // cm added to each link
constexpr std::size_t kMostInCell = 64; // vertices of a cell that are tried

struct Link {
  std::uint32_t to = 0;
  double length = 0;
};
using Graph = std::vector<std::vector<Link>>;

double distanceOf(std::span<const Vec3f> positions, std::uint32_t a, std::uint32_t b) {
  return length(toDouble(positions[a]) - toDouble(positions[b]));
}

void connect(Graph& graph, std::uint32_t a, std::uint32_t b, double length) {
  graph[a].push_back({b, length});
  graph[b].push_back({a, length});
}

using Cell = std::array<int, 3>;
struct CellHash {
  std::size_t operator()(const Cell& c) const {
    return static_cast<std::size_t>(c[0]) * 73856093U ^ static_cast<std::size_t>(c[1]) * 19349663U ^
           static_cast<std::size_t>(c[2]) * 83492791U;
  }
};

Cell cellOf(const Vec3f& p) {
  const auto part = [](float x) { return static_cast<int>(std::floor(static_cast<double>(x) / kLinkReach)); };
  return {part(p.x), part(p.y), part(p.z)};
}

double linkPrice(double distance) {
  return kLinkDetour * distance + kLinkPrice;
}

// Links islands far from all others to the nearest vertex of the largest one.
void linkToLargest(std::span<const Vec3f> positions, const Islands& islands, const std::vector<char>& linked,
                   Graph& graph) {
  const auto& island = islands.island_of_vertex;
  std::vector<std::uint32_t> sizes(islands.count);
  for (std::uint32_t i : island) ++sizes[i];
  const auto largest = static_cast<std::uint32_t>(std::ranges::max_element(sizes) - sizes.begin());
  std::vector<std::uint32_t> members;
  for (std::uint32_t v = 0; v < positions.size(); ++v)
    if (island[v] == largest) members.push_back(v);
  const mesh::PointTree tree(positions, std::move(members));
  std::vector<Link> nearest(islands.count, {0, INFINITY}); // of each lonely island: into the largest
  std::vector<std::uint32_t> from(islands.count);
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    if (linked[island[v]] || island[v] == largest) continue;
    const std::uint32_t u = tree.nearest(toDouble(positions[v]));
    const double d = distanceOf(positions, u, v);
    if (d >= nearest[island[v]].length) continue;
    nearest[island[v]] = {u, d};
    from[island[v]] = v;
  }
  for (std::uint32_t i = 0; i < islands.count; ++i)
    if (nearest[i].length < INFINITY) connect(graph, from[i], nearest[i].to, linkPrice(nearest[i].length));
}

// The vertices of a cell, and the cells around it that may have vertices of other islands.
struct CellMembers {
  std::vector<std::uint32_t> vertices;
  std::uint32_t island = 0; // of all its vertices, unless it is mixed
  bool mixed = false, knows_others = false;
  std::vector<const CellMembers*> others;
};

class Cells {
public:
  Cells(std::span<const Vec3f> positions, std::span<const std::uint32_t> island) {
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
      CellMembers& cell = cells_[cellOf(positions[v])];
      if (cell.vertices.empty()) cell.island = island[v];
      cell.mixed = cell.mixed || cell.island != island[v];
      if (cell.vertices.size() < kMostInCell) cell.vertices.push_back(v);
    }
  }

  const std::vector<const CellMembers*>& around(const Vec3f& position) {
    const Cell home = cellOf(position);
    CellMembers& own = cells_.at(home);
    if (own.knows_others) return own.others;
    own.knows_others = true;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const auto found = cells_.find({home[0] + x, home[1] + y, home[2] + z});
          if (found == cells_.end()) continue;
          const CellMembers& cell = found->second;
          if (own.mixed || cell.mixed || cell.island != own.island) own.others.push_back(&cell);
        }
    return own.others;
  }

private:
  std::unordered_map<Cell, CellMembers, CellHash> cells_;
};

// Links each vertex to the nearest one of another island, if that is close.
void linkIslands(std::span<const Vec3f> positions, const Islands& islands, Graph& graph) {
  if (islands.count < 2) return;
  const auto& island = islands.island_of_vertex;
  Cells cells(positions, island);
  std::vector<char> linked(islands.count);
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    std::uint32_t nearest = v;
    double best = kLinkReach;
    for (const CellMembers* cell : cells.around(positions[v]))
      for (std::uint32_t u : cell->vertices) {
        if (island[u] == island[v]) continue;
        const double d = distanceOf(positions, u, v);
        if (d >= best) continue;
        best = d;
        nearest = u;
      }
    if (nearest == v) continue;
    connect(graph, v, nearest, linkPrice(best));
    linked[island[v]] = linked[island[nearest]] = 1;
  }
  linkToLargest(positions, islands, linked, graph);
}

} // namespace

std::vector<std::uint32_t> mainPatchVertices(std::span<const mesh::EdgeWeight> edges, std::span<const int> owner,
                                             std::span<const double> mass) {
  Mesh cut; // without the edges between owners: its islands are the patches
  cut.positions.resize(owner.size());
  for (const mesh::EdgeWeight& e : edges)
    if (owner[e.a] == owner[e.b]) cut.triangles.push_back({e.a, e.b, e.b});
  const Islands patches = findIslands(cut);
  std::vector<double> total(patches.count);
  for (std::size_t v = 0; v < owner.size(); ++v) total[patches.island_of_vertex[v]] += mass[v];
  std::map<int, std::uint32_t> main;
  for (std::size_t v = 0; v < owner.size(); ++v) {
    const std::uint32_t p = patches.island_of_vertex[v];
    const auto [entry, is_new] = main.emplace(owner[v], p);
    if (!is_new && total[p] > total[entry->second]) entry->second = p;
  }
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t v = 0; v < owner.size(); ++v)
    if (owner[v] >= 0 && main[owner[v]] == patches.island_of_vertex[v]) vertices.push_back(v);
  return vertices;
}

std::vector<SurfaceLabel> spreadLabels(std::span<const Vec3f> positions, std::span<const mesh::EdgeWeight> edges,
                                       const Islands& islands, std::span<const std::uint32_t> seeds,
                                       std::span<const int> owner) {
  Graph graph(positions.size());
  for (const mesh::EdgeWeight& e : edges) connect(graph, e.a, e.b, distanceOf(positions, e.a, e.b));
  linkIslands(positions, islands, graph);

  struct Visit {
    double distance;
    std::uint32_t vertex;
    int joint;
    bool operator>(const Visit& o) const {
      return distance != o.distance ? distance > o.distance
                                    : (vertex != o.vertex ? vertex > o.vertex : joint > o.joint);
    }
  };
  std::priority_queue<Visit, std::vector<Visit>, std::greater<>> queue;
  std::vector<std::vector<SurfaceLabel>> offered(
      positions.size()); // by vertex: the shortest path to it so far, by joint
  const auto offer = [&](double distance, std::uint32_t vertex, int joint) {
    const auto known = std::ranges::find(offered[vertex], joint, &SurfaceLabel::joint);
    if (known == offered[vertex].end())
      offered[vertex].push_back({joint, distance});
    else if (distance < known->distance)
      known->distance = distance;
    else
      return;
    queue.push({distance, vertex, joint});
  };
  for (std::uint32_t v : seeds) offer(0, v, owner[v]);
  std::vector<SurfaceLabel> labels(positions.size() * kLabels);
  while (!queue.empty()) {
    const Visit visit = queue.top();
    queue.pop();
    const auto row = std::span(labels).subspan(std::size_t{visit.vertex} * kLabels, kLabels);
    const auto place =
        std::ranges::find_if(row, [&](const SurfaceLabel& l) { return l.joint < 0 || l.joint == visit.joint; });
    if (place == row.end() || place->joint == visit.joint) continue;
    *place = {visit.joint, visit.distance};
    for (const Link& link : graph[visit.vertex])
      if (labels[std::size_t{link.to} * kLabels + kLabels - 1].joint < 0) // there is room for another
        offer(visit.distance + link.length, link.to, visit.joint);
  }
  return labels;
}

} // namespace skincells::guess
