// Sets of options by name, over the tables of the library; and the jobs that take such a set.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capi/context.h"
#include "skincells/options.h"
#include "skincells/progress.h"

namespace skincells::capi {

// Safe to use from several threads.
class OptionSet : public Object {
public:
  const char* kind() const override { return "options"; }
  const std::string& name() const { return name_; }
  std::size_t count() const { return entries_.size(); }
  const OptionInfo& info(std::size_t index) const;
  void set(const std::string& option, const std::string& value);
  std::string get(const std::string& option) const;
  // Runs the job; throws if the set is not a job's. The document as JSON.
  std::string run(const ProgressFunction& progress) const;

protected:
  explicit OptionSet(std::string name) : name_(std::move(name)) {}

  struct Entry {
    OptionInfo info;
    std::function<Result<void>(std::string_view)> set;
    std::function<std::string()> get;
  };
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  // The options of a table, stored in `values`.
  template <class T> void addTable(const OptionTable<T>& table, T& values) {
    for (const Option<T>& o : table) addOption(o, values);
  }
  template <class T> void addOption(const Option<T>& o, T& values) {
    add({o, [&o, &values](std::string_view text) { return o.set(values, text); },
         [&o, &values] { return o.get(values); }});
  }
  virtual std::string runJob(const ProgressFunction& progress) const;

  mutable std::mutex mutex_; // for the values

private:
  const Entry& find(const std::string& option) const;

  std::string name_;
  std::deque<Entry> entries_;
};

// The options struct of one function.
template <class T> class TableSet : public OptionSet {
public:
  TableSet(std::string name, const OptionTable<T>& table) : OptionSet(std::move(name)) { addTable(table, values_); }
  T values() const {
    const std::scoped_lock lock(mutex_);
    return values_;
  }

private:
  T values_;
};

std::shared_ptr<OptionSet> makeOptionSet(const std::string& name);

// The values that a call takes: those of the handle, or the defaults for handle 0. Throws for a set of another call.
template <class T> T valuesOf(const skincells_context& context, skincells_options options) {
  const auto set = context.getOptional<OptionSet>(options, "options");
  if (!set) return T{};
  const auto typed = std::dynamic_pointer_cast<TableSet<T>>(set);
  if (!typed) failArgument("the options '" + set->name() + "' are those of another call", "options");
  return typed->values();
}

} // namespace skincells::capi
