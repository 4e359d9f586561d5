// The report page of a bind.
#pragma once

#include <string>

namespace skincells {

struct BindOutcome; // skincells/jobs/bind_job.h

// One self-contained HTML page: metrics with a verdict, pictures, joints, coverage, loss curves and options.
std::string bindPage(const BindOutcome& outcome);

} // namespace skincells
