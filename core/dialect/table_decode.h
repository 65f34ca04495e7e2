// The dialects that a table describes (tables.h): frames of a stream, or a whole answer -> events.
//
// What no event has travels as Extra "native.<key>". A stream or answer that is an error ends with it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dialect/dialect.h"
#include "dialect/tables.h"

namespace shunt::dialect {

std::unique_ptr<StreamDecoder> make_table_decoder(const Field* table);
void decode_table_answer(const Field* table, std::string_view body, EventList& out, std::string& scratch);

// The two functions of a dialect's row.
template <const Field* Table>
std::unique_ptr<StreamDecoder> table_decoder(Quirks) {
  return make_table_decoder(Table);
}
template <const Field* Table>
void table_answer(std::string_view body, Quirks, EventList& out, std::string& scratch) {
  decode_table_answer(Table, body, out, scratch);
}

}  // namespace shunt::dialect
