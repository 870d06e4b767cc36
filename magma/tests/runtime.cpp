// What MAGMA has beside its routines: memory, copies, queues, and the routines of one matrix.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>

#include "catch.hpp"
#include "lu/lu.hpp"
#include "names.hpp"
#include "temporary_file.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// What work() writes to standard output.
template <class Work>
std::string output_of(Work work) {
  const temporary_file file("");
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  FILE* const to = std::fopen(file.path().c_str(), "w");
  REQUIRE(to != nullptr);
  dup2(fileno(to), STDOUT_FILENO);
  work();
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  std::fclose(to);
  std::ifstream in(file.path());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A queue on a stream of its own.
struct own_queue {
  own_queue() { magma_queue_create(0, &queue); }
  ~own_queue() { magma_queue_destroy(queue); }
  magma_queue_t queue = nullptr;
};

template <class T>
std::vector<T> counted(int size, int first) {
  std::vector<T> values;
  for (int i = 0; i < size; ++i) values.push_back(T(static_cast<real_of<T>>(first + i)));
  return values;
}

}  // namespace

// ---- memory ----------------------------------------------------------------------------------------------

TEST_CASE("memory of the device and of the host is had and given back", "[runtime]") {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000003}}) {
    magma_ptr on_device = nullptr;
    void* pinned = nullptr;
    REQUIRE(magma_malloc(&on_device, bytes) == MAGMA_SUCCESS);
    REQUIRE(magma_malloc_pinned(&pinned, bytes) == MAGMA_SUCCESS);
    REQUIRE(on_device != nullptr);
    REQUIRE(pinned != nullptr);
    CHECK(magma_memset(on_device, 0x5a, bytes) == MAGMA_SUCCESS);
    magma_getvector(static_cast<int>(bytes), 1, on_device, 1, pinned, 1, default_queue());
    const unsigned char* const byte = static_cast<unsigned char*>(pinned);
    CHECK(std::count(byte, byte + bytes, 0x5a) == static_cast<std::ptrdiff_t>(bytes));
    CHECK(magma_free(on_device) == MAGMA_SUCCESS);
    CHECK(magma_free_pinned(pinned) == MAGMA_SUCCESS);
  }
  CHECK(magma_free(nullptr) == MAGMA_SUCCESS);
  CHECK(magma_free_pinned(nullptr) == MAGMA_SUCCESS);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("what cannot be had is a null pointer, and no error of later calls", "[runtime]") {
  int own = 0;
  void *on_device = &own, *pinned = &own;
  const std::size_t too_much = std::size_t{1} << 60;
  CHECK(magma_malloc(&on_device, too_much) == MAGMA_ERR_DEVICE_ALLOC);
  CHECK(magma_malloc_pinned(&pinned, too_much) == MAGMA_ERR_HOST_ALLOC);
  CHECK(on_device == nullptr);
  CHECK(pinned == nullptr);
  CHECK(magma_free(&own) == MAGMA_ERR_INVALID_PTR);
  CHECK(magma_free_pinned(&own) == MAGMA_ERR_INVALID_PTR);
  // Launches look for errors: not for those.
  const array<int*> out(3);
  magma_iset_pointer(out.data(), nullptr, 1, 0, 0, 1, 3, default_queue());
  finish();
  CHECK(out.download()[2] == static_cast<int*>(nullptr) + 2);
  CHECK(taken_reports() == std::vector<report>{});
}

