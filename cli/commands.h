// One set-up function per command, in cmd_NAME.cpp.
#pragma once

#include "command_line.h"

namespace skincells::cli {

// All of them.
std::span<const Command> allCommands();

Run setUpApply(CommandOptions& options);
Run setUpBatch(CommandOptions& options);
Run setUpBind(CommandOptions& options);
Run setUpCheck(CommandOptions& options);
Run setUpCompare(CommandOptions& options);
Run setUpInspect(CommandOptions& options);
Run setUpLod(CommandOptions& options);
Run setUpPose(CommandOptions& options);
Run setUpRender(CommandOptions& options);
Run setUpReport(CommandOptions& options);
Run setUpTransfer(CommandOptions& options);
Run setUpView(CommandOptions& options);

} // namespace skincells::cli
