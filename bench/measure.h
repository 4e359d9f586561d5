// Times of repeated work.
#pragma once

#include <string>
#include <vector>

namespace skincells::bench {

struct Seconds {
  double wall = 0, cpu = 0; // cpu: of all threads of the process
};
Seconds now();
inline Seconds operator-(const Seconds& a, const Seconds& b) {
  return {a.wall - b.wall, a.cpu - b.cpu};
}

// Several measurements of one thing. On a busy machine the minimum is what the work costs.
struct Samples {
  std::vector<double> values;

  void add(double v) { values.push_back(v); }
  double least() const;
  double median() const;
};

// One run of another program.
struct ProgramRun {
  bool ok = false;
  Seconds seconds;
  double peak_memory = 0; // bytes
};
ProgramRun runProgram(const std::vector<std::string>& arguments);

} // namespace skincells::bench
