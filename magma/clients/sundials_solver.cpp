// magma_sundials_solver: the linear systems of implicit time steps, one small block for each cell, by the
// calls that SUNDIALS makes of MAGMA. A setup factors all blocks of I - h J, a solve has one right-hand side
// for each. Where there is one block, it calls the routines of one matrix.
#include "client.hpp"
#include "cublas_by_type.hpp"

namespace client {
namespace {

constexpr std::uint64_t seed = 4;

/// An array of ints on the host that the device reaches.
class pinned_ints {
 public:
  explicit pinned_ints(std::size_t size) {
    check_cuda(cudaHostAlloc(&data_, std::max<std::size_t>(size, 1) * sizeof(int), cudaHostAllocDefault),
               "cudaHostAlloc");
  }
  ~pinned_ints() { cudaFreeHost(data_); }
  pinned_ints(const pinned_ints&) = delete;
  pinned_ints& operator=(const pinned_ints&) = delete;
  int* data() const { return data_; }

 private:
  int* data_ = nullptr;
};

/// To the device or from it, in the order of the client's stream; what comes from it has arrived.
template <class H, class E>
void send(const device_array<E>& to, const std::vector<H>& from, cudaStream_t stream) {
  check_cuda(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(H), cudaMemcpyHostToDevice, stream),
             "cudaMemcpyAsync");
}
template <class H, class E>
std::vector<H> received(const device_array<E>& from, cudaStream_t stream) {
  std::vector<H> to(from.size());
  check_cuda(cudaMemcpyAsync(to.data(), from.data(), to.size() * sizeof(H), cudaMemcpyDeviceToHost, stream),
             "cudaMemcpyAsync");
  check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return to;
}

/// The matrix and the solver: `blocks` matrices of order n, one behind the other.
template <class T>
class block_solver {
 public:
  using M = element_of<T>;
  using magma = by_type<T>;

  block_solver(int order, int block_count, const own_queue& q)
      : n(order),
        blocks(block_count),
        A(elements(n)),
        q_(q),
        pivots_(elements(1)),
        pivots_on_host_(static_cast<std::size_t>(n)),
        info_(static_cast<std::size_t>(blocks)),
        A_array_(static_cast<std::size_t>(blocks)),
        x_array_(static_cast<std::size_t>(blocks)),
        y_array_(static_cast<std::size_t>(blocks)),
        pivots_array_(static_cast<std::size_t>(blocks)) {
    if (blocks == 1) return;
    magma_iset_pointer(pivots_array_.data(), pivots_.data(), n, 0, 0, n, blocks, q_);
    magma::set_pointer(A_array_.data(), A.data(), n, 0, 0, n * n, blocks, q_);
    magma_queue_sync(q_);
  }

  /// Factors all blocks of A, in place.
  void setup() {
    if (blocks > 1) {
      check_magma(
          magma::getrf_batched(n, n, A_array_.data(), n, pivots_array_.data(), info_.data(), blocks, q_),
          "getrf_batched");
    } else {
      magma_queue_sync(q_);  // A arrives on a stream that the routine of one matrix knows nothing of
      magma::getrf_gpu(n, n, A.data(), n, pivots_on_host_.data(), info_.data());
    }
  }
  /// After setup and a look at the queue: the blocks that have no solution.
  int singular_blocks() {
    magma_queue_sync(q_);
    return static_cast<int>(
        std::count_if(info_.data(), info_.data() + blocks, [](int info) { return info != 0; }));
  }

  /// x := A^-1 x
  void solve(const device_array<M>& x) {
    if (blocks > 1) {
      magma::set_pointer(x_array_.data(), x.data(), n, 0, 0, n, blocks, q_);
      check_magma(magma::getrs_batched(MagmaNoTrans, n, 1, A_array_.data(), n, pivots_array_.data(),
                                       x_array_.data(), n, blocks, q_),
                  "getrs_batched");
    } else {
      magma_queue_sync(q_);  // nothing waits afterwards: the call returns when x is there, as MAGMA's does
      int info = 0;
      magma::getrs_gpu(MagmaNoTrans, n, 1, A.data(), n, pivots_on_host_.data(), x.data(), n, &info);
      check_magma(info, "getrs_gpu");
    }
  }

