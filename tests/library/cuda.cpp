// What is particular to the cuda backend: its tables, streams, graph capture, a full device.
#include <memory>
#include <thread>
#include <vector>

#include "batched/cholesky/potrf.hpp"
#include "catch.hpp"
#include "cholesky/cholesky.hpp"
#include "cholesky/fronts.hpp"
#include "lu/fronts.hpp"
#include "lu/lu.hpp"

#ifdef TALUS_WITH_CUDA

using namespace talus;
using namespace talus::test;

namespace {

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

/// All that is left of the device's memory, in pieces down to 1 MB.
struct full_device {
  full_device() {
    for (std::size_t piece = std::size_t{1} << 36; piece >= std::size_t{1} << 20; piece /= 2) {
      void* p = nullptr;
      while (cudaMalloc(&p, piece) == cudaSuccess) pieces.push_back(p);
      cudaGetLastError();
    }
  }
  ~full_device() {
    for (void* p : pieces) cudaFree(p);
  }
  std::vector<void*> pieces;
};

/// Sizes that between them reach every kernel of the generic table.
const std::vector<int> sizes{0, 2, 8, 16, 30, 64, 90, 120, 150, 300, 600};

}  // namespace

TEST_CASE("the device gets its own table", "[cuda]") {
  if (!on_cuda()) return;
  int device = 0, table = -1;
  cudaDeviceProp properties;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  const auto& tables = cuda::potrf_tables::gpus;
  const int count = static_cast<int>(tables.size());
  for (int call = 0; call < 2; ++call) {
    REQUIRE(cuda::find_table(tables.data(), count, table) == 0);
    CHECK(table == cuda::choose_table(tables.data(), count, properties.name,
                                      10 * properties.major + properties.minor));
  }
  INFO(properties.name << " gets table " << tables[static_cast<std::size_t>(table)].name);
  for (const cuda::gpu_table& t : tables) {
    if (std::string(properties.name) == t.gpu)
      CHECK(std::string(tables[static_cast<std::size_t>(table)].gpu) == t.gpu);
  }
}

TEMPLATE_LIST_TEST_CASE("every call can be captured in a graph and replayed", "[cuda]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (const int n : sizes) {
    CAPTURE(n);
    const std::int64_t count = 7;
    const int ld = std::max(1, n);
    const slab<T> A = repeated<T>("random", n, 2, 1).fill(uplo::lower, n, ld, count);
    slab<T> B(n, 2, ld, count);
    for (std::int64_t b = 0; b < count; ++b) B.put(b, random_matrix<T>(n, 2, 5));
    const resident<T> a(A), x(B), a2(A), x2(B), inverse(A), inverse2(A), front(A), front2(A);
    const resident_blocks<T> blocks(front_blocks<T>(A, n / 2, uplo::lower)), blocks2(blocks.host);
    const info_array i1(count), i2(count), i3(count), i4(count), i5(count), i6(count);
    const stream s;
    const queue q = queue::cuda(s.handle);

    std::vector<int> statuses;
    const graph calls(s, [&] {
      statuses = {posv(call_form::strided, uplo::lower, a, x, i1, q),
                  potrf(call_form::pointers, uplo::lower, inverse, i2, q),
                  potri(call_form::strided, uplo::lower, inverse, i3, q),
                  potrs(call_form::pointers, uplo::lower, a, x, i4, q),
                  potrf_partial(call_form::strided, uplo::lower, n / 2, front, i5, q),
                  potrf_partial_split(call_form::pointers, blocks, i6, q)};
    });
    CHECK(statuses == std::vector<int>(6, 0));
    CHECK(a.download().same_bits(A));  // captured, not run
    CHECK(front.download().same_bits(A));
    CHECK(blocks.download().together(A).same_bits(A));
    calls.replay();

    REQUIRE(posv(call_form::strided, uplo::lower, a2, x2, i1) == 0);
    REQUIRE(potrf(call_form::pointers, uplo::lower, inverse2, i2) == 0);
    REQUIRE(potri(call_form::strided, uplo::lower, inverse2, i3) == 0);
    REQUIRE(potrs(call_form::pointers, uplo::lower, a2, x2, i4) == 0);
    REQUIRE(potrf_partial(call_form::strided, uplo::lower, n / 2, front2, i5) == 0);
    REQUIRE(potrf_partial_split(call_form::pointers, blocks2, i6) == 0);
    finish();
    CHECK(a.download().same_bits(a2.download()));
    CHECK(x.download().same_bits(x2.download()));
    CHECK(inverse.download().same_bits(inverse2.download()));
    CHECK(front.download().same_bits(front2.download()));
    CHECK(blocks.download().together(A).same_bits(blocks2.download().together(A)));
    for (const info_array* info : {&i1, &i3, &i5, &i6}) CHECK(all_zero(info->download()));
  }
}