TEMPLATE_LIST_TEST_CASE("memory by elements", "[runtime]", precisions) {
  using T = TestType;
  using N = names<T>;
  const int n = 1000;
  element<T>*on_device = nullptr, *pinned = nullptr, *host = nullptr;
  REQUIRE(N::malloc(&on_device, n) == MAGMA_SUCCESS);
  REQUIRE(N::malloc_pinned(&pinned, n) == MAGMA_SUCCESS);
  REQUIRE(N::malloc_cpu(&host, n) == MAGMA_SUCCESS);
  std::vector<T> values = counted<T>(n, 7);
  std::copy(values.begin(), values.end(), reinterpret_cast<T*>(host));
  N::setvector(n, host, 1, on_device, 1, default_queue());
  N::getvector(n, on_device, 1, pinned, 1, default_queue());
  CHECK(std::equal(values.begin(), values.end(), reinterpret_cast<T*>(pinned)));
  CHECK(magma_free(on_device) == MAGMA_SUCCESS);
  CHECK(magma_free_pinned(pinned) == MAGMA_SUCCESS);
  CHECK(magma_free_cpu(host) == MAGMA_SUCCESS);

  magma_int_t *ints = nullptr, *ints_pinned = nullptr;
  REQUIRE(magma_imalloc(&ints, n) == MAGMA_SUCCESS);
  REQUIRE(magma_imalloc_pinned(&ints_pinned, n) == MAGMA_SUCCESS);
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 5);
  magma_isetvector(n, numbers.data(), 1, ints, 1, default_queue());
  magma_igetvector(n, ints, 1, ints_pinned, 1, default_queue());
  CHECK(std::equal(numbers.begin(), numbers.end(), ints_pinned));
  CHECK(magma_free(ints) == MAGMA_SUCCESS);
  CHECK(magma_free_pinned(ints_pinned) == MAGMA_SUCCESS);
}

// ---- copies ----------------------------------------------------------------------------------------------

