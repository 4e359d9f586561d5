#include "capi/option_sets.h"

#include "skincells/skincells.h"
#include "skincells/viz/bind_pages_job.h"
#include "skincells/viz/render_job.h"
#include "skincells/viz/report_job.h"
#include "skincells/viz/view_job.h"

namespace skincells::capi {
namespace {

std::string joinedLines(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

std::vector<std::string> splitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end != 0) lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

// A job of the library: what it reads and writes, and the tables of its options.
template <class Job> class JobSet : public OptionSet {
public:
  explicit JobSet(std::string name) : OptionSet(std::move(name)) { setUp(job_); }

private:
  void text(const char* name, std::string& value, const char* help) {
    add({{name, help, OptionKind::Text, "", ""},
         [&value](std::string_view given) -> Result<void> {
           value = std::string(given);
           return {};
         },
         [&value] { return value; }});
  }
  void texts(const char* name, std::vector<std::string>& values, const char* help) {
    add({{name, help, OptionKind::Text, "one per line", ""},
         [&values](std::string_view given) -> Result<void> {
           values = splitLines(given);
           return {};
         },
         [&values] { return joinedLines(values); }});
  }
  void flag(const char* name, bool& value, const char* help) {
    const OptionInfo info{name, help, OptionKind::Flag, "true | false", "false"};
    add({info,
         [&value, info](std::string_view given) -> Result<void> {
           auto parsed = options::parseFlag(info, given);
           if (!parsed) return std::move(parsed).error();
           value = *parsed;
           return {};
         },
         [&value]() -> std::string { return value ? "true" : "false"; }});
  }

  void setUp(BindPagesJob& job) {
    text("input", job.bind.input, "the character file (.glb, .gltf, .vrm, .fbx, ...)");
    text("output", job.bind.output, "the skinned character to write (.glb, .gltf, .vrm)");
    text("page", job.page, "also write a report page (.html)");
    text("view", job.view, "also write the viewer page with the result inside (.html)");
    addTable(bindOptionTable(), job.bind.bind);
    addTable(verdictOptionTable(), job.bind.verdict);
    addTable(fieldOutputOptionTable(), job.bind.field);
    addTable(readOptionTable(), job.bind.read);
    addTable(writeOptionTable(), job.bind.write);
  }
  void setUp(ApplyJob& job) {
    text("field", job.field, "the field file (.skc), or a character with an embedded field");
    text("input", job.input, "the mesh or point cloud to skin");
    text("output", job.output, "the skinned character to write (.glb, .gltf, .vrm; point clouds: .ply)");
    addTable(applyOptionTable(), job.apply);
    addTable(readOptionTable(), job.read);
    addTable(writeOptionTable(), job.write);
  }
  void setUp(TransferJob& job) {
    text("source", job.source, "the skinned character to take weights from");
    text("target", job.target, "the mesh to skin; without a skeleton it gets the source's");
    text("output", job.output, "the skinned target to write (.glb, .gltf, .vrm)");
    addTable(transferOptionTable(), job.transfer);
    addTable(fieldOutputOptionTable(), job.field);
    addTable(readOptionTable(), job.read);
    addTable(writeOptionTable(), job.write);
  }
  void setUp(InspectJob& job) {
    text("input", job.input, "the character file, or a field file (.skc)");
    addTable(readOptionTable(), job.read);
  }
  void setUp(CheckJob& job) {
    text("input", job.input, "the skinned character file");
    addTable(checkOptionTable(), job.check);
  }
  void setUp(CompareJob& job) {
    text("reference", job.reference, "the skin to compare with, e.g. the artist's");
    texts("others", job.others, "skins of the same mesh");
    addTable(compareOptionTable(), job.compare);
  }
  void setUp(LodJob& job) {
    text("input", job.input, "the character file (.glb, .gltf, .vrm, ...)");
    text("output", job.output, "the name of level 0 (.glb, .gltf, .vrm); others end in _lodN");
    text("field", job.field, "a field file of the character; empty: it is bound first");
    addTable(lodOptionTable(), job.lod);
    for (const Option<BindOptions>& o : bindOptionTable())
      if (o.name != "max-influences" && o.name != "method") addOption(o, job.bind);
    addTable(readOptionTable(), job.read);
    addTable(writeOptionTable(), job.write);
  }
  void setUp(PoseJob& job) {
    text("input", job.input, "a skinned character, a point cloud with weights (.ply), or a field file (.skc)");
    text("output", job.output, "the posed copy to write (.glb, .gltf, .vrm or .ply; point clouds: .ply)");
    text("rig", job.rig, "for point clouds and fields: the character file with the skeleton and the clips");
    text("field", job.field, "use the weights of this field file instead of the input's");
    addTable(poseOptionTable(), job.pose);
    flag("force", job.force, "replace an existing output file");
  }
  void setUp(RenderJob& job) {
    text("input", job.input, "the skinned character file");
    texts("others", job.others, "further skins of the same mesh, shown beside it");
    text("output", job.output, "the picture to write (.png)");
    flag("force", job.force, "replace an existing output file");
    addTable(renderSheetOptionTable(), job.sheet);
  }
  void setUp(ReportJob& job) {
    text("input", job.input, "the skinned character file");
    texts("others", job.others, "further skins of the same mesh, shown and measured beside it");
    text("output", job.output, "the page to write (.html)");
    flag("force", job.force, "replace an existing output file");
    addTable(skinPageOptionTable(), job.page);
  }
  void setUp(ViewJob& job) {
    texts("inputs", job.inputs, "character files");
    texts("fields", job.fields, "field files: the first for the first input, and so on");
    text("output", job.output, "the page to write (.html); empty: it is returned");
    flag("force", job.force, "replace an existing output file");
    addTable(viewOptionTable(), job.view);
    addTable(readOptionTable(), job.read);
  }

  std::string runJob(const ProgressFunction& progress) const override {
    Job job;
    {
      const std::scoped_lock lock(mutex_);
      job = job_;
    }
    const auto outcome = valueOf(skincells::run(job, progress));
    if constexpr (std::is_same_v<Job, ViewJob>)
      return outcome.page;
    else
      return documentOf(outcome).json;
  }

  Job job_;
};

template <class T> std::shared_ptr<OptionSet> tableSet(const std::string& name, const OptionTable<T>& table) {
  return std::make_shared<TableSet<T>>(name, table);
}

} // namespace

const OptionInfo& OptionSet::info(std::size_t index) const {
  if (index >= entries_.size())
    failArgument("there are " + std::to_string(entries_.size()) + " options in '" + name_ + "'", "index");
  return entries_[index].info;
}

const OptionSet::Entry& OptionSet::find(const std::string& option) const {
  for (const Entry& entry : entries_)
    if (entry.info.name == option) return entry;
  std::string names;
  for (const Entry& entry : entries_) names += (names.empty() ? "" : ", ") + entry.info.name;
  throw Failure(SKINCELLS_INVALID_OPTION, "there is no such option in '" + name_ + "', which has: " + names, option);
}

void OptionSet::set(const std::string& option, const std::string& value) {
  const std::scoped_lock lock(mutex_);
  valueOf(find(option).set(value));
}

std::string OptionSet::get(const std::string& option) const {
  const std::scoped_lock lock(mutex_);
  return find(option).get();
}

std::string OptionSet::run(const ProgressFunction& progress) const {
  return runJob(progress);
}

std::string OptionSet::runJob(const ProgressFunction&) const {
  failArgument("the options '" + name_ + "' are not those of a job", "options");
}

std::shared_ptr<OptionSet> makeOptionSet(const std::string& name) {
  if (name == "read") return tableSet(name, readOptionTable());
  if (name == "write") return tableSet(name, writeOptionTable());
  if (name == "bind") return tableSet(name, bindOptionTable());
  if (name == "apply") return tableSet(name, applyOptionTable());
  if (name == "transfer") return tableSet(name, transferOptionTable());
  if (name == "check") return tableSet(name, checkOptionTable());
  if (name == "compare") return tableSet(name, compareOptionTable());
  if (name == "render") return tableSet(name, renderSheetOptionTable());
  if (name == "view") return tableSet(name, viewOptionTable());
  if (name == "bind_job") return std::make_shared<JobSet<BindPagesJob>>(name);
  if (name == "apply_job") return std::make_shared<JobSet<ApplyJob>>(name);
  if (name == "transfer_job") return std::make_shared<JobSet<TransferJob>>(name);
  if (name == "inspect_job") return std::make_shared<JobSet<InspectJob>>(name);
  if (name == "check_job") return std::make_shared<JobSet<CheckJob>>(name);
  if (name == "compare_job") return std::make_shared<JobSet<CompareJob>>(name);
  if (name == "lod_job") return std::make_shared<JobSet<LodJob>>(name);
  if (name == "pose_job") return std::make_shared<JobSet<PoseJob>>(name);
  if (name == "render_job") return std::make_shared<JobSet<RenderJob>>(name);
  if (name == "report_job") return std::make_shared<JobSet<ReportJob>>(name);
  if (name == "view_job") return std::make_shared<JobSet<ViewJob>>(name);
  throw Failure(SKINCELLS_INVALID_OPTION, "there is no such set of options; see skincells_options_create", name);
}

} // namespace skincells::capi

