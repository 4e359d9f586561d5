// How the program ends: by a signal, or with all that was printed.
#pragma once

namespace skincells::cli {

// From now on, a signal that ends the program (Ctrl+C, TERM, HUP) first removes its temporary files. Writing to a
// closed pipe or beyond a limit on file sizes is an error and not a signal.
void cleanUpOnSignals();

// From now on, the first Ctrl+C or TERM only makes `interrupted` true; a second one ends the program as before.
void askToStopOnSignals();
bool interrupted();

// As TERM does, because of --memory-limit: says so, and the exit code is that of an input that is too large.
void endOverMemory();

// Returns the exit code of the program: `code`, or "cannot write" if that is a result and standard output failed. Does
// not return if a signal is ending the program.
int finish(int code);

} // namespace skincells::cli