TEST_CASE("vectors are copied with their increments", "[runtime]") {
  const own_queue on;
  constexpr int n = 50, size = sizeof(double);
  for (const int incx : {1, 2}) {
    for (const int incy : {1, 3}) {
      for (const bool async : {false, true}) {
        CAPTURE(incx, incy, async);
        const std::vector<double> from = counted<double>(n * incx, 1);
        const array<double> a(std::vector<double>(n * incy, -1)), b(std::vector<double>(n * incx, -2));
        std::vector<double> to(n * incx, -3);
        if (async) {
          magma_setvector_async(n, size, from.data(), incx, a.data(), incy, on.queue);
          magma_copyvector_async(n, size, a.data(), incy, b.data(), incx, on.queue);
          magma_getvector_async(n, size, b.data(), incx, to.data(), incx, on.queue);
          magma_queue_sync(on.queue);
        } else {
          magma_setvector(n, size, from.data(), incx, a.data(), incy, on.queue);
          magma_copyvector(n, size, a.data(), incy, b.data(), incx, on.queue);
          magma_getvector(n, size, b.data(), incx, to.data(), incx, on.queue);
        }
        std::vector<double> between(n * incy, -1), expected(n * incx, -3);
        for (std::size_t i = 0; i < n; ++i) {
          between[i * static_cast<std::size_t>(incy)] = from[i * static_cast<std::size_t>(incx)];
          expected[i * static_cast<std::size_t>(incx)] = from[i * static_cast<std::size_t>(incx)];
        }
        CHECK(a.download() == between);
        CHECK(to == expected);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("matrices are copied with their leading dimensions", "[runtime]", precisions) {
  using T = TestType;
  using N = names<T>;
  const own_queue on;
  constexpr int size = sizeof(T);
  for (const auto [m, n] : std::vector<extents>{{1, 1}, {7, 5}, {5, 7}, {1, 9}, {9, 1}}) {
    for (const int gap : {0, 2}) {
      for (const bool async : {false, true}) {
        CAPTURE(m, n, gap, async);
        slab<T> from(m, n, m + gap, 1, 0), at_first(m, n, m + 1, 1, 0), to(m, n, m + gap, 1, 0);
        from.put(0, counted<T>(m * n, 1));
        const array<T> a(at_first.host), b(from.host.size());
        const slab<T> untouched = to;
        if (async) {
          magma_setmatrix_async(m, n, size, from.host.data(), from.ld, a.data(), m + 1, on.queue);
          magma_copymatrix_async(m, n, size, a.data(), m + 1, b.data(), m, on.queue);
          magma_getmatrix_async(m, n, size, b.data(), m, to.host.data(), to.ld, on.queue);
          magma_queue_sync(on.queue);
        } else {
          N::setmatrix(m, n, to_magma(from.host.data()), from.ld, to_magma(a.data()), m + 1, on.queue);
          magma_copymatrix(m, n, size, a.data(), m + 1, b.data(), m, on.queue);
          N::getmatrix(m, n, to_magma(b.data()), m, to_magma(to.host.data()), to.ld, on.queue);
        }
        slab<T> on_device = at_first;
        on_device.host = a.download();
        CHECK(on_device.get(0) == from.get(0));
        CHECK(on_device.guards_untouched(at_first));
        CHECK(to.get(0) == from.get(0));
        CHECK(to.guards_untouched(untouched));
      }
    }
  }
}

TEST_CASE("copies and memset of nothing do nothing", "[runtime]") {
  double value = 3;
  for (const int n : {0, -1}) {
    magma_setvector(n, 8, &value, 1, nullptr, 1, default_queue());
    magma_getvector(n, 8, nullptr, 1, &value, 1, default_queue());
    magma_copyvector(n, 8, nullptr, 1, nullptr, 1, default_queue());
    magma_setmatrix(n, 3, 8, &value, 1, nullptr, 1, default_queue());
    magma_getmatrix(3, n, 8, nullptr, 3, &value, 3, default_queue());
    magma_copymatrix(n, n, 8, nullptr, 1, nullptr, 1, default_queue());
  }
  CHECK(value == 3);
  const array<unsigned char> bytes(std::vector<unsigned char>(9, 1));
  const own_queue on;
  CHECK(magma_memset_async(bytes.data(), 0, 0, on.queue) == MAGMA_SUCCESS);
  CHECK(magma_memset_async(bytes.data(), 7, 8, on.queue) == MAGMA_SUCCESS);
  magma_queue_sync(on.queue);
  CHECK(bytes.download() == std::vector<unsigned char>{7, 7, 7, 7, 7, 7, 7, 7, 1});
  CHECK(cudaGetLastError() == cudaSuccess);
}

// ---- queues ----------------------------------------------------------------------------------------------

TEST_CASE("queues have streams, their own or the caller's", "[runtime]") {
  int devices = 0, current = -1;
  check_cuda(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  CHECK(magma_num_gpus() == 1);
  setenv("MAGMA_NUM_GPUS", "1000", 1);
  CHECK(magma_num_gpus() == devices);
  unsetenv("MAGMA_NUM_GPUS");
  magma_setdevice(0);
  magma_getdevice(&current);
  CHECK(current == 0);

  const int last = devices - 1;
  magma_queue_t own = nullptr, second = nullptr, given = nullptr, of_default = nullptr;
  magma_queue_create(last, &own);
  REQUIRE(own != nullptr);
  magma_getdevice(&current);
  CHECK(current == last);
  CHECK(magma_queue_get_device(own) == last);
  unsigned flags = 1;
  check_cuda(cudaStreamGetFlags(magma_queue_get_cuda_stream(own), &flags), "cudaStreamGetFlags");
  CHECK(flags == cudaStreamDefault);  // it waits for the default stream
  magma_queue_destroy(own);

  magma_queue_create(0, &own);
  magma_queue_create(0, &second);
  REQUIRE(own != nullptr);
  REQUIRE(second != nullptr);
  CHECK(magma_queue_get_cuda_stream(own) != nullptr);
  CHECK(magma_queue_get_cuda_stream(own) != magma_queue_get_cuda_stream(second));
  magma_queue_sync(own);
  magma_queue_destroy(own);
  magma_queue_destroy(second);

  {
    const stream s;
    magma_queue_create_from_cuda(0, s.handle, nullptr, nullptr, &given);
    REQUIRE(given != nullptr);
    CHECK(magma_queue_get_cuda_stream(given) == s.handle);
    CHECK(magma_queue_get_device(given) == 0);
    magma_queue_sync(given);
    magma_queue_destroy(given);
    CHECK(cudaStreamQuery(s.handle) == cudaSuccess);  // it is still there
  }
  magma_queue_create_from_cuda(0, nullptr, nullptr, nullptr, &of_default);
  CHECK(magma_queue_get_cuda_stream(of_default) == nullptr);
  magma_queue_sync(of_default);
  magma_queue_destroy(of_default);
  magma_queue_destroy(nullptr);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a queue lets the pool of its device keep scratch, unless it was told what to keep", "[runtime]") {
  cudaMemPool_t pool = nullptr;
  check_cuda(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
  const std::uint64_t own = 7 << 20, kept = 64 << 20;
  for (const auto& [before, after] : {std::pair(own, own), std::pair(std::uint64_t{0}, kept)}) {
    std::uint64_t bytes = before;
    check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), "set");
    const own_queue on;
    check_cuda(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), "get");
    CHECK(bytes == after);
  }
}

// ---- one matrix ------------------------------------------------------------------------------------------

TEMPLATE_LIST_TEST_CASE("getrf_gpu and getrs_gpu solve one system", "[runtime]", precisions) {
  using T = TestType;
  using N = names<T>;
  for (const auto [m, n] : std::vector<extents>{{1, 1}, {33, 33}, {40, 9}, {9, 40}, {70, 70}, {0, 3}}) {
    CAPTURE(m, n);
    slab<T> before(m, n, m + 1, 1);
    before.put(0, general<T>("random", m, n, 3));
    const resident<T> a(before);
    std::vector<int> ipiv(static_cast<std::size_t>(std::min(m, n)) + 1, -999);
    int info = -777;
    CHECK(N::getrf_gpu(m, n, to_magma(a.memory.data()), m + 1, ipiv.data(), &info) == 0);
    CHECK(info == 0);
    CHECK(ipiv.back() == -999);
    ipiv.pop_back();
    const slab<T> factors = a.download();
    CHECK(factors.guards_untouched(before));
    check_pivoted(before.get(0), factors.get(0), ipiv, info, m, n);
    if (m != n) continue;
    const slab<T> sides = right_hand_sides<T>(n, 2, n + 2, 1, 1);
    for (const op op : every_op) {
      const resident<T> x(sides);
      info = -777;
      CHECK(N::getrs_gpu(to_magma(op), n, 2, to_magma(a.memory.data()), m + 1, ipiv.data(),
                         to_magma(x.memory.data()), n + 2, &info) == 0);
      CHECK(info == 0);
      finish();
      const slab<T> solved = x.download();
      CHECK(solved.guards_untouched(sides));
      CHECK(solve_ratio(applied(op, before.get(0), n), solved.get(0), sides.get(0), n, 2) < threshold);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_gpu reports a zero pivot, and a NaN", "[runtime]", precisions) {
  using T = TestType;
  for (const T value : {T(0), nan_of<T>()}) {
    constexpr int n = 6;
    slab<T> A(n, n, n, 1);
    A.put(0, general<T>("dominant", n, n, 1));
    for (int i = 0; i < n; ++i) A.at(0, i, 3) = value;
    const resident<T> a(A);
    std::vector<int> ipiv(n);
    int info = -777;
    CHECK(names<T>::getrf_gpu(n, n, to_magma(a.memory.data()), n, ipiv.data(), &info) == 4);
    CHECK(info == 4);
  }
  CHECK(taken_reports().empty());  // of arguments
}

TEMPLATE_LIST_TEST_CASE("print_gpu prints what MATLAB reads", "[runtime]", precisions) {
  using T = TestType;
  constexpr int m = 3, n = 2;
  slab<T> A(m, n, m + 2, 1);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const auto real = static_cast<real_of<T>>(i - 10 * j), imaginary = static_cast<real_of<T>>(2 - 2 * i);
      if constexpr (is_complex<T>) {
        A.at(0, i, j) = {real, imaginary};
      } else {
        A.at(0, i, j) = real + real_of<T>(0.25) * imaginary;
      }
    }
  }
  const resident<T> a(A);
  const std::string text =
      output_of([&] { names<T>::print_gpu(m, n, to_magma(a.memory.data()), A.ld, default_queue()); });
  CAPTURE(text);
  std::vector<std::string> lines;
  for (std::size_t from = 0, to; (to = text.find('\n', from)) != std::string::npos; from = to + 1)
    lines.push_back(text.substr(from, to - from));
  REQUIRE(lines.size() == m + 2);
  CHECK(lines.front() == "[");
  CHECK(lines.back() == "];");
  bool is_right = true;
  for (int i = 0; i < m; ++i) {
    const char* at = lines[static_cast<std::size_t>(i) + 1].c_str();
    char* end = nullptr;
    for (int j = 0; j < n; ++j, at = end) {
      is_right = is_right && std::strtod(at, &end) == static_cast<double>(std::real(A.at(0, i, j)));
      if constexpr (is_complex<T>) {
        // Blanks before a sign, and none behind it, would begin another element.
        is_right = is_right && (*end == '+' || *end == '-') &&
                   std::strtod(end, &end) == static_cast<double>(std::imag(A.at(0, i, j))) && *end++ == 'i';
      }
    }
    is_right = is_right && std::string(at).find_first_not_of(' ') == std::string::npos;
  }
  CHECK(is_right);
}
