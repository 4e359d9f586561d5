// Items whose characters have the same skeleton.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "batch/line.h"
#include "batch/worker.h"
#include "io/skeleton_key.h"

namespace skincells::batch {

// Who may start from whose field. Without share_skeletons, nobody from anybody's.
class Company {
public:
  Company(const Work& work, std::vector<BatchItem> items);

  // The items in rounds, each of which may need results of those before it. Of the items with one skeleton, in the
  // order of their names, the rounds have 1, 1, 2, 4, 8, ... items.
  std::vector<std::vector<BatchItem>>& rounds() { return rounds_; }

  // Once the rounds before it have been run: each item starts from the field of the one that is most like it, of those
  // that have a field and a good skin.
  void chooseStarts(const LinesByItem& lines, std::vector<BatchItem>& round) const;

private:
  struct Place {
    std::string key;
    std::size_t rank; // among the items with this key
  };
  struct Member {
    std::string name;
    std::vector<float> girths;
  };

  struct Nearest {
    std::string field; // empty: none
    double distance;   // in size, mean over the joints
  };

  Nearest nearest(const Place& place, const LinesByItem& lines) const;

  std::string items_folder_;
  std::vector<std::vector<BatchItem>> rounds_;
  std::map<std::string, Place> place_of_;                  // by name
  std::map<std::string, std::vector<Member>> by_skeleton_; // by key
};

} // namespace skincells::batch