TEMPLATE_LIST_TEST_CASE("every call of LU can be captured in a graph and replayed", "[cuda]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (const int n : sizes) {
    CAPTURE(n);
    const std::int64_t count = 7;
    const int ld = std::max(1, n);
    const slab<T> A = repeated_general<T>("dominant", n, n, 2, 1).fill(ld, count),
                  B = right_hand_sides<T>(n, 2, ld, count, 2);
    struct operands {
      operands(const slab<T>& A, const slab<T>& B)
          : a(A),
            f(A),
            p(A),
            c(A),
            x(B),
            y(B),
            ipiv(A.count, A.n),
            ipiv_f(A.count, A.n),
            ipiv_p(A.count, A.n / 2) {}
      std::vector<int> run(queue q) {
        const pivot_floor<T> floor{real_of<T>(0.5), nullptr, infos[5].data()};
        return {test::gesv(call_form::strided, a, ipiv, x, infos[0], q),
                test::getrs(call_form::pointers, op::trans, a, ipiv, x, infos[1].data(), q),
                test::getrf(call_form::pointers, f, ipiv_f, infos[2], q),
                test::getri_outofplace(call_form::strided, f, ipiv_f, c, infos[3].data(), q),
                test::getri(call_form::pointers, f, ipiv_f, infos[4].data(), q),
                test::getrf_partial(call_form::strided, p.host.n / 2, p, ipiv_p, infos[6], q),
                test::getrf_nopiv(call_form::strided, p, floor, infos[7], q),
                test::getrf_partial_nopiv(call_form::pointers, p.host.n / 2, p, floor, infos[8], q),
                test::getrs_nopiv(call_form::strided, op::none, a, y, infos[9].data(), q)};
      }
      bool same_bits(const operands& other) const {
        return a.download().same_bits(other.a.download()) && f.download().same_bits(other.f.download()) &&
               p.download().same_bits(other.p.download()) && c.download().same_bits(other.c.download()) &&
               x.download().same_bits(other.x.download()) && y.download().same_bits(other.y.download()) &&
               ipiv.download() == other.ipiv.download() && ipiv_f.download() == other.ipiv_f.download() &&
               ipiv_p.download() == other.ipiv_p.download();
      }
      resident<T> a, f, p, c, x, y;
      pivot_array ipiv, ipiv_f, ipiv_p;
      info_array infos[10] = {info_array(7), info_array(7), info_array(7), info_array(7), info_array(7),
                              info_array(7), info_array(7), info_array(7), info_array(7), info_array(7)};
    } captured(A, B), direct(A, B), untouched(A, B);
    const stream s;
    std::vector<int> statuses;
    const graph calls(s, [&] { statuses = captured.run(queue::cuda(s.handle)); });
    CHECK(statuses == std::vector<int>(9, 0));
    CHECK(captured.same_bits(untouched));  // captured, not run
    calls.replay();
    CHECK(direct.run(test_queue()) == std::vector<int>(9, 0));
    finish();
    CHECK(captured.same_bits(direct));
    for (const int i : {0, 2, 3, 4}) CHECK(all_zero(captured.infos[i].download()));
  }
}

