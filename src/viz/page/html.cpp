#include "viz/page/html.h"

namespace skincells::page {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      const bool forbidden = (byte < 32 && c != '\n' && c != '\t') || byte == 127;
      if (forbidden)
        out += "\xEF\xBF\xBD";
      else
        out += c;
    }
    }
  }
  return out;
}

} // namespace skincells::page
