// Times cuDSS, NVIDIA's sparse direct solver, on Poisson's equation, to compare the example multifrontal with it. The
// matrices are 7-point Laplacians on grids (5-point if nz = 1) plus 0.01 I. cuDSS comes from PyPI:
//
//   pip download --no-deps nvidia-cudss-cu13 && unzip -d build/cudss nvidia_cudss*.whl
//   folder=build/cudss/nvidia/cu13 && ln -s libcudss.so.1 $folder/lib/libcudss.so
//   nvcc -std=c++17 -O2 -I$folder/include bench/cudss.cu -L$folder/lib -lcudss -o build/cudss/grids
//   LD_LIBRARY_PATH=$folder/lib build/cudss/grids
#include <cuda_runtime.h>
#include <cudss.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}
void check(cudssStatus_t status, const char* call) {
  if (status == CUDSS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: cuDSS status %d\n", call, static_cast<int>(status));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

/// A matrix by compressed rows: the lower triangle, or all elements.
struct csr_matrix {
  std::vector<int> row_begins{0}, columns;
  std::vector<double> values;
  bool is_full;
};

csr_matrix laplacian(int nx, int ny, int nz, bool is_full) {
  csr_matrix A;
  A.is_full = is_full;
  const int dimensions = (nx > 1) + (ny > 1) + (nz > 1);
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const auto add = [&](bool exists, int column, double value) {
          if (!exists) return;
          A.columns.push_back(column);
          A.values.push_back(value);
        };
        const int row = (z * ny + y) * nx + x;
        add(z > 0, row - nx * ny, -1);
        add(y > 0, row - nx, -1);
        add(x > 0, row - 1, -1);
        add(true, row, 2 * dimensions + 0.01);
        add(is_full && x + 1 < nx, row + 1, -1);
        add(is_full && y + 1 < ny, row + nx, -1);
        add(is_full && z + 1 < nz, row + nx * ny, -1);
        A.row_begins.push_back(static_cast<int>(A.columns.size()));
      }
    }
  }
  return A;
}

/// max_i |1 - A x|_i
double residual(const csr_matrix& A, const std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
  std::vector<double> r(x.size(), 1.0);
  for (int i = 0; i < n; ++i) {
    for (int k = A.row_begins[i]; k < A.row_begins[i + 1]; ++k) {
      const int j = A.columns[k];
      r[i] -= A.values[k] * x[j];
      if (!A.is_full && j != i) r[j] -= A.values[k] * x[i];
    }
  }
  double largest = 0;
  for (const double each : r) largest = std::max(largest, std::fabs(each));
  return largest;
}

template <class T>
T* on_device(const std::vector<T>& values, int copies = 1) {
  T* all = nullptr;
  CHECK(cudaMalloc(&all, values.size() * sizeof(T) * copies));
  for (int c = 0; c < copies; ++c)
    CHECK(cudaMemcpy(all + c * values.size(), values.data(), values.size() * sizeof(T),
                     cudaMemcpyHostToDevice));
  return all;
}

/// Milliseconds of the GPU: the median of five calls, after a first call that is not counted.
template <class Call>
float median_time(Call call) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  call();
  std::vector<float> times(5);
  for (float& time : times) {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin));
    call();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&time, begin, end));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[2];
}

