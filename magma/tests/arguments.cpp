// What every routine answers to illegal arguments, to none, and to questions that need no device.
#include <set>

#include "catch.hpp"
#include "every_routine.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// A way to make an argument illegal.
template <class T>
struct spoiler {
  template <class E>
  spoiler(const char* name_, E call_arguments<T>::*argument, E value)
      : name(name_), where(place(argument)), spoil([=](call_arguments<T>& c) { c.*argument = value; }) {}

  const char* name;
  std::ptrdiff_t where;
  std::function<void(call_arguments<T>&)> spoil;

  /// Its number in a routine; 0: the routine does not look at it.
  int number(const routine_of_magma<T>& r) const {
    const auto found = r.numbers.find(where);
    return found == r.numbers.end() ? 0 : found->second;
  }
};

template <class T>
std::vector<spoiler<T>> spoilers() {
  using c = call_arguments<T>;
  return {{"uplo", &c::uplo, MagmaFull},
          {"uplo of none", &c::uplo, magma_uplo_t{}},
          {"transA", &c::transA, magma_trans_t{}},
          {"transB", &c::transB, static_cast<magma_trans_t>(MagmaConjTrans + 1)},
          {"side", &c::side, magma_side_t{}},
          {"diag", &c::diag, magma_diag_t{}},
          {"m", &c::m, -1},
          {"n", &c::n, -1},
          {"k", &c::k, -1},
          {"nrhs", &c::nrhs, -1},
          {"ldda", &c::ldda, 3},
          {"lddb", &c::lddb, 3},
          {"lddc", &c::lddc, 3},
          {"incx", &c::incx, 0},
          {"incy", &c::incy, 0},
          {"max_m", &c::max_m, -1},
          {"max_n", &c::max_n, -1},
          {"max_k", &c::max_k, -1},
          {"lwork", &c::lwork, by_address{0}},
          {"batchCount", &c::batchCount, -1}};
}

/// Does it take scratch for these arguments?
template <class T>
bool takes_work(const routine_of_magma<T>& r, call_arguments<T> c) {
  c.lwork = {-1};
  CHECK(r.call(c) == 0);
  return c.lwork.value > 0;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every illegal argument is refused by MAGMA's number", "[arguments]", precisions) {
  using T = TestType;
  any_operands<T> operands(4, 2);
  const std::vector<std::string> before = operands.state();
  const call_arguments<T> legal = operands.arguments(default_queue());
  const std::vector<spoiler<T>> all = spoilers<T>();
  std::set<std::string> spoilt;
  for (const routine_of_magma<T>& r : every_routine<T>()) {
    CAPTURE(r.name);
    const bool with_work = r.numbers.count(place(&call_arguments<T>::lwork)) > 0 && takes_work(r, legal);
    for (const spoiler<T>& one : all) {
      const int number = one.number(r);
      const bool is_lwork = std::string(one.name) == "lwork";
      if (number == 0 || (is_lwork && !with_work)) continue;
      spoilt.insert(one.name);
      CAPTURE(one.name);
      call_arguments<T> c = legal;
      one.spoil(c);
      CHECK(r.call(c) == -number);
      CHECK(taken_reports() == std::vector<report>{{r.saying, number}});
      if (r.returns == how::waits && r.name.find("print") == std::string::npos)
        CHECK(c.host_info.value == -number);
      // Of two that are illegal it is the first. (A negative number of matrices takes no scratch.)
      for (const spoiler<T>& other : all) {
        if (other.number(r) <= number || is_lwork) continue;
        call_arguments<T> both = legal;
        other.spoil(both);
        one.spoil(both);
        CAPTURE(other.name);
        CHECK(r.call(both) == -number);
        CHECK(taken_reports() == std::vector<report>{{r.saying, number}});
      }
    }
  }
  CHECK(spoilt.size() == all.size());
  finish();
  CHECK(operands.state() == before);
  for (const size_array* sizes : {&operands.orders, &operands.leading, &operands.increments})
    CHECK(sizes->last() == size_array::unset);
}

TEMPLATE_LIST_TEST_CASE("geqrf_expert has no triangles to provide", "[arguments]", precisions) {
  using T = TestType;
  any_operands<T> operands(4, 2);
  const std::vector<std::string> before = operands.state();
  call_arguments<T> c = operands.arguments(default_queue());
  CHECK(names<T>::geqrf_expert_batched(4, 4, 1, c.A_array, 5, c.B_array, 5, c.C_array, 5, c.tau_array, 1,
                                       c.B_array, c.info_array, 2, c.queue) == MAGMA_ERR_NOT_IMPLEMENTED);
  const std::string name = std::string("magma_") + names<T>::letter + "geqrf_expert_batched";
  CHECK(taken_reports() == std::vector<report>{{name, -MAGMA_ERR_NOT_IMPLEMENTED}});
  CHECK(operands.state() == before);
}

