#include <cmath>
#include <cstdio>
#include <cstring>
#include <talus/talus.hpp>
#include <vector>

namespace {

/// Returns the Hilbert matrix of order n plus the identity matrix, column by column.
std::vector<double> matrix(int n) {
  std::vector<double> A;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) A.push_back(1.0 / (i + j + 1) + (i == j ? 1 : 0));
  return A;
}

}  // namespace

int main() {
  const int n = 5, count = 1000;
  const talus::queue q = talus::queue::host();
  std::vector<double> slab;  // one matrix after the other
  for (int b = 0; b < count; ++b) {
    const std::vector<double> A = matrix(n);
    slab.insert(slab.end(), A.begin(), A.end());
  }
  std::vector<double> same = slab;
  std::vector<int> info(count);

  // Matrices at equal distances in one slab of memory: pass a pointer and a stride.
  int status = talus::potrf_strided_batched(talus::uplo::lower, n, slab.data(), n, n * n,
                                            info.data(), count, q);

  // Matrices anywhere in memory: pass an array of pointers.
  std::vector<double*> pointers;
  for (int b = 0; b < count; ++b) pointers.push_back(&same[std::size_t(n) * n * b]);
  status |= talus::potrf_batched(talus::uplo::lower, n, pointers.data(), n, info.data(), count, q);
  const bool equal = std::memcmp(slab.data(), same.data(), slab.size() * sizeof(double)) == 0;

  // Matrices of different sizes: pass arrays of pointers, sizes and leading dimensions, and an
  // upper bound of the sizes.
  std::vector<std::vector<double>> matrices;
  std::vector<double*> starts;
  std::vector<int> orders;
  for (int b = 0; b < count; ++b) {
    orders.push_back(1 + b % 40);
    matrices.push_back(matrix(orders.back()));
    starts.push_back(matrices.back().data());
  }
  status |= talus::potrf_vbatched(talus::uplo::lower, orders.data(), starts.data(), orders.data(),
                                  info.data(), count, 40, q);

  const double corner = std::sqrt(matrix(1)[0]);  // the expected first element of every factor
  int wrong = 0;
  for (int b = 0; b < count; ++b)
    wrong += info[b] != 0 || std::abs(matrices[b][0] - corner) > 1e-15;
  std::printf("status %d, equal bits: %s, %d wrong\n", status, equal ? "yes" : "no", wrong);
  return status != 0 || !equal || wrong != 0;
}
