// magma_mfem_lu: batches of equal matrices by the calls that MFEM makes of MAGMA: factor, solve, invert,
// multiply. The queue is MAGMA's own, whose stream and the default stream wait for each other: results are
// copied to the host without a look at the queue.
#include "client.hpp"
#include "cublas_by_type.hpp"

namespace client {
namespace {

constexpr std::uint64_t seed = 3;
constexpr int orders[] = {1, 3, 8, 27, 64, 125};

/// A queue as MFEM has it.
class magma_queue_of_device {
 public:
  magma_queue_of_device() {
    magma_device_t device = 0;
    magma_getdevice(&device);
    magma_queue_create(device, &queue_);
  }
  ~magma_queue_of_device() { magma_queue_destroy(queue_); }
  magma_queue_of_device(const magma_queue_of_device&) = delete;
  magma_queue_of_device& operator=(const magma_queue_of_device&) = delete;
  operator magma_queue_t() const { return queue_; }
  cudaStream_t stream() const { return magma_queue_get_cuda_stream(queue_); }

 private:
  magma_queue_t queue_ = nullptr;
};

/// Copies to the host as MFEM does.
template <class H, class E>
std::vector<H> plain_copy(const device_array<E>& from) {
  static_assert(sizeof(H) == sizeof(E));
  std::vector<H> to(from.size());
  if (!to.empty())
    check_cuda(cudaMemcpy(to.data(), from.data(), to.size() * sizeof(E), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
  return to;
}

/// Matrices and right-hand sides on the device, one behind the other.
template <class T>
class batch {
 public:
  using M = element_of<T>;
  using magma = by_type<T>;

  /// Of `distinct` matrices on the host, again and again.
  batch(int order, int right_hand_sides, int matrices, const std::vector<T>& A_on_host,
        const std::vector<T>& B_on_host)
      : n(order),
        nrhs(right_hand_sides),
        count(matrices),
        A_at_first(filled(A_on_host, n * n)),
        B_at_first(filled(B_on_host, n * nrhs)),
        A(A_at_first.size()),
        B(B_at_first.size()),
        inverse(A.size()),
        pivots(static_cast<std::size_t>(n) * static_cast<std::size_t>(count)),
        info(static_cast<std::size_t>(count)),
        A_array(pointers(A, n * n)),
        B_array(pointers(B, n * nrhs)),
        inverse_array(pointers(inverse, n * n)),
        pivots_array(pointers(pivots, n)) {
    restore(nullptr);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void restore(cudaStream_t stream) {
    A.copy_of(A_at_first, stream);
    B.copy_of(B_at_first, stream);
  }

  void factor(magma_queue_t q) {
    check_magma(magma::getrf_batched(n, n, A_array.data(), n, pivots_array.data(), info.data(), count, q),
                "getrf_batched");
  }
  void solve(magma_queue_t q) {
    check_magma(magma::getrs_batched(MagmaNoTrans, n, nrhs, A_array.data(), n, pivots_array.data(),
                                     B_array.data(), n, count, q),
                "getrs_batched");
  }
  void invert(magma_queue_t q) {
    check_magma(magma::getri_outofplace_batched(n, A_array.data(), n, pivots_array.data(),
                                                inverse_array.data(), n, info.data(), count, q),
                "getri_outofplace_batched");
  }
  /// Y := 2 op(A) X + 3 Y of the matrices as they were at first.
  void multiply(magma_trans_t op, const device_array<M>& X, const device_array<M>& Y, magma_queue_t q) {
    magma::gemm_batched_strided(op, MagmaNoTrans, n, nrhs, n, scalar(T(2)), A_at_first.data(), n, n * n,
                                X.data(), n, n * nrhs, scalar(T(3)), Y.data(), n, n * nrhs, count, q);
  }

  int n, nrhs, count;
  device_array<M> A_at_first, B_at_first, A, B, inverse;
  device_array<int> pivots, info;
  device_array<M*> A_array, B_array, inverse_array;
  device_array<int*> pivots_array;

 private:
  device_array<M> filled(const std::vector<T>& with, int elements) const {
    device_array<M> all(static_cast<std::size_t>(elements) * static_cast<std::size_t>(count));
    all.upload(with);
    all.repeat(with.size());
    return all;
  }
  template <class E>
  std::vector<E*> pointers(const device_array<E>& slab, std::ptrdiff_t stride) const {
    std::vector<E*> all;
    for (int b = 0; b < count; ++b) all.push_back(slab.data() + b * stride);
    return all;
  }
};

// ---- the test ---------------------------------------------------------------------------------------------

std::size_t elements(int rows, int columns, int count) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * static_cast<std::size_t>(count);
}

/// With one singular matrix, whose column `singular` is zero.
template <class T>
void test_order(results& all, int n) {
  using W = wide<T>;
  constexpr int nrhs = 3, count = 50, singular_b = 20;
  const int singular_j = n / 2;
  all.section("n = " + std::to_string(n) + ": ");
  std::vector<T> A = random_elements<T>(elements(n, n, count), seed);
  const std::vector<T> B = random_elements<T>(elements(n, nrhs, count), seed + 1);
  std::fill_n(A.begin() + singular_b * n * n + singular_j * n, n, T(0));

  const magma_queue_of_device q;
  batch<T> d(n, nrhs, count, A, B);
  d.factor(q);
  const std::vector<int> info = plain_copy<int>(d.info);
  d.solve(q);
  const std::vector<T> X = plain_copy<T>(d.B);
  d.invert(q);
  const std::vector<T> inverse = plain_copy<T>(d.inverse), LU = plain_copy<T>(d.A);
  const std::vector<int> pivots = plain_copy<int>(d.pivots), info_of_inverse = plain_copy<int>(d.info);
  const device_array<element_of<T>> Y(B), Y_transposed(B);
  d.multiply(MagmaNoTrans, d.B_at_first, Y, q);
  d.multiply(MagmaTrans, d.B_at_first, Y_transposed, q);
  const std::vector<T> AB = plain_copy<T>(Y), AtB = plain_copy<T>(Y_transposed);

  const auto square = [n](const std::vector<T>& of, int b) {
    return dense<W>(&of[elements(n, n, b)], n, n, n);
  };
  const auto sides = [n](const std::vector<T>& of, int b) {
    return dense<W>(&of[elements(n, nrhs, b)], n, nrhs, n);
  };
  const auto expected_info = [&](int b) { return b == singular_b ? singular_j + 1 : 0; };
  const auto found = [](const std::vector<int>& of) {
    return [&of](int b) { return of[static_cast<std::size_t>(b)]; };
  };
  all.equal("info of getrf", count, found(info), expected_info);
  all.below("A = P L U", count,
            [&](int b) { return lu_ratio<T>(square(A, b), square(LU, b), &pivots[elements(n, 1, b)]); });
  all.below("X = A^-1 B", count, [&](int b) {
    return b == singular_b ? 0 : solve_ratio<T>(square(A, b), sides(X, b), sides(B, b));
  });
  all.equal("info of getri", count, found(info_of_inverse), expected_info);
  all.below("A^-1 A = I", count, [&](int b) {
    if (b == singular_b) return 0.0;
    dense<W> identity(n, n);
    for (int j = 0; j < n; ++j) identity(j, j) = 1;
    return solve_ratio<T>(square(inverse, b), square(A, b), identity);
  });
  // 3 Y - (-2 A) X, against what was found
  const auto product = [&](dense<W> factor, int b, const std::vector<T>& of) {
    dense<W> Y3 = sides(B, b);
    for (W& e : factor.elements) e *= -2;
    for (W& e : Y3.elements) e *= 3;
    return product_ratio<T>(Y3, factor, sides(B, b), sides(of, b));
  };
  all.below("2 A X + 3 Y", count, [&](int b) { return product(square(A, b), b, AB); });
  all.below("2 A^T X + 3 Y", count, [&](int b) { return product(transposed(square(A, b)), b, AtB); });
}

/// A batch of none has null pointers.
template <class T>
void test_no_matrices(results& all) {
  using magma = by_type<T>;
  all.section("no matrices: ");
  const magma_queue_of_device q;
  all.equal("getrf", magma::getrf_batched(8, 8, nullptr, 8, nullptr, nullptr, 0, q), 0);
  all.equal("getrs", magma::getrs_batched(MagmaNoTrans, 8, 1, nullptr, 8, nullptr, nullptr, 8, 0, q), 0);
  all.equal("getri", magma::getri_outofplace_batched(8, nullptr, 8, nullptr, nullptr, 8, nullptr, 0, q), 0);
  magma::gemm_batched_strided(MagmaNoTrans, MagmaNoTrans, 8, 1, 8, scalar(T(1)), nullptr, 8, 64, nullptr, 8,
                              8, scalar(T(0)), nullptr, 8, 8, 0, q);
  all.equal("CUDA's last error", static_cast<int>(cudaDeviceSynchronize()), 0);
}

template <class T>
int test(const options& o) {
  results all("mfem_lu " + o.precision);
  for (const int n : orders) test_order<T>(all, n);
  test_no_matrices<T>(all);
  return all.verdict();
}

// ---- times ------------------------------------------------------------------------------------------------

template <class T>
int bench(const options& o) {
  constexpr int count = 10000, distinct = 500, nrhs = 1;
  std::printf("%d matrices, one right-hand side, precision %s%s\n\n", count, o.precision.c_str(),
#ifdef CLIENT_WITH_CUBLAS
              "");
#else
              "; cuBLAS was not found");
#endif
  std::printf("%4s | %-28s | %-28s | %-28s\n", "", "factor", "solve", "invert");
  std::printf("%4s", "n");
  for (int i = 0; i < 3; ++i) std::printf(" | %9s %9s %8s", "ms", "cuBLAS ms", "x");
  std::printf("\n");
  for (const int n : orders) {
    const magma_queue_of_device q;
    batch<T> d(n, nrhs, count, random_elements<T>(elements(n, n, distinct), seed),
               random_elements<T>(elements(n, nrhs, distinct), seed + 1));
    const work restore = [&] { d.restore(q.stream()); };
    const work restore_factored = [&] { d.B.copy_of(d.B_at_first, q.stream()); };
    std::vector<work> factor = {[&] { d.factor(q); }}, solve = {[&] { d.solve(q); }},
                      invert = {[&] { d.invert(q); }};
#ifdef CLIENT_WITH_CUBLAS
    const cublas_handle handle(q.stream());
    factor.push_back([&] {
      check_cublas(cublas<T>::getrf(handle, n, d.A_array.data(), n, d.pivots.data(), d.info.data(), d.count),
                   "cublas<t>getrfBatched");
    });
    solve.push_back([&] {
      int refused = 0;
      check_cublas(cublas<T>::getrs(handle, CUBLAS_OP_N, n, nrhs, d.A_array.data(), n, d.pivots.data(),
                                    d.B_array.data(), n, &refused, d.count),
                   "cublas<t>getrsBatched");
    });
    invert.push_back([&] {
      check_cublas(cublas<T>::getri(handle, n, d.A_array.data(), n, d.pivots.data(), d.inverse_array.data(),
                                    n, d.info.data(), d.count),
                   "cublas<t>getriBatched");
    });
#endif
    std::vector<std::vector<double>> ms = {in_turn_ms(q.stream(), restore, factor)};
    restore();
    d.factor(q);
    ms.push_back(in_turn_ms(q.stream(), restore_factored, solve));
    ms.push_back(in_turn_ms(q.stream(), restore_factored, invert));
    std::printf("%4d", n);
    for (std::vector<double>& one : ms) {
      one.push_back(0);
      const double cublas_ms = one[1];
      std::printf(" | %9s %9s", text_of_ms(one[0]).c_str(), text_of_ms(cublas_ms).c_str());
      cublas_ms > 0 ? std::printf(" %8.2f", cublas_ms / one[0]) : std::printf(" %8s", "-");
    }
    std::printf("\n");
  }
  std::puts("\nMedians of 5 runs. x: times as fast as cuBLAS.");
  return fine;
}

}  // namespace
}  // namespace client

int main(int argc, char** argv) {
  using namespace client;
  options o;
  command_line line(
      "Factors batches of equal matrices, solves with them, inverts and multiplies them, by the calls that "
      "MFEM makes\nof MAGMA, and checks every matrix on the host.",
      "magma_mfem_lu");
  declare(line, o, "Time factor, solve and invert of 10,000 matrices of each order, beside cuBLAS",
          "  magma_mfem_lu --precision c\n"
          "      50 matrices of each of the orders 1, 3, 8, 27, 64 and 125, one of them singular\n"
          "  magma_mfem_lu --bench\n");
  return run_client(
      line, o, argc, argv, [&](auto zero) { return test<decltype(zero)>(o); },
      [&](auto zero) { return bench<decltype(zero)>(o); });
}
