// What all routines have in common on a device: empty batches, matrices that fail, many matrices, and that
// they only queue their work.
#include "every_routine.hpp"

#include "catch.hpp"
#include "qr/qr.hpp"
#include "spin.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Is one of these words in its name?
template <class T>
bool is_one_of(const routine_of_magma<T>& r, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return r.name.find(word) != std::string::npos; });
}
template <class T>
bool has_info(const routine_of_magma<T>& r) {
  return r.numbers.count(place(&call_arguments<T>::info_array)) > 0;
}

/// A stream of its own, with a queue on it.
struct queue_on_stream {
  queue_on_stream() { magma_queue_create_from_cuda(0, s.handle, nullptr, nullptr, &queue); }
  ~queue_on_stream() { magma_queue_destroy(queue); }
  stream s;
  magma_queue_t queue = nullptr;
};

/// work(routine, its operands as at first, legal arguments, what it leaves) of each routine that only queues
/// its work. It has run once before: where a kernel is used for the first time, CUDA loads it.
template <class T, class Work>
void for_each_that_queues(const queue_on_stream& on, Work work) {
  for (const int n : {3, 40}) {
    any_operands<T> operands(n, 5);
    for (const routine_of_magma<T>& r : every_routine<T>()) {
      if (r.returns != how::queues) continue;
      CAPTURE(r.name, n);
      call_arguments<T> c = operands.arguments(on.queue);
      CHECK(r.call(c) == 0);
      finish();
      const std::vector<std::string> expected = operands.state();
      operands.restore();
      work(r, operands, c, expected);
      operands.restore();
    }
  }
}