void measure(int nx, int ny, int nz, cudssMatrixType_t type, int nrhs, int systems) {
  const csr_matrix A = laplacian(nx, ny, nz, type == CUDSS_MTYPE_GENERAL);
  const int n = nx * ny * nz;
  const auto elements = static_cast<std::int64_t>(A.columns.size());
  int *row_begins = on_device(A.row_begins), *columns = on_device(A.columns);
  double* values = on_device(A.values, systems);
  double* b = on_device(std::vector<double>(static_cast<std::size_t>(n) * nrhs, 1.0), systems);
  double* x = on_device(std::vector<double>(static_cast<std::size_t>(n) * nrhs), systems);

  cudssHandle_t handle;
  cudssConfig_t config;
  cudssData_t data;
  cudssMatrix_t matrix, solution, right_hand_side;
  CHECK(cudssCreate(&handle));
  CHECK(cudssConfigCreate(&config));
  CHECK(cudssDataCreate(handle, &data));
  if (systems > 1) CHECK(cudssConfigSet(config, CUDSS_CONFIG_UBATCH_SIZE, &systems, sizeof systems));
  CHECK(cudssMatrixCreateCsr(&matrix, n, n, elements, row_begins, nullptr, columns, values, CUDA_R_32I,
                             CUDA_R_32I, CUDA_R_64F, type, A.is_full ? CUDSS_MVIEW_FULL : CUDSS_MVIEW_LOWER,
                             CUDSS_BASE_ZERO));
  CHECK(cudssMatrixCreateDn(&solution, n, nrhs, n, x, CUDA_R_64F, CUDSS_LAYOUT_COL_MAJOR));
  CHECK(cudssMatrixCreateDn(&right_hand_side, n, nrhs, n, b, CUDA_R_64F, CUDSS_LAYOUT_COL_MAJOR));

  const auto time_of = [&](int phase) {
    return median_time(
        [&] { CHECK(cudssExecute(handle, phase, config, data, matrix, solution, right_hand_side)); });
  };
  const auto begin = std::chrono::steady_clock::now();
  CHECK(cudssExecute(handle, CUDSS_PHASE_ANALYSIS, config, data, matrix, solution, right_hand_side));
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::milli> analysis = std::chrono::steady_clock::now() - begin;
  const float factorization = time_of(CUDSS_PHASE_FACTORIZATION),
              again = time_of(CUDSS_PHASE_REFACTORIZATION), solve = time_of(CUDSS_PHASE_SOLVE);
  std::vector<double> first(n);
  CHECK(cudaMemcpy(first.data(), x, n * sizeof(double), cudaMemcpyDeviceToHost));
  const char* const name = type == CUDSS_MTYPE_SPD         ? "Cholesky"
                           : type == CUDSS_MTYPE_SYMMETRIC ? "LDL^T"
                                                           : "LU";
  std::printf(
      "%dx%dx%d, %s, %d system%s, %d right-hand side%s: analysis %.1f ms, factorization %.3f, again %.3f, "
      "solve "
      "%.3f ms; residual %.1e\n",
      nx, ny, nz, name, systems, systems == 1 ? "" : "s", nrhs, nrhs == 1 ? "" : "s", analysis.count(),
      factorization, again, solve, residual(A, first));
  std::fflush(stdout);

  CHECK(cudssMatrixDestroy(matrix));
  CHECK(cudssMatrixDestroy(solution));
  CHECK(cudssMatrixDestroy(right_hand_side));
  CHECK(cudssDataDestroy(handle, data));
  CHECK(cudssConfigDestroy(config));
  CHECK(cudssDestroy(handle));
  for (void* each : {static_cast<void*>(row_begins), static_cast<void*>(columns), static_cast<void*>(values),
                     static_cast<void*>(b), static_cast<void*>(x)})
    CHECK(cudaFree(each));
}

}  // namespace

int main() {
  measure(48, 48, 48, CUDSS_MTYPE_SPD, 1, 1);
  measure(48, 48, 48, CUDSS_MTYPE_SPD, 32, 1);
  measure(12, 12, 12, CUDSS_MTYPE_SPD, 1, 1000);
  measure(24, 24, 24, CUDSS_MTYPE_GENERAL, 1, 1);
  measure(48, 48, 48, CUDSS_MTYPE_GENERAL, 1, 1);
  measure(48, 48, 48, CUDSS_MTYPE_SYMMETRIC, 1, 1);
  measure(64, 64, 64, CUDSS_MTYPE_SPD, 1, 1);
  measure(1000, 1000, 1, CUDSS_MTYPE_SPD, 1, 1);
}
