// The sections of docs/studies.md: each is a claim, a measurement, and a criterion for the verdict.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skincells/result.h"

namespace skincells::studies {

enum class Holds { Yes, Partly, No };
const char* holdsName(Holds holds); // "holds", "holds partly", "does not hold here"

struct Finding {
  Holds holds = Holds::No;
  std::string sentence; // the verdict in one sentence, with its numbers
  std::string notes;    // what was measured, as prose in one paragraph
  std::string body;     // Markdown: tables and pictures
};

struct Context {
  std::string examples; // the folder that skincells-examples wrote
  std::string shared;   // the shared folder, with characters and their poses; empty: not there
  std::string pictures; // where pictures go; empty: none are made
  bool quick = false;   // fewer characters, fields and steps
};

struct Section {
  const char* name;
  const char* title;
  const char* claim;
  Result<Finding> (*measure)(const Context&);
  bool quick = true;   // has a quick form
  bool shared = false; // needs the shared characters
};
std::span<const Section> allSections();

// One function per section, in the file of its name.
Result<Finding> studyInfluences(const Context&);
Result<Finding> studyStability(const Context&);
Result<Finding> studySites(const Context&);
Result<Finding> studyStiffness(const Context&);
Result<Finding> studyMethods(const Context&);
Result<Finding> studyGarments(const Context&);
Result<Finding> studyLevels(const Context&);
Result<Finding> studyConvergence(const Context&);
Result<Finding> studyRobustness(const Context&);
Result<Finding> studyPrinted(const Context&);
Result<Finding> studySettled(const Context&);
Result<Finding> studyAblations(const Context&);
Result<Finding> studyPoints(const Context&);

} // namespace skincells::studies
