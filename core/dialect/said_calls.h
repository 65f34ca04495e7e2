// The calls that a history has said so far, by their ids: which one a result is of. Knows no dialect.
#pragma once

#include <vector>

#include "canonical/request.h"
#include "catalog/catalog.h"

namespace shunt::dialect {

class SaidCalls {
 public:
  void add(const Part& call);  // which outlives this
  // The last call of the result's id; null when there is none. An id that is a range is no one's.
  const Part* of(const Part& result) const;
  // The name of its function: the result's own, the call's, or the id.
  const Text& name_of(const Part& result) const;

 private:
  std::vector<const Part*> calls_;
  Index by_id_;
};

}  // namespace shunt::dialect
