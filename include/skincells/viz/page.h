// A report for people as one self-contained HTML file, to attach to a ticket: no scripts, nothing fetched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skincells {

// How a value is to be taken; shown by a mark and a color.
enum class Tone { Neutral, Good, Warning, Bad };

struct PageFact {
  std::string key, value;
  Tone tone = Tone::Neutral;
};

struct PageCell {
  std::string text;
  Tone tone = Tone::Neutral;
};

struct PageColumn {
  std::string heading;
  bool numeric = false; // aligned to the right
};

struct PageTable {
  std::string caption; // may be empty
  std::vector<PageColumn> columns;
  std::vector<std::vector<PageCell>> rows; // each as long as `columns`
  bool folded = false;                     // closed until the reader opens it
};

struct PageImage {
  std::vector<std::uint8_t> png; // the file's bytes
  std::string caption;           // also what a screen reader says
};

// Pictures that belong together, in as many columns as there is room for.
struct PageGallery {
  std::string caption;
  std::vector<PageImage> images;
  std::vector<std::uint8_t> legend; // a PNG file that explains colors; empty: none
};

// Shown in this order: paragraphs, facts, galleries, images, tables.
struct PageSection {
  std::string heading;
  std::vector<std::string> paragraphs;
  std::vector<PageFact> facts;
  std::vector<PageGallery> galleries;
  std::vector<PageImage> images;
  std::vector<PageTable> tables;
  bool folded = false; // closed until the reader opens it
};

struct PageInput {
  std::string title;
  std::string summary; // one line below the title
  Tone verdict = Tone::Neutral;
  std::string verdict_text;    // "passed", ...; empty: no verdict shown
  std::vector<PageFact> facts; // shown as tiles
  std::vector<PageSection> sections;
  std::string footer; // program and version
};

// All text is plain text; whatever HTML would read as markup is escaped.
std::string reportPage(const PageInput& input);

} // namespace skincells
