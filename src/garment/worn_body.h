// A body as its garment sees it: one welded surface that faces outward, with the places of the garment beside it.
#pragma once

#include <vector>

#include "mesh/moving_surface.h"
#include "skincells/garment.h"

namespace skincells::garment {

class WornBody {
public:
  // garment: welded. Both in bind space. Parts of the body that face inward are turned around: closed parts by their
  // volume, open ones if most of the garment beside them would be behind them.
  WornBody(const Body& body, const Mesh& garment);
  WornBody(const WornBody&) = delete; // surfaces refer to their tree

  const Mesh& mesh() const { return mesh_; }
  const SparseWeights& weights() const { return weights_; }
  const mesh::MovingSurface& surface() const { return surface_; }
  double size() const { return size_; } // largest side
  int turnedParts() const { return turned_; }
  bool isOpen() const { return open_; }

private:
  SparseWeights weights_; // these three before the mesh: they are found while it is made
  int turned_ = 0;
  bool open_ = false;
  Mesh mesh_;
  double size_ = 0;
  mesh::SurfaceTree tree_;
  mesh::MovingSurface surface_;
};

} // namespace skincells::garment