TEMPLATE_LIST_TEST_CASE("every call on fronts of LU in blocks can be captured in a graph and replayed",
                        "[cuda]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (const int n : sizes) {
    for (const split_size& s : {split_size{n / 2, n - n / 2, n - n / 2}, {n / 3, n / 2, n}}) {
      CAPTURE(s.k, s.m2, s.n2);
      const std::int64_t count = 7;
      const slab<T> A = repeated_general<T>("dominant", s.m(), s.n(), 2, 1).fill(std::max(1, s.m()), count);
      struct operands {
        operands(const slab<T>& fronts, int k) {
          for (const split_way& way : every_split_way) {
            calls.push_back(std::make_unique<call>(fronts, k));
            calls.back()->way = way;
          }
        }
        std::vector<int> run(queue q) {
          std::vector<int> statuses;
          for (const auto& c : calls) {
            const pivot_floor<T> floor{real_of<T>(0.5), nullptr, c->replaced.data()};
            const call_form how = forms[statuses.size() % 2];
            statuses.push_back(c->way.exchanges
                                   ? getrf_partial_split(how, c->way, c->A, c->ipiv, c->info, q)
                                   : getrf_partial_split_nopiv(how, c->way, c->A, floor, c->info, q));
          }
          return statuses;
        }
        bool same_bits(const operands& other) const {
          bool all = true;
          for (std::size_t i = 0; i < calls.size(); ++i) {
            const call &a = *calls[i], &b = *other.calls[i];
            all = all && a.A.download().same_bits(b.A.download()) && a.ipiv.download() == b.ipiv.download() &&
                  a.info.download() == b.info.download() && a.replaced.download() == b.replaced.download();
          }
          return all;
        }

        struct call {
          call(const slab<T>& fronts, int k)
              : A(lu_blocks<T>(fronts, k)),
                ipiv(fronts.count, k),
                info(fronts.count),
                replaced(fronts.count) {}
          split_way way = every_split_way[0];
          resident_lu_blocks<T> A;
          pivot_array ipiv;
          info_array info, replaced;
        };
        std::vector<std::unique_ptr<call>> calls;
      } captured(A, s.k), direct(A, s.k), untouched(A, s.k);
      const stream on;
      std::vector<int> statuses;
      const graph calls(on, [&] { statuses = captured.run(queue::cuda(on.handle)); });
      CHECK(statuses == std::vector<int>(captured.calls.size(), 0));
      CHECK(captured.same_bits(untouched));  // captured, not run
      calls.replay();
      CHECK(direct.run(test_queue()) == statuses);
      finish();
      CHECK(captured.same_bits(direct));
      for (const auto& c : captured.calls) CHECK(all_zero(c->info.download()));
    }
  }
}

TEMPLATE_LIST_TEST_CASE(
    "on a full device a call works or says that it does not, loses nothing, and the next one works", "[cuda]",
    precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (const int n : sizes) {
    CAPTURE(n);
    const std::int64_t count = 5;
    const slab<T> A = repeated<T>("random", n, 1, 1).fill(uplo::upper, n, std::max(1, n), count);
    const resident<T> full(A), roomy(A);
    const info_array info(count);
    {
      const full_device hog;
      const int status = potrf(call_form::strided, uplo::upper, full, info);
      CAPTURE(status);
      CHECK((status == 0 || status == err_memory || status == err_work));
      CHECK(cudaGetLastError() == cudaSuccess);  // our errors are ours to report
      finish();
      if (status != 0) CHECK(full.download().same_bits(A));
    }
    REQUIRE(potrf(call_form::strided, uplo::upper, roomy, info) == 0);
    finish();
    CHECK(all_zero(info.download()));
    REQUIRE(potri(call_form::strided, uplo::upper, roomy, info) == 0);  // loads its kernel
    finish();
    const std::size_t before = free_memory();
    for (int i = 0; i < 20; ++i) {
      const int status = potri(call_form::strided, uplo::upper, roomy, info);
      REQUIRE(status == 0);
    }
    finish();
    CHECK(free_memory() >= before);  // the first rounds may load kernels, none may leak
  }
}

