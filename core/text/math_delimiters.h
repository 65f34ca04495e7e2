// LaTeX's math delimiters \( \) \[ \] as Markdown's $ and $$, in a text that arrives in pieces. Knows
// Markdown's code, which stays as it is; what is no plain text (tool arguments, JSON) is not to be fed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace shunt::text {

// Any split of the text gives the same output. From its opener on a formula is held back until its closer;
// when another opener, code, a blank line (in \( \)) or the end comes first, or the formula passes
// kMathBytes, it goes out as it came. A backslash takes the next byte with it: \\[2pt] is a line break, \` no
// code.
class MathDelimiters {
 public:
  void feed(std::string_view chunk, std::string& out);  // appends what can be given out now
  void finish(std::string& out);

 private:
  enum class State : std::uint8_t { text, backslash, run, code, code_run };

  void step(char c);
  void step_backslash(char c);
  void step_code(char c);
  void end_run();
  void end_code_run();
  void put(char c);
  void release(bool closed);
  void note_line(char c);

  State state_ = State::text;
  std::string* out_ = nullptr;
  char opener_ = 0;         // what opened the formula behind its backslash; 0: none is open
  std::string held_;        // the formula so far
  char mark_ = '`';         // of the run being counted, or of the code
  std::size_t run_ = 0;     // length of the run being counted
  std::size_t opened_ = 0;  // length of the run that opened the code
  bool run_first_ = false;  // only white space stood before the run in its line
  bool fence_ = false;      // the code is a fenced block: a run at a line's start closes it
  bool info_ = false;       // still in the line that opened the fence
  bool closing_ = false;    // a run that may close the fence; only white space may follow it
  bool line_start_ = true;  // only white space since the line began
};

}  // namespace shunt::text