TEMPLATE_LIST_TEST_CASE("how much scratch there has to be is asked for without arrays", "[arguments]",
                        precisions) {
  using T = TestType;
  using N = names<T>;
  int last_getrf = 0, last_nopiv = 0;
  for (const int count : {0, 1, 1000, 100000}) {
    CAPTURE(count);
    int getrf = -1, nopiv = -5, geqrf = -1;
    CHECK(N::getrf_vbatched_max_nocheck_work(nullptr, nullptr, 70, 40, 40, 2800, nullptr, nullptr, nullptr,
                                             nullptr, nullptr, &getrf, count, nullptr) == 0);
    CHECK(N::getrf_nopiv_vbatched_max_nocheck_work(nullptr, nullptr, 70, 40, 40, 2800, nullptr, nullptr,
                                                   nullptr, 0, nullptr, nullptr, &nopiv, count,
                                                   nullptr) == 0);
    CHECK(N::geqrf_batched_work(70, 40, nullptr, 70, nullptr, nullptr, nullptr, &geqrf, count, nullptr) == 0);
    CHECK(getrf >= last_getrf);
    CHECK(nopiv >= last_nopiv + (count > 1 ? count / 2 : 0));  // it counts replaced pivots there
    CHECK(geqrf >= 0);
    last_getrf = getrf;
    last_nopiv = nopiv;
  }
  int nb = 0, recnb = 0;
  N::nbparam(70, 40, &nb, &recnb);
  CHECK(nb == 1);
  CHECK(recnb == 1);
}

TEST_CASE("every error has a sentence", "[arguments]") {
  std::set<std::string> sentences;
  for (const int error :
       std::initializer_list<int>{MAGMA_SUCCESS, MAGMA_ERR_NOT_INITIALIZED, MAGMA_ERR_NOT_SUPPORTED,
                                  MAGMA_ERR_HOST_ALLOC, MAGMA_ERR_DEVICE_ALLOC, MAGMA_ERR_INVALID_PTR,
                                  MAGMA_ERR_UNKNOWN, MAGMA_ERR_NOT_IMPLEMENTED, -1, 1}) {
    CAPTURE(error);
    REQUIRE(magma_strerror(error) != nullptr);
    sentences.insert(magma_strerror(error));
  }
  CHECK(sentences.size() == 10);  // each its own
  CHECK(sentences.count("") == 0);
  for (const int error : {-7, -99, -100, -102, -1000, 7, 1 << 30, -(1 << 30)}) {
    CAPTURE(error);
    REQUIRE(magma_strerror(error) != nullptr);
    CHECK(std::string(magma_strerror(error)) != "");
  }
}

TEST_CASE("the version is that of the header", "[arguments]") {
  magma_int_t major = -1, minor = -1, micro = -1;
  magma_version(&major, &minor, &micro);
  CHECK(major == MAGMA_VERSION_MAJOR);
  CHECK(minor == MAGMA_VERSION_MINOR);
  CHECK(micro == MAGMA_VERSION_MICRO);
}

TEST_CASE("magma_finalize counts calls of magma_init", "[arguments]") {
  CHECK(magma_finalize() == MAGMA_ERR_NOT_INITIALIZED);
  const magma_int_t answer = magma_init();
  if (on_cuda()) CHECK(answer == MAGMA_SUCCESS);
  CHECK(magma_init() == answer);
  CHECK(magma_finalize() == MAGMA_SUCCESS);
  CHECK(magma_finalize() == MAGMA_SUCCESS);
  CHECK(magma_finalize() == MAGMA_ERR_NOT_INITIALIZED);
  CHECK(magma_finalize() == MAGMA_ERR_NOT_INITIALIZED);
  CHECK(magma_init() == answer);
  CHECK(magma_finalize() == MAGMA_SUCCESS);
}

TEST_CASE("memory of the host can be had without a device", "[arguments]") {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000003}}) {
    void* memory = nullptr;
    REQUIRE(magma_malloc_cpu(&memory, bytes) == MAGMA_SUCCESS);
    REQUIRE(memory != nullptr);
    std::memset(memory, 1, bytes);
    CHECK(magma_free_cpu(memory) == MAGMA_SUCCESS);
  }
  int own = 0;
  void* memory = &own;
  CHECK(magma_malloc_cpu(&memory, static_cast<std::size_t>(-1) / 2) == MAGMA_ERR_HOST_ALLOC);
  CHECK(memory == nullptr);
  CHECK(magma_free_cpu(nullptr) == MAGMA_SUCCESS);
  magma_int_t* ints = nullptr;
  REQUIRE(magma_imalloc_cpu(&ints, 7) == MAGMA_SUCCESS);
  ints[6] = 6;
  CHECK(magma_free_cpu(ints) == MAGMA_SUCCESS);
}