TEST_CASE("a size beyond the device is refused, not tried", "[cuda]") {
#ifdef TALUS_HAVE_Z
  if (!on_cuda()) return;
  // potri keeps one column in shared memory: 16 bytes times n is more than any device has.
  const int n = 40000;
  const info_array info(1);
  const array<std::complex<double>> element(1);
  CHECK(potri_strided_batched(uplo::lower, n, element.data(), n, 0, info.data(), 1, test_queue()) ==
        err_unsupported);
  CHECK(cudaGetLastError() == cudaSuccess);
#endif
}

TEST_CASE("an error of the user's own is left to him", "[cuda]") {
#ifdef TALUS_HAVE_D
  if (!on_cuda()) return;
  const slab<double> A = repeated<double>("random", 20, 1, 1).fill(uplo::lower, 20, 20, 3);
  const resident<double> a(A);
  const info_array info(3);
  REQUIRE(cudaSetDevice(12345) != cudaSuccess);  // sets the thread's last error
  CHECK(potrf(call_form::strided, uplo::lower, a, info) == 0);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  finish();
  CHECK(all_zero(info.download()));
#endif
}

/// Kernels that several sizes share are launched with much and with little shared memory at once.
TEST_CASE("threads that call at once each get what they would alone", "[cuda]") {
#ifdef TALUS_HAVE_D
  if (!on_cuda()) return;
  constexpr std::size_t threads = 4;
  const int orders[] = {34, 40, 72, 88, 90, 104, 150, 160, 200, 300};
  struct call {
    explicit call(int n)
        : A(repeated<double>("random", n, 1, 1).fill(uplo::lower, n, n, 3)), on_device(A), info(3) {}
    slab<double> A;
    resident<double> on_device;
    info_array info;
    int status = -1;
  };
  std::vector<std::unique_ptr<call>> alone, at_once;
  for (const int n : orders) {
    alone.push_back(std::make_unique<call>(n));
    REQUIRE(potrf(call_form::strided, uplo::lower, alone.back()->on_device, alone.back()->info) == 0);
  }
  for (std::size_t t = 0; t < threads; ++t) {
    for (const int n : orders) at_once.push_back(std::make_unique<call>(n));
  }
  finish();
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      cudaStream_t stream = nullptr;
      if (cudaStreamCreate(&stream) != cudaSuccess) return;
      for (std::size_t i = 0; i < alone.size(); ++i) {  // each in another order
        call& c = *at_once[t * alone.size() + (t % 2 == 0 ? i : alone.size() - 1 - i)];
        c.status = potrf(call_form::strided, uplo::lower, c.on_device, c.info, queue::cuda(stream));
      }
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    });
  }
  for (std::thread& one : all) one.join();
  for (std::size_t i = 0; i < at_once.size(); ++i) {
    CAPTURE(i, at_once[i]->A.n);
    CHECK(at_once[i]->status == 0);
    CHECK(all_zero(at_once[i]->info.download()));
    CHECK(at_once[i]->on_device.download().same_bits(alone[i % alone.size()]->on_device.download()));
  }
#endif
}

/// As other libraries' tests do between theirs. The last one here: nothing of the device outlives it.
TEST_CASE("a device that was reset serves calls as before", "[cuda]") {
#ifdef TALUS_HAVE_D
  if (!on_cuda()) return;
  std::vector<slab<double>> before;
  for (const bool reset : {false, true}) {
    if (reset) REQUIRE(cudaDeviceReset() == cudaSuccess);
    std::size_t i = 0;
    for (const int n : {20, 104, 200, 300, 600}) {  // most take more shared memory than is granted anyway
      CAPTURE(reset, n);
      const resident<double> A(repeated<double>("random", n, 1, 1).fill(uplo::lower, n, n, 3));
      const info_array info(3);
      CHECK(potrf(call_form::strided, uplo::lower, A, info) == 0);
      CHECK(cudaGetLastError() == cudaSuccess);
      finish();
      CHECK(all_zero(info.download()));
      if (reset)
        CHECK(A.download().same_bits(before[i++]));
      else
        before.push_back(A.download());
    }
  }
#endif
}

#endif  // TALUS_WITH_CUDA
