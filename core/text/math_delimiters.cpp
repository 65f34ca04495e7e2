// Math delimiters, byte by byte: text, code, and what a backslash says.
#include "text/math_delimiters.h"

#include "base/limits.h"

namespace shunt::text {
namespace {

constexpr std::size_t kFenceMarks = 3;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

void MathDelimiters::feed(std::string_view chunk, std::string& out) {
  out_ = &out;
  for (const char c : chunk) step(c);
}

void MathDelimiters::finish(std::string& out) {
  out_ = &out;
  if (state_ == State::backslash) put('\\');
  release(false);
  state_ = State::text;
  line_start_ = true;
}

void MathDelimiters::put(char c) {
  (opener_ == 0 ? *out_ : held_) += c;
  if (held_.size() + 2 > limits::kMathBytes) release(false);  // with its opener
}

// Gives the open formula out: as it came, or between its new delimiters.
void MathDelimiters::release(bool closed) {
  if (opener_ == 0) return;
  const std::string_view mark = opener_ == '(' ? "$" : "$$";
  if (closed) {
    *out_ += mark;
  } else {
    *out_ += '\\';
    *out_ += opener_;
  }
  *out_ += held_;
  if (closed) *out_ += mark;
  held_.clear();
  opener_ = 0;
}

void MathDelimiters::note_line(char c) {
  if (c == '\n') {
    line_start_ = true;
  } else if (!is_blank(c)) {
    line_start_ = false;
  }
}

void MathDelimiters::step(char c) {
  if (state_ == State::backslash) return step_backslash(c);
  if (state_ == State::run) {
    if (c == mark_) {
      ++run_;
      return put(c);
    }
    end_run();
  }
  if (state_ == State::code || state_ == State::code_run) return step_code(c);
  if (c == '\\') {
    state_ = State::backslash;
    return;
  }
  if (c == '`' || c == '~') {
    if (c == '`') release(false);
    state_ = State::run;
    mark_ = c;
    run_ = 1;
    run_first_ = line_start_;
  }
  if (c == '\n' && line_start_ && opener_ == '(') release(false);
  note_line(c);
  put(c);
}

void MathDelimiters::step_backslash(char c) {
  state_ = State::text;
  const char closer = opener_ == '(' ? ')' : ']';
  if (c == '(' || c == '[') {
    release(false);
    opener_ = c;
  } else if (opener_ != 0 && c == closer) {
    release(true);
  } else {
    put('\\');
    put(c);
  }
  line_start_ = c == '\n';
}

// A run of marks has ended: backticks open code; three or more of either at a line's start a fenced block.
void MathDelimiters::end_run() {
  fence_ = run_first_ && run_ >= kFenceMarks;
  state_ = fence_ || mark_ == '`' ? State::code : State::text;
  if (fence_) release(false);
  info_ = fence_;
  closing_ = false;
  opened_ = run_;
}

void MathDelimiters::end_code_run() {
  state_ = State::code;
  const bool inline_end = !fence_ || (info_ && mark_ == '`');  // ```code``` in one line is no fence
  if (inline_end && run_ == opened_) state_ = State::text;
  closing_ = fence_ && !info_ && run_first_ && run_ >= opened_;
}

void MathDelimiters::step_code(char c) {
  if (state_ == State::code_run && c != mark_) {
    end_code_run();
    if (state_ == State::text) return step(c);
  }
  if (c == mark_) {
    run_ = state_ == State::code_run ? run_ + 1 : 1;
    if (run_ == 1) run_first_ = line_start_;
    state_ = State::code_run;
  } else if (c == '\n') {
    // A fenced block ends with the line of its closing run, code in a line with the paragraph.
    if (closing_ || (!fence_ && line_start_)) state_ = State::text;
    info_ = closing_ = false;
  } else if (!is_blank(c)) {
    closing_ = false;
  }
  note_line(c);
  put(c);
}

}  // namespace shunt::text
