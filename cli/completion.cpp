#include "completion.h"

namespace skincells::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}

// Every spelling: "-o" and "--output".
std::vector<std::string> spellings(const HelpEntry& entry) {
  const std::size_t comma = entry.name.find(',');
  if (comma == std::string::npos) return {entry.name};
  return {entry.name.substr(0, comma), entry.name.substr(comma + 1)};
}

std::string commandNames(std::span<const CommandHelp> commands) {
  std::string out = "help completion";
  for (const CommandHelp& c : commands) out += " " + c.name;
  return out;
}

constexpr const char* kShells = "bash zsh fish";

std::string optionNames(const CommandHelp& command) {
  std::string out = "--help --help-all";
  for (const HelpEntry& e : command.entries)
    if (!e.positional()) out += " " + joined(spellings(e));
  return out;
}

// In single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Up to the range or the first explanation.
std::string shortHelp(const std::string& help) {
  return help.substr(0, std::min(help.find(" ["), help.find(';')));
}

std::string bashScript(std::span<const CommandHelp> commands) {
  std::string out = "# bash completion of skincells; generated from its option tables\n_skincells() {\n"
                    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
                    "  if [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n" // --name=value
                    "  if [ \"$word\" = = ]; then word=; fi\n"
                    "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W " +
                    quoted(commandNames(commands) + " --help --version") +
                    " -- \"$word\"))\n    return\n  fi\n  case \"${COMP_WORDS[1]} $before\" in\n";
  for (const CommandHelp& c : commands)
    for (const HelpEntry& e : c.entries)
      if (!e.choices.empty())
        out += "    " + quoted(c.name + " --" + e.longName()) + ") words=" + quoted(joined(e.choices)) + " ;;\n";
  out +=
      "  esac\n  if [ -n \"$words\" ]; then\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n    return\n  fi\n"
      "  if [[ $word == -* ]]; then\n    case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandHelp& c : commands) out += "      " + c.name + ") words=" + quoted(optionNames(c)) + " ;;\n";
  return out +
         "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n  elif [ \"${COMP_WORDS[1]}\" = help ]; "
         "then\n"
         "    COMPREPLY=($(compgen -W " +
         quoted(commandNames(commands)) +
         " -- \"$word\"))\n  elif [ \"${COMP_WORDS[1]}\" = completion ]; then\n    COMPREPLY=($(compgen -W " +
         quoted(kShells) +
         " -- \"$word\"))\n  else\n    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
         "complete -o filenames -o bashdefault -F _skincells skincells\n";
}

// Colons and brackets have a meaning in specifications of _arguments.
std::string zshText(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == ':' || c == '[' || c == ']') out += '\\';
    out += c;
  }
  return out;
}

std::string zshScript(std::span<const CommandHelp> commands) {
  std::string out = "#compdef skincells\n# zsh completion of skincells; generated from its option tables\n"
                    "_skincells() {\n  local -a commands\n  commands=(\n";
  for (const CommandHelp& c : commands) out += "    " + quoted(c.name + ":" + zshText(c.summary)) + "\n";
  out += "    'help:the options of a command'\n    'completion:completions for a shell'\n  )\n"
         "  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n    _describe command commands\n    return\n  fi\n"
         "  if [[ $words[2] == completion ]]; then\n    compadd " +
         std::string(kShells) +
         "\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandHelp& c : commands) {
    out +=
        "    " + c.name + ")\n      _arguments \\\n        '--help[the most used options]' '--help-all[all options]'";
    for (const HelpEntry& e : c.entries) {
      if (e.positional()) continue;
      const std::string value =
          e.value.empty() ? "" : ":" + e.value + ":" + (e.choices.empty() ? "_files" : "(" + joined(e.choices) + ")");
      for (const std::string& name : spellings(e))
        out += " \\\n        " + quoted(name + (value.empty() || !name.starts_with("--") ? "[" : "=[") +
                                        zshText(shortHelp(e.help)) + "]" + value);
    }
    out += " \\\n        '*:file:_files'\n      ;;\n";
  }
  return out + "  esac\n}\n_skincells \"$@\"\n";
}

std::string fishScript(std::span<const CommandHelp> commands) {
  std::string out = "# fish completion of skincells; generated from its option tables\n";
  for (const CommandHelp& c : commands)
    out += "complete -c skincells -n __fish_use_subcommand -f -a " + c.name + " -d " + quoted(c.summary) + "\n";
  out += "complete -c skincells -n __fish_use_subcommand -f -a help -d 'the options of a command'\n"
         "complete -c skincells -n __fish_use_subcommand -f -a completion -d 'completions for a shell'\n"
         "complete -c skincells -n '__fish_seen_subcommand_from help' -f -a " +
         quoted(commandNames(commands)) + "\ncomplete -c skincells -n '__fish_seen_subcommand_from completion' -f -a " +
         quoted(kShells) + "\n";
  for (const CommandHelp& c : commands) {
    const std::string start = "complete -c skincells -n '__fish_seen_subcommand_from " + c.name + "'";
    out += start + " -l help -d 'the most used options'\n" + start + " -l help-all -d 'all options'\n";
    for (const HelpEntry& e : c.entries) {
      if (e.positional()) continue;
      out += start + (e.name.starts_with("-o,") ? " -s o" : "") + " -l " + e.longName();
      if (!e.value.empty()) out += " -r";
      if (!e.choices.empty()) out += " -f -a " + quoted(joined(e.choices));
      out += " -d " + quoted(shortHelp(e.help)) + "\n";
    }
  }
  return out;
}

} // namespace

std::string completionScript(const std::string& shell, std::span<const CommandHelp> commands) {
  if (shell == "bash") return bashScript(commands);
  if (shell == "zsh") return zshScript(commands);
  if (shell == "fish") return fishScript(commands);
  return "";
}

} // namespace skincells::cli
