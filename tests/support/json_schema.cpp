#include "support/json_schema.h"

#include <algorithm>
#include <set>

namespace skincells::test {
namespace {

using Json = nlohmann::json;

class Checker {
public:
  explicit Checker(const Json& root) : root_(root) {}

  void check(const Json& schema, const Json& value, const std::string& where, std::vector<std::string>& out) const {
    for (const auto& rule : schema.items()) checkRule(rule.key(), rule.value(), schema, value, where, out);
  }

private:
  static bool hasType(const std::string& type, const Json& v) {
    if (type == "integer") return v.is_number_integer();
    if (type == "number") return v.is_number();
    return type == v.type_name() || (type == "null" && v.is_null());
  }

  void checkRule(const std::string& key, const Json& rule, const Json& schema, const Json& value,
                 const std::string& where, std::vector<std::string>& out) const {
    static const std::set<std::string> kSilent{"$schema", "$defs", "title", "description", "additionalProperties"};
    if (kSilent.contains(key)) return;
    if (key == "type") {
      if (!hasType(rule, value)) out.push_back(where + " is a " + value.type_name() + ", not a " + rule.dump());
    } else if (key == "const") {
      if (value != rule) out.push_back(where + " is not " + rule.dump());
    } else if (key == "enum") {
      if (std::find(rule.begin(), rule.end(), value) == rule.end()) out.push_back(where + " is none of " + rule.dump());
    } else if (key == "required") {
      for (const auto& name : rule)
        if (!value.contains(name.get<std::string>())) out.push_back(where + " lacks " + name.dump());
    } else if (key == "properties") {
      checkProperties(rule, schema.value("additionalProperties", true), value, where, out);
    } else if (key == "items") {
      if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i) check(rule, value[i], where + "/" + std::to_string(i), out);
    } else if (key == "oneOf") {
      checkOneOf(rule, value, where, out);
    } else if (key == "$ref") {
      check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, where, out);
    } else {
      out.push_back("the schema uses '" + key + "', which this checker does not know");
    }
  }

  void checkProperties(const Json& rule, bool others_allowed, const Json& value, const std::string& where,
                       std::vector<std::string>& out) const {
    if (!value.is_object()) return;
    for (const auto& member : value.items()) {
      if (rule.contains(member.key()))
        check(rule.at(member.key()), member.value(), where + "/" + member.key(), out);
      else if (!others_allowed)
        out.push_back(where + " has '" + member.key() + "', which the schema does not list");
    }
  }

  void checkOneOf(const Json& rule, const Json& value, const std::string& where, std::vector<std::string>& out) const {
    int matches = 0;
    std::vector<std::string> nearest;
    for (const auto& option : rule) {
      std::vector<std::string> errors;
      check(option, value, where, errors);
      matches += errors.empty();
      if (nearest.empty() || errors.size() < nearest.size()) nearest = errors;
    }
    if (matches == 1) return;
    out.push_back(where + " fits " + std::to_string(matches) + " alternatives instead of one");
    out.insert(out.end(), nearest.begin(), nearest.end());
  }

  const Json& root_;
};

} // namespace

std::vector<std::string> schemaErrors(const Json& schema, const Json& document) {
  std::vector<std::string> out;
  Checker(schema).check(schema, document, "", out);
  return out;
}

} // namespace skincells::test