  /// y := B x, of a matrix that was not factored.
  void multiply(const device_array<M>& B, const device_array<M>& x, const device_array<M>& y) {
    if (blocks > 1) {
      magma::set_pointer(A_array_.data(), B.data(), n, 0, 0, n * n, blocks, q_);
      magma::set_pointer(x_array_.data(), x.data(), n, 0, 0, n, blocks, q_);
      magma::set_pointer(y_array_.data(), y.data(), n, 0, 0, n, blocks, q_);
      magma::gemv_batched(MagmaNoTrans, n, n, scalar(T(1)), A_array_.data(), n, x_array_.data(), 1,
                          scalar(T(0)), y_array_.data(), 1, blocks, q_);
      magma::set_pointer(A_array_.data(), A.data(), n, 0, 0, n * n, blocks, q_);
    } else {
      magma::gemv(MagmaNoTrans, n, n, scalar(T(1)), B.data(), n, x.data(), 1, scalar(T(0)), y.data(), 1, q_);
    }
  }

  std::size_t elements(int columns) const {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(columns) * static_cast<std::size_t>(blocks);
  }
  M** A_array() const { return A_array_.data(); }
  int* pivots() const { return pivots_.data(); }

  int n, blocks;
  device_array<M> A;

 private:
  const own_queue& q_;
  device_array<int> pivots_;
  std::vector<int> pivots_on_host_;
  pinned_ints info_;
  device_array<M*> A_array_, x_array_, y_array_;
  device_array<int*> pivots_array_;
};

// ---- the test ---------------------------------------------------------------------------------------------

/// I - h J of every block.
template <class T>
std::vector<T> newton_matrices(const std::vector<T>& J, int n, double h) {
  std::vector<T> A(J.size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    const auto in_block = static_cast<int>(i % static_cast<std::size_t>(n * n));
    A[i] = (in_block % (n + 1) == 0 ? T(1) : T(0)) - static_cast<real_of<T>>(h) * J[i];
  }
  return A;
}

/// Backward Euler steps of y' = J y, each of another length: (I - h J) y := y of the step before.
template <class T>
void test_steps(results& all, int n, int blocks) {
  using W = wide<T>;
  constexpr int steps = 10;
  struct step {
    std::vector<T> newton, y, product;  // I - h J, the solution, and I - h J times it
    int singular_blocks;
  };
  const own_queue q;
  block_solver<T> solver(n, blocks, q);
  const std::vector<T> J = random_elements<T>(solver.elements(n), seed);
  const std::vector<T> y_at_first = random_elements<T>(solver.elements(1), seed + 1);
  const device_array<element_of<T>> A(solver.elements(n)), y(y_at_first), product(y.size());
  std::vector<step> done;
  for (int i = 0; i < steps; ++i) {
    const std::vector<T> newton = newton_matrices(J, n, 0.1 * (1 + i));
    send(A, newton, q.stream());
    send(solver.A, newton, q.stream());
    solver.setup();
    const int singular_blocks = solver.singular_blocks();
    solver.solve(y);
    solver.multiply(A, y, product);
    const std::vector<T> y_now = received<T>(y, q.stream());
    done.push_back({newton, y_now, received<T>(product, q.stream()), singular_blocks});
  }

  const auto step_of = [&](int i) -> const step& { return done[static_cast<std::size_t>(i / blocks)]; };
  const auto block = [&](const std::vector<T>& of, int i, int columns) {
    const auto first = static_cast<std::size_t>(i % blocks) * static_cast<std::size_t>(n * columns);
    return dense<W>(&of[first], n, columns, n);
  };
  all.section(std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") + " of order " +
              std::to_string(n) + ": ");
  all.name_by([](int i) { return "step " + std::to_string(i + 1); });
  all.equal(
      "blocks without a solution", steps,
      [&](int i) { return done[static_cast<std::size_t>(i)].singular_blocks; }, [](int) { return 0; });
  all.name_by([blocks](int i) {
    return "step " + std::to_string(i / blocks + 1) + ", block " + std::to_string(i % blocks);
  });
  all.below("x = A^-1 b", steps * blocks, [&](int i) {
    const step& s = step_of(i);
    const std::vector<T>& before = i < blocks ? y_at_first : step_of(i - blocks).y;
    return solve_ratio<T>(block(s.newton, i, n), block(s.y, i, 1), block(before, i, 1));
  });
  all.below("A x", steps * blocks, [&](int i) {
    const step& s = step_of(i);
    dense<W> minus_A = block(s.newton, i, n);
    for (W& e : minus_A.elements) e = -e;
    return product_ratio<T>(dense<W>(n, 1), minus_A, block(s.y, i, 1), block(s.product, i, 1));
  });
}

/// A singular block among others, and alone: setup says which it is.
template <class T>
void test_singular(results& all, int blocks) {
  constexpr int n = 9, singular_j = 4;
  const int singular_b = blocks / 2;
  all.section(std::to_string(blocks) +
              (blocks == 1 ? " block, singular: " : " blocks, one of them singular: "));
  const own_queue q;
  block_solver<T> solver(n, blocks, q);
  std::vector<T> A = random_elements<T>(solver.elements(n), seed);
  std::fill_n(A.begin() + singular_b * n * n + singular_j * n, n, T(0));
  send(solver.A, A, q.stream());
  solver.setup();
  all.equal("blocks without a solution", solver.singular_blocks(), 1);
}

template <class T>
int test(const options& o) {
  results all("sundials_solver " + o.precision);
  test_steps<T>(all, 3, 1000);
  test_steps<T>(all, 20, 100);
  test_steps<T>(all, 53, 20);
  test_steps<T>(all, 200, 1);
  test_singular<T>(all, 40);
  test_singular<T>(all, 1);
  return all.verdict();
}

// ---- times ------------------------------------------------------------------------------------------------

template <class T>
int bench(const options& o) {
  using M = element_of<T>;
  constexpr int distinct = 500;
  std::printf("precision %s%s\n\n", o.precision.c_str(),
#ifdef CLIENT_WITH_CUBLAS
              "");
#else
              "; cuBLAS was not found");
#endif
  std::printf("%4s %8s | %-28s | %-28s\n", "", "", "setup", "solve");
  std::printf("%4s %8s", "n", "blocks");
  for (int i = 0; i < 2; ++i) std::printf(" | %9s %9s %8s", "ms", "cuBLAS ms", "x");
  std::printf("\n");
  for (const int n : {3, 9, 20, 53}) {
    for (const int blocks : {10000, 100000}) {
      const own_queue q;
      block_solver<T> solver(n, blocks, q);
      const auto filled = [&](int columns, std::uint64_t from) {
        device_array<M> all(solver.elements(columns));
        const auto period = static_cast<std::size_t>(n * columns * distinct);
        all.upload(random_elements<T>(period, from));
        all.repeat(period);
        return all;
      };
      const device_array<M> A = filled(n, seed), b = filled(1, seed + 1);
      device_array<M> x(b.size());
      const work restore_A = [&] { solver.A.copy_of(A, q.stream()); };
      const work restore_x = [&] { x.copy_of(b, q.stream()); };
      std::vector<work> setup = {[&] { solver.setup(); }}, solve = {[&] { solver.solve(x); }};
#ifdef CLIENT_WITH_CUBLAS
      const cublas_handle handle(q.stream());
      device_array<int> info(static_cast<std::size_t>(blocks));
      device_array<M*> x_array(static_cast<std::size_t>(blocks));
      by_type<T>::set_pointer(x_array.data(), x.data(), n, 0, 0, n, blocks, q);
      setup.push_back([&] {
        check_cublas(cublas<T>::getrf(handle, n, solver.A_array(), n, solver.pivots(), info.data(), blocks),
                     "cublas<t>getrfBatched");
      });
      solve.push_back([&] {
        int refused = 0;
        check_cublas(cublas<T>::getrs(handle, CUBLAS_OP_N, n, 1, solver.A_array(), n, solver.pivots(),
                                      x_array.data(), n, &refused, blocks),
                     "cublas<t>getrsBatched");
      });
#endif
      std::vector<std::vector<double>> ms = {in_turn_ms(q.stream(), restore_A, setup)};
      restore_A();
      solver.setup();
      ms.push_back(in_turn_ms(q.stream(), restore_x, solve));
      std::printf("%4d %8d", n, blocks);
      for (std::vector<double>& one : ms) {
        one.push_back(0);
        const double cublas_ms = one[1];
        std::printf(" | %9s %9s", text_of_ms(one[0]).c_str(), text_of_ms(cublas_ms).c_str());
        cublas_ms > 0 ? std::printf(" %8.2f", cublas_ms / one[0]) : std::printf(" %8s", "-");
      }
      std::printf("\n");
    }
  }
  std::puts(
      "\nMedians of 5 runs: setup is getrf with info on the host, solve is set_pointer and getrs of one "
      "vector.\n"
      "x: times as fast as cuBLAS.");
  return fine;
}

}  // namespace
}  // namespace client

int main(int argc, char** argv) {
  using namespace client;
  options o;
  command_line line(
      "Takes implicit time steps of many small blocks, and of one large block, by the calls that SUNDIALS "
      "makes of\n"
      "MAGMA, and checks every solution on the host.",
      "magma_sundials_solver");
  declare(line, o, "Time setup and solve of 10,000 and 100,000 blocks, beside cuBLAS",
          "  magma_sundials_solver --precision s\n"
          "      ten steps of blocks of the orders 3, 20 and 53, and of one block of order 200\n"
          "  magma_sundials_solver --bench\n");
  return run_client(
      line, o, argc, argv, [&](auto zero) { return test<decltype(zero)>(o); },
      [&](auto zero) { return bench<decltype(zero)>(o); });
}
