// A report page as one self-contained HTML file, e.g. to attach to a ticket: no scripts, no network requests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skincells {

// Rating of a value, shown by a mark and a color.
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
  std::vector<std::uint8_t> png; // the bytes of a PNG file
  std::string caption;           // also the text for screen readers
};

// A drawing as SVG markup, which is not escaped: never from a file.
struct PageDrawing {
  std::string svg;
  std::string caption;
};

// Related pictures, in as many columns as fit.
struct PageGallery {
  std::string caption;
  std::vector<PageImage> images;
  std::vector<std::uint8_t> legend; // a PNG file that explains colors; empty: none
};

// Shown in this order: paragraphs, facts, galleries, images, drawings, tables.
struct PageSection {
  std::string heading;
  std::vector<std::string> paragraphs;
  std::vector<PageFact> facts;
  std::vector<PageGallery> galleries;
  std::vector<PageImage> images;
  std::vector<PageDrawing> drawings;
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

// All text is plain text; markup in it is escaped.
std::string reportPage(const PageInput& input);

} // namespace skincells