/// What the host says to a kernel that waits for it.
class release {
 public:
  release() {
    void* memory = nullptr;
    check_cuda(cudaHostAlloc(&memory, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
    flag_ = new (memory) int(0);
    check_cuda(cudaHostGetDevicePointer(&memory, flag_, 0), "cudaHostGetDevicePointer");
    on_device_ = static_cast<const int*>(memory);
  }
  ~release() { cudaFreeHost(flag_); }
  release(const release&) = delete;
  release& operator=(const release&) = delete;

  const int* on_device() const { return on_device_; }
  void set(int value) { *static_cast<volatile int*>(flag_) = value; }

 private:
  int* flag_;
  const int* on_device_;
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("no matrices, and matrices without elements, are legal", "[every]", precisions) {
  using T = TestType;
  any_operands<T> none(4, 0), empty(0, 2);
  const std::vector<std::string> before = empty.state();
  for (const routine_of_magma<T>& r : every_routine<T>()) {
    if (is_one_of(r, {"print_gpu"})) continue;
    CAPTURE(r.name);
    const bool is_batch = r.numbers.count(place(&call_arguments<T>::batchCount)) > 0;
    const auto of_no_matrix = [&](call_arguments<T> c) {
      if (!is_batch) c.m = c.n = c.nrhs = 0;
      return c;
    };
    // No matrices: with arrays, and without any.
    call_arguments<T> c = of_no_matrix(none.arguments(default_queue()));
    CHECK(r.call(c) == 0);
    finish();
    for (const size_array* sizes : {&none.orders, &none.leading}) {
      const int last = sizes->last();  // there is no largest size
      CHECK((last == size_array::unset || (r.returns == how::looks && last == 0)));
    }
    call_arguments<T> without{};
    without.m = without.n = without.k = without.nrhs = without.max_m = without.max_n = without.max_k = 4;
    without.ldda = without.lddb = without.lddc = without.stride = 4;
    without.queue = default_queue();
    without = of_no_matrix(without);
    CHECK(r.call(without) == 0);
    // Matrices without elements: of equal sizes, so are arrays of pointers.
    c = empty.arguments(default_queue());
    if (is_one_of(r, {"_batched"}) && !is_one_of(r, {"gemm", "gemv"}))
      c.A_array = c.B_array = c.C_array = c.tau_array = nullptr;
    CHECK(r.call(c) == 0);
    finish();
    if (has_info(r)) CHECK(all_zero(empty.info.download()));
    empty.info.memory.upload(std::vector<int>(3, -777));
    if (!is_one_of(r, {"set_pointer"})) CHECK(empty.state() == before);
    CHECK(taken_reports() == std::vector<report>{});
    none.restore();
    empty.restore();
  }
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEMPLATE_LIST_TEST_CASE("matrices that fail are reported, and leave the others alone", "[every]",
                        precisions) {
  using T = TestType;
  constexpr int n = 20, count = 11;
  const auto bad = [](std::size_t b) { return b == 2 || b == 7 || b == 10; };
  any_operands<T> healthy(n, count), some(n, count);
  some.A.host.at(2, 5, 5) = nan_of<T>();
  for (int i = 0; i < n; ++i) some.A.host.at(7, i, 9) = T(0);
  some.A.host.at(10, 0, 0) = nan_of<T>();
  std::vector<int> failures(count, 0);
  failures[2] = 6;
  failures[7] = 10;
  failures[10] = 1;
  for (const routine_of_magma<T>& r : every_routine<T>()) {
    if (r.returns == how::waits || is_one_of(r, {"gemv", "set_pointer"})) continue;
    CAPTURE(r.name);
    for (any_operands<T>* operands : {&healthy, &some}) {
      operands->restore();
      call_arguments<T> c = operands->arguments(default_queue());
      c.eps = 0;  // no tolerance
      REQUIRE(r.call(c) == 0);
    }
    finish();
    if (has_info(r)) {
      CHECK(all_zero(healthy.info.download()));
      CHECK(some.info.download() == (is_one_of(r, {"geqrf"}) ? std::vector<int>(count, 0) : failures));
    }
    const slab<T> A = some.A.download(), B = some.B.download(), C = some.C.download(),
                  good_A = healthy.A.download(), good_B = healthy.B.download(), good_C = healthy.C.download();
    const std::vector<std::vector<int>> ipiv = some.ipiv.download(), good_ipiv = healthy.ipiv.download();
    for (std::size_t b = 0; b < count; ++b) {
      CAPTURE(b);
      const auto i = static_cast<std::int64_t>(b);
      if (!bad(b)) {
        CHECK(A.same_bits(i, good_A, i));
        CHECK(B.same_bits(i, good_B, i));
        CHECK(C.same_bits(i, good_C, i));
        CHECK(ipiv[b] == good_ipiv[b]);
      } else if (is_one_of(r, {"potrs", "posv", "getrs", "gesv", "getri"})) {
        CHECK(B.same_bits(i, some.B.host, i));
        CHECK(C.same_bits(i, some.C.host, i));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("batches are larger than a grid's second dimension", "[every]", precisions) {
  using T = TestType;
  constexpr int n = 2, count = 70000;
  const std::vector<std::string> words{"potrf_batched",  "getrf_batched",        "getrs_batched",
                                       "geqrf_batched",  "gemm_batched_strided", "gemv_batched",
                                       "potrf_vbatched", "getrf_vbatched",       "trsm_vbatched",
                                       "gemm_vbatched",  "gemv_vbatched"};
  any_operands<T> many(n, count), few(n, any_operands<T>::distinct);
  for (const routine_of_magma<T>& r : every_routine<T>()) {
    if (!is_one_of(r, words)) continue;
    CAPTURE(r.name);
    for (any_operands<T>* operands : {&many, &few}) {
      operands->restore();
      call_arguments<T> c = operands->arguments(default_queue());
      REQUIRE(r.call(c) == 0);
    }
    finish();
    if (has_info(r)) CHECK(all_zero(many.info.download()));
    bool is_changed = false;
    for (const auto part : {&any_operands<T>::A, &any_operands<T>::B, &any_operands<T>::C}) {
      const slab<T> all = (many.*part).download(), first = (few.*part).download();
      is_changed = is_changed || !all.same_bits(count - 1, (many.*part).host, count - 1);
      CHECK(position_does_not_matter(all, any_operands<T>::distinct));
      for (std::int64_t b = 0; b < any_operands<T>::distinct; ++b)
        CHECK(difference_ratio(all.get(b), first.get(b), 1 + norm1(first.get(b), n, n)) < threshold);
    }
    CHECK(is_changed);
    if (r.returns == how::looks && !is_one_of(r, {"getrf", "max"})) CHECK(many.orders.last() == n);
  }
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEMPLATE_LIST_TEST_CASE("routines return before earlier work of their stream has ended", "[every]",
                        precisions) {
  using T = TestType;
  const queue_on_stream on;
  release told;
  for_each_that_queues<T>(on, [&](const routine_of_magma<T>& r, any_operands<T>& operands,
                                  call_arguments<T>& c, const std::vector<std::string>& expected) {
    told.set(0);
    check_cuda(hold(on.s.handle, told.on_device()), "hold");
    CHECK(r.call(c) == 0);
    CHECK(cudaStreamQuery(on.s.handle) == cudaErrorNotReady);
    told.set(1);
    finish();
    CHECK(operands.state() == expected);
  });
}

TEMPLATE_LIST_TEST_CASE("routines can be captured in a graph", "[every]", precisions) {
  using T = TestType;
  const queue_on_stream on;
  for_each_that_queues<T>(on, [&](const routine_of_magma<T>& r, any_operands<T>& operands,
                                  call_arguments<T>& c, const std::vector<std::string>& expected) {
    const std::vector<std::string> before = operands.state();
    int answer = -1;
    const graph captured(on.s, [&] { answer = r.call(c); });
    CHECK(answer == 0);
    CHECK(operands.state() == before);
    for (int replay = 0; replay < 2; ++replay) {
      captured.replay();
      CHECK(operands.state() == expected);
      operands.restore();
    }
  });
}

TEMPLATE_LIST_TEST_CASE("routines that look at sizes leave a stream that is captured alone", "[every]",
                        precisions) {
  using T = TestType;
  const queue_on_stream on;
  any_operands<T> operands(3, 5);
  const std::vector<std::string> before = operands.state();
  for (const routine_of_magma<T>& r : every_routine<T>()) {
    if (r.returns != how::looks) continue;
    CAPTURE(r.name);
    call_arguments<T> c = operands.arguments(on.queue);
    int answer = 0;
    const graph captured(on.s, [&] { answer = r.call(c); });
    CHECK(answer == MAGMA_ERR_NOT_SUPPORTED);
    CHECK(taken_reports() == std::vector<report>{{r.saying, -MAGMA_ERR_NOT_SUPPORTED}});
    captured.replay();
    CHECK(operands.state() == before);
  }
}