using namespace skincells::capi;

skincells_code skincells_options_create(skincells_context* context, const char* set, skincells_options* options) {
  return call(context, [&](skincells_context& c) {
    required(options, "options") = c.add(makeOptionSet(&required(set, "set")));
  });
}

skincells_code skincells_options_count(skincells_context* context, skincells_options options, size_t* count) {
  return call(context,
              [&](skincells_context& c) { required(count, "count") = c.get<OptionSet>(options, "options")->count(); });
}

skincells_code skincells_options_info(skincells_context* context, skincells_options options, size_t index,
                                      skincells_option_info* info) {
  return call(context, [&](skincells_context& c) {
    const skincells::OptionInfo& o = c.get<OptionSet>(options, "options")->info(index);
    static_assert(static_cast<int>(skincells::OptionKind::Flag) == SKINCELLS_OPTION_FLAG);
    static_assert(static_cast<int>(skincells::OptionKind::Integer) == SKINCELLS_OPTION_INTEGER);
    static_assert(static_cast<int>(skincells::OptionKind::Real) == SKINCELLS_OPTION_REAL);
    static_assert(static_cast<int>(skincells::OptionKind::Text) == SKINCELLS_OPTION_TEXT);
    static_assert(static_cast<int>(skincells::OptionKind::Choice) == SKINCELLS_OPTION_CHOICE);
    fill(info,
         {0, static_cast<int32_t>(o.kind), o.name.c_str(), o.help.c_str(), o.range.c_str(), o.default_text.c_str()},
         "info");
  });
}

skincells_code skincells_options_set(skincells_context* context, skincells_options options, const char* name,
                                     const char* value) {
  return call(context, [&](skincells_context& c) {
    c.get<OptionSet>(options, "options")->set(&required(name, "name"), &required(value, "value"));
  });
}

skincells_code skincells_options_get(skincells_context* context, skincells_options options, const char* name,
                                     skincells_bytes* value) {
  return call(context, [&](skincells_context& c) {
    const std::string text = c.get<OptionSet>(options, "options")->get(&required(name, "name"));
    required(value, "value") = addBytes(c, text);
  });
}
