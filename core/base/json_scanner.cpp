// The JSON scanner: what may come next, over the words of json_lex. Suspends at any byte.
#include "base/json.h"
#include "base/strings.h"

namespace shunt::json {

void Scanner::feed(std::string_view slice, bool last) {
  base_ = offset();
  slice_ = at_ = slice.data();
  slice_end_ = slice_ + slice.size();
  last_ = last;
}

Token Scanner::next() {
  if (pending_ != Pending::none) return read_on();
  if (expect_ == Expect::mark) read_mark();
  while (true) {
    while (at_ != slice_end_ && lex::is_space(*at_) && expect_ != Expect::mark) ++at_;
    if (at_ == slice_end_) return out_of_bytes();
    const char c = *at_;
    switch (expect_) {
      case Expect::failed: return Token::error;
      case Expect::mark: return fail(lex::kMark);
      case Expect::nothing: return fail(lex::kAfterValue);
      case Expect::colon:
        if (c != ':') return fail(lex::kUnexpected);
        ++at_;
        expect_ = Expect::value;
        break;
      case Expect::comma_or_close:
        if (c != ',') return close(c);
        ++at_;
        expect_ = nesting_.in_object() ? Expect::key : Expect::value;
        break;
      case Expect::key_or_close:
        if (c == '}') return close(c);
        [[fallthrough]];
      case Expect::key: return c == '"' ? begin_word(Pending::key, at_ + 1) : fail(lex::kUnexpected);
      case Expect::value_or_close:
        if (c == ']') return close(c);
        [[fallthrough]];
      case Expect::value: return begin_value(c);
    }
  }
}

// A byte order mark may stand first; leaves Expect::mark in force while one is begun but not complete.
void Scanner::read_mark() {
  at_ = lex::advance(literal_, at_, slice_end_);
  if (literal_.empty() || (offset() == 0 && at_ != slice_end_)) expect_ = Expect::value;
}

Token Scanner::begin_value(char c) {
  switch (c) {
    case '{': return open(true);
    case '[': return open(false);
    case '"': return begin_word(Pending::string, at_ + 1);
    case 't': literal_token_ = Token::boolean_true; break;
    case 'f': literal_token_ = Token::boolean_false; break;
    case 'n': literal_token_ = Token::null; break;
    default:
      if (c != '-' && !is_digit(c)) return fail(lex::kUnexpected);
      number_ = {};
      return begin_word(Pending::number, at_);
  }
  literal_ = lex::literal_of(c);
  return begin_word(Pending::literal, at_);
}

Token Scanner::begin_word(Pending word, const char* content) {
  token_begin_ = offset();
  at_ = content;
  pending_ = word;
  most_ = word == Pending::string ? next_most_ : limits::kTokenBytes;
  if (word != Pending::key) next_most_ = limits::kTokenBytes;
  straddles_ = false;
  length_ = 0;
  string_ = {};
  return read_on();
}

Token Scanner::read_on() {
  const char* from = at_;
  const bool in_string = pending_ == Pending::key || pending_ == Pending::string;
  const char* fault = nullptr;  // what is wrong if the word cannot go on at at_
  bool done = false;
  if (in_string) {
    // Most strings are plain to their end; the automaton sees the others.
    if (string_.phase == lex::StringScan::Phase::plain) at_ = lex::plain_run(from, slice_end_);
    done = at_ != slice_end_ && *at_ == '"' && string_.phase == lex::StringScan::Phase::plain;
    if (!done) {
      at_ = lex::advance(string_, at_, slice_end_);
      done = string_.step == lex::Step::done;
    }
    fault = string_.step == lex::Step::failed ? string_.fault : lex::kUnterminated;
  } else if (pending_ == Pending::number) {
    at_ = lex::advance(number_, from, slice_end_);
    done = number_.complete() && (at_ != slice_end_ || last_);
    fault = lex::kNumber;
  } else {
    at_ = lex::advance(literal_, from, slice_end_);
    done = literal_.empty();
    fault = lex::kLiteral;
  }
  const std::string_view piece(from, static_cast<std::size_t>(at_ - from));
  if (pending_ != Pending::string && length_ + piece.size() > limits::kTokenBytes) {
    return fail_at(token_begin_, lex::kTooLong);
  }
  if (done) return finish(piece);
  if (at_ != slice_end_ || last_) return fail(fault);
  gather(piece);
  straddles_ = true;
  return Token::need_more;
}

Token Scanner::finish(std::string_view piece) {
  if (straddles_) {
    gather(piece);
  } else {
    gathered_.clear();
    view_ = piece;
  }
  const Pending word = pending_;
  pending_ = Pending::none;
  if (word == Pending::key || word == Pending::string) ++at_;  // the closing quote
  token_end_ = offset();
  if (word == Pending::key) {
    expect_ = Expect::colon;
    return Token::key;
  }
  expect_ = nesting_.depth() == 0 ? Expect::nothing : Expect::comma_or_close;
  if (word == Pending::literal) return literal_token_;
  return word == Pending::string ? Token::string : Token::number;
}

// Keeps the first most_ bytes of a word that straddles slices.
void Scanner::gather(std::string_view piece) {
  if (!straddles_) gathered_.clear();
  const bool was_long = length_ > most_;
  length_ += piece.size();
  if (was_long) return;
  gathered_.append(piece.substr(0, most_ - gathered_.size()));
  if (length_ > most_) gathered_.resize(lex::whole_prefix(gathered_).size());
}

Token Scanner::open(bool object) {
  if (!nesting_.push(object)) return fail(lex::kTooDeep);
  next_most_ = limits::kTokenBytes;
  token_begin_ = offset();
  ++at_;
  token_end_ = offset();
  expect_ = object ? Expect::key_or_close : Expect::value_or_close;
  return object ? Token::object_begin : Token::array_begin;
}

Token Scanner::close(char c) {
  const bool object = nesting_.in_object();
  if (c != (object ? '}' : ']')) return fail(lex::kUnexpected);
  nesting_.pop();
  token_begin_ = offset();
  ++at_;
  token_end_ = offset();
  expect_ = nesting_.depth() == 0 ? Expect::nothing : Expect::comma_or_close;
  return object ? Token::object_end : Token::array_end;
}

Token Scanner::out_of_bytes() {
  if (expect_ == Expect::failed) return Token::error;
  if (!last_) return Token::need_more;
  if (expect_ == Expect::nothing) return Token::end;
  return fail(expect_ == Expect::mark && offset() > 0 ? lex::kMark : lex::kUnexpectedEnd);
}

Token Scanner::fail_at(std::uint64_t offset, const char* what) {
  error_ = {offset, what};
  expect_ = Expect::failed;
  pending_ = Pending::none;
  return Token::error;
}

bool valid(std::string_view text, Error* error) {
  Scanner scanner;
  scanner.feed(text, true);
  while (true) {
    const Token token = scanner.next();
    if (token == Token::end) return true;
    if (token == Token::error) break;
  }
  if (error != nullptr) *error = scanner.error();
  return false;
}

}  // namespace shunt::json
