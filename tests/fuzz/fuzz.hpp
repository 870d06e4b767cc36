// The routines that talus-fuzz calls. Each file of a family adds its routines by TALUS_FUZZ_ROUTINE.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "batch.hpp"

namespace talus::test::fuzz {

class draw;
/// Gets the description of a call before it runs.
using announcement = std::function<void(const std::string&)>;
/// Makes a random call of one routine, and checks it. Throws wrong_call, whose text describes the call.
using random_call = void (*)(draw& random, const announcement& announce);

/// Returns all calls by the name of the routine and the letter of the precision.
std::map<std::pair<std::string, char>, random_call>& random_calls();

struct added_call {
  added_call(const char* routine, char precision, random_call call) {
    random_calls()[{routine, precision}] = call;
  }
};

/// Makes a random call; Call is a template such as `getrf` in fuzz/lu.cpp.
template <class Call>
void run(draw& random, const announcement& announce);

}  // namespace talus::test::fuzz

/// Adds the calls of struct template NAME in the precision that the file is compiled for.
#define TALUS_FUZZ_ROUTINE(name) \
  const added_call added_##name { #name, precision_of < TALUS_T>, run < name < TALUS_T>> }
